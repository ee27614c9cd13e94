"""Files of Renju players.

    RIF      the database of RenjuNet (renju.net) in XML: games with moves in cells,
             `<game id="7" rule="1" black="12" white="34" bresult="1"><move>h8 i9 g7</move></game>`,
             and the names of players and rules by number
    RenLib   a library of variations in two bytes a node (`solving.renlib`), of which the main line
             is read: up to the position that the library shows first, or to its end
    POS      the number of moves in one byte, then a byte for each: 15 · row from the top + column,
             from 0

RenLib and POS are binary; their text has one character for each byte (latin-1). They give no rules.
Sources: RenLib by Frank Arkbo for both; programs that read RenjuNet's file for RIF.
"""

from __future__ import annotations

from plyscope.errors import NotationError
from plyscope.rules.gamefiles import RENJU_SIZE as SIZE
from plyscope.rules.gamefiles import RENLIB, GameText, choice_of, gomoku, rule_words
from plyscope.rules.linegame import LineGame

HEAD_BYTES = 20
MAX_VERSION = (3, 4)
LEAF, SIBLING, OLD_COMMENT, COMMENT, START, NO_MOVE, EXTENSION = (
    *(0x40, 0x80, 0x20, 0x08, 0x04, 0x02, 0x01),
)
"""Flags of a node of RenLib."""
BOARD_TEXT = 0x01
"""The flag of the second byte of an extension."""


def read_rif(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return one game of a RIF file; raise NotationError."""
    from plyscope.markup import read_xml

    games: list[tuple[dict[str, str], list[str]]] = []
    names: dict[tuple[str, str], str] = {}

    def start(name: str, attributes: dict[str, str]) -> None:
        name = name.lower()
        if name == "game":
            games.append((attributes, []))
        elif name in ("player", "rule"):
            parts = [attributes.get(key, "") for key in ("name", "surname")]
            names[name, attributes.get("id", "")] = " ".join(filter(None, parts))

    def end(name: str, content: str) -> None:
        if name.lower() == "move" and games:
            games[-1][1].extend(content.split())

    read_xml(text, start, end)
    if not games:
        raise NotationError(
            f"no game in the RIF file {text.strip()[:40]!r}; "
            "expected <game><move>h8 i9</move></game>"
        )
    choice = choice_of(chosen, len(games), "a RIF file")
    attributes, moves = games[chosen - 1]
    rule = names.get(("rule", attributes.get("rule", "")), "")
    words = rule_words(rule)
    if game is None:
        game = gomoku(SIZE, SIZE, "renju" if words is None else words)
    players = tuple(
        names.get(("player", attributes.get(key, "")), "") for key in ("black", "white")
    )
    said = [f"RIF of {game.name}, black as X", choice]
    said += [f"rule {rule[:40]}"] if rule else []
    said += [] if moves else ["without moves"]
    said += [" against ".join(players)] if all(players) else []
    result = {"1": 1, "0": -1, "0.5": 0}.get(attributes.get("bresult", ""))
    cells = tuple(move.lower() for move in moves)
    return GameText(
        game.start(), cells, (players[0], players[1]), ", ".join(filter(None, said)), result
    )


def read_renlib(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return the main line of a library of RenLib; raise NotationError."""
    choice_of(chosen, 1, "a library of RenLib")
    data = text.encode("latin-1", "replace")
    version = tuple(data[len(RENLIB) : len(RENLIB) + 2])
    if version > MAX_VERSION or len(data) < HEAD_BYTES:
        raise NotationError(
            f"library of RenLib of version {'.'.join(map(str, version))}, {len(data):,} bytes; "
            "expected a version up to 3.4, and nodes"
        )
    moves: list[int] = []
    shown, at, flags, notes, number = None, HEAD_BYTES, 0, set[str](), 0
    while not flags & LEAF and at + 1 < len(data):
        move, flags = data[at : at + 2]
        at = _after_texts(data, at + 2, flags)
        number += 1
        if flags & SIBLING:
            notes.add("without its variations")
        row, column = divmod(move, 16)
        if move and not 1 <= column <= SIZE:
            raise NotationError(
                f"node {number} of the library of RenLib is the cell {move}; "
                f"expected a row and a column of {SIZE}×{SIZE}"
            )
        if move and not flags & NO_MOVE:
            moves.append(row * SIZE + column - 1)
        elif number > 1 and not flags & NO_MOVE:
            notes.add(f"up to the pass after move {len(moves)}")
            break
        if flags & START and moves:
            shown = len(moves)
    else:
        if not flags & LEAF:
            raise NotationError(
                f"the library of RenLib ends after node {number}, which has a move after it; "
                "expected the whole file"
            )
    if shown is not None and shown < len(moves):
        notes.add(f"at the position that it shows first, before {len(moves) - shown} more moves")
        moves = moves[:shown]
    return _of_cells(moves, game, "the main line of a library of RenLib", sorted(notes))


def _after_texts(data: bytes, at: int, flags: int) -> int:
    """Return the place after the comment and the board text of a node, which come in pairs of
    bytes and end with a zero; an old comment ends with a byte from 128."""
    ends = [range(0x80, 0x100)] * bool(flags & OLD_COMMENT) + [range(1)] * bool(flags & COMMENT)
    if flags & EXTENSION:
        ends += [range(1)] * bool(data[at + 1 : at + 2] and data[at + 1] & BOARD_TEXT)
        at += 2
    for end in ends:
        while at < len(data) and not any(byte in end for byte in data[at : at + 2]):
            at += 2
        at += 2
    return at


def read_pos(text: str, game: LineGame | None, chosen: int = 1) -> GameText:
    """Return the game of a POS file."""
    choice_of(chosen, 1, "a POS file")
    return _of_cells([ord(sign) for sign in text[1:]], game, "a POS file", [])


def _of_cells(cells: list[int], game: LineGame | None, what: str, notes: list[str]) -> GameText:
    """Return the game with the moves in cells of Renju's board."""
    rules = gomoku(SIZE, SIZE) if game is None else game
    if rules.shape != (SIZE, SIZE):
        raise NotationError(f"{what} of {rules.name!r}; expected a board of {SIZE}×{SIZE}")
    names = tuple(rules.format_cell(cell) for cell in cells)
    return GameText(rules.start(), names, said=", ".join([f"{what}, {rules.name}", *notes]))
