"""What plyscope raises when it is asked for something it cannot do.

    PlyscopeError
    ├── NotationError       a text that cannot be read: a position, a cell, a tree, a table
    ├── UnknownNameError    a name that is in no catalogue; says the nearest names that are
    ├── IllegalMoveError    a move that the rules do not allow here
    ├── OptionError         an option whose value, or whose company, makes no sense
    ├── HeuristicError      a heuristic that raises, or whose answer is not a whole number in range
    └── AgentError          an agent that crashes, or gives no legal move in time

Every message is one line in lower case that quotes the text, says where in it, and what was
expected.
"""

from __future__ import annotations


class PlyscopeError(ValueError):
    """The base of all of them; a command answers it with one line and exit status 2."""


class NotationError(PlyscopeError):
    """A text that cannot be read."""


class UnknownNameError(PlyscopeError):
    """A name that is in no catalogue."""


class IllegalMoveError(PlyscopeError):
    """A move that the rules do not allow in this position."""


class OptionError(PlyscopeError):
    """An option whose value, or whose company, makes no sense."""


class HeuristicError(PlyscopeError):
    """A heuristic that raised, or whose answer is not a whole number in range."""


class AgentError(PlyscopeError):
    """An agent that crashed, or gave no legal move in time: in a match it has lost.

    `output` is what a stranger's code had printed by then.
    """

    def __init__(self, text: str, output: str = "") -> None:
        super().__init__(text)
        self.output = output
