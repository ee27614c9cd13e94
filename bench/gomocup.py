"""Sends sessions of commands in any order to `plyscope gomocup`, or measures its times.

    python bench/gomocup.py [--sessions 100000] [--seed 0] [--seconds S]
    python bench/gomocup.py --moves 1000 [--move-ms 300] [--seed 0]

A session is a manager's commands, many right and some wrong: starts, rules, boards, swap2, moves,
times and stops. Seven sessions in eight have an agent that moves at random, the others the engine.
Each command must get the answers that the protocol expects, each move must be legal by the rule of
the session, and no command may raise. Renju's forbidden moves are held to `tests/oracles.py`.

With `--moves` two processes play whole games on 15×15 until they have made so many moves. Times are
from a command to its answer, as wall time and without the scheduling delay of the main thread. A
loss on time is an answer that comes more than TOLERANCE_MS after the limit, without this delay. The
memory is the greatest resident size of a process.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # whose oracles these are

import oracles
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.owntime import OwnTime
from plyscope.rules.games import line_game
from plyscope.rules.position import Position
from plyscope_worlds import gomocup

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
TOLERANCE_MS = 1000
"""Milliseconds that managers add to the limit of a move."""
READY_MS = 2000
"""Milliseconds from the start of a process to its answer to START, on a warm cache."""
MEMORY_BYTES = 350_000_000
"""The memory limit of tournaments."""


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


class Process:
    """A process of `plyscope gomocup`."""

    def __init__(self, move_ms: int) -> None:
        command = [sys.executable, "-m", "plyscope", "gomocup"]
        self.child = Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1)
        watch = OwnTime(str(self.child.pid))
        self.ask("START 15")
        self.ready_ms = 1000 * watch.seconds()
        self.tell(f"INFO timeout_turn {move_ms}")
        self.tell(f"INFO max_memory {MEMORY_BYTES}")

    def tell(self, line: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(f"{line}\r\n")

    def ask(self, line: str) -> str:
        """Return the answer to a command, without the messages before it."""
        assert self.child.stdout is not None
        self.tell(line)
        return next(each for each in self.child.stdout if not each.startswith("MESSAGE")).strip()

    @property
    def megabytes(self) -> float:
        """The greatest resident size so far."""
        status = Path(f"/proc/{self.child.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) / 1000 if found else 0.0


def board_of(position: Position) -> str:
    """Return the command that sets a position on 15×15 and asks for a move."""
    own = position.stones(position.side)
    taken = (cell for cell in range(225) if not position.empty >> cell & 1)
    stones = [f"{cell % 15},{cell // 15},{1 if own >> cell & 1 else 2}" for cell in taken]
    return "\r\n".join(["BOARD", *stones, "DONE"])


def whole_games(moves: int, move_ms: int, seed: int) -> int:
    """Play games until the engine has made so many moves; print times, and return the number of
    limits that were not kept."""
    game, draw = line_game("15,15,5"), Random(seed)
    players = [Process(move_ms) for _ in range(2)]
    over_ms, wall_ms, games = list[float](), list[float](), 0
    while len(over_ms) < moves:
        games += 1
        position, last = game.start(), ""
        for _ in range(draw.randint(2, 5)):
            near = [cell for cell in position.moves if {cell % 15, cell // 15} <= {*range(4, 11)}]
            position = position.play(draw.choice(near))
        begins = position.empty.bit_count()
        while not position.is_over:
            is_first = position.empty.bit_count() > begins - 2
            player = players[position.side]
            began, watch = perf_counter(), OwnTime(str(player.child.pid))
            answer = player.ask(board_of(position) if is_first else f"TURN {last}")
            over_ms.append(1000 * watch.seconds() - move_ms)
            wall_ms.append(1000 * (perf_counter() - began) - move_ms)
            x, y = map(int, answer.split(","))
            position, last = position.play(15 * y + x), answer
    late = sum(each > TOLERANCE_MS for each in over_ms)
    spread = (
        f"median {median(each):.0f} ms, greatest {max(each):.0f}" for each in (over_ms, wall_ms)
    )
    print(
        f"{len(over_ms):,} moves of {move_ms} ms in {games} games; beyond the limit: "
        f"{'; as wall time '.join(spread)}; lost on time {late}"
    )
    ready_ms = max(player.ready_ms for player in players)
    megabytes = max(player.megabytes for player in players)
    print(f"ready after {ready_ms:.0f} ms; at most {megabytes:.0f} MB")
    for player in players:
        player.child.communicate("END\r\n")
    return late + (ready_ms > READY_MS) + (megabytes > MEMORY_BYTES / 1e6)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--moves", type=int)
    parser.add_argument("--move-ms", type=int, default=300)
    asked = parser.parse_args(words)
    if asked.moves is not None:
        return 1 if whole_games(asked.moves, asked.move_ms, asked.seed) else 0
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
