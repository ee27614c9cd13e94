"""The endpoints for moves of agents, searches, proofs, threats and refutations."""

from __future__ import annotations

from math import inf
from random import Random
from time import perf_counter
from typing import Any

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.extras import load, why_no_kernels
from plyscope.faces.reviews import why_not_text
from plyscope.faces.wording import score_words, side_name, spoken_line
from plyscope.jsonable import by_name
from plyscope.lab.agents.agent import ask
from plyscope.lab.agents.players import opening_move
from plyscope.lab.judging.review import (
    assess_move,
    review_step,
    search_within,
    solved_line,
    value_with_move,
)
from plyscope.lab.judging.why import reason_for, reason_of
from plyscope.rules.game import SIDES, GamePosition, move_text, spoken
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.searching.accelerator import accelerator
from plyscope.searching.algorithm import Algorithm
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import Scoring
from plyscope.searching.engine import has_engine
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import WIN, format_score
from plyscope.searching.search import search
from plyscope.solving import solve as solving
from plyscope.solving.verdict import Verdict
from plyscope_web.endpoints import Tell, sparingly
from plyscope_web.endpoints.inputs import (
    heuristic_of,
    position_of,
    proofs_of,
    running_position_of,
)
from plyscope_web.endpoints.players import agent_of, search_of
from plyscope_web.endpoints.present import cell_of, proof_data, reason_data, result_data
from plyscope_web.requests import (
    AnalyzeRequest,
    FollowRequest,
    MoveRequest,
    RefuteRequest,
    SolveRequest,
    ThreatsRequest,
)
from plyscope_web.threats import Threat
from plyscope_web.threats import threats as threats_of

SHOWN_LINES = 12
MIN_SECONDS = 0.01
"""The least time limit of a depth. The first depth is always searched."""
TABLE_MEGABYTES = 32
LONGEST_END, END_NODES = 30, 5_000
"""The greatest length in plies of a line that is extended to the end of the game, and the nodes of
the search for each missing move."""
LINE_SECONDS = 4.0
"""The time limit for the lines of best play after a proof."""


def move(request: MoveRequest, tell: Tell) -> dict[str, Any]:
    """Return the agent's move, with the value, depth and nodes of its search."""
    position = running_position_of(request.position)
    agent = agent_of(request.agent, position.game)
    algorithm = search_of(agent, position)
    if algorithm is not None and isinstance(position, Position):
        prepare(algorithm)
    choice, seconds = ask(agent, position, Random(request.seed))
    name, cell = move_text(position, choice.move), cell_of(position, choice.move)
    search_data = by_name(choice, "value", "depth", "nodes")
    return {"move": name, "cell": cell, **search_data, "seconds": seconds}


def analyze(request: AnalyzeRequest, tell: Tell) -> dict[str, Any]:
    """Return the search of the last finished depth, after sending that of each depth."""
    position = running_position_of(request.position)
    if isinstance(position, GamePosition):
        return _own_analysis(position, request.seconds)
    heuristic = heuristic_of(request.heuristic, position.game)
    algorithm = ALGORITHMS[request.algorithm]
    options: dict[str, Any] = {"heuristic": heuristic, "keep_interrupted": True}
    if algorithm.is_engine and not _has_engine(position, heuristic):
        algorithm, options["scoring"] = ALGORITHMS["alphabeta"], "distance"
    if algorithm.counts_playouts:  # these have no depth
        options |= {"nodes": request.nodes, "seconds": request.seconds}
        return result_data(search(position, algorithm.name, **options))
    first = None if position.first | position.second else opening_move(position)
    searched = position if first is None else position.play(first)
    options |= _every_move(algorithm, searched)
    if algorithm.is_engine:
        prepare()
    began, best, nodes = perf_counter(), dict[str, Any](), 0
    empty = len(searched.moves)
    for depth in range(1, min(request.depth, empty) + 1):
        rest = request.seconds - (perf_counter() - began)
        if best and (rest <= 0 or nodes >= request.nodes):
            break
        options |= {
            "depth": depth,
            "seconds": max(rest, MIN_SECONDS),
            "nodes": request.nodes - nodes,
        }
        result = search(searched, algorithm.name, **options)
        nodes += result.nodes
        if result.stopped is not None and best:
            return {**best, "stopped": result.stopped}
        seconds = perf_counter() - began
        found = _with_ends(result_data(result), searched)
        best = {
            **(found if first is None else _of_opening(result, position, first)),
            "total_nodes": nodes,
            "total_seconds": seconds,
        }
        tell(best)
        if result.complete or result.stopped is not None:
            break
    return best


