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

import sys
import traceback
from collections.abc import Iterator
from types import TracebackType


class PlyscopeError(ValueError):
    """The base of all of them; a command answers it with one line and exit status 2."""

    def _render_traceback_(self) -> list[str]:
        """Return the traceback that a notebook shows: no frames of plyscope, but the causes.

        IPython calls this. `%xmode Verbose` shows all frames.
        """
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is None:
            return traceback.format_exception(self)
        whole = {error: error.__traceback__ for error in _chain(self)}
        try:
            if shell.InteractiveTB.mode != "Verbose":
                for error, frames in whole.items():
                    error.__traceback__ = _outside(frames)
            shown: list[str] = shell.InteractiveTB.structured_traceback(
                type(self), self, self.__traceback__, tb_offset=1
            )
            return shown
        finally:
            for error, frames in whole.items():
                error.__traceback__ = frames


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _outside(frames: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of plyscope."""
    every, kept = [], None
    while frames is not None:
        every.append(frames)
        frames = frames.tb_next
    for each in reversed(every):
        if each.tb_frame.f_globals.get("__name__", "").partition(".")[0] != __package__:
            kept = TracebackType(kept, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return kept


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
