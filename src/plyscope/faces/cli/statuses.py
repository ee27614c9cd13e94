"""The exit statuses, the same in every command.

    0   what was asked is done, and holds
    1   it was not decided, not proved, or interrupted; what was found by then is printed
    2   the input is bad, or the output cannot be written: one line says why

`web`, `gomocup` and `play` are ended by people, and then have done what was asked.
"""

from __future__ import annotations

DONE = 0
UNDECIDED = 1
BAD_INPUT = 2


def status_of(is_decided: bool) -> int:
    """Return the status of a command that has found what it was asked for, or has not."""
    return DONE if is_decided else UNDECIDED
