"""Moodle's grading worksheet, filled with the points and reasons of a class.

moodle.csv    the worksheet that you download from the assignment in Moodle

Moodle's importer looks for the names of columns in the language of the course, so they are taken
from that file. The column of the grade is the one before the greatest grade, which is the same
number in each row; `grade` in its name comes first.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from plyscope.datafile import FORMULA, decoded
from plyscope.errors import NotationError

WORKSHEET = "moodle.csv"
FEEDBACK = re.compile("feedback|comment|komment|coment|opmerk", re.IGNORECASE)
"""The name of the column of feedback, in the languages of Latin script."""


def filled_worksheet(file: Path, grades: Mapping[str, tuple[str, str]]) -> str:
    """Return the text of a worksheet with points and reasons, by the number of the participant.

    Rows of others are left as they are. Raises NotationError for a file that is no worksheet.
    """
    text = decoded(file.read_bytes())
    delimiter = next((each for each in ";\t" if each in text.partition("\n")[0]), ",")
    head, *rows = list(csv.reader(StringIO(text), delimiter=delimiter)) or [[]]
    rows = [row for row in rows if len(row) == len(head) and any(row)]
    at = _grade_column(head, rows)
    if at is None:
        raise NotationError(
            f"columns {','.join(head)[:60]!r} of {str(file)!r}; expected the grading worksheet "
            "that Moodle writes"
        )
    feedback = next((place for place, name in enumerate(head) if FEEDBACK.search(name)), None)
    has_comma = any("," in row[at + 1] for row in rows)
    for row in rows:
        number = re.search(r"(\d+)\s*$", row[0])
        points, reason = grades.get(number[1] if number else "", ("", ""))
        if points:
            row[at] = points.replace(".", ",") if has_comma else points
            if feedback is not None:
                row[feedback] = f"'{reason}" if FORMULA.match(reason) else reason
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([head, *rows])
    return out.getvalue()


def _grade_column(head: list[str], rows: list[list[str]]) -> int | None:
    """Return the place of the column of grades, None if there is none."""
    names = [name.strip().casefold() for name in head]
    if "grade" in names:
        return names.index("grade")
    for place in range(2, len(head)):
        cells = {row[place].strip() for row in rows}
        if len(cells) == 1 and re.fullmatch(r"\d+([.,]\d+)?", cells.pop()):
            return place - 1
    return None
