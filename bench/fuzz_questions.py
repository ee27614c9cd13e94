"""Valid requests of every endpoint of the page, which the fuzzers mutate into invalid ones."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from fuzz_texts import mutated_data, odd_text

from plyscope.evaluation.heuristics import HEURISTICS
from plyscope.lab.agents.catalogue import AGENTS
from plyscope.searching.algorithms import ALGORITHMS
from plyscope_web.openapi import description

__all__ = ["ARGUMENTS", "READ_ALONE", "questions"]

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"
TABLE = {"values": {"1,0": 1, "0,1": -1, "2,0": 10, "0,2": -12}, "weights": {"diagonal": 2}}
QUESTION = {"seed": 3, "depth": 2, "branching": [2, 3]}
ARGUMENTS: dict[str, list[dict[str, Any]]] = {
    "catalogues": [{}],
    "show": [
        {"position": "connect4 444"},
        {"position": ".X./O../X.O"},
        {"position": "4x4x4,4 a1a"},
    ],
    "play": [
        {"position": "connect4 444", "move": "4"},
        {"position": "tictactoe", "move": "b2"},
        {"position": "cube", "move": "b2b"},
    ],
    "explain": [
        {"position": ".X./O../X.O", "heuristic": "open-lines", "side": "x"},
        {
            "position": "7,7,5 d4",
            "heuristic": {"values": {"1,0": 3, "0,1": -3}, "weights": {"row": 2}},
        },
    ],
    "move": [
        {"position": "tictactoe b2", "agent": "random", "seed": 7},
        {"position": "connect4 44", "agent": "two-ply"},
    ],
    "trace": [
        {"position": "[[3,5],[6,9]]", "algorithm": "pvs"},
        {
            "position": "X.O/.X./..O",
            "depth": 2,
            "algorithm": "alphabeta",
            "heuristic": "counted-lines",
            "conventions": {"cut": "gt"},
        },
        {
            "position": "A[B=4[3,5],x=7]",
            "depth": 1,
            "conventions": {"alpha": -5, "beta": 5, "seed": 3, "order": "random"},
        },
    ],
    "differ": [
        {
            "position": "[[3,5],[6,9]]",
            "algorithm": "minimax",
            "second": {"algorithm": "alphabeta", "conventions": {"bound": "hard"}},
        }
    ],
    "question": [
        {"seed": 3, "depth": 2, "branching": [2, 3]},
        {"tree": "[[3,5],[6,9]]", "asked": ["cuts"], "cut": "gt", "bound": "hard"},
    ],
    "mark": [
        {
            "question": {"seed": 1, "depth": 2},
            "answer": {"": {"value": "5", "alpha": "-∞"}, "0": {"cut": True}},
            "with_key": True,
        },
        {
            "question": {"tree": "[[3,5],[6,9]]"},
            "answer": {"0": {"value": "3"}, "1.0": {"value": "6"}, "1.1": {"cut": True}},
        },
    ],
    "refute": [{"position": "connect4 44", "move": "4", "seconds": 1.0}],
    "analyze": [
        {
            "position": "connect4 44",
            "algorithm": "engine",
            "depth": 3,
            "nodes": 1000,
            "seconds": 2.5,
        }
    ],
    "solve": [{"position": "connect4 44", "seconds": 3}],
    "review": [{"position": "connect4", "moves": ["4", "4", "d3"], "seconds": 0.1}],
    "threats": [{"position": "connect4 4433"}, {"position": "gomoku15-exactly h8 a1 i8 a2 j8 o15"}],
    "read": [
        {"text": "(;FF[4]GM[4]SZ[15];B[hh]C[a \\] b];W[ii](;B[gi])(;B[gg]))"},
        {"text": "44455"},
        {"text": "h8i9g7"},
        {"text": " X |   | O\n---+---+---\n   | X |\n---+---+---\n   |   | O"},
        {
            "text": '{"game": "tictactoe", "start": "tictactoe", "moves": ["b2"], '
            '"x": "human", "o": "random"}'
        },
        {
            "text": '[Game "tictactoe"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "forfeit"]\n'
            "1. b2 a1\n"
        },
    ],
    "copy": [
        {"position": "connect4", "moves": ["4", "4", "d3"], "x": "human", "o": "level-3"},
        {"position": "gomoku9 e5 d4", "moves": ["a1", "b1"]},
    ],
    "suggest": [{"position": "connect4 44", "seconds": 0.1}],
    "attempt": [{"position": "tictactoe b2 a1", "move": "c3", "seconds": 0.1}],
    "puzzle": [
        {"game": "4,3,3", "seed": 3, "goal": "win", "least": 3, "most": 9},
        {"position": "tictactoe b2 a1 c3"},
    ],
    "clue": [
        {
            "question": QUESTION,
            "answer": {"0": {"value": "3"}},
            "after": {"node": "0", "item": "value", "step": "where"},
        }
    ],
    "sheet": [{"question": QUESTION, "number": 2}, {"question": {"tree": TREE}, "number": 1}],
    "pose": [{"seed": 5}],
    "grade": [
        {"question": {"seed": 3}, "answer": {"value": "4"}, "with_key": True},
        {"question": {"seed": 4}, "answer": {"move": "b2", "value": "0"}},
        {"question": {"seed": 5}, "answer": {"order": ["b2", "a1", "c3"]}},
    ],
    "define": [
        {"text": "def mine(board, player):\n    return 0", "position": "connect4 444", "side": "x"},
        {"name": "other", "text": "mine = [0, 1, 10]", "position": "tictactoe b2"},
    ],
    "follow": [
        {
            "position": "......./....X../..O.X../..X.O../X.O.O.X/XOO.XOX",
            "signs": {
                "position": "......./....X../..O.X../..X.O../X.O.O../XOO.XOX",
                "side": "o",
                "at_least": 1,
                "signs": "0300000000030003000000030104",
            },
        },
    ],
    "write": [{"table": {**TABLE, "tempo": {"1,1": 2}, "kinds": {"row values 2,0": 3}}}],
    "paste": [
        {"text": 'name = "mine"\nmine = [0, 1, 10]\n[weights]\ndiagonal = 2\n'},
        {"text": '{"mine": [0, 1, 10], "clamp": 50}'},
        {"text": "LineTable('mine', {(1, 0): 1, (0, 1): -1}, {'row': 2})"},
    ],
    "wrong": [
        {"game": "tictactoe", "heuristic": "counted-lines", "before": TABLE, "depth": 1},
        {"game": "4,4,4", "heuristic": TABLE, "samples": 10, "seed": 2},
    ],
    "report": [{"game": "tictactoe", "heuristic": TABLE, "depths": 2, "seconds": 0.1}],
    "tune": [
        {"game": "tictactoe", "heuristic": TABLE, "family": "table", "depth": 1, "seconds": 0.1},
        {"game": "connect4", "samples": 20, "seed": 3, "seconds": 0.1},  # too few
    ],
    "why": [{"game": "tictactoe", "family": "kinds", "depth": 1, "count": 1, "seconds": 0.1}],
    "certify": [
        {"agent": "greedy", "game": "tictactoe", "seconds": 0.1},
        {"agent": {"heuristic": TABLE, "depth": 1}, "game": "4,3,3", "seconds": 0.1},
    ],
    "match": [
        {
            "a": "greedy",
            "b": {"heuristic": TABLE, "depth": 2},
            "game": "tictactoe",
            "games": 4,
            "opening_plies": 1,
            "sprt": [0.0, 20.0],
            "seed": 7,
            "seconds": 0.1,
        }
    ],
}
READ_ALONE = (
    *("refute", "analyze", "solve", "review", "suggest", "attempt"),
    *("puzzle", "wrong", "report", "tune", "why", "certify", "match"),
)
"""Verbs that work for seconds."""
QUICK = tuple(endpoint for endpoint in ARGUMENTS if endpoint not in READ_ALONE)
SLOW_SHARE = 0.05
POSITIONS = (
    *("tictactoe", "misere-tictactoe b2", "torus-tictactoe a1 b2", "4,3,3 b2", "4,4,4 a1 b2 c3"),
    *("5,5,4 c3", "cube b2b", "qubic a1a b2b", "connect4-5x4 33", "connect4 444", "gomoku9 e5"),
    *("gomoku15 h8 i9", "gomoku15-exactly h8", "connect6 k10 a1 a2", "5,5,4,torus=x a1"),
    *("5,5,4,holes=c3 a1", "7,6,4,gravity,holes=d1 1", "5,5,4,hexagonal c3", "4,4,3,stones=2 a1"),
    *("6x1,3 X.O...", "1,1,1", "20,20,5 k10", "3,3,3,gravity,misere,torus 1", "7,7,5 d4 e5"),
    *("XXX/OO./...", "XOX/XOO/OXX", "connect4 1212121", "X.O/.X./..O o", "XX./OO./... x"),
    *("5,5,3,exactly,first=2,stones=2 b1", "4x4x4x4,4 a1a1", "400,1,25", "nim a2, c1", "nim"),
    *(TREE, "A[B=4[3,5],C[x=7,2]]", "[max[3,5],min B=2[6,max[9,1]]]", "((1,2),(3,-4))", "5"),
    *("(;GM[4]SZ[15];B[hh];W[ii])", "44455", "h8i9g7", "X . O\n. X .\n. . O", "gomoku", "3x3x3"),
)
"""Of every kind of game, begun and ended, and trees; and texts of other programs."""
PLACES = ("position", "game", "tree", "text")
"""Where such a text stands."""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, 1e308, 10**30, -(1 << 63), 1 << 53, (1 << 53) + 1),
    *("", "x", " ", "\0", "\ud800", "é" * 81, "∞", "nan", "x" * 81, "x" * 5000, "9" * 500),
    *([], {}, [[]], [None], {"": 0}, {"a\nb": 1}, ["b2"] * 401),
)


def questions(draw: Random, endpoint: str = "") -> tuple[str, bytes]:
    """Return an endpoint, by default any, and its arguments as they go over the wire."""
    endpoint = endpoint or draw.choice(READ_ALONE if draw.random() < SLOW_SHARE else QUICK)
    arguments: Any = draw.choice(ARGUMENTS[endpoint])
    kind = draw.random()
    if kind < 0.35:
        arguments = _elsewhere(draw, arguments)
    elif kind < 0.6:
        arguments = _at_a_border(draw, endpoint, arguments)
    elif kind < 0.9:
        arguments = mutated_data(draw, arguments, POSITIONS)
    elif kind < 0.97:
        arguments = _with_another(draw, arguments)
    if kind > 0.99:
        return endpoint, _no_question(draw)
    if isinstance(arguments, dict) and draw.random() < 0.97:
        arguments = _soon(arguments)
    text = json.dumps(arguments, ensure_ascii=draw.random() < 0.5)
    return endpoint, text.encode("utf-8", "surrogatepass")


def _elsewhere(draw: Random, arguments: Any) -> Any:
    """Return a question about another position, now and then a changed one."""
    found = json.loads(json.dumps(arguments))
    for part in (found, found.get("question")):
        for name in PLACES if isinstance(part, dict) else ():
            if name in part:
                part[name] = draw.choice(POSITIONS)
    if "move" in found:
        found["move"] = draw.choice(("1", "4", "b2", "a1a", "c1", "a1a1", "zz", ""))
    if "agent" in found and draw.random() < 0.7:
        found["agent"] = draw.choice((*AGENTS, {"heuristic": TABLE, "depth": draw.randint(1, 6)}))
    if draw.random() < 0.5 and "algorithm" in found:
        found["algorithm"] = draw.choice(tuple(ALGORITHMS))
    if "heuristic" in found:
        found["heuristic"] = draw.choice((*HEURISTICS, TABLE))
    return found


def _at_a_border(draw: Random, endpoint: str, arguments: Any) -> Any:
    """Return a question one of whose fields is at the border of what it may be, or beyond."""
    found = json.loads(json.dumps(arguments))
    where, schema = found, _resolved(SCHEMAS[endpoint])
    while True:
        name = draw.choice(tuple(schema.get("properties") or {"x": {}}))
        below = _resolved(schema.get("properties", {}).get(name, {}))
        if not (isinstance(where.get(name), dict) and "properties" in below):
            break
        where, schema = where[name], below
    where[name] = _border(draw, below)
    return found


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a schema stands for: of several kinds the last."""
    while "$ref" in schema or "anyOf" in schema:
        if "$ref" in schema:
            schema = COMPONENTS[schema["$ref"].rpartition("/")[2]]
        else:
            kinds = [kind for kind in schema["anyOf"] if kind.get("type") != "null"]
            schema = kinds[-1]
    return schema


