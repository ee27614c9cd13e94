"""What `fuzz.py` reads: each target makes an input from a valid one, and reads it; what is taken
must be the same when written and read."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sqlite3
import sys
import zipfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from fuzz_questions import ARGUMENTS, READ_ALONE
from fuzz_texts import mutated, mutated_bytes, mutated_data, odd_text

from plyscope import play_match
from plyscope.errors import PlyscopeError
from plyscope.evaluation.heuristics import HEURISTICS, find_heuristic
from plyscope.evaluation.linetable import TermSum
from plyscope.lab.agents.catalogue import AGENTS, parse_agent
from plyscope.lab.matches.game import GameRecord, Ply
from plyscope.lab.matches.gametext import read_games, write_games
from plyscope.lab.matches.records import Records
from plyscope.lab.questions.exam.trees import make_questions
from plyscope.lab.questions.quiz import mark, read_answer
from plyscope.rules.game import SIDES
from plyscope.rules.games import GAMES, parse_game
from plyscope.rules.notation import parse
from plyscope.rules.source import as_position
from plyscope.rules.tree import parse_tree
from plyscope.searching.score import format_score
from plyscope.solving.ask import Ask
from plyscope.solving.verify import verify
from plyscope_class.assignment import Assignment
from plyscope_class.submissions import find_submissions
from plyscope_fast.evaluation.tablebase import Tablebase, tablebase
from plyscope_fast.solving.jobs import solve_in_jobs
from plyscope_fast.solving.proof import proof_of
from plyscope_web.endpoints import ENDPOINTS, answer, read
from plyscope_web.requests import MAX_CELLS
from plyscope_worlds import gomocup

__all__ = ["Differs", "Target", "targets"]


class Differs(Exception):
    """Raised where what is written is not read back as it was."""


@dataclass(frozen=True)
class Target:
    """Makes inputs, and reads them: `refusals` are the exceptions by which it may say no."""

    name: str
    make: Callable[[Random], Any]
    read: Callable[[Any], object]
    refusals: tuple[type[Exception], ...] = (PlyscopeError,)


SPECS = (
    *GAMES,
    "7,7,5",
    "5,4,4,gravity,misere",
    "4x4x4,4,torus",
    "2x3x2x2,2",
    "6x1,3",
    "12,2,3,gravity",
    "1,1,1",
    "20,20,5",
    "5,3,3,torus",
)
GAMES_PLAYED = (
    *(name for name in GAMES if name != "connect6"),
    *("19,19,5", "20,20,5", "16,12,5", "9,9,5,exactly", "5,5,4,holes=c3", "9,9,5,hexagonal"),
    *("connect6", "7,6,4,gravity,torus=x", "10,5,4,gravity", "52,5,5", "4,4,3,stones=2"),
)
POSITIONS = (
    ".X./O../X.O",
    "X.O/.X./..O o",
    "XO1/3/2X x",
    "x_o/-X-/  o",
    "X O/ X /  O",
    "connect4 44455",
    "connect4 d1 d2 c1 x",
    "7,7,5 d4 e5 c3",
    "7,7,5 d4e5c3 o",
    "15,15,5 h8 i9",
    "qubic a1a b2b c3c",
    "4,3,3,torus 4/1X2/OX2",
    "cube X../.O./...//.../.X./...//.../.../..O",
    "2x2x2x2,2 1X/2//2/2///2/2//2/O1",
    "4,4,3,gravity,misere 4/4/4/XO2",
    "tictactoe 5 1 9",
    "6x1,3 X.O...",
    "XX.O.. x",
    "",
)
OTHERS = (
    "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[Ann]PW[a\\]b]\n;B[hh]C[(; \\] and more)];W[ii]BL[30];B[gi])",
    "(;GM[4]SZ[9]AB[aa:cb]AE[bb]AW[ii][hi]PL[W];W[gi](;B[ab];W[ba])(;B[gg]))(;GM[4];B[aa])",
    "(;Game[4]SiZe[15:12];B[h8];W[i7])",
    "gomoku15-exactly (;GM[4];B[hh])",
    "(;GM[4]SZ[15]RU[exactly];B[hh];W[ii])",
    "44455",
    "4 4 4 5",
    "h8i9g7",
    "/h8i9g7t20",
    "1. h8 i9 2. g7",
    "gomoku9 /e5d4",
    "connect four 8x7 4455",
    "misere tic-tac-toe b2",
    "X . O\n. X .\n. . O\nx to move",
    " X |   | O\n---+---+---\n   | X |\n---+---+---\n   |   | O",
    "+---+---+\n| X |   |\n+---+---+\n|   | O |\n+---+---+",
    "  a b c\n3 X . O\n2 . X .\n1 . . O",
    "● · ○\n· ● ·\n· · ○",
    "|🔴| |🟡| | | | |\n" + "| | | | | | | |\n" * 4 + "|🔴| |🟡| | | |🔴|\n 1 2 3 4 5 6 7",
    "5,5,4\nX . . . .\n" + ". . . . .\n" * 4 + "o to move",
    "cube\nX . .\n. . .\n. . .\n\n. . .\n. O .\n. . .\n\n. . .\n. . .\n. . .",
    '{"game": "connect4", "start": "connect4", "moves": ["d1", "d2"], "x": "human", "o": "random"}',
    '[Game "connect4"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "forfeit"]\n1. d1 d2 2. d3\n',
)
TREES = (
    "[[3,5],[6,9]]",
    "[[[3,5],[6,9]],[[1,2],[0,-1]]]",
    "A[B[3,5],C[x=7,2]]",
    "r=1[B=4[3,5],x=-7]",
    "((1,2),(3,−4))",
    "[max[3,5],min B=2[6,max[9,1]]]",
    '{"name": "A", "children": [{"name": "x", "value": 7}, '
    '{"children": [1, 2], "value": 3, "side": "max"}]}',
    '[{"value": 3}, [4, {"name": "y", "value": -5}]]',
)
TABLES = (
    'name = "mine"\nmine = [0, 1, 10, 100]\n',
    "mine = [0, 1, 3, 8]\ntheirs = [0, -2, -6, -20]\nclamp = 500\n[weights]\ndiagonal = 2\n",
    'summary = "pairs"\n[values]\n"1,0" = 5\n"0, 2" = -7\n'
    '[weights]\nrow = 1\n"space-diagonal" = 3\n',
    "to_move = [0, 1, 5]\nnot_to_move = [0, -1]\nmobility = 2\ncells = { c3 = 4 }\n"
    "[ends]\nboth = [0, 1, 4]\nnone = [0, 0, 2]\n[threats]\nodd = 3\no_even = 5\n",
    'cells = [[1, 2], [3, 4]]\ntempo = { "1,1" = 3, "2,0" = 4 }\n',
)
JSON_TABLES = (
    '{"name": "mine", "mine": [0, 1, 10, 100]}',
    '{"mine": [0, 1, 3], "theirs": [0, -2, -6], "clamp": 500, "weights": {"diagonal": 2}}',
    '{"summary": "pairs", "values": {"1,0": 5, "0, 2": -7}, "weights": {"row": 1}}',
    '{"to_move": [0, 1], "tempo": {"1,1": 2}, "ends": {"one": [0, 3]}, "threats": {"x_odd": 2}}',
    '{"cells": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], "mobility": 3}',
)
AGENT_TEXTS = (
    *AGENTS,
    "alphabeta heuristic=counted-lines depth=4 ties=random",
    "alphabeta depth=2 scoring=distance order=best root=open bound=hard cut=gt cutoffs=shallow",
    "pvs nodes=500 seed=3 heuristic=random:7",
    "uct nodes=400 seed=1",
    "engine seconds=0.5 threads=2 megabytes=8",
    "perfect seconds=2",
    "mtdf 'depth=3' form=compiled memory=400",
)
HEURISTIC_NAMES = (
    *HEURISTICS,
    "estimate",
    "random:7",
    "random:0",
    "nowhere.toml",
    "nowhere.json",
    "nowhere.py:f",
    "no/where.py:name_2",
)
SESSION = (
    "START 15",
    "START 20",
    "RECTSTART 10,12",
    "BEGIN",
    "TURN 7,7",
    "TURN 0,14",
    "TAKEBACK 7,7",
    "BOARD\n10,10,1\n10,11,2\n9,10,1\nDONE",
    "INFO timeout_turn 1000",
    "INFO time_left 60000",
    "INFO rule 1",
    "INFO game 7,7,5",
    "INFO folder /tmp",
    "RESTART",
    "ABOUT",
    "END",
)


def targets(folder: Path) -> Iterator[Target]:
    """Yield all targets; files are made in `folder`."""
    yield from _positions()
    yield from _pasted()
    yield from _trees()
    yield from _tables(folder)
    yield from _names()
    yield from _games_as_text()
    yield Target("Gomocup sessions", _session, _play_session)
    yield from _answers()
    yield _proofs()
    yield Target("endpoints of the page", _question, _ask)
    yield from _files(folder)
    yield _submissions(folder)


def _same(one: object, other: object) -> None:
    if one != other:
        raise Differs(f"{str(one)[:300]!r} and {str(other)[:300]!r}")


def _of(corpus: tuple[str, ...]) -> Callable[[Random], str]:
    """Return what makes texts like those of a corpus."""
    return lambda draw: mutated(draw, draw.choice(corpus), corpus)


# Positions, games and moves


def _positions() -> Iterator[Target]:
    def read_position(text: str) -> None:
        found = parse(text)
        _same(parse(str(found)), found)

    def read_with_game(given: tuple[str, str]) -> None:
        found = parse(*given)
        _same(parse(str(found)), found)
        _same(parse(str(found), found.game), found)

    def with_game(draw: Random) -> tuple[str, str]:
        position = _some_position(draw)
        text = (
            mutated(draw, str(position), POSITIONS) if draw.random() < 0.9 else _of(POSITIONS)(draw)
        )
        return text, position.game.name if draw.random() < 0.9 else draw.choice(SPECS)

    def read_game(text: str) -> None:
        found = parse_game(text)
        _same(parse_game(found.name), found)

    def read_move(given: tuple[Any, str]) -> None:
        position, text = given
        cell = position.game.parse_move(position, text)
        _same(position.game.parse_move(position, position.game.format_cell(cell)), cell)

    moves = ("b2", "5", "a1a", "b2c", "b2c4", "4", "aa1", "h8")

    def with_move(draw: Random) -> tuple[Any, str]:
        position = _some_position(draw)
        legal = [position.game.format_cell(cell) for cell in position.moves]
        return position, mutated(draw, draw.choice((*legal, *moves[:2])), moves)

    yield Target("positions", _of(POSITIONS), read_position)
    yield Target("positions with a game", with_game, read_with_game)
    yield Target(
        "positions, round trips",
        _some_position,
        lambda found: [
            _same(parse(str(found)), found),
            _same(parse(str(found), found.game), found),
        ],
    )
    yield Target("games", _of(SPECS), read_game)
    yield Target("moves", with_move, read_move)


def _some_position(draw: Random) -> Any:
    """Return a position of play, or, without gravity and turns of several stones, any arrangement
    of stones with either side to move."""
    game = parse_game(draw.choice(SPECS))
    if draw.random() < 0.3 and not game.gravity and game.alternates:
        first, second = draw.getrandbits(game.size), draw.getrandbits(game.size)
        return game.position(
            first & ~second, second & draw.getrandbits(game.size) & ~first, draw.choice((0, 1))
        )
    position = game.start()
    for _ in range(draw.randrange(min(game.size, 40) + 1)):
        if not position.is_over:
            position = position.play(draw.choice(position.moves))
    return position


# Games of other programs


def _pasted() -> Iterator[Target]:
    def paste(text: str) -> None:
        found = _asked("read", text=text)
        if len(found["moves"]) <= MAX_CELLS:
            copied_and_pasted(found["position"], found["moves"])

    def copied_and_pasted(start: str, moves: list[str]) -> None:
        end = parse(start).play(*moves) if moves else parse(start)
        for form, copied in _asked("copy", position=start, moves=moves).items():
            is_whole = form in ("position", "moves", "drawing", "saved", "sgf")
            found = _asked("read", text=copied if is_whole else f"{end.game.name} {copied}")
            again = parse(found["position"]).play(*found["moves"])
            _same((form, again), (form, end))
            if form not in ("position", "drawing"):
                _same((form, found["moves"]), (form, moves))

    def game(draw: Random) -> tuple[str, list[str]]:
        start = end = (
            _some_position(draw) if draw.random() < 0.2 else parse(draw.choice(GAMES_PLAYED))
        )
        moves = []
        for _ in range(draw.choice((0, 3, 20, 60))):
            if not end.is_over:
                moves.append(end.game.format_cell(draw.choice(end.moves)))
                end = end.play(moves[-1])
        return str(start), moves

    yield Target("games of other programs", _of(OTHERS), paste)
    yield Target("games, copied and pasted", game, lambda given: copied_and_pasted(*given), ())


def _asked(endpoint: str, **arguments: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(arguments).encode()), lambda told: None)


# Trees


def _trees() -> Iterator[Target]:
    def read_tree(source: Any) -> None:
        found = parse_tree(source)
        _same(parse_tree(str(found.start())).root, found.root)

    def both(text: str) -> None:
        found = as_position(text)
        _same(str(as_position(str(found))), str(found))

    def child(draw: Random) -> tuple[Any, str]:
        tree = parse_tree([_some_tree(draw, 3), [_some_tree(draw, 1), 3]])
        position = tree.play(tree.start(), draw.choice((0, 1, 1)))
        names = [tree.format_move(position, move) for move in tree.moves(position)]
        return position, mutated(draw, draw.choice((*names, "1", "2")), ("A", "x7", "-5", "12"))

    data = [json.loads(text) for text in TREES if text.startswith(("[[", "{"))]
    yield Target("trees", _of(TREES), read_tree)
    yield Target(
        "trees of JSON data",
        lambda draw: mutated_data(draw, draw.choice(data), TREES),
        _unless_text(read_tree),
    )
    yield Target("trees, round trips", lambda draw: _some_tree(draw, 5), _unless_text(read_tree))
    yield Target("children of trees", child, lambda given: given[0].game.parse_move(*given))
    yield Target("positions and trees", _of((*POSITIONS, *TREES)), both)


def _unless_text(reading: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return the same for data that may be no list and no object, which `parse_tree` does not
    promise to take."""
    return lambda source: reading(source if isinstance(source, list | dict) else [source, 1])


