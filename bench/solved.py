"""Solve games, prove them, check the proofs, and write docs/solved.md and docs/atlas.md.

    python bench/solved.py JOURNAL [SECONDS] [GAME ...]   compute what the journal does not have
    python bench/solved.py JOURNAL --page                 write the two pages

The pages keep the rows that JOURNAL does not have. Every result is kept in JOURNAL, so the same
command continues after an interruption. A game that SECONDS (60, of CPU time) did not suffice for
is repeated when SECONDS is larger than before. Each proof is checked by solving/verify.py alone,
and each value is held to the published one.
"""

from __future__ import annotations

import json
import lzma
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from plyscope import parse_game, solve
from plyscope.errors import OptionError
from plyscope.journal import Journal
from plyscope.solving import verify
from plyscope.solving.ask import Ask
from plyscope.solving.solvers import plan_of
from plyscope.version import __version__
from plyscope_fast.solving.proof import proof_lines

DOCS = Path(__file__).parent.parent / "docs"
FORMAT = "plyscope solved games 1"
GAMES = (
    *("tictactoe", "misere-tictactoe", "torus-tictactoe", "3,3,3,torus,misere"),
    *("4,3,3", "4,3,4", "5,3,3", "4,4,3", "4,4,4", "4,4,4,misere", "5,4,4", "6,4,4"),
    *("5,5,4", "6,5,4", "7,5,4", "6,6,4", "7,6,4", "7,7,4", "8,8,4", "9,4,4"),
    *("5,5,5", "6,6,5", "7,7,5", "8,7,5", "8,8,5", "7,7,6", "9,6,6", "8,8,6", "9,8,6", "9,9,6"),
    *("8,8,7", "9,9,7", "10,10,7", "8,8,8", "11,11,8", "12,12,9"),
    *("2x2x2,2", "3x3x3,3", "qubic", "7x7x7,7", "8x8x8,8"),
    *("5,3,3,gravity", "4,4,3,gravity", "4,4,4,gravity", "5,4,4,gravity", "6,4,4,gravity"),
    *("7,4,4,gravity", "8,4,4,gravity", "4,5,4,gravity", "5,5,4,gravity", "6,5,4,gravity"),
    *("7,5,4,gravity", "4,6,4,gravity", "5,6,4,gravity", "6,6,4,gravity", "connect4"),
    *("4,7,4,gravity", "5,7,4,gravity", "6,7,4,gravity"),
)
"""The games of docs/solved.md."""
BREAKER_MEGABYTES = {"8,8,5": 4096}
"""Draws that are proved by the Maker–Breaker game alone, with the size of the solver's table: the
usual game takes much longer."""
MAX_CELLS, MAX_CUBE_CELLS = 36, 64
MAX_LENGTH, MIN_SIDE = 6, 3
VARIANTS = "", ",torus", ",torus=x", ",misere", ",gravity", ",exactly"
TURNED = ",torus=x", ",gravity"
"""The variants in which a board and the board on its side are two games."""
VALUES = {1: "X wins", 0: "draw", -1: "O wins"}
HEAD = """# Solved games

The exact value of each game from its empty board, with its proof. `plyscope verify`, an independent
program that needs only Python, checks proofs. Written by `python bench/solved.py`. To make the
proof of a row, run `plyscope solve GAME --proof FILE`; the digest in its last line is the one shown
here. For 8,8,5 add `--maker-breaker --value-only --megabytes 4096`. If FILE ends in `.xz`, the
proof is packed. Seconds were measured on a busy machine. [How to check a proof](check-a-proof.md)
takes ten minutes; [the atlas](atlas.md) has many more games.

| game | value | plies | positions in the proof | bytes | packed | made, s | checked, s | digest |
|---|---|---|---|---|---|---|---|---|
"""
STRATEGIC = """
In the proof of qubic, X chooses a move in {strategic:,} positions: it neither wins by fours nor has
to block. Patashnik's strategy of 1980 has 2,929 such positions.
"""
ATLAS_HEAD = """# The atlas of small games

{solved:,} games, solved and proved. The atlas has two kinds of boards:

- Boards of two dimensions with at least three columns, at least three rows and at most {cells}
  cells. A board and the same board on its side are one game, listed with the longer side first,
  except with **torus=x** and **gravity**.
- Boards of three or more dimensions with at most {cubes} cells.

Lines have three to {longest} cells. The numbers of a game are its columns, its rows and the length
of its lines. **torus** joins both pairs of edges, **torus=x** only the left edge with the right one
(a cylinder). In **misere** whoever completes a line loses. With **exactly** a longer row does not
win. The column **plies** has the length of the shortest win against the best defence, where it was
computed.

The last column names who published the value; *known* means that the value is in the literature,
but that this project has not read who found it first. If the column is empty, this project knows of
no publication, but there may be one. Click on a heading to sort.

`python bench/solved.py JOURNAL` makes the table. If a run is stopped, the same command continues
it. To make the proof of a row, run `plyscope solve GAME --proof FILE`; to check it, run
`python -I verify.py FILE` ([Proofs](reference/proofs.md)). The digest is that of the proof.

| game | cells | value | plies | positions | bytes | digest | published |
|---|---|---|---|---|---|---|---|
"""
LEFT = """
## What is left

{open:,} more games of these sizes are left. They were not tried, or not solved and proved within
the limits of the runs so far, 2.5 to 120 seconds of CPU time: {names}.
"""
SORT = """
<script>
for (const table of document.querySelectorAll("table")) {
  const rows = [...table.tBodies[0].rows];
  const key = (row, at) => {
    const text = row.cells[at].textContent.trim();
    const number = Number(text.replaceAll(",", ""));
    return text !== "" && !Number.isNaN(number) ? number : text;
  };
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    let sign = -1;
    head.style.cursor = "pointer";
    head.addEventListener("click", () => {
      sign = -sign;
      const order = (one, other) => {
        const [a, b] = [key(one, at), key(other, at)];
        if (typeof a === "number" && typeof b === "number") return sign * (a - b);
        return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
      };
      table.tBodies[0].append(...rows.sort(order));
    });
  });
}
</script>
"""
KNOWN = "*known*"
HSU = "Hsu, Ko and others 2020"
TROMP = "Tromp 2006"
PUBLISHED = {
    "3,3,3": (0, KNOWN),
    "3,3,3,misere": (0, KNOWN),
    "4,4,4": (0, KNOWN),
    "5,4,4": (0, KNOWN),
    "6,4,4": (0, "Charatsidis 2017"),
    "7,4,4": (0, "Charatsidis 2017"),
    "8,4,4": (0, "Charatsidis 2017"),
    "9,4,4": (1, "Charatsidis 2017"),
    "5,5,4": (0, KNOWN),
    "6,5,4": (1, KNOWN),
    "7,5,4": (1, KNOWN),
    "6,6,4": (1, KNOWN),
    "5,5,5": (0, KNOWN),
    "6,6,5": (0, KNOWN),
    "7,7,5": (0, HSU),
    "8,7,5": (0, KNOWN),
    "8,8,5": (0, HSU),
    "3x3x3,3": (1, KNOWN),
    "4x4x4,4": (1, "Patashnik 1980"),
    "qubic": (1, "Patashnik 1980"),
    "7x7x7,7": (0, "Cain et al. 2025"),
    "4,4,4,gravity": (0, TROMP),
    "5,4,4,gravity": (0, TROMP),
    "6,4,4,gravity": (-1, TROMP),
    "7,4,4,gravity": (0, TROMP),
    "8,4,4,gravity": (-1, TROMP),
    "4,5,4,gravity": (0, TROMP),
    "5,5,4,gravity": (0, TROMP),
    "6,5,4,gravity": (0, TROMP),
    "7,5,4,gravity": (0, TROMP),
    "4,6,4,gravity": (0, TROMP),
    "5,6,4,gravity": (0, TROMP),
    "6,6,4,gravity": (-1, TROMP),
    "7,6,4,gravity": (1, "Allen 1988, Allis 1988"),
    "4,7,4,gravity": (0, TROMP),
    "5,7,4,gravity": (0, TROMP),
    "6,7,4,gravity": (1, TROMP),
    "connect4": (1, "Allen 1988, Allis 1988"),
    "4,8,4,gravity": (0, TROMP),
}
"""Values from the empty board, and who published them."""
Row = dict[str, Any]