def _border(draw: Random, schema: dict[str, Any]) -> Any:
    """Return a value at the border of a schema, or next to it."""
    if "enum" in schema:
        return draw.choice((*schema["enum"], "nothing"))
    ends = [
        schema[name]
        for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        if name in schema
    ]
    if ends:
        step = 1 if schema.get("type") == "integer" else 1e-9
        return draw.choice(ends) + draw.choice((-step, 0, 0, step))
    lengths = [schema[name] for name in ("maxLength", "minLength") if name in schema]
    if lengths:
        length = max(0, draw.choice(lengths) + draw.choice((-1, 0, 1)))
        return (draw.choice(("x", "1", "4", "b2 ", "[", "(;B[hh]", "é", "\n")) * length)[:length]
    if schema.get("type") == "array" and "maxItems" in schema:
        item = draw.choice(("b2", "4", 1, None, "values"))
        return [item] * (schema["maxItems"] + draw.choice((0, 1)))
    if schema.get("type") == "object":
        number = schema.get("maxProperties", 5) + draw.choice((0, 1))
        return {f"{at // 20},{at % 20}": at for at in range(number)}
    return draw.choice(VALUES)


def _with_another(draw: Random, arguments: Any) -> Any:
    """Return a question with a field too many, too few, or of nobody's making."""
    found = json.loads(json.dumps(arguments))
    name = draw.choice((*found, "other", "a\nb\0", "é" * 50, "__class__"))
    found[name] = odd_text(draw) if draw.random() < 0.3 else draw.choice(VALUES)
    if draw.random() < 0.3:
        found.pop(draw.choice(tuple(found)))
    return found


def _no_question(draw: Random) -> bytes:
    """Return bytes that are no question."""
    return draw.choice(
        (
            b"",
            b"{",
            b"[" * 100_000,
            b'{"a":' * 50_000,
            b"nan",
            b'{"position": NaN}',
            b'{"position": 1e999}',
            b"\xff\xfe{}",
            b'{"position": "\xff"}',
            b'{"position": "\\ud800"}',
            b'{"position": "' + b"x" * 262_000 + b'"}',
            b"x" * 1_000_000,
            b"\0" * 1000,
            b'{"position": "tictactoe", "position": "connect4"}',
        )
    )


def _soon(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a question that does not ask for long."""
    for name, most in (("seconds", 0.1), ("games", 10)):
        if isinstance(arguments.get(name), int | float) and arguments[name] > most:
            arguments[name] = most
    return arguments


COMPONENTS = description()["components"]["schemas"]
SCHEMAS = {
    path.rpartition("/")[2]: item["post"]["requestBody"]["content"]["application/json"]["schema"]
    for path, item in description()["paths"].items()
}