def _some_tree(draw: Random, depth: int) -> Any:
    names = ("A", "b", "x'", "Ω", "n_1", "é")
    if depth == 0 or draw.random() < 0.2:
        value = draw.randint(-999_999_999, 999_999_999)
        return {"name": draw.choice(names), "value": value} if draw.random() < 0.3 else value
    children = [_some_tree(draw, depth - 1) for _ in range(draw.randint(1, 4))]
    if draw.random() < 0.6:
        return children
    return {
        "name": draw.choice((None, *names)),
        "side": None if depth == 5 else draw.choice((None, "max", "min")),
        "children": children,
        "value": draw.choice((None, draw.randint(-99, 99))),
    }


# Heuristics and agents


def _tables(folder: Path) -> Iterator[Target]:
    position = parse("5,5,4 c3 b2 c2")

    def read_table(suffix: str) -> Callable[[bytes], None]:
        def reading(data: bytes) -> None:
            path = folder / f"table{suffix}"
            path.write_bytes(data)
            table = TermSum.read(path)
            total = table.evaluate(position, 0)
            _same((type(total), abs(total) <= table.greatest(position.game)), (int, True))

        return reading

    for suffix, corpus in ((".toml", TABLES), (".json", JSON_TABLES)):
        texts = _of(corpus)
        yield Target(
            f"tables, {suffix[1:].upper()}",
            lambda draw, of=texts: of(draw).encode("utf-8", "surrogatepass"),
            read_table(suffix),
        )
    data = [json.loads(text) for text in JSON_TABLES]
    yield Target(
        "tables, JSON data",
        lambda draw: json.dumps(mutated_data(draw, draw.choice(data), JSON_TABLES)).encode(),
        read_table(".json"),
    )
    yield Target(
        "tables, bytes",
        lambda draw: mutated_bytes(draw, draw.choice(TABLES).encode()),
        read_table(".toml"),
    )


