"""Plays the engines of two source trees against each other, at equal time.

    python bench/player.py TREE OTHER [--game 15,15,5] [--seconds 0.3] [--games 100] [--seed 0]
        [--sprt ELO0 ELO1] [--options "heuristic=patterns"] [--other "heuristic=counted-lines"]

A tree is a folder with `src` and `packages`, of which `plyscope gomocup` is run; one process of
each plays all games, in turn. Pairs begin after 2 to 5 random moves near the middle that a short
search values at less than EVEN_POINTS. Games of all pairs are the sample; a late move loses.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from plyscope import play_match, search
from plyscope.lab.matches.ratings import Sprt
from plyscope.lab.matches.tally import MatchResult
from plyscope.rules.games import line_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

EVEN_POINTS = 150
WEIGHING_NODES = 3_000
REACH = 3
"""The distance from the middle of the board, in rows and in columns, of the moves of openings."""


def agent(name: str, tree: str, options: str, seconds: float) -> str:
    """Return the text of the agent that runs the engine of a source tree."""
    top = Path(tree).resolve()
    path = f"PYTHONPATH={top / 'src'}{os.pathsep}{top / 'packages' / 'plyscope-worlds' / 'src'}"
    words = ["env", path, sys.executable, "-m", "plyscope", "gomocup"]
    words += ["--agent", f"engine {options}".strip()]
    return f"{name}=program command={shlex.quote(shlex.join(words))} seconds={seconds}"


def openings(game: LineGame, draw: Random) -> Iterator[Position]:
    """Yield even positions after few moves near the middle."""
    width, height = game.width, game.size // game.width
    while True:
        position = game.start()
        for _ in range(draw.randint(2, 5)):
            near = [
                cell
                for cell in position.moves
                if abs(cell % width - width // 2) <= REACH
                and (game.gravity or abs(cell // width - height // 2) <= REACH)
            ]
            position = position.play(draw.choice(near))
        if (
            not position.is_over
            and abs(search(position, "engine", "patterns", nodes=WEIGHING_NODES).value)
            < EVEN_POINTS
        ):
            yield position


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs=2)
    parser.add_argument("--game", default="15,15,5")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sprt", type=float, nargs=2)
    parser.add_argument("--options", default="")
    parser.add_argument("--other", default="")
    asked = parser.parse_args(words)
    drawn = openings(line_game(asked.game), Random(asked.seed))
    starts = [next(drawn) for _ in range((asked.games + 1) // 2)]

    def progress(so_far: MatchResult) -> None:
        score = f"{so_far.a_wins} {so_far.draws} {so_far.b_wins}"
        print(f"{so_far.games} games: {score}, pairs {so_far.pairs}", file=sys.stderr, flush=True)

    result = play_match(
        agent("new", asked.trees[0], asked.options, asked.seconds),
        agent("old", asked.trees[1], asked.other, asked.seconds),
        asked.games,
        seed=asked.seed,
        starts=starts,
        sprt=None if asked.sprt is None else Sprt(elo0=asked.sprt[0], elo1=asked.sprt[1]),
        progress=progress,
    )
    print(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
