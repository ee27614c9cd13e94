"""Sends sessions of commands in any order to `plyscope gomocup`: `python bench/gomocup.py
[--sessions 100000] [--seed 0] [--seconds S]`.

A session is a manager's commands, many right and some wrong: starts, rules, boards, swap2, moves,
times and stops. Seven sessions in eight have an agent that moves at random, the others the engine.
Each command must get the answers that the protocol expects, each move must be legal by the rule of
the session, and no command may raise. Renju's forbidden moves are held to `tests/oracles.py`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # whose oracles these are

import oracles
from plyscope.faces.cli import gomocup
from plyscope.lab.agents.catalogue import parse_agent

WORDS = (
    *("START", "RECTSTART", "BOARD", "SWAP2BOARD", "INFO", "BEGIN", "RESTART", "YXSTOP", "ABOUT"),
    *("TURN", "TURN", "TURN", "TURN", "TURN", "PLAY", "TAKEBACK", "DONE", "", "?"),
)
SILENT = ("INFO", "YXSTOP", "")
"""Commands that may stay without an answer."""
MOVING = ("BEGIN", "TURN", "BOARD")
"""Commands that ask for a move."""
THOUSANDTH = 0.001
"""Seconds of a move of the engine."""
AGENTS = (*["random"] * 7, "engine")


def commands(draw: Random) -> list[str]:
    """Return commands of a manager at random: many right, some wrong, in any order."""
    most = draw.choice((3, 5, 8))

    def cell() -> str:
        place = f"{draw.randrange(most)},{draw.randrange(most)}"
        return draw.choice([place] * 9 + ["x", "9999,1"])

    def command() -> list[str]:
        word = draw.choice(WORDS)
        if word == "START":
            return [f"START {draw.choice([1, 2, 5, 5, 6, 7, 0, 21, 'x'])}"]
        if word == "RECTSTART":
            return [f"RECTSTART {draw.choice(['1,2', '5,6', '7,5', '5', ''])}"]
        if word in ("BOARD", "SWAP2BOARD"):
            kinds = ["1", "1", "2", "2", "3", "4", ""] if word == "BOARD" else [None]
            stones = [(cell(), draw.choice(kinds)) for _ in range(draw.choice([0, 0, 3, 5, 9, 16]))]
            if draw.random() < 0.7:  # a board without mistakes
                places = draw.sample(range(25), len(stones))
                stones = [
                    (f"{at % 5},{at // 5}", kind and "12"[number % 2])
                    for number, (at, (_, kind)) in enumerate(zip(places, stones, strict=True))
                ]
            told = [place if kind is None else f"{place},{kind}" for place, kind in stones]
            return [word, *told, *["DONE"] * (draw.random() < 0.95)]
        if word == "INFO":
            key = draw.choice(["rule", "time_left", "timeout_turn", "max_memory", "game", "folder"])
            value = draw.choice(["0", "1", "-5", "4", "qubic", ""])
            return [f"INFO {key} {'2147483647' if key == 'time_left' else value}"]
        if word in ("TURN", "PLAY", "TAKEBACK"):
            return [f"{word} {cell()}"]
        return [word]

    started = [f"START {draw.choice((5, 7))}"] if draw.random() < 0.8 else []
    if draw.random() < 0.7:
        started.append(f"INFO rule {draw.choice('01489')}")
    return started + [line for _ in range(draw.randint(1, 16)) for line in command()]


def faults(seed: int, agent: str) -> tuple[list[str], int]:
    """Return what is wrong with the answers in the session of `seed`, and the number of moves."""
    draw = Random(seed)
    said, found, moves = commands(draw), list[str](), 0
    source = gomocup._Lines(said)
    brain = gomocup._Brain(parse_agent(agent), draw, source, agent == "engine")
    for line in source:
        word, _, rest = line.partition(" ")
        before = set(brain.stones)
        try:
            answers = brain.execute(word, rest, source)
        except Exception as error:
            return [f"{line!r} raised {type(error).__name__}: {error} in {said}"], moves
        if not all(answer and answer.isprintable() for answer in answers):
            found.append(f"{line!r} got {answers}")
        if word not in SILENT and not answers:
            found.append(f"{line!r} got no answer")
        move = re.fullmatch(r"(\d+),(\d+)", answers[-1]) if answers else None
        if move is not None and brain.game is not None and word != "SWAP2BOARD":
            moves += 1
            wrong = _wrong_move(brain, word, before, int(move[1]), int(move[2]))
            found += [f"{line!r} got {answers[-1]!r}: {wrong}"] if wrong else []
        elif word in MOVING and not answers[-1].startswith("ERROR"):
            found.append(f"{line!r} got {answers[-1]!r}, expected a move or ERROR")
    return [f"{each} in {said}" for each in found], moves


def _wrong_move(
    brain: gomocup._Brain, word: str, before: set[int], column: int, row: int
) -> str | None:
    """Return what is wrong with a move of the agent, which `brain` has made; None if nothing is."""
    game = brain.game
    assert game is not None
    cell = row * game.width + column
    if column >= game.width or row >= game.height or brain.stones.count(cell) != 1:
        return "outside the board, or taken"
    if (word not in ("BOARD", "PLAY") and cell in before) or cell in brain.blocked:
        return "taken or blocked"
    others = [stone for stone in brain.stones if stone != cell]
    own = {stone for stone in others if stone in brain.own}
    if game.renju and len(own) * 2 == len(others) and word != "PLAY":
        board = tuple("X" if at in own else "O" if at in others else "." for at in range(game.size))
        return oracles.renju_fouls(board, game.width).get(cell)
    return None


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0)
    asked = parser.parse_args(words)
    gomocup.RESERVE_SECONDS = gomocup.DEFAULT_SECONDS = THOUSANDTH
    gomocup.TABLE_MEGABYTES = 1
    count, told, began = Counter[str](), perf_counter(), perf_counter()
    for number in range(asked.sessions):
        agent = AGENTS[number % len(AGENTS)]
        wrong, moves = faults(asked.seed * 1_000_000 + number, agent)
        count.update({f"sessions of {agent}": 1, "moves": moves, "faults": len(wrong)})
        for each in wrong:
            print(f"session {number}: {each}", flush=True)
        if perf_counter() - told > 30:
            told = perf_counter()
            print(f"{number + 1:,} of {asked.sessions:,} sessions", file=sys.stderr, flush=True)
        if perf_counter() - began > asked.seconds:
            break
    print(", ".join(f"{name} {amount:,}" for name, amount in count.items()))
    return 1 if count["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