def _names() -> Iterator[Target]:
    def harmless(draw: Random) -> str:
        """Return an agent's text that starts no program and runs no file."""
        while re.search(r"program|\.py", text := _of(AGENT_TEXTS)(draw), re.IGNORECASE):
            pass
        return text

    games = [parse_game(spec) for spec in ("tictactoe", "connect4", "4,4,4,misere")]
    sources = [*games, parse_tree(TREES[0])]
    yield Target("agents", harmless, parse_agent)
    yield Target(
        "heuristics' names",
        lambda draw: (_of(HEURISTIC_NAMES)(draw), draw.choice(sources)),
        lambda given: find_heuristic(*given),
    )


# Games as text


def _games_as_text() -> Iterator[Target]:
    records = [_some_record(Random(seed)) for seed in range(12)]
    corpus = (*write_games(records), "\n".join(write_games(records[:3])))

    def read_text(text: str) -> None:
        found = list(read_games(text))
        _same(
            [_told(game) for game in read_games("\n".join(write_games(found)))],
            [_told(game) for game in found],
        )

    def there_and_back(found: list[GameRecord]) -> None:
        _same(
            [_told(game) for game in read_games("\n".join(write_games(found)))],
            [_told(game) for game in found],
        )

    yield Target("games as text", _of(corpus), read_text)
    yield Target(
        "games as text, round trips",
        lambda draw: [_some_record(draw, odd_text) for _ in range(draw.randrange(4))],
        there_and_back,
    )


