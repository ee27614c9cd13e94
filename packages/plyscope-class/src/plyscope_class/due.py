"""Due dates: when submissions were handed in, which are late, and the points that this costs.

dates.csv     id,handed_in,due: times that you know, and due dates of single students; cells may be
              empty

Other times are those that come with submissions: nbgrader's timestamp.txt and Gradescope's
metadata. The times of files are not used: copying changes them. Canvas only marks its late files.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from pathlib import Path

from plyscope.datafile import read_table
from plyscope.display import times
from plyscope.errors import NotationError
from plyscope_class.assignment import DueOptions
from plyscope_class.grade import Grade, Part
from plyscope_class.times import TIME_FORM, parse_time

DATES, COLUMNS = "dates.csv", ("id", "handed_in", "due")
DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class Late:
    """A late submission."""

    days: int
    """The days begun since the due date; 1 if only the platform's mark is known."""
    words: str
    """When it was handed in, and when it was due."""


Dates = tuple[datetime | None, datetime | None]
"""When a submission was handed in, and when it was due, as far as the teacher has written it."""


def dates_of(folder: Path, keys: Collection[str]) -> dict[str, Dates]:
    """Return the times of `dates.csv` by submission. Raises NotationError."""
    found: dict[str, Dates] = {}
    if not (folder / DATES).exists():
        return found
    for place, row in read_table(folder / DATES, "dates", COLUMNS):
        key = row["id"]
        if key not in keys:
            raise NotationError(f"id {key[:60]!r} in {place}; expected the id of a submission")
        if key in found:
            raise NotationError(f"id {key[:60]!r} in {place} is there twice; expected once")
        times: list[datetime | None] = []
        for column in COLUMNS[1:]:
            try:
                times.append(parse_time(row[column]) if row[column] else None)
            except ValueError:
                raise NotationError(
                    f"{column} {row[column][:40]!r} in {place}; {TIME_FORM}"
                ) from None
        found[key] = times[0], times[1]
    return found


def late_of(
    options: DueOptions, handed_in: datetime | None, is_marked: bool, dates: Dates = (None, None)
) -> Late | None:
    """Return how late a submission is; None if it is in time, or not known to be late.

    `handed_in` and `is_marked` are the platform's time and mark. The teacher's `dates` come first.
    """
    handed_in = dates[0] or handed_in
    due = dates[1] or (parse_time(options.at) if options.at else None)
    if handed_in is not None and due is not None:
        if handed_in <= due + timedelta(minutes=options.grace_minutes):
            return None
        days = max(1, ceil((handed_in - due) / DAY))
        return Late(days=days, words=f"handed in {_shown(handed_in)}, due {_shown(due)}")
    if is_marked and dates[1] is None:
        return Late(days=1, words="marked as late, without a time")
    return None


def _shown(time: datetime) -> str:
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def with_penalty(grade: Grade, late: Late | None, options: DueOptions) -> Grade:
    """Return a grade without the points that being late costs, at most those reached."""
    points, reason = 0.0, "not late"
    if late is not None:
        reason = f"{late.words}; {times(late.days, 'day')} late"
        points = options.points_a_day * late.days
        if options.days and late.days > options.days:
            reason += f", which is more than {options.days}"
            points = grade.total
        points = min(points, max(0.0, grade.total))
    part = Part(name="penalty", points=0.0 - round(points, 2), of=0.0, reasons=(reason,))
    return replace(grade, parts=(*grade.parts, part))
