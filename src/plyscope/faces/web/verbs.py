"""What the page can ask, verb by verb: how each question must look, and what is answered.

A question is a struct, so that whatever comes over the wire is checked against it before any code
of ours sees it; a verb is a function from the struct, and from whom to `tell` what is found on the
way, to JSON-ready data. Verbs raise PlyscopeError.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from time import perf_counter
from typing import Any, Literal

import msgspec

from plyscope.errors import NotationError, OptionError
from plyscope.faces.signs import one_line
from plyscope.faces.web.asked import (
    MOST_CELLS,
    Asked,
    Conventions,
    OfAgent,
    OfAnalyze,
    OfDiffer,
    OfExplain,
    OfMark,
    OfMove,
    OfNothing,
    OfPosition,
    OfQuestion,
    OfRefute,
    OfReview,
    OfSolve,
    OfTrace,
    Table,
)
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame, Position, count_lines
from plyscope.rules.notation import named_game
from plyscope.searching.driver import as_position

__all__ = ["VERBS", "Verb", "answer", "in_short", "read"]

Tell = Callable[[dict[str, Any]], None]

MOST_DIMENSIONS = 4
MOST_LINE_CELLS = 10_000
"""Cells that the lines of a board may have together: they are made in some 20 ms."""
MOST_SAID = 400
"""Characters of a message."""
MOST_EVENTS = 20_000
MOST_NODES = 1_000
"""Nodes of a tree that is drawn."""
SHOWN_LINES = 12
UCT_NODES = 400
"""Playouts of a search that is shown step by step."""
SOLVE_TELLS = 0.2
"""Seconds between two things told of a proof in progress."""
SCALE = 60.0
"""The evaluation that stands half-way between nothing and a win in the graph of a game."""
MISTAKE, DOUBTFUL = 0.6, 0.3
"""Falls in that graph, whose heights lie within ±1, from which a move is marked."""

# What is shown of a position


def _position(text: str) -> Position:
    """Return the position of a text, on a board that is not too large."""
    position = _anything(text)
    if not isinstance(position, Position):
        raise OptionError(f"{text[:60]!r} is a tree; expected a position such as 'connect4 444'")
    return position


def _anything(text: str) -> Any:
    """Return the position or the tree of a text. The board is looked at before a line of it is
    made."""
    if "[" not in text and "{" not in text:
        game = named_game(text)
        if game is not None:
            _bound(game)
    return as_position(text)


def _bound(game: LineGame) -> None:
    """Raise OptionError for a board that is too large for the page, or that has too many lines."""
    size = "×".join(map(str, game.shape))
    if game.size > MOST_CELLS or len(game.shape) > MOST_DIMENSIONS:
        raise OptionError(
            f"board of {size} is too large for the page; expected at most {MOST_CELLS} cells in {MOST_DIMENSIONS} dimensions"
        )
    if not isinstance(game.given, int):
        return
    if game.given > game.size:
        raise OptionError(
            f"{game.given} in a line on a board of {size}; expected at most its {game.size} cells"
        )
    cells = game.given * count_lines(game.shape, game.given, game.torus)
    if cells > MOST_LINE_CELLS:
        raise OptionError(
            f"the lines of {game.name!r} have {cells:,} cells; expected at most {MOST_LINE_CELLS:,} for the page"
        )


def _shown(position: Position) -> dict[str, Any]:
    """Return what a board is drawn from: cells row-major from the top left, level by level."""
    game, line = position.game, position.winning_line()
    return {
        "position": str(position),
        "game": game.name,
        "summary": game.summary,
        "shape": list(game.shape),
        "gravity": game.gravity,
        "misere": game.misere,
        "cells": "".join(
            "x" if position.first >> cell & 1 else "o" if position.second >> cell & 1 else "."
            for cell in range(game.size)
        ),
        "names": [game.format_cell(cell) for cell in range(game.size)],
        "moves": list(position.moves),
        "side": SIDES[position.side],
        "over": position.is_over,
        "winner": None if position.winner is None else SIDES[position.winner],
        "line": None if line is None else list(line.cells()),
        "kinds": sorted({line.kind for line in game.lines}),
        "longest": game.longest_line,
    }


def _heuristic(asked: str | Table | None, game: Any) -> Any:
    """Return the heuristic of the catalogue, or the table, that is asked for, None for the usual
    one; never a file."""
    from plyscope.evaluation.heuristics import HEURISTICS
    from plyscope.evaluation.linetable import LineTable

    if asked is None or not isinstance(game, LineGame):
        return None
    if isinstance(asked, Table):
        values = {
            (int(mine), int(theirs)): value
            for pair, value in asked.values.items()
            for mine, theirs in [pair.split(",")]
        }
        return LineTable("your table", values, dict(asked.weights))
    entry = HEURISTICS[asked]
    if entry.quick_cells is not None and game.size > entry.quick_cells:
        raise OptionError(
            f"heuristic {asked!r} on {game.name!r}, which has {game.size} cells; "
            f"expected at most {entry.quick_cells} on the page"
        )
    return entry.build(game)


def catalogues(asked: OfNothing, tell: Tell) -> dict[str, Any]:
    """What there is: games, heuristics, algorithms with the conventions they take, agents."""
    from plyscope.evaluation.heuristics import HEURISTICS
    from plyscope.lab.agents import AGENTS
    from plyscope.rules.games import GAMES
    from plyscope.searching.algorithms import ALGORITHMS

    return {
        "games": [{"name": game.name, "summary": game.summary} for game in GAMES.values()],
        "heuristics": [
            {"name": item.name, "summary": item.summary} for item in HEURISTICS.values()
        ],
        "algorithms": [
            {
                "name": item.name,
                "summary": item.summary,
                "source": item.source,
                "takes": sorted(item.takes),
                "told": not item.is_engine,
                "exact": item.is_exact,
            }
            for item in ALGORITHMS.values()
        ],
        "agents": [{"name": item.name, "summary": item.summary} for item in AGENTS.values()],
    }


def show(asked: OfPosition, tell: Tell) -> dict[str, Any]:
    """A position as it is drawn: stones, legal moves, whose turn it is, who has won."""
    return _shown(_position(asked.position))


def play(asked: OfMove, tell: Tell) -> dict[str, Any]:
    """The position after a move, and the cell that was taken."""
    before = _position(asked.position)
    cell = before.game.parse_move(before, asked.move)
    return {**_shown(before.play(cell)), "move": before.game.format_cell(cell), "cell": cell}


def explain(asked: OfExplain, tell: Tell) -> dict[str, Any]:
    """A heuristic's opinion, line by line, and its opinion after each move, for the side to
    move."""
    from plyscope.evaluation.evaluate import evaluate_moves
    from plyscope.rules.game import parse_side

    position = _position(asked.position)
    heuristic = _heuristic(asked.heuristic, position.game)
    side = position.side if asked.side is None else parse_side(asked.side)
    found = heuristic.explain(position, side)
    shares = [
        {
            "cells": list(share.cells),
            **{
                key: getattr(share, key)
                for key in ("kind", "mine", "theirs", "table", "weight", "value")
            },
        }
        for share in found.lines or ()
        if share.value
    ]
    after = evaluate_moves(position.game, position, heuristic, side, position.moves)
    table = getattr(heuristic, "values", None)
    return {
        "heuristic": heuristic.name,
        "side": SIDES[side],
        "total": found.total,
        "sum": found.sum,
        "lines": sorted(shares, key=lambda share: -abs(share["value"])),
        "silent": None if found.lines is None else len(found.lines) - len(shares),
        "after": [{"cell": move, "value": value} for move, value in after.items()],
        "table": None
        if table is None
        else {
            "values": {f"{m},{t}": value for (m, t), value in sorted(table.items())},
            "weights": dict(heuristic.weights),
        },
    }


# Searches and proofs


def move(asked: OfAgent, tell: Tell) -> dict[str, Any]:
    """The move that an agent of the catalogue plays."""
    from random import Random

    from plyscope.lab.agent import ask
    from plyscope.lab.agents import AGENTS

    position = _position(asked.position)
    if position.is_over:
        raise OptionError(f"'{position}' is over; expected a position in which somebody can move")
    choice, seconds = ask(AGENTS[asked.agent], position, Random(asked.seed))
    return {
        "move": position.game.format_cell(choice.move),
        "cell": choice.move,
        "value": choice.value,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "seconds": seconds,
    }


def _found(result: Any) -> dict[str, Any]:
    """Return what is shown of a search: numbers as they are and as people read them."""
    from plyscope.searching.result import line_text
    from plyscope.searching.score import format_score

    scoring = result.conventions.scoring
    lines = [(item.value, item.pv, "=") for item in result.variations] or [
        (result.value, result.pv, result.bound.sign)
    ]
    values = {pv[0]: (value, sign) for value, pv, sign in lines if pv}
    for item in result.moves:
        if item.value is not None and item.bound is not None:
            values.setdefault(item.move, (item.value, item.bound.sign))
    return {
        "algorithm": result.algorithm,
        "heuristic": result.heuristic,
        "depth": result.depth,
        "complete": result.complete,
        "stopped": result.stopped,
        "value": result.value,
        "text": f"{result.bound.sign} {format_score(result.value, scoring)}",
        "best": list(result.best_moves),
        "moves": [
            {
                "cell": item.move,
                "value": values[item.move][0],
                "sign": values[item.move][1],
                "text": format_score(values[item.move][0], scoring),
            }
            for item in result.moves
            if item.move in values
        ],
        "lines": [
            {
                "value": value,
                "text": f"{sign} {format_score(value, scoring)}",
                "pv": line_text(result.position, pv),
                "cells": list(pv),
            }
            for value, pv, sign in lines
        ],
        "nodes": result.last_nodes,
        "cutoffs": result.cutoffs,
        "leaves": result.leaves,
        "seconds": result.seconds,
        "engine": result.engine,
    }


def _prepare(algorithm: str, tell: Tell) -> None:
    """Compile what the engine runs, where it is not yet, and say so: it does not come off anybody's
    time."""
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.compiled.run import is_ready, prepare

    if ALGORITHMS[algorithm].is_engine and not is_ready(algorithm):
        tell({"text": "compiling the search, this once"})
        prepare(algorithm)


def analyze(asked: OfAnalyze, tell: Tell) -> dict[str, Any]:
    """A search of every move, told depth by depth. Its last depth is the answer."""
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.driver import search

    position = _position(asked.position)
    heuristic, algorithm = _heuristic(asked.heuristic, position.game), ALGORITHMS[asked.algorithm]
    if position.is_over:
        raise OptionError(f"'{position}' is over; expected a position in which somebody can move")
    options: dict[str, Any] = {}
    if algorithm.is_engine:
        from plyscope.searching.compiled.buckets import BucketTable

        options = {"multipv": min(len(position.moves), SHOWN_LINES), "table": BucketTable(32)}
    elif "root" in algorithm.takes:
        options = {"root": "open"}
    if not algorithm.is_exact and "seed" in algorithm.takes:
        return _found(
            search(
                position,
                asked.algorithm,
                heuristic,
                nodes=asked.nodes,
                seconds=asked.seconds,
                keep_interrupted=True,
            )
        )
    _prepare(asked.algorithm, tell)
    began, best, nodes = perf_counter(), None, 0
    left = position.game.size - (position.first | position.second).bit_count()
    for depth in range(1, min(asked.depth, left) + 1):
        rest = asked.seconds - (perf_counter() - began)
        if rest <= 0 or nodes >= asked.nodes:
            break
        limit: dict[str, Any] = {"depth": depth, "seconds": rest, "nodes": asked.nodes - nodes}
        found = search(
            position, asked.algorithm, heuristic, keep_interrupted=True, **limit, **options
        )
        nodes += found.nodes
        if found.stopped is not None and best is not None:
            return {**best, "stopped": found.stopped}
        best = {**_found(found), "total_nodes": nodes, "total_seconds": perf_counter() - began}
        tell(best)
        if found.complete or found.stopped is not None:
            break
    return best or {}


def solve(asked: OfSolve, tell: Tell) -> dict[str, Any]:
    """What a position and its moves are worth, proved; `value` is None where the time was too
    short."""
    from plyscope.solving.solve import solve as find

    position = _position(asked.position)
    next_tell = 0.0

    def told(text: str) -> None:
        nonlocal next_tell
        if perf_counter() >= next_tell:
            next_tell = perf_counter() + SOLVE_TELLS
            tell({"text": text})

    verdict = find(position, seconds=asked.seconds, progress=told, keep_interrupted=True)
    return {
        **verdict.as_dict(),
        "text": str(verdict),
        "moves": [vars(item) for item in verdict.moves or ()],
        "best": list(verdict.best_moves),
    }


def refute(asked: OfRefute, tell: Tell) -> dict[str, Any]:
    """Why a move is not the best: the line that answers it, and what it is worth beside the best
    move."""
    from plyscope.searching.driver import search
    from plyscope.searching.result import line_text
    from plyscope.searching.score import MAX_EVALUATION, format_score

    position = _position(asked.position)
    cell = position.game.parse_move(position, asked.move)
    after = position.play(cell)
    _prepare("engine", tell)
    best = search(position, "engine", seconds=asked.seconds, keep_interrupted=True)
    if best.stopped == "interrupted":
        raise KeyboardInterrupt  # nobody waits for the other half
    name = position.game.format_cell(cell)
    if after.is_over:
        return {"move": name, "line": [name], "text": f"{name} ends the game", "cells": [cell]}
    found = search(after, "engine", seconds=asked.seconds, keep_interrupted=True)
    line = [name, *line_text(after, found.pv)]
    worth = -found.value
    if abs(worth) > MAX_EVALUATION:
        worth += -1 if worth > 0 else 1  # it is a ply further away from here
    value, other = format_score(worth, "distance"), format_score(best.value, "distance")
    best_name = line_text(position, best.pv[:1])
    reach = "searched to the end" if found.complete else f"searched {found.depth} plies deep"
    if best.pv[:1] == (cell,):
        text = f"{name} is the best move the engine finds: {value} ({reach})"
    else:
        text = f"{name} is worth {value}, {' '.join(best_name)} is worth {other}: {' '.join(line[1:]) or 'nothing'} answers it ({reach})"
    return {
        "move": name,
        "line": line,
        "cells": [cell, *found.pv],
        "text": text,
        "value": worth,
        "best": best.value,
    }


def review(asked: OfReview, tell: Tell) -> dict[str, Any]:
    """What each position of a game is worth to X, and which moves gave something away: from a proof
    where there is one at once, else from the engine."""
    from plyscope.searching.driver import search
    from plyscope.searching.score import MAX_EVALUATION, format_score
    from plyscope.solving.book import BOOK
    from plyscope.solving.solve import solve as find
    from plyscope.solving.solvers import plan_of

    position = _position(asked.position)
    _prepare("engine", tell)
    points: list[dict[str, Any]] = []
    point: dict[str, Any]
    for number in range(len(asked.moves) + 1):
        sign = 1 if position.side == 0 else -1
        if position.is_over:
            result = 0 if position.winner is None else 1 if position.winner == 0 else -1
            point = {
                "proved": True,
                "share": float(result),
                "text": ("O has won", "a draw", "X has won")[result + 1],
                "best": [],
            }
        elif plan_of(position.game).is_quick(position) or BOOK.plays(position):
            verdict = find(position, seconds=asked.seconds * 4)
            share = float(sign * (verdict.value or 0))
            point = {
                "proved": verdict.value is not None,
                "share": share,
                "text": str(verdict),
                "best": list(verdict.best_moves),
            }
        else:
            found = search(position, "engine", seconds=asked.seconds)
            value = sign * found.value
            is_sure = abs(value) > MAX_EVALUATION
            share = (1.0 if value > 0 else -1.0) if is_sure else value / (abs(value) + SCALE)
            text = f"{format_score(value, 'distance')} for X, depth {found.depth}"
            point = {
                "proved": is_sure or found.complete,
                "share": share,
                "text": text,
                "best": list(found.best_moves),
            }
        if points:
            lost = (points[-1]["share"] - point["share"]) * (
                1 if position.side else -1
            )  # what the one who just moved has lost
            point["slip"] = "mistake" if lost > MISTAKE else "doubtful" if lost > DOUBTFUL else None
        else:
            point["slip"] = None
        points.append(point)
        tell({"points": points})
        if number < len(asked.moves):
            position = position.play(asked.moves[number])
    return {"points": points}


# Trees


def _traced(
    position: Any, heuristic: Any, depth: int | None, algorithm: str, conventions: Conventions
) -> tuple[Any, list[tuple[str, int]]]:
    """Return the trace of a search, and for every event the function and the line of the algorithm
    that told it."""
    import sys

    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.driver import Trace, search
    from plyscope.searching.score import INFINITY

    if ALGORITHMS[algorithm].is_engine:
        raise OptionError(f"algorithm {algorithm!r} tells no events; expected another one")
    if isinstance(position, Position) and depth is None:
        depth = 2
    given: dict[str, Any] = {
        name: getattr(conventions, name)
        for name in ("scoring", "order", "root", "bound", "cut", "cutoffs", "seed")
    }
    if conventions.alpha is not None or conventions.beta is not None:
        low, high = conventions.alpha, conventions.beta
        given["window"] = (-INFINITY if low is None else low, INFINITY if high is None else high)
    events: list[Any] = []
    places: list[tuple[str, int]] = []

    def watch(event: Any) -> None:
        if len(events) >= MOST_EVENTS:
            raise OptionError(
                f"the search has more than {MOST_EVENTS:,} steps; expected a smaller depth"
            )
        events.append(event)
        frame = sys._getframe(1)
        while frame.f_back is not None and ".reference." not in frame.f_globals.get("__name__", ""):
            frame = frame.f_back
        places.append((frame.f_globals.get("__name__", ""), frame.f_lineno))

    limit = {"nodes": UCT_NODES} if algorithm == "uct" else {"depth": depth}
    options: dict[str, Any] = {**given, **limit}
    result = search(position, algorithm, heuristic, watch=watch, **options)
    return Trace(result, tuple(events)), places


def _code(algorithm: str, modules: set[str]) -> dict[str, Any]:
    """Return the source of the algorithm, without its docstrings, as lines with their numbers in
    the file."""
    import ast
    import inspect
    import sys

    from plyscope.searching.algorithms import ALGORITHMS

    home = ALGORITHMS[algorithm].reference.__module__
    shown = {}
    for name in [home, *sorted(modules - {home})]:
        if ".reference." not in name:
            continue
        source = inspect.getsource(sys.modules[name])
        lines = source.splitlines()
        wanted: list[int] = []
        for item in ast.parse(source).body:
            if not isinstance(item, ast.FunctionDef | ast.ClassDef) or item.name == "search":
                continue
            doc = (
                item.body[0]
                if isinstance(item.body[0], ast.Expr)
                and isinstance(item.body[0].value, ast.Constant)
                else None
            )
            hidden = (
                set() if doc is None else set(range(doc.lineno, (doc.end_lineno or doc.lineno) + 1))
            )
            wanted += [
                number
                for number in range(item.lineno, (item.end_lineno or item.lineno) + 1)
                if number not in hidden
            ]
        shown[name] = [[number, lines[number - 1]] for number in wanted]
    return shown


def trace(asked: OfTrace, tell: Tell) -> dict[str, Any]:
    """A search step by step: where every node stands, what each step changes and says, and the line
    of the algorithm that did it."""
    from plyscope.faces.diagrams.layout import place
    from plyscope.faces.diagrams.picture import TreeBuilder, draw_tree, narrate, sentences
    from plyscope.rules.tree import ExplicitTree, TreePosition
    from plyscope.searching.events import Cutoff, Enter, Leaf

    position = _anything(asked.position)
    is_written = isinstance(position.game, ExplicitTree)
    traced, places = _traced(
        position,
        _heuristic(asked.heuristic, position.game),
        asked.depth,
        asked.algorithm,
        asked.conventions,
    )
    picture = draw_tree(traced, most=MOST_NODES, whole=True)
    drawn = {node.path: node for node in picture.root.walk()}
    at = place(picture.root)
    numbers = {path: number for number, path in enumerate(drawn)}
    builder = TreeBuilder(traced.result)
    counts = {Enter: 0, Leaf: 0, Cutoff: 0}
    steps = []
    for event, said, (module, line) in zip(traced.events, narrate(traced), places, strict=True):
        if type(event) in counts:
            counts[type(event)] += 1
        changes = [
            [
                numbers[node.path],
                {
                    "window": picture.window_text(node),
                    "score": picture.score_text(node),
                    "visits": node.visits,
                    "cut": node.is_cut,
                    "hit": node.is_table_hit,
                },
            ]
            for node in builder.follow(event)
        ]
        steps.append(
            {
                "kind": event.kind,
                "node": numbers[event.path],
                "say": said,
                "at": [module, line],
                "changes": changes,
                "counts": [*counts.values()],
            }
        )
    result = traced.result
    return {
        "caption": picture.caption,
        "value": result.value,
        "text": picture.score_text(picture.root),
        "nodes": [
            {
                "name": node.name,
                "max": node.is_max,
                "leaf": node.is_leaf,
                "pv": node.is_on_pv,
                "value": TreePosition(position.game, node.path).node.value if is_written else None,
                "parent": None if not node.path else numbers[node.path[:-1]],
                "x": at[node.path][0],
                "ply": at[node.path][1],
            }
            for node in drawn.values()
        ],
        "steps": steps,
        "code": _code(asked.algorithm, {module for module, _ in places}),
        "sentences": sentences(traced),
        "leaves": result.leaves,
        "minimal": result.minimal,
        "given": is_written,
    }


def differ(asked: OfDiffer, tell: Tell) -> dict[str, Any]:
    """Where two searches of one tree differ, node by node."""
    from plyscope.faces.diagrams.diff import compare_traces

    position = _anything(asked.position)
    heuristic = _heuristic(asked.heuristic, position.game)
    first, _ = _traced(position, heuristic, asked.depth, asked.algorithm, asked.conventions)
    second, _ = _traced(
        position, heuristic, asked.depth, asked.second.algorithm, asked.second.conventions
    )
    found = compare_traces(first, second)
    return {
        **vars(found),
        "differences": [
            {**vars(item), "path": list(item.path)} for item in found.differences[:200]
        ],
    }


# Quiz


def _question(asked: OfQuestion) -> Any:
    from plyscope.lab.exam import DEEP_FROM, Wanted, make_questions
    from plyscope.lab.quiz import Question
    from plyscope.rules.tree import parse_tree
    from plyscope.searching.conventions import Conventions as Rules

    rules, wanted = Rules(cut=asked.cut, bound=asked.bound), tuple(asked.asked)
    if asked.tree is not None:
        question = Question(parse_tree(asked.tree), rules, wanted)
        if len(question.key) > MOST_NODES:
            raise NotationError(
                f"tree of {len(question.key):,} nodes; expected at most {MOST_NODES:,}"
            )
        return question
    if prod([asked.branching[1]] * asked.depth) > MOST_NODES:
        raise OptionError(
            f"depth {asked.depth} with {asked.branching[1]} children; expected a smaller tree"
        )
    depth = max(asked.depth, DEEP_FROM) if asked.deep else asked.depth
    wishes = Wanted(
        depth=depth,
        branching=asked.branching,
        deep=asked.deep,
        ties=asked.ties,
        agree=asked.agree,
        values=(-20, 20),
    )
    return make_questions(asked.seed, 1, wishes, rules, wanted)[0]


def question(asked: OfQuestion, tell: Tell) -> dict[str, Any]:
    """A quiz question: the tree, with room for what is asked, and the convention."""
    from plyscope.faces.diagrams.layout import place
    from plyscope.faces.sheets import question_picture, task

    found = _question(asked)
    picture = question_picture(found)
    at = place(picture.root)
    return {
        "task": task(found),
        "convention": found.convention,
        "asked": list(found.asked),
        "tree": str(found.tree.start()),
        "nodes": [
            {
                "path": ".".join(map(str, node.path)),
                "name": node.name,
                "max": node.is_max,
                "leaf": node.is_leaf,
                "parent": None if not node.path else ".".join(map(str, node.path[:-1])),
                "x": at[node.path][0],
                "ply": at[node.path][1],
            }
            for node in picture.root.walk()
        ],
    }


def mark(asked: OfMark, tell: Tell) -> dict[str, Any]:
    """The marks of an answer, node by node and edge by edge, with what may have gone wrong; the key
    too if it is wanted."""
    from plyscope.faces.sheets import question_data
    from plyscope.lab.quiz import mark as judge
    from plyscope.lab.quiz import read_answer

    found = _question(asked.question)
    marking = judge(found, read_answer(found, msgspec.to_builtins(asked.answer)))
    return {**marking.as_dict(), "key": question_data(found)["key"] if asked.with_key else None}


@dataclass(frozen=True)
class Verb:
    """A verb: what is asked, who answers, and in which line it waits: `quick` for some
    milliseconds, `short` for seconds, `long`."""

    asked: type[Asked]
    answer: Callable[[Any, Tell], dict[str, Any]]
    lane: Literal["quick", "short", "long"]

    @property
    def summary(self) -> str:
        """What it is for."""
        return " ".join((self.answer.__doc__ or "").split())


VERBS = {
    "catalogues": Verb(OfNothing, catalogues, "quick"),
    "show": Verb(OfPosition, show, "quick"),
    "play": Verb(OfMove, play, "quick"),
    "explain": Verb(OfExplain, explain, "quick"),
    "move": Verb(OfAgent, move, "short"),
    "trace": Verb(OfTrace, trace, "short"),
    "differ": Verb(OfDiffer, differ, "short"),
    "question": Verb(OfQuestion, question, "short"),
    "mark": Verb(OfMark, mark, "short"),
    "refute": Verb(OfRefute, refute, "short"),
    "analyze": Verb(OfAnalyze, analyze, "long"),
    "solve": Verb(OfSolve, solve, "long"),
    "review": Verb(OfReview, review, "long"),
}


def read(verb: str, arguments: bytes) -> Asked:
    """Return the question that `arguments` are, JSON; raise OptionError that says where they are
    not as they must be."""
    if verb not in VERBS:
        raise OptionError(f"verb {verb[:40]!r}; expected one of {', '.join(VERBS)}")
    try:
        return msgspec.json.decode(arguments, type=VERBS[verb].asked)
    except msgspec.ValidationError as error:
        said = str(error)
        raise OptionError(in_short(f"{verb}: {said[:1].lower()}{said[1:]}")) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OptionError(f"cannot read the question: {str(error)[:120]}; expected JSON") from None


def answer(verb: str, asked: Asked, tell: Tell) -> dict[str, Any]:
    """Return what the verb answers; raise PlyscopeError."""
    return VERBS[verb].answer(asked, tell)


def in_short(error: object) -> str:
    """Return a message as one line that is not too long, whatever it quotes."""
    text = str(error)
    return one_line(text) if len(text) <= MOST_SAID else f"{one_line(text[:MOST_SAID])}..."
