"""Times as people write them: due dates, and the time of a submission."""

from __future__ import annotations

import re
from datetime import datetime

TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?"
)
TIME_FORM = "expected a time such as 2026-12-04 23:59, or 2026-12-04T23:59+01:00"
"""The end of a message about a text that is no time."""


def parse_time(text: str) -> datetime:
    """Return the time of a text, in this machine's zone unless it names another.

    A day without a time ends at 23:59. Raises ValueError.
    """
    match = TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    day, hours, zone = match.groups()
    clock = "23:59" if hours is None else f"0{hours}" if hours[1] == ":" else hours
    zone = "+00:00" if zone in ("Z", "UTC") else zone or ""
    found = datetime.fromisoformat(f"{day}T{clock}{zone}")
    return found if found.tzinfo else found.astimezone()