def _some_record(
    draw: Random, text: Callable[[Random], str] = lambda draw: "two-ply"
) -> GameRecord:
    """Return a game by two random players, whose names and excuses are the `text`s."""
    start = position = _some_position(draw)
    plies: list[Ply] = []
    length = draw.choice((0, 5, 300))
    while not position.is_over and len(plies) < length:
        cell = draw.choice(position.moves)
        plies.append(Ply(position.game.format_cell(cell), position.side, 0.0))
        position = position.play(cell)
    winner = None if position.winner is None else SIDES[position.winner]
    ending = (
        ("full board" if winner is None else "line")
        if position.is_over
        else f"agent {text(draw)!r} crashed {text(draw)}"
    )
    players = (text(draw), text(draw))
    return GameRecord(
        players=players,
        start=start,
        plies=tuple(plies),
        end=position,
        winner=winner or (None if position.is_over else "x"),
        ending=ending,
    )


def _told(game: GameRecord) -> tuple[object, ...]:
    """Return what a text of games tells, names as one line of words."""
    names = [" ".join(name.split()) for name in (*game.players, game.ending)]
    return (*names, game.start, game.moves, game.end, game.winner)


# Sessions, exams, proofs


def _session(draw: Random) -> bytes:
    lines = [draw.choice(SESSION[:3]), *draw.choices(SESSION, k=draw.randrange(12))]
    text = "\n".join(
        mutated(draw, line, SESSION) if draw.random() < 0.4 else line for line in lines
    )
    data = text.encode("utf-8", "surrogatepass")
    return mutated_bytes(draw, data) if draw.random() < 0.2 else data