def published(name: str) -> tuple[int, str] | None:
    """Return the published value of a game and its source."""
    sizes, _, variants = name.partition(",")[2].partition(",") if "x" in name else ("", "", "")
    if name in PUBLISHED or sizes or variants:
        return PUBLISHED.get(name)
    numbers = name.split(",")
    if len(numbers) == 3 and numbers[2] == "3" and min(map(int, numbers[:2])) >= 3:
        return (1, KNOWN) if numbers[:2] != ["3", "3"] else PUBLISHED["3,3,3"]
    return None


def atlas() -> Iterator[str]:
    """Yield the names of the games of the atlas, small boards first."""
    found = []
    for width, height in product(range(MIN_SIDE, MAX_CELLS // MIN_SIDE + 1), repeat=2):
        longest = min(MAX_LENGTH, max(width, height))
        for k, variant in product(range(3, longest + 1), VARIANTS):
            if width * height <= MAX_CELLS and (width >= height or variant in TURNED):
                found.append((width * height, f"{width},{height},{k}{variant}"))
    for count in range(3, 7):
        for shape in product(range(2, MAX_LENGTH + 1), repeat=count):
            if list(shape) == sorted(shape, reverse=True) and prod(shape) <= MAX_CUBE_CELLS:
                for k, variant in product(range(3, shape[0] + 1), ("", ",misere", ",gravity")):
                    found.append((prod(shape), f"{'x'.join(map(str, shape))},{k}{variant}"))
    yield from (name for _, name in sorted(found, key=lambda pair: pair[0]))


class TooLong(Exception):
    """The seconds are over."""


def within(seconds: float, call: Callable[[], Row]) -> Row:
    """Return the result of a call; raise TooLong after so many seconds of CPU time."""
    late = False

    def interrupt(*_: Any) -> None:
        nonlocal late
        late = True
        raise KeyboardInterrupt  # which all solvers hear

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return call()
    except KeyboardInterrupt:
        if late:
            raise TooLong from None
        raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def strategic(proof: str) -> int:
    """Return the number of positions in which the winner chooses a move: it neither wins by fours
    nor has to block."""
    head, *lines = proof.splitlines()
    data = json.loads(head)
    game, side = verify.Game(data["game"]), "xo".index(data["claims"][0]["side"])
    count = 0
    for line in lines:
        x, o, *answer = line.split()
        if len(answer) == 1 and answer[0].isdigit():
            count += verify.plain_move(game, (int(x, 16), int(o, 16)), side) < 0
    return count


def row(name: str) -> Row:
    """Solve a game, prove it, and let the checker, alone, check the proof."""
    start, began = parse_game(name).start(), perf_counter()
    megabytes = BREAKER_MEGABYTES.get(name)
    ask, value = Ask(start, maker_breaker=megabytes is not None, megabytes=megabytes), None
    if megabytes is not None:
        value = solve(start, with_moves=False, maker_breaker=True, megabytes=megabytes).value
    proof = "".join(proof_lines(ask, value))
    made = perf_counter() - began
    with TemporaryDirectory() as folder:
        file = Path(folder) / "proof"
        file.write_text(proof)
        began = perf_counter()
        checked = subprocess.run(
            [sys.executable, "-I", verify.__file__, str(file), "--json"],
            capture_output=True,
            text=True,
        )
    told = json.loads(checked.stdout)
    claims = {(claim["side"], claim["at_least"]) for claim in told["claims"]}
    values = {1: {("x", 1)}, -1: {("o", 1)}, 0: {("x", 0), ("o", 0)}}
    value = next(value for value, side in values.items() if claims == side)
    return {
        "value": value,
        "plies": solve(start).distance if value and plan_of(start.game).has_distances else None,
        "positions": told["positions"],
        "strategic": strategic(proof) if value else None,
        "bytes": len(proof),
        "packed": len(lzma.compress(proof.encode())),
        "made": round(made, 1),
        "checked": round(perf_counter() - began, 1),
        "digest": told["digest"],
    }


def compute(journal: Journal, seconds: float, names: Iterator[str] | tuple[str, ...]) -> None:
    """Compute what the journal does not have. Raise SystemExit if a published value differs."""
    for name in dict.fromkeys(names):
        known = journal.known.get((name,))
        if known and (known[0] or known[1] >= seconds):
            continue
        began, found = perf_counter(), None
        try:
            found = within(seconds, lambda name=name: row(name))  # type: ignore[misc]
        except TooLong:
            reason = f"more than {seconds:g} seconds"
        except OptionError as error:
            reason = str(error)
        told = published(name)
        if found and told and told[0] != found["value"]:
            raise SystemExit(
                f"{name}: proved {found['value']}, but {told[0]} is published ({told[1]})"
            )
        journal.keep((name,), found, seconds)
        print(f"{perf_counter() - began:7.1f} s  {name}  {found or reason}", file=sys.stderr)


def cells(found: Row, *names: str) -> Iterator[str]:
    """Yield the cells of a table."""
    for name in names:
        value = found[name]
        if name == "value":
            yield VALUES[value]
        elif name == "digest":
            yield f"`{value}`"
        else:
            yield "" if value is None else f"{value:,}"


def from_page(page: str, names: tuple[str, ...]) -> dict[str, tuple[Row, float]]:
    """Return the rows of a page by game, none if there is no page; `names` are those of the columns
    after the game."""
    if not (DOCS / page).exists():
        return {}
    values = {text: value for value, text in VALUES.items()}
    known = {}
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
        game, *told = line.strip("| ").split(" | ") if "`" in line and line[0] == "|" else [""]
        if len(told) < len(names):
            continue
        found: Row = {}
        for name, text in zip(names, map(str.strip, told), strict=False):
            number = text.replace(",", "")
            found[name] = (
                values[text]
                if name == "value"
                else text.strip("`")
                if name == "digest"
                else None
                if not text
                else float(number)
                if "." in number
                else int(number)
            )
        known[game] = (found, 0.0)
    return known


def write_pages(journal: Journal) -> None:
    """Write the two pages."""
    solved_names = ("value", "plies", "positions", "bytes", "packed", "made", "checked", "digest")
    atlas_names = ("value", "plies", "positions", "bytes", "digest")
    known: dict[str, tuple[Row | None, float]] = {
        **from_page("atlas.md", ("cells", *atlas_names)),
        **from_page("solved.md", solved_names),
        **{key[0]: result for key, result in journal.known.items() if result[0]},
    }
    rows = []
    for game in GAMES:
        found, _ = known.get(game, (None, 0.0))
        if found:
            rows.append(" | ".join((game, *cells(found, *solved_names))))
    page = DOCS / "solved.md"
    text = HEAD + "".join(f"| {each} |\n" for each in rows)
    if qubic := known.get("qubic", (None, 0.0))[0]:
        if "strategic" not in qubic:  # it is from the page, whose table does not have the number
            told = re.search("X chooses a move in ([0-9,]+)", page.read_text(encoding="utf-8"))
            assert told is not None
            qubic["strategic"] = int(told[1].replace(",", ""))
        text += STRATEGIC.format(**qubic)
    page.write_text(text, encoding="utf-8")
    rows, left = [], []
    for game in atlas():
        found, _ = known.get(game, (None, 0.0))
        if found is None:
            left.append(game)
            continue
        size = prod(map(int, game.split(",")[0].split("x"))) if "x" in game.split(",")[0] else 0
        size = size or prod(map(int, game.split(",")[:2]))
        by = published(game)
        columns = cells(found, *atlas_names)
        rows.append(" | ".join((game, str(size), *columns, by[1] if by else "")))
    sizes = {"cells": MAX_CELLS, "cubes": MAX_CUBE_CELLS, "longest": MAX_LENGTH}
    text = ATLAS_HEAD.format(solved=len(rows), **sizes)
    text += "".join(f"| {each} |\n" for each in rows)
    if left:
        text += LEFT.format(open=len(left), names=", ".join(left))
    (DOCS / "atlas.md").write_text(text + SORT, encoding="utf-8")


def main() -> None:
    path, *words = sys.argv[1:]
    journal = Journal(Path(path), FORMAT, {"version": __version__})
    if words == ["--page"]:
        write_pages(journal)
        return
    seconds = float(words.pop(0)) if words else 60.0
    compute(journal, seconds, tuple(words) or (*GAMES, *atlas()))


if __name__ == "__main__":
    main()
