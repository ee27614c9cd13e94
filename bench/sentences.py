"""What the page says of games and positions, held to the truth and to itself.

    python bench/sentences.py [--games 10] [--positions 200] [--seed 1] [--seconds 2]

Reviews: so many games of Connect Four, four of tic-tac-toe and four of 5,5,4, each reviewed three
times: with nothing known, in another process beside a second one, and once more after other
positions were solved. The three must say the same, and each sentence must be true: by brute force,
where a position is small enough for `tests/oracles.py`, else by a solve without a limit of nodes.

Screens: at so many positions of all sorts of games what each room says (headline, cells, lines, why
not, hint, tries, graph), with what is proved handed on as the page does. No two may disagree about
a position or a move, and nothing may call unproved what is proved on the same screen. In Trees the
headline, the value and the picture's root are those of a search without a picture; in Quiz the key
has full marks and the value of the tree; in Lab the map of wrong moves and the report card tell the
same share, and every board that they show is wrong by a solve.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # whose brute force this is

import oracles
import plyscope as ps
from plyscope.solving import known
from plyscope_web.endpoints import answer, read

REVIEWED = {"connect4": 10, "tictactoe": 4, "5,5,4": 4}
MOST_EMPTY, MOST_NODES = 12, 100_000
"""Of positions that brute force is asked about."""
SCREENS = ("tictactoe", "misere-tictactoe", "connect4", "connect4-5x4", "4,4,4", "5,5,4", "6,5,4")
LARGE = ("gomoku9", "gomoku15", "6,6,4,misere", "qubic")
LAB_GAMES = ("tictactoe", "misere-tictactoe")
LAB_HEURISTICS = ("counted-lines", "open-lines", "null")
VALUES = {"wins": 1, "win": 1, "draws": 0, "draw": 0, "loses": -1, "lose": -1}


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def a_game(name: str, draw: Random, most: int = 99) -> list[str]:
    """Return the moves of a game: lines are mostly completed and stopped, the rest is chance."""
    position, moves = ps.parse(name), []
    while not position.is_over and len(moves) < most:
        choice = draw.choice(position.moves)
        if draw.random() < 0.8:
            for side in (position.side, 1 - position.side):
                turned = position.game.position(position.first, position.second, side)
                wins = [move for move in position.moves if turned.play(move).winner == side]
                choice = wins[0] if wins else choice
                if wins:
                    break
        moves.append(position.game.format_move(position, choice))
        position = position.play(choice)
    return moves


# The truth


@lru_cache(maxsize=4)
def lines_of(name: str) -> tuple[tuple[frozenset[int], ...], dict[int, int]]:
    """Return a game's lines, and the cell that each stone under gravity rests on."""
    game = ps.parse_game(name)
    width, height = game.shape[:2]
    all_lines = oracles.lines((width, height), game.longest_line)
    under = {cell: cell + width for cell in range(width * (height - 1))} if game.gravity else {}
    return tuple(frozenset(line) for line in all_lines), under