def _play_session(data: bytes) -> None:
    """Play a session and look at the answers: one line each, in the protocol's words."""
    said, before = io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(
        io.BytesIO(data), encoding="utf-8", errors=before.errors or "strict"
    )
    try:
        with contextlib.redirect_stdout(said):
            gomocup.run(Namespace(agent="random", seed=0, json=False))
    finally:
        sys.stdin = before
    for line in said.getvalue().removesuffix("\n").split("\n"):
        if not line.isprintable() or not re.fullmatch(
            r"(OK|\d+,\d+|(ERROR|UNKNOWN|MESSAGE) .{1,500}|name=.*|)", line
        ):
            raise Differs(f"the answer {line[:200]!r} from what the protocol knows")


def _answers() -> Iterator[Target]:
    questions = [make_questions(seed)[0] for seed in range(6)]
    right = [
        {
            ".".join(map(str, node.path)): {
                "value": str(node.score),
                "alpha": format_score(node.window[0]),
                "beta": node.window[1],
                "cut": node.is_cut,
            }
            for node in question.key.values()
            if node.window is not None
        }
        for question in questions
    ]
    corpus = ("0.1", "-∞", "inf", "≥ 5", "−7", "=3", "0.0.1", "true")

    def make(draw: Random) -> tuple[int, Any]:
        at = draw.randrange(len(questions))
        written = mutated_data(draw, right[at], corpus)
        return at, written if isinstance(written, dict) else {"0": written}

    def reading(given: tuple[int, Any]) -> None:
        at, written = given
        marking = mark(questions[at], read_answer(questions[at], written))
        _same(0 <= marking.points <= marking.possible, True)
        json.dumps(marking.as_dict(), allow_nan=False)

    yield Target("exam answers", make, reading)


