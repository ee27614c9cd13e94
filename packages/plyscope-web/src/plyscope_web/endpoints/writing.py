"""Heuristics typed into the page, in Python or as a table: only where it runs in a browser.

A request holds the text itself, as `mine:` and the text from the next line on, so nothing is kept
between requests. The text is put into a file of its own and read as any file.
"""

from __future__ import annotations

import atexit
import re
import shutil
import sys
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Any, NamedTuple

from plyscope.errors import PlyscopeError
from plyscope.evaluation.function import load_function
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.signatures import (
    OF_BITBOARDS,
    OF_BOARD,
    OF_COUNTS,
    OF_PLAYER,
    OF_PLAYERS,
    OF_POSITION,
    Signature,
)
from plyscope.pythonfile import module_name, step_of
from plyscope_web.endpoints import Tell, in_short
from plyscope_web.endpoints.boards import explain
from plyscope_web.endpoints.inputs import position_of, reader_of_texts
from plyscope_web.endpoints.tabletext import read_table_text
from plyscope_web.requests import DefineRequest, ExplainRequest

TABLE = re.compile(
    r"\s*(#.*\s+)*(\{|\[+[\w.\"' -]+\]+\s*$|[\w\"-]+\s*=\s*[\[{\"'\d])", re.MULTILINE
)
"""The beginning of a table in TOML or JSON."""
PYTHON = re.compile(r"^\s*(def|class|import|from|@)\b|\blambda\b", re.MULTILINE)
"""A part of a text in Python."""
PLACE = re.compile(r"line (\d+),? column (\d+)")
"""The place of a fault in the messages of TOML and JSON."""
MAX_FILES = 32
"""The most texts whose files are kept."""


class Example(NamedTuple):
    """A text to begin with, and the signature that it shows, None for a table."""

    signature: Signature | None
    text: str


EXAMPLES = (
    Example(
        OF_COUNTS,
        '''def line_value(mine, theirs):
    """The value of one line; plyscope adds up all lines."""
    if mine and theirs:
        return 0  # neither side can complete it
    return mine**3 - theirs**3
''',
    ),
    Example(
        OF_PLAYER,
        '''def rows(board, player):
    """My rows without their stones, less theirs without mine."""
    opponent = 3 - player
    value = 0
    for row in board:
        value += (opponent not in row) - (player not in row)
    return value
''',
    ),
    Example(
        OF_PLAYERS,
        '''def neighbours(board, player, opponent):
    """My stones next to each other in a row, less theirs."""
    value = 0
    for row in board:
        for left, right in zip(row, row[1:]):
            if left == right:
                value += (left == player) - (left == opponent)
    return value
''',
    ),
    Example(
        OF_BOARD,
        '''def middle(board):
    """X's stones near the middle of their row, less O's."""
    value = 0
    for row in board:
        for place, cell in enumerate(row):
            near = min(place, len(row) - 1 - place)
            value += near * (cell == 1) - near * (cell == 2)
    return value
''',
    ),
    Example(
        OF_POSITION,
        '''def open_lines(position):
    """The lines that are open for X, less those for O."""
    value = 0
    for line in position.game.lines:
        value += not line.mask & position.second
        value -= not line.mask & position.first
    return value
''',
    ),
    Example(
        OF_BITBOARDS,
        '''def stones(mine, theirs, lines):
    """My stones on lines that are open for me, less theirs."""
    value = 0
    for line in lines:
        if not line & theirs:
            value += (line & mine).bit_count()
        if not line & mine:
            value -= (line & theirs).bit_count()
    return value
''',
    ),
    Example(
        None,
        """# the value of a line with 0, 1, 2, ... stones of mine alone
mine = [0, 1, 10, 100]
to_move = [0, 0, 2, 20]

[weights]
diagonal = 2
""",
    ),
)


