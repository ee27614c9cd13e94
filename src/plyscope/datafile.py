"""User files: reading data as TOML or JSON, and writing files; and data frames."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyscope.errors import NotationError, OptionError
from plyscope.extras import load
from plyscope.jsonable import by_name, jsonable
from plyscope.wholefile import write_whole

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame
else:  # which is optional
    DataFrame = Any


def read_data(path: Path, what: str) -> Any:
    """Return the content of a file: JSON if its name ends in `.json`, otherwise TOML.

    Raises NotationError, in which `what` names the kind of file.
    """
    import json
    import tomllib

    form = "JSON" if path.suffix == ".json" else "TOML"
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if form == "JSON" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotationError(
            f"cannot read the {what} file {str(path)!r}: {why}; expected {form}"
        ) from None


def write_file(
    what: str, name: str | Path, content: str | bytes | Iterable[bytes], makes_folder: bool = False
) -> None:
    """Write a file atomically, a text or the pieces of the file; raise OptionError, which begins
    with `what`, if that fails."""
    try:
        if makes_folder:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        write_whole(Path(name), [data] if isinstance(data, bytes) else data)
    except OptionError:  # of the pieces
        raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise OptionError(
            f"{what} {str(name)!r}: {getattr(error, 'strerror', None) or error}; "
            "expected a file that can be written"
        ) from None


def read_table(path: Path, what: str, columns: Iterable[str]) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a CSV file below its head, each with its place for messages.

    Raises NotationError if the file cannot be read, or a column is missing; `what` names its kind.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise NotationError(
            f"cannot read the {what} file {str(path)!r}: {why}; expected CSV"
        ) from None
    return table_rows(content, str(path), columns)


def table_rows(
    content: bytes, name: str, columns: Iterable[str]
) -> list[tuple[str, dict[str, str]]]:
    """Return the rows of a CSV file below its head, each with its place in `name` for messages.

    Cells are separated by commas, or by tabs or semicolons if the head has one; lines before the
    head that are empty or begin with `#` or `sep=`, empty rows, capitals in the head and other
    columns than `columns` are allowed. Raises NotationError if one of `columns` is missing.
    """
    import csv

    lines = decoded(content).splitlines()
    skipped = next((at for at, line in enumerate(lines) if not NO_HEAD.match(line)), len(lines))
    head = lines[skipped] if skipped < len(lines) else ""
    delimiter = next((each for each in ";\t" if each in head), ",")
    rows = csv.DictReader(lines[skipped:], delimiter=delimiter)
    try:
        names = [(each or "").strip().lower() for each in rows.fieldnames or ()]
        rows.fieldnames = names
        read = [(rows.line_num, row) for row in rows]
    except csv.Error as error:
        raise NotationError(f"cannot read {name!r}: {error}; expected CSV") from None
    for column in columns:
        if column not in names:
            raise NotationError(
                f"columns {head.strip()[:60]!r} of {name!r}; expected {', '.join(columns)}"
            )
    return [
        (
            f"line {skipped + number} of {name!r}",
            {column: _unescaped((row[column] or "").strip()) for column in columns},
        )
        for number, row in read
        if any((row[column] or "").strip() for column in columns)
    ]


NO_HEAD = re.compile(r"[\s,;]*$|\s*(#|sep=)", re.IGNORECASE)
"""A line before the head of a table."""


def decoded(content: bytes) -> str:
    """Return the text of a file in UTF-8 or UTF-16, or else in Windows' Latin-1."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _unescaped(cell: str) -> str:
    """Return a cell without the sign by which `csv_text` escapes formulas."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell[1:]) else cell


def csv_text(rows: Iterable[Iterable[str]]) -> str:
    """Return rows as CSV; cells that a spreadsheet would read as formulas are escaped, and so are
    control characters, which a terminal would obey."""
    import csv
    from io import StringIO

    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        escaped = (CONTROL.sub(lambda found: repr(found[0])[1:-1], cell) for cell in row)
        writer.writerow(f"'{cell}" if FORMULA.match(cell) else cell for cell in escaped)
    return out.getvalue()


CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that change the direction of the text."""
FORMULA = re.compile(r"[=@\t\r]|[+-](?!\d+(?:\.\d+)?$)")
"""The beginning of a cell that a spreadsheet may read as a formula; numbers do not match."""


def frame(rows: Iterable[Any], *columns: str) -> DataFrame:
    """Return dataclasses or dictionaries as a pandas DataFrame, with all columns or those named.

    Raises OptionError if pandas is not installed.
    """
    pandas = load("pandas", "to_frame", "pandas")
    return pandas.DataFrame([by_name(row, *columns) if columns else jsonable(row) for row in rows])
