"""Additions of a teacher to the grades of a class: points given by hand, and reasons for regrading.

manual.csv      id,points,reason: points in addition to those of the judgement; several rows add up
regrades.csv    id,reason,before,after: the submissions that `class run --regrade` judged again
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import fsum, isfinite
from pathlib import Path

from plyscope.datafile import csv_text, read_table, write_file
from plyscope.errors import NotationError
from plyscope_class.grade import Grade, Part

MANUAL, REGRADES = "manual.csv", "regrades.csv"
POINTS, REGRADED = ("id", "points", "reason"), ("id", "reason", "before", "after")
MAX_POINTS = 10_000
"""The greatest number of points in a row, added or taken away."""

Points = tuple[float, str]
"""Points given by hand, and the reason."""


def manual_points(folder: Path, keys: Collection[str]) -> dict[str, list[Points]] | None:
    """Return the points of `manual.csv` by submission; None without the file.

    Raises NotationError for a row that is not one of `keys` with a number of points.
    """
    if not (folder / MANUAL).exists():
        return None
    found: dict[str, list[Points]] = {}
    for place, row in read_table(folder / MANUAL, "points", POINTS):
        key, text = row["id"], row["points"]
        if key not in keys:
            raise NotationError(f"id {key[:60]!r} in {place}; expected the id of a submission")
        try:
            points = float(text.replace(",", "."))
        except ValueError:
            points = float("nan")
        if not isfinite(points) or abs(points) > MAX_POINTS:
            raise NotationError(
                f"points {text[:40]!r} in {place}; expected a number of at most {MAX_POINTS:,}"
            )
        found.setdefault(key, []).append((points, row["reason"]))
    return found


def with_points(grade: Grade, given: list[Points], of: float) -> Grade:
    """Return a grade with the points given by hand, of at most `of`."""
    reasons = [f"{points:+g}: {reason}" if reason else f"{points:+g}" for points, reason in given]
    part = Part(
        name="manual",
        points=round(fsum(points for points, _ in given), 2),
        of=of,
        reasons=tuple(reasons) or ("no points by hand yet",),
    )
    return replace(grade, parts=(*grade.parts, part))


def regraded(folder: Path) -> dict[str, list[str]]:
    """Return the reasons for which submissions were judged again. Raises NotationError."""
    found: dict[str, list[str]] = {}
    if (folder / REGRADES).exists():
        for _, row in read_table(folder / REGRADES, "regrades", REGRADED):
            found.setdefault(row["id"], []).append(row["reason"])
    return found


def note_regrade(folder: Path, key: str, reason: str, before: str, after: str) -> None:
    """Add a row to `regrades.csv`. Raises NotationError, OptionError."""
    rows = [list(REGRADED)]
    if (folder / REGRADES).exists():
        rows += [
            list(row.values()) for _, row in read_table(folder / REGRADES, "regrades", REGRADED)
        ]
    rows.append([key, reason, before, after])
    write_file("file", folder / REGRADES, csv_text(rows))