def _of_opening(result: SearchResult, position: Position, move: int) -> dict[str, Any]:
    """Return the search of the first move on a large board, where nearly all moves are alike."""
    value, name = value_with_move(position, result), position.game.format_move(position, move)
    text = format_score(value, result.conventions.scoring)
    cells = [move, *result.pv]
    line = {"value": value, "text": f"= {text}", "cells": cells}
    return {
        **result_data(result),
        "value": value,
        "text": f"= {text}",
        "best": [move],
        "moves": [{"cell": move, "value": value, "sign": "=", "text": text}],
        "lines": [line | {"pv": [name, *line_text(result.position, result.pv)]}],
    }


def _has_engine(position: Position, heuristic: Any) -> bool:
    """Return whether the engine can search a position: it needs alternating turns and machine code,
    also that of a Python function."""
    if not has_engine(position):
        return False
    if isinstance(heuristic, FunctionHeuristic):
        try:
            search(position, "engine", heuristic, depth=1)
        except OptionError:  # alpha-beta raises the same error, unless it is about machine code
            return False
    return True


def _with_ends(found: dict[str, Any], position: Position) -> dict[str, Any]:
    """Return a search's data with lines that win or lose extended to the end of the game.

    A search can recognize a win plies before the end, and a table hit can shorten a line.
    """
    for line in found["lines"] if position.game.alternates else ():
        plies = WIN - abs(round(line["value"]))
        if len(line["cells"]) < plies <= LONGEST_END and line["text"].startswith("="):
            line["cells"] = _to_the_end(position, line["cells"], plies)
            line["pv"] = line_text(position, tuple(line["cells"]))
    return found


def _to_the_end(position: Position, cells: list[int], plies: int) -> list[int]:
    """Return a line extended to `plies` plies, as far as small searches find the moves."""
    here, line = position.play(*cells), list(cells)
    while not here.is_over and len(line) < plies:
        result = search(here, "engine", "null", nodes=END_NODES)
        if not result.pv or WIN - abs(round(result.value)) != plies - len(line):
            break  # not found so soon, or another end
        line.append(result.pv[0])
        here = here.play(result.pv[0])
    return line


def _own_analysis(position: GamePosition, seconds: float) -> dict[str, Any]:
    """Return the best line in a user-defined game, found by iterative deepening."""
    scoring: Scoring = "result" if position.game.scored else "distance"
    result = search(
        position, "iterative-deepening", scoring=scoring, seconds=seconds, keep_interrupted=True
    )
    found, best = result_data(result), [cell_of(position, each) for each in result.pv[:1]]
    lines = [line | {"cells": best} for line in found["lines"] if best]
    return found | {"best": best, "moves": [], "lines": lines, "nodes": result.nodes}


def _every_move(algorithm: Algorithm, position: Position) -> dict[str, Any]:
    """Return the options that make a search give exact scores to as many moves as possible."""
    if algorithm.is_engine:
        lines = min(len(position.moves), SHOWN_LINES)
        return {"multipv": lines, "table": accelerator().table(TABLE_MEGABYTES)}
    return {"root": "open"} if "root" in algorithm.takes else {}


def prepare(algorithm: str = "engine") -> None:
    """Load or compile an algorithm, before the time of a request is measured."""
    if not why_no_kernels():
        from plyscope_fast.searching import run

        run.prepare(ALGORITHMS[algorithm])


def solve(request: SolveRequest, tell: Tell) -> dict[str, Any]:
    """Return the verdict on a position and its moves, with lines of best play; the verdict is sent
    before the lines are known."""
    position, say = position_of(request.position), sparingly(tell)
    began = perf_counter()
    verdict = solving.solve(
        position,
        seconds=request.seconds,
        progress=lambda text: say(lambda: {"text": text}),
        keep_interrupted=True,
    )
    found = {**proof_data(verdict), "line": [], "lines": []}
    tell(found)
    left = min(LINE_SECONDS, request.seconds - (perf_counter() - began))
    try:
        lines = _lines_to_the_end(verdict, perf_counter() + left)
        reason = reason_data(reason_of(verdict))
    except KeyboardInterrupt:
        lines, reason = [], None
    return {**found, "reason": reason, "line": lines[0] if lines else [], "lines": lines}