def _proofs() -> Target:
    corpus = tuple(
        proof_of(parse(text))
        for text in (
            "tictactoe",
            "4,3,3",
            "4,3,4",
            "misere-tictactoe b2 a1",
            "5,3,3,gravity",
            "6,6,4 c3 a1 d4 a2",
        )
    )

    def make(draw: Random) -> str:
        lines = draw.choice(corpus).split("\n")
        head, *body = lines[:-2]
        if draw.random() < 0.5:
            head = (
                mutated(draw, head, [head])
                if draw.random() < 0.5
                else json.dumps(mutated_data(draw, json.loads(head), corpus[:1]))
            )
        else:
            at = draw.randrange(len(body))
            body[at : at + 3] = mutated(draw, "\n".join(body[at : at + 3]), body).split("\n")
        text = "".join(f"{line}\n" for line in (head, *body))
        return (
            _with_digest(text)
            if draw.random() < 0.95
            else mutated(draw, draw.choice(corpus), corpus)
        )

    return Target("proofs", make, verify, (ValueError,))


def _with_digest(text: str) -> str:
    import hashlib

    return f"{text}digest {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}\n"


# The page


def _question(draw: Random) -> tuple[str, bytes]:
    endpoint = draw.choice(tuple(ARGUMENTS))
    arguments = mutated_data(
        draw, draw.choice(ARGUMENTS[endpoint]), (*POSITIONS, *TREES, *AGENTS, *HEURISTICS)
    )
    text = json.dumps(arguments, ensure_ascii=draw.random() < 0.5)
    arguments = (mutated(draw, text, [text]) if draw.random() < 0.1 else text).encode(
        "utf-8", "surrogatepass"
    )
    return (
        endpoint if draw.random() < 0.97 else mutated(draw, endpoint, tuple(ENDPOINTS))
    ), arguments


def _ask(given: tuple[str, bytes]) -> None:
    endpoint, arguments = given
    asked = read(endpoint, arguments)
    is_slow = endpoint in READ_ALONE or (
        endpoint == "move" and getattr(asked, "agent", "") not in ("random", "two-ply", "greedy")
    )
    if not is_slow:
        json.dumps(answer(endpoint, asked, lambda told: None), allow_nan=False)


# Files


class _Here(Executor):
    """Does every job at once."""

    def submit(self, function: Any, /, *words: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*words, **options))
        return future


def _files(folder: Path) -> Iterator[Target]:
    yield _records(folder)
    journal, game = folder / "journal", parse_game("4,4,4")
    question = Ask(game.start(), executor=_Here(), jobs=2, checkpoint=journal)
    solve_in_jobs(question, nodes=10)
    kept = journal.read_bytes()

    def read_journal(data: bytes) -> None:
        journal.write_bytes(data)
        for _ in range(2):  # what the first has added is read by the second
            _same(solve_in_jobs(question, nodes=10).value, 0)

    yield Target("journals", lambda draw: mutated_bytes(draw, kept), read_journal)
    file, table = folder / "some.tb", tablebase(parse_game("tictactoe"))
    table.save(file)
    whole = file.read_bytes()
    positions = [
        found for found in map(_some_position, map(Random, range(300))) if found.game == table.game
    ]

    def read_table(data: bytes) -> None:
        file.unlink(missing_ok=True)
        file.write_bytes(data)
        found = Tablebase.load(table.game, file)
        for position in positions:
            _same(found.probe(position), table.probe(position))

    yield Target("tablebases", lambda draw: mutated_bytes(draw, whole), read_table)


def _records(folder: Path) -> Target:
    file = folder / "lab.db"
    with Records(file) as records:
        play_match("random", "greedy", 6, "4,4,3", 1, opening_plies=1, records=records)
        play_match("random", "uct nodes=20", 4, "connect4", 2, records=records)
    kept = file.read_bytes()

    def make(draw: Random) -> bytes:
        return (
            _changed_in_sql(draw, kept, folder / "changed.db")
            if draw.random() < 0.5
            else mutated_bytes(draw, kept)
        )

    def reading(data: bytes) -> None:
        for name in ("lab.db", "lab.db-wal", "lab.db-shm"):
            (folder / name).unlink(missing_ok=True)
        file.write_bytes(data)
        with Records(file) as records:
            for experiment in records.experiments():
                records.pairs(experiment.number)
            for rows in (records.games(), records.plies(), records.outputs()):
                list(rows)
            records.cards()

    return Target("files of records", make, reading)


