"""The exceptions of plyscope.

    PlyscopeError
    ├── NotationError       a text that cannot be read: a position, a cell, a tree, a table
    ├── UnknownNameError    a name that is in no catalogue; lists the nearest names
    ├── IllegalMoveError    a move that the rules do not allow here
    ├── OptionError         an option with a bad value, or a bad combination of options
    ├── HeuristicError      a heuristic that raises, or returns no whole number in range
    └── AgentError          an agent that crashes, or makes no legal move in time

Every message is one line in lower case. It quotes the text, names the place, and says what was
expected.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import TracebackType


class PlyscopeError(ValueError):
    """The base class; a command prints its message and exits with status 2."""

    def _render_traceback_(self) -> list[str]:
        """Return the traceback that IPython shows: the causes, without frames of plyscope.

        `%xmode Verbose` shows all frames.
        """
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if shell is None:
            from traceback import format_exception

            return format_exception(self)
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
    """An option with a bad value, or a bad combination of options."""


class HeuristicError(PlyscopeError):
    """A heuristic that raised, or returned no whole number in range."""


class AgentError(PlyscopeError):
    """An agent that crashed, or made no legal move in time; in a match it loses the game.

    `output` is the text that the agent had printed.
    """

    def __init__(self, text: str, output: str = "") -> None:
        super().__init__(text)
        self.output = output