def define(request: DefineRequest, tell: Tell) -> dict[str, Any]:
    """Return how a text was read, its values on a position, and the place of its first fault; for
    an empty text, examples."""
    read_text = reader_of_texts()
    found: dict[str, Any] = {
        **{"name": request.name, "reading": "", "explanation": None, "fault": None},
        "examples": [],
    }
    if not request.text.strip():
        return {**found, "examples": _examples()}
    position = position_of(request.position)
    given = f"{request.name}:\n{request.text}"
    try:
        heuristic = read_text(request.name, request.text, position.game)
        found["reading"] = _reading(request, heuristic)
        asked = ExplainRequest(position=request.position, heuristic=given, side=request.side)
        found["explanation"] = explain(asked, tell)
    except PlyscopeError as error:
        found["fault"] = _fault(error, request)
    return found


def written_heuristic(name: str, text: str, game: Any) -> Any:
    """Return the heuristic of a text for a game, called `name`; raise PlyscopeError, whose message
    calls the file `mine.py`."""
    if not _is_python(text):
        return replace(read_table_text(text), name=name)
    path = _file(name, text)
    try:
        found: Any = find_heuristic(str(path), game)
    except PlyscopeError as error:
        said = str(error).replace(f"{path.parent}/", "")
        raise type(error)(said) from (error.__cause__ or error.__context__)
    if isinstance(found, LineTable):
        return replace(found, name=name)
    return replace(found, name=name, of_file="")


def _examples() -> list[dict[str, str]]:
    return [
        {"name": "a table" if each.signature is None else each.signature.text, "text": each.text}
        for each in EXAMPLES
    ]


def _is_python(text: str) -> bool:
    return TABLE.match(text) is None or PYTHON.search(text) is not None


def _reading(request: DefineRequest, heuristic: Any) -> str:
    """Return as what a text was read."""
    if not _is_python(request.text):
        return "read as a table"
    function = load_function(str(_file(request.name, request.text)))
    signature = function.signature
    form = f" ({function.form})" if function.form else ""
    return (
        f"read as {signature.text}{form}: {signature.given}; "
        f"it answers in the view of {signature.view}"
    )


# Files of texts


@cache
def _folder() -> str:
    """Return a new folder, which ends with this process."""
    folder = mkdtemp(prefix="plyscope-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


_files: OrderedDict[Path, None] = OrderedDict()
"""The files of texts, the last used one last."""


def _file(name: str, text: str) -> Path:
    """Return the file of a text, whose folder belongs to this text alone."""
    data = text.encode(errors="replace")
    path = Path(_folder(), sha256(data).hexdigest()[:16], f"{name}.py")
    if path not in _files:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        while len(_files) >= MAX_FILES:
            old, _ = _files.popitem(last=False)
            shutil.rmtree(old.parent, ignore_errors=True)
            sys.modules.pop(module_name(str(old)), None)
    _files[path] = None
    _files.move_to_end(path)
    return path


# Faults


def _fault(error: PlyscopeError, request: DefineRequest) -> dict[str, Any]:
    """Return the message of an error, with the line and the column of the text where it arose."""
    file = f"{request.name}.py"
    said = str(error).removeprefix(f"running {file!r} for the heuristic {file!r} ")
    place = PLACE.search(said) if not _is_python(request.text) else None
    line, column = (int(place[1]), int(place[2])) if place else _place(error, request)
    if line is not None:
        said = f"line {line}, column {column}: {said}"
    return {"text": in_short(said), "line": line, "column": column}


def _place(error: BaseException, request: DefineRequest) -> tuple[int | None, int | None]:
    """Return the line and the column, both from 1, of the text in which an error arose."""
    path = str(_file(request.name, request.text))
    for each in _chain(error):
        if isinstance(each, SyntaxError) and each.filename == path:
            return each.lineno or 1, max(each.offset or 1, 1)
        if (step := step_of(each)) is not None:
            return _of_step(step)
    return None, None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and those that it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _of_step(step: TracebackType) -> tuple[int, int]:
    positions = [*step.tb_frame.f_code.co_positions()]
    line, _, column, _ = positions[step.tb_lasti // 2]
    return line or step.tb_lineno, (column or 0) + 1
