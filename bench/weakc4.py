"""Begin a proof of Connect Four with the graph of WeakC4.

    python bench/weakc4.py GRAPH JOURNAL

GRAPH is `protobuf/c4_full.pb.gz` of the repository 2swap/WeakC4 (2025): a move of the first player,
or a sign on each empty cell, for each position that can arise. All signs are checked by
`verify.check_signs`, and none that fail are used. JOURNAL is written for

    plyscope solve connect4 --value-only --signs --proof FILE --checkpoint JOURNAL

which begins with these moves and signs, and looks for others with which the proof is shorter.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from plyscope import parse_game
from plyscope.errors import OptionError
from plyscope.journal import Journal
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.verify import Rejected, Symmetries, Work, check_signs
from plyscope_fast.solving import signplan
from plyscope_fast.solving.signs import rules_of

GAME = parse_game("connect4")
WIDTH, HEIGHT = 7, 6
RULES = rules_of(GAME)
MIRRORED = [cell + WIDTH - 1 - 2 * (cell % WIDTH) for cell in range(WIDTH * HEIGHT)]
SIGNS = {4: "1", 6: "2", 7: "4", 8: "5", 5: "6"}
"""Our signs by the numbers of WeakC4's, but for claimeven (0) and claimodd (3)."""


def number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place of a message, and the place after it."""
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the fields of a message: number, value and bytes (Protocol Buffers, Google 2008)."""
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        value, at = number(data, at)
        text = b""
        if tag & 7 == 2:
            text, at = data[at : at + value], at + value
        yield tag >> 3, value, text


def played(text: bytes) -> Position:
    """Return the position after the columns of a node, two in a byte, 0 for none."""
    position = GAME.start()
    for column in (part for byte in text for part in (byte >> 3, byte & 7) if part):
        (move,) = (cell for cell in position.moves if cell % WIDTH == column - 1)
        position = position.play(move)
    return position


def signs_of(text: bytes, position: Position) -> dict[int, str]:
    """Return our signs by their cell; WeakC4 stores two cells in a byte, rows from the top."""
    told = [part for byte in text for part in (byte >> 4, byte & 15)]
    signs = {}
    for cell in bits(position.empty):
        is_even = (HEIGHT - cell // WIDTH) % 2 == 0
        claims = "3" if (told[cell] == 0) == is_even else "0"
        signs[cell] = SIGNS.get(told[cell], claims)
    return signs


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Begin a proof of Connect Four with WeakC4's graph."
    )
    parser.add_argument("graph", type=Path, metavar="GRAPH")
    parser.add_argument("journal", type=Path, metavar="JOURNAL")
    given = parser.parse_args()
    question = {"rules": GAME.digest, "positions": signplan.SIGN_POSITIONS}
    try:
        data = gzip.decompress(given.graph.read_bytes())
        journal = Journal(given.journal, signplan.FORMAT, question, key_length=5)
    except (OSError, EOFError) as error:
        parser.error(f"graph {str(given.graph)!r}: {error}; expected the file of WeakC4")
    except OptionError as error:
        parser.error(str(error))
    symmetric = Symmetries(RULES, [MIRRORED])
    positions, signed, following = dict[int, Position](), dict[int, bytes](), dict[int, int]()
    for field, _, node in fields(data):
        if field == 1:
            found = {field: (value, text) for field, value, text in fields(node)}
            name = found.get(1, (0, b""))[0]
            positions[name] = played(found.get(4, (0, b""))[1])
            if 2 in found:
                signed[name] = found[2][1]
            elif positions[name].side == 0:
                ((_, _, packed),) = fields(found[3][1])
                following[name] = number(packed, 0)[0]
    failed = 0
    for count, (name, position) in enumerate(positions.items()):
        if count % 100 == 0 and sys.stderr.isatty():
            print(f"\r{count:,} of {len(positions):,} positions", end="", file=sys.stderr)
        stones = position.first, position.second
        least = symmetric.least(*stones)
        is_turned = least != stones
        if name in signed:
            signs = signs_of(signed[name], position)
            told = [int(signs[cell]) for cell in sorted(signs)]
            try:
                check_signs(Work(RULES), tuple(told), stones, position.side, 0, 1)
            except Rejected:
                failed += 1
                continue
            if is_turned:
                signs = {MIRRORED[cell]: sign for cell, sign in signs.items()}
            text = "".join(signs[cell] for cell in sorted(signs))
            journal.keep(("signs", 0, 1, *least), text)
        elif name in following:
            move = (positions[following[name]].first ^ position.first).bit_length() - 1
            journal.keep(("chosen", 0, 1, *least), MIRRORED[move] if is_turned else move)
    print(f"{len(positions):,} positions, {len(signed):,} with signs, of which {failed:,} fail")


if __name__ == "__main__":
    main()