def _lines_to_the_end(verdict: Verdict, deadline: float) -> list[list[int]]:
    """Return best play to the end of the game after the first best move of a win or loss, and after
    each other winning move, as far as it is found in time."""
    if not verdict.value:
        return []
    position, best = verdict.position, list(verdict.best_moves[:1])
    wins = [item for item in verdict.moves or () if item.value == 1 and item.move not in best]
    wins.sort(key=lambda item: item.distance or inf)
    lines = []
    for move in [*best, *(item.move for item in wins)]:
        here, line = position.play(move), [move]
        while not here.is_over and (left := deadline - perf_counter()) > 0:
            after = solving.solve(here, seconds=left, with_moves=False)
            if not after.best_moves:  # a tablebase lists best moves only with all moves
                after = solving.solve(here, seconds=left)
            if not after.best_moves:
                break
            line.append(after.best_moves[0])
            here = here.play(line[-1])
        if here.is_over:
            lines.append(line)
    return lines


def follow(request: FollowRequest, tell: Tell) -> dict[str, Any]:
    """Return the reply of a side that plays by signs, and the sign that asks for it.

    Raises OptionError unless the signs hold in the position, whoever found them.
    """
    position, given = position_of(request.position), request.signs
    module: Any = load("plyscope_fast.solving.signs", "signs", "fast")
    signs = module.Signs(position_of(given.position), given.side, given.at_least, given.signs)
    signs.check(position)
    cell, rule = signs.reply(position)
    game, side = position.game, side_name(position.side)
    name, sign = game.format_cell(cell), signs.marks.get(cell)
    does = f"it {rule}" if rule.endswith("line") else f"sign {sign} on {name}, {rule}"
    return {"move": name, "cell": cell, "sentence": f"{side} plays {spoken(game, name)}: {does}."}


def threats(request: ThreatsRequest, tell: Tell) -> dict[str, Any]:
    """Return the threats of both sides."""
    position = position_of(request.position)
    return {"threats": [_threat_data(position, threat) for threat in threats_of(position)]}


def _threat_data(position: Position, threat: Threat) -> dict[str, Any]:
    game, side = position.game, side_name(threat.side)
    cell = game.format_cell(threat.cell)
    move = spoken(game, cell)
    above = (
        cell if move == cell else f"row {game.height - threat.cell // game.width} of column {move}"
    )
    says = {
        "line": f"{side} completes a line at {move}",
        "double": f"{side} threatens two cells at once with {move}",
        "odd": f"{side} completes a line at {above}, in an odd row, once the column is that high",
        "even": f"{side} completes a line at {above}, in an even row, once the column is that high",
    }
    return {
        "kind": threat.kind,
        "side": SIDES[threat.side],
        "cells": [threat.cell],
        "line": list(bits(threat.line)),
        "title": says[threat.kind],
    }


def refute(request: RefuteRequest, tell: Tell) -> dict[str, Any]:
    """Return the reply to a move, and the values of this move and of the best one."""
    position = position_of(request.position)
    cell = position.game.parse_move(position, request.move)
    proofs = proofs_of(request.known)
    prepare()

    def look(position: Position) -> SearchResult:
        result = search_within(position, request.seconds, keep_interrupted=True)
        if result.stopped == "interrupted":
            raise KeyboardInterrupt  # the request was cancelled: skip the second search
        return result

    before, after = assess_move(position, cell, proofs, look)
    item = review_step(0, before, after, cell, proofs)
    best, result = before.result, after.result
    answer: tuple[int, ...] = ()
    if best is not None and result is not None:
        value, answer = value_with_move(position, result), result.pv
        text = _refutation_text(cell, value, best, result)
        values: dict[str, float | None] = {"value": value, "best": best.value}
    else:
        if after.verdict is not None:
            answer = solved_line(after.position, proofs)
        line = spoken_line(after.position, answer)
        text = why_not_text(item, line)
        values = {"value": item.after, "best": item.before}
    told = proofs if before.verdict is None else {**proofs, position: before.verdict}
    reason = reason_for(position, cell, told) if item.is_proved else None
    return {
        "move": item.move,
        "line": [item.move, *line_text(after.position, answer)],
        "cells": [cell, *answer],
        "text": text,
        **values,
        "proved": item.is_proved,
        "reason": reason_data(reason) if reason is not None and reason.is_simple else None,
        "proof": None if before.verdict is None else proof_data(before.verdict),
    }


def _refutation_text(cell: int, value: float, best: SearchResult, result: SearchResult) -> str:
    """Return a sentence that compares a move with the `best` one by search, with the reply."""
    name, best_name = (spoken_line(best.position, pv) for pv in ((cell,), best.pv[:1]))
    words, reach = score_words(value), f"searched {result.depth} plies deep, not proved"
    if name == best_name:
        return f"{name} is the best move that the engine finds: it {words} ({reach})"
    if value >= best.value:
        return f"{name} is as good as {best_name}: it {words} ({reach})"
    answered = f", answered by {spoken_line(result.position, result.pv)}" if result.pv else ""
    return f"{name} {words}{answered}; {best_name} {score_words(best.value)} ({reach})"