def _changed_in_sql(draw: Random, data: bytes, file: Path) -> bytes:
    """Return a whole database of which some fields are changed: texts, numbers, rows that are not
    there."""
    file.write_bytes(data)
    columns = {
        "experiments": ("question", "manifest"),
        "games": ("game", "x", "o", "start", "moves", "winner", "ending", "pair", "number"),
        "plies": ("seconds", "value", "depth", "nodes", "ply", "pair"),
        "meta": ("value",),
    }
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as base:
        for _ in range(draw.choice((1, 1, 2))):
            table = draw.choice(tuple(columns))
            column = draw.choice(columns[table])
            rows = base.execute(f"SELECT {column} FROM {table}").fetchall()
            if not rows:
                continue
            found = draw.choice(rows)[0]
            changed = (
                mutated(draw, str(found), ("connect4", "[1]", "x", "a1 b2", "{}"))
                .encode("utf-8", "replace")
                .decode()
            )
            with contextlib.suppress(sqlite3.Error):
                if draw.random() < 0.1:
                    base.execute(f"DELETE FROM {table} WHERE {column} IS ?", (found,))
                else:
                    base.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {column} IS ?", (changed, found)
                    )
        base.execute("PRAGMA journal_mode=DELETE")
    return file.read_bytes()


# Submissions of a class

SUBMITTED = b"def heuristic(board):\n    return 0\n"
PLAIN = tuple(f"student{number}" for number in range(12))
"""Names of entries that no platform makes: each is a submission of its own."""


def _submissions(folder: Path) -> Target:
    """Folders of submissions: nobody is lost, nobody's key is taken, and those whose file is in
    order are judged by it whatever lies beside them."""
    assignment = Assignment().checked()
    entries = {
        ".py": lambda draw: mutated_bytes(draw, SUBMITTED),
        ".zip": lambda draw: mutated_bytes(draw, _some_zip(draw)),
        ".ipynb": lambda draw: b"{}",
        ".tar.gz": lambda draw: draw.randbytes(20),
        "": lambda draw: draw.randbytes(20),
    }

    def make(draw: Random) -> dict[str, bytes | None]:
        """A path's content; None for a link to nowhere."""
        found: dict[str, bytes | None] = {"honest.py": SUBMITTED, "ok/heuristic.py": SUBMITTED}
        for name in draw.sample(PLAIN, draw.randint(1, len(PLAIN))):
            suffix = draw.choice(tuple(entries))
            content = None if draw.random() < 0.1 else entries[suffix](draw)
            inside = draw.choice(("", "", f"{draw.choice(('heuristic.py', 'a/b.py', 'x.txt'))}"))
            found[f"{name}/{inside}" if inside else f"{name}{suffix}"] = content
        for _ in range(draw.randrange(4)):  # of platforms, and odd ones, which may be one person's
            number = draw.randrange(5)
            name = draw.choice(
                (
                    f"lovelaceada_LATE_{number}_9021{number}_heuristic-{number}.py",
                    f"anon_{number}_work.zip",
                    f"Ada Lovelace_{number}_assignsubmission_file_",
                    f"submission_{number}.zip",
                    re.sub(r"[/\0]|^\.+$", "-", odd_text(draw, 20)) or "-",
                )
            )
            found[name] = entries[draw.choice(tuple(entries))](draw)
        return found

    def reading(given: dict[str, bytes | None]) -> None:
        place = folder / "submitted"
        shutil.rmtree(place, ignore_errors=True)
        for name, content in given.items():
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                file.symlink_to("nowhere")
            else:
                with contextlib.suppress(OSError, UnicodeError):  # names that no file can have
                    file.write_bytes(content)
        found = find_submissions(place, assignment)
        keys = [each.key.casefold() for each in found]
        _same(len(set(keys)), len(keys))
        _same([each.key for each in found if bool(each.main) == bool(each.problem)], [])
        names = {each.name: each for each in found}
        for name in given:
            if (whose := re.split(r"[/.]", name)[0]) in (*PLAIN, "honest", "ok"):
                _same((name, whose in names), (name, True))
        for name in ("honest", "ok"):
            each = names[name]
            _same((each.problem, each.files.get(each.main)), ("", SUBMITTED))

    return Target("folders of submissions", make, reading, ())


def _some_zip(draw: Random) -> bytes:
    """Return a zip of some files, a few with names that lead out of it, or of another zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as file:
        for name in draw.sample(("heuristic.py", "a/x.py", "../up.py", "/top.py", "in.zip"), 2):
            file.writestr(name, SUBMITTED * draw.choice((1, 1, 1, 200_000)))
    return out.getvalue()
