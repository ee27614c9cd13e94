"""The exit statuses, the same in every command.

    0   success 1   the result is undecided, refuted or interrupted; the partial result is printed 2
    the input is bad, or the output cannot be written: one line has the reason

`web`, `gomocup` and `play` run until the user ends them, with status 0.
"""

from __future__ import annotations

DONE = 0
UNDECIDED = 1
BAD_INPUT = 2


def status_of(is_decided: bool) -> int:
    """Return DONE or UNDECIDED."""
    return DONE if is_decided else UNDECIDED