@lru_cache(maxsize=100_000)
def truth(position: ps.Position) -> tuple[int, int | None]:
    """Return the value to the side to move, and the plies to the end where they are known."""
    game = position.game
    if position.is_over:
        return (0 if position.winner is None else 1 if position.winner == position.side else -1), 0
    if game.name == "tictactoe":
        rules = oracles.LineRules(sizes=(3, 3), k=3)
        x, o = (
            frozenset((cell % 3, cell // 3) for cell in range(9) if stones >> cell & 1)
            for stones in (position.first, position.second)
        )
        value, plies = rules.outcome((x, o))
        return (-value if position.side else value), plies
    solved = ps.solve(position, with_moves=False)
    assert solved.value is not None
    brute = by_force(position)
    if brute is not None and brute != solved.value:
        raise AssertionError(f"{position}: solved as {solved.value}, by force {brute}")
    COUNTS["by force" if brute is not None else "by solve"] += 1
    return solved.value, solved.distance


COUNTS = {"by force": 0, "by solve": 0}


def by_force(position: ps.Position) -> int | None:
    """Return the value by plain recursion, None where that would take long."""
    if position.empty.bit_count() > MOST_EMPTY:
        return None
    all_lines, under = lines_of(position.game.name)
    mover = "XO"[position.side]
    try:
        for least in (1, 0):
            forced = oracles.Forced(
                position.game.size, all_lines, mover, least, under, False, MOST_NODES
            )
            if forced.holds(position.first, position.second, mover):
                return least
    except oracles.TooLarge:
        return None
    return -1


def after(position: ps.Position, move: str) -> ps.Position:
    return position.play(position.game.parse_move(position, move))


def faults_of_sentence(position: ps.Position, move: str, point: dict[str, Any]) -> Iterator[str]:
    """Yield what is not so in what is said of a move."""
    text = point["sentence"]
    found = re.fullmatch(r"move \d+, [XO] \S+ (.*)\.", text)
    if found is None:
        yield f"not understood: {text!r}"
        return
    words = found[1]
    there = after(position, move)
    own = re.match(r"(wins|draws|loses)(?: in (\d+) pl)?", words)
    if own is not None:
        value, plies = truth(there)
        if -value != VALUES[own[1]]:
            yield f"{text!r} is false: {-value}"
        if own[2] and plies is not None and int(own[2]) != plies + 1:
            yield f"{text!r} is false: {plies + 1} plies"
    if "nothing is better" in words and truth(position)[0] != -truth(there)[0]:
        yield f"{text!r} is false: something is better"
    kept = re.match(r"is not proved to keep the (win|draw)", words)
    if kept is not None and truth(position)[0] != VALUES[kept[1]]:
        yield f"{text!r} is false: {truth(position)}"
    if ("nothing is better" in words or (point["gives"] and point["judged"])) == (
        "not proved" in words
    ):
        yield f"{text!r} says that it is proved and that it is not, or neither"
    if point["gives"] and point["judged"]:
        best, plies = truth(position)
        if best <= -truth(there)[0]:
            yield f"{text!r} is false: nothing was given away"
        for better in point["better"]:
            if -truth(after(position, better))[0] != best:
                yield f"{text!r} is false: {better} is no better"
        told = re.search(r"; [^;]* in (\d+) pl[^;]*$", words)
        if told is not None and plies is not None and int(told[1]) != plies:
            yield f"{text!r} is false: {plies} plies"


def faults_of_review(name: str, moves: list[str], points: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what is not so in a review."""
    position = ps.parse(name)
    for ply, point in enumerate(points):
        if ply:
            yield from faults_of_sentence(position, moves[ply - 1], point)
            position = after(position, moves[ply - 1])
        if point["proved"] and not position.is_over:
            value, plies = truth(position)
            if point["share"] != (-value if position.side else value):
                yield f"{position}: {point['text']!r} is false: {value}"
            told = re.search(r"in (\d+) pl", point["text"])
            if told is not None and plies is not None and int(told[1]) != plies:
                yield f"{position}: {point['text']!r} is false: {plies} plies"


def reviewed(name: str, moves: list[str]) -> list[dict[str, Any]]:
    """Return a review's points, without what its proofs took."""
    known._short_proof.cache_clear()
    points = ask("review", position=name, moves=moves)["points"]
    for point in points:
        for cost in ("seconds", "megabytes", "nodes") if point["proof"] else ():
            point["proof"].pop(cost)
    return points


def hold_reviews(games: dict[str, int], seed: int) -> int:
    """Print what came of the reviews; return the number of faults."""
    faults, sentences, proved, alike, missed = [], 0, 0, 0, 0
    draw = Random(seed)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for name, number in games.items():
            for _ in range(number):
                moves = a_game(name, draw)
                others = [pool.submit(reviewed, name, moves) for _ in range(2)]
                first = reviewed(name, moves)
                for _ in range(3):
                    ps.solve(after_all(name, a_game(name, draw, 16)), seconds=0.1)
                again = [reviewed(name, moves), *(other.result() for other in others)]
                alike += all(each == first for each in again)
                if not all(each == first for each in again):
                    faults.append(f"{name} {' '.join(moves)}: runs differ")
                faults += faults_of_review(name, moves, first)
                sentences += len(moves)
                proved += sum(point["judged"] for point in first[1:])
                missed += sum(not point["proved"] for point in first)
    for fault in faults:
        print(fault, flush=True)
    print(
        f"{sum(games.values())} games reviewed, {alike} alike in four runs; {sentences} sentences, "
        f"{proved} of them proved, {missed} positions not proved; false {len(faults)}; positions "
        f"held by force {COUNTS['by force']}, by solve alone {COUNTS['by solve']}",
        flush=True,
    )
    return len(faults)


def after_all(name: str, moves: list[str]) -> ps.Position:
    """Return the last position of a game that is not over."""
    position = ps.parse(name)
    for move in moves:
        then = after(position, move)
        if then.is_over:
            break
        position = then
    return position


# Screens


class Screen:
    """What is said of one position and its moves; two that disagree are a fault."""

    def __init__(self, where: str) -> None:
        self.where, self.said, self.faults, self.count = where, {}, [], 0

    def say(self, who: str, about: str, value: int | None, plies: int | None = None) -> None:
        """Note a claim: the value to the side to move, or that nothing is proved (None)."""
        self.count += 1
        for other, (its, its_plies) in self.said.setdefault(about, {}).items():
            if its != value or (plies and its_plies and plies != its_plies):
                said = f"{who} {value} {plies}, {other} {its} {its_plies}"
                self.faults.append(f"{self.where}: of {about}: {said}")
        self.said[about][who] = value, plies


def claim(words: str) -> tuple[int | None, int | None]:
    """Return what words claim of a move, None where they claim nothing."""
    found = re.search(r"\b(wins|draws|holds the draw|loses)\b(?: in (\d+))?", words)
    if found is None:
        return None, None
    value = VALUES.get(found[1], 0)
    return value, int(found[2]) if found[2] else None


def look(name: str, moves: list[str], seconds: float) -> Screen:
    """Return what all rooms say at the end of a game's moves, which is not over."""
    path = [ps.parse(name)]
    for move in moves:
        path.append(after(path[-1], move))
    here, text = path[-1], str(path[-1])
    screen, proofs = Screen(f"{name} {' '.join(moves)}"), {}

    def learn(proof: dict[str, Any] | None) -> None:
        if proof is not None and proof["value"] is not None:
            before = proofs.get(proof["position"])
            if before is None or len(proof["moves"]) > len(before["moves"]):
                proofs[proof["position"]] = proof

    def carried(*positions: ps.Position) -> list[dict[str, Any]]:
        found = [proofs[str(each)] for each in positions if str(each) in proofs]
        keys = ("position", "value", "distance", "best")
        return [
            {key: each[key] for key in keys}
            | {
                "moves": [
                    {key: move[key] for key in ("move", "value", "distance")}
                    for move in each["moves"]
                ]
            }
            for each in found
        ]

    learn(ask("solve", position=text, seconds=seconds))
    tried = [
        here.game.format_move(here, move) for move in here.moves[:: max(1, len(here.moves) // 3)]
    ]
    size = -1  # what one has proved the others are asked about again, as on the page
    while size != (size := sum(1 + len(each["moves"]) for each in proofs.values())):
        graph = ask("review", position=name, moves=moves, known=carried(*path))["points"]
        for point in graph:
            learn(point["proof"])
        hint = ask("suggest", position=text, seconds=0.2, known=carried(here))
        learn(hint["proof"])
        why = [
            ask("refute", position=text, move=m, seconds=0.2, known=carried(here)) for m in tried
        ]
        for each in why:
            learn(each["proof"])
    proof = proofs.get(text)
    value = None if proof is None else proof["value"]
    distance = None if proof is None else proof["distance"]
    screen.say("headline", "the position", value, distance)
    for item in (proof or {"moves": []})["moves"]:
        screen.say("cell", item["text"], item["value"], item["distance"])
    last = graph[-1]
    sign = -1 if here.side else 1
    told = re.search(r"in (\d+) pl", last["text"])
    share = round(sign * last["share"]) if last["proved"] else None
    screen.say("graph", "the position", share, int(told[1]) if told and last["proved"] else None)
    if moves and last["judged"]:
        screen.say("sentence", "the position", -(claim(last["sentence"])[0] or 0))
    if hint["proved"]:
        value_of_hint, plies = claim(hint["sentence"])
        if value_of_hint is None:
            value_of_hint = -1 if "every move loses" in hint["sentence"] else 0
        screen.say("hint", "the position", value_of_hint)
        screen.say("hint", hint["move"], value_of_hint, plies)
    elif proof is not None and proof["best"]:
        screen.say("hint", "the position", None)
    for move, found in zip(tried, why, strict=True):
        own, _, rest = found["text"].partition("; ")
        if found["proved"] or not rest.startswith("not proved"):
            value_of_move, plies = claim(own.partition(", answered")[0])
            is_claimed = value_of_move is not None and not own.startswith("is not")
            if is_claimed and "not proved to" not in own:
                screen.say("why not", move, value_of_move, plies)
        if proof is not None and proof["moves"] and not found["proved"]:
            screen.faults.append(
                f"{screen.where}: why not {move}: {found['text']!r} beside a proof"
            )
        if found["proved"]:
            screen.say("why not", "the position", found["best"])
    for move in tried[:2]:
        attempt = ask("attempt", position=text, move=move, seconds=0.2, known=carried(here))
        if attempt["proved"]:
            value_of_move, plies = claim(attempt["said"].partition(":")[0].partition(", ans")[0])
            screen.say("try", move, value_of_move, plies)
            if value is not None and attempt["right"] != (value_of_move == value):
                screen.faults.append(f"{screen.where}: try {move}: {attempt['said']!r}")
    return screen


def look_at_tree(position: ps.Position, number: int) -> Screen:
    """Return what Trees says of a search of a position, of which there is another without steps."""
    algorithm = ("minimax", "alphabeta", "pvs", "mtdf")[number % 4]
    depth = 2 if len(position.moves) < 10 else 1
    asked = {"algorithm": algorithm, "depth": depth}
    told = ask("trace", position=str(position), **asked)
    true = ps.search(position, algorithm, **{"depth": depth})
    screen = Screen(f"{algorithm} of {position}")
    root = [
        change["score"]
        for step in told["steps"]
        for node, change in step["changes"]
        if node == 0 and "score" in change
    ]
    best, _, worth = told["found"].partition(" is best: the root is worth ")
    for who, words in (("value", told["text"]), ("root", root[-1]), ("headline", worth)):
        value = int(re.sub(r"[^\d-]", "", words.replace("−", "-")))
        screen.say(who, "the root", value)
    screen.say("search", "the root", int(true.value))
    names = {position.game.format_move(position, move) for move in true.best_moves}
    if best not in names:
        screen.faults.append(f"{screen.where}: {best} is best, a search has {sorted(names)}")
    return screen


def written(node: dict[str, Any]) -> dict[str, str]:
    """Return what the key says of a node as a person writes it."""
    ends = zip(("alpha", "beta"), node["window"], ("-inf", "inf"), strict=True)
    window = {name: infinite if end is None else str(end) for name, end, infinite in ends}
    return {"value": str(node["value"]), **window}


def look_at_quiz(seed: int) -> Screen:
    """Return what Quiz says of a question that a seed draws, and of its key as an answer."""
    question = {
        "seed": seed,
        "cut": ("ge", "gt")[seed % 2],
        "bound": ("soft", "hard")[seed // 2 % 2],
    }
    tree = json.loads(ask("question", **question)["tree"])
    shown = ask("mark", question=question, answer={}, with_key=True)
    due = {
        path: {"cut": True} if node["cut"] else written(node)
        for path, node in shown["key"].items()
        if node["cut"] or node["value"] is not None
    }
    marks = ask("mark", question=question, answer=due)
    screen = Screen(f"quiz {seed}")
    screen.say("key", "the root", shown["key"][""]["value"])
    screen.say("brute force", "the root", oracles.tree_value(tree))
    screen.say("marks", "points", marks["points"])
    screen.say("possible", "points", shown["possible"])
    return screen


def look_at_lab(game: str, heuristic: str) -> Screen:
    """Return what Lab says of a heuristic: the map of its wrong moves and its report card."""
    found = ask("wrong", game=game, heuristic=heuristic)
    report = ask("report", game=game, heuristic=heuristic, depths=1)
    card = report["card"]
    screen = Screen(f"{heuristic} on {game}")
    screen.say("map", "positions", found["choices"])
    screen.say("card", "positions", card["choices"])
    screen.say("map", "wrong of a million", round(1e6 * found["share"]))
    screen.say("card", "wrong of a million", round(1e6 * card["depths"][0]["mistakes"]))
    for each in (*found["boards"]["wrong"], *report["boards"]):
        here = ps.parse(each["position"], game)
        values = {item.text: item.value for item in ps.solve(here, "tablebase").moves}
        best = max(values.values())
        if {values[move] for move in each["right"]} != {best}:
            screen.faults.append(f"{screen.where}: {each['position']}: right {each['right']}")
        if min(values[move] for move in each["plays"]) == best:
            screen.faults.append(f"{screen.where}: {each['position']}: plays {each['plays']}")
        screen.count += 1
    return screen


def hold_screens(positions: int, seed: int, seconds: float) -> int:
    """Print what came of the screens; return the number of faults."""
    draw, faults, said = Random(seed), [], 0
    for number in range(positions):
        name = (*SCREENS, *SCREENS, *LARGE)[number % (2 * len(SCREENS) + len(LARGE))]
        moves = a_game(name, draw, draw.randrange(1, 16))
        while after_all_is_over(name, moves):
            moves.pop()
        here = ps.parse(name)
        for move in moves:
            here = after(here, move)
        for screen in (
            look(name, moves, seconds),
            look_at_tree(here, number),
            look_at_quiz(number),
        ):
            faults += screen.faults
            said += screen.count
    for game in LAB_GAMES:
        for heuristic in LAB_HEURISTICS:
            screen = look_at_lab(game, heuristic)
            faults += screen.faults
            said += screen.count
    for fault in faults:
        print(fault, flush=True)
    print(f"{positions} positions, {said} statements: disagreements {len(faults)}")
    return len(faults)


def after_all_is_over(name: str, moves: list[str]) -> bool:
    position = ps.parse(name)
    for move in moves:
        position = after(position, move)
    return position.is_over


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=REVIEWED["connect4"])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args(words)
    games = {name: min(number, given.games) for name, number in REVIEWED.items()}
    games["connect4"] = given.games
    faults = hold_reviews(games, given.seed) if given.games else 0
    faults += hold_screens(given.positions, given.seed, given.seconds) if given.positions else 0
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
