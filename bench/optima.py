"""The best numbers of every family on small games, by proof: `python bench/optima.py [SECONDS]
[GAME ...]` writes docs/optima.md.

Each row is checked: a heuristic with these numbers is asked about every position of the game.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from plyscope import parse_game
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.whole import WholeGame
from plyscope.rules.linegame import LineGame
from plyscope.tuning.family import Family, families_of, find_family
from plyscope.tuning.optimum import games_lost, optimum
from plyscope.tuning.result import Optimum

PAGE = Path(__file__).parent.parent / "docs" / "optima.md"
GAMES = (
    "tictactoe",
    "4,3,3",
    "3,3,3,misere",
    "4,4,3,gravity",
)
COUNTED, NOTHING = "counted-lines", "null"
HEAD = """# The best possible numbers

How few wrong moves can a heuristic of so many numbers make? At depth 1, over all positions of a
game whose moves differ in value, no real numbers of a family have fewer than the column *wrong*
says, and the numbers beside it have as few; of moves that are rated alike the share that loses
counts. Where {seconds:g} seconds were not enough for a proof, the bound stands before the least
that is known. *Loses as* names the sides as which some line of play beats these numbers, one ply
deep: few wrong moves is not never losing, and where X can force a win everybody loses as O. Beside
each game is what `{counted}` and random moves lose. Two cores with other
work to do; written by `python bench/optima.py {seconds:g}`.

Who is to move is worth more than anything else that a table of lines can say: on 4,3,3 the four
numbers of `to-move` make a fifth of the wrong moves of the two of `lines`. At depth 1 `table` and
`kinds` say the same as `to-move` and `to-move-kinds`, since there the side that waits is always the
one that has just moved.

## How it is proved

After a move only the differences between its position's features and those after other moves
count, and of these only which side of zero the weights put them on. Few such differences are apart:
55 for the 3,191 critical positions of tic-tac-toe and four numbers, 234 for the 60,707 of 4,3,3.
Each is a plane through the origin of the space of weights; what is lost changes on no other place
than these planes. So branch and bound cuts that space, plane by plane, into cones, in each of which
some moves are decided. A cone's bound is what decided positions lose, and what the others must lose
because they want different sides of the same plane. A plane itself is a part too: of three moves
in a row the middle one may be right, and then a tie is better than either side. Cones are kept by
their rays, in whole numbers, so nothing is rounded. Tests hold the result against sweeps over all
faces, a mixed-integer programme (HiGHS) for the four numbers of tic-tac-toe, and a thousand other
weights.

## The table

| game | family | numbers | wrong, % | the best numbers | loses as | nodes | seconds |
|---|---|---:|---:|---|---|---:|---:|
"""


def wrong(population: Population, heuristic: object, game: LineGame) -> float:
    """Return the share of wrong moves at depth 1."""
    critical = population.critical
    played = critical.played(find_heuristic(heuristic, game), 1)
    return float(critical.wrong_by(played).mean())


def rows(name: str, seconds: float) -> list[str]:
    """Return the rows of a game: what is known of it, and each family."""
    game = parse_game(name)
    population = WholeGame(game)
    counted, chance = (wrong(population, one, game) for one in (COUNTED, NOTHING))
    lines = [
        f"| **{name}** | {len(population.critical):,} critical positions | "
        f"| {COUNTED} {100 * counted:.2f}, at random {100 * chance:.2f} | | | | |"
    ]
    for family_name in families_of(game):
        family = find_family(family_name, NOTHING, game)
        best = optimum(family, population, seconds)
        asked = wrong(population, family.heuristic(best.weights, "best"), game)
        if abs(asked - best.least) > 1e-9:
            raise SystemExit(f"{name} {family_name}: {best} has {asked} on the board")
        lines.append(row(family_name, best, sides_lost(family, best.weights)))
        print(name, lines[-1], file=sys.stderr, flush=True)
    return lines


def sides_lost(family: Family, weights: Sequence[int]) -> str:
    """Return the sides as which some line of play beats a search of one ply with the weights."""
    lost = games_lost(family, weights, 600)
    if lost is None:
        return "?"
    return ", ".join(side for side, line in zip("XO", lost, strict=True) if line) or "neither"


def row(family: str, best: Optimum, lost: str) -> str:
    """Return the row of a family."""
    least = f"{100 * best.least:.2f}"
    if not best.is_proved:
        least = f"{100 * best.bound:.2f} to {least}"
    weights = ", ".join(f"{weight:,}".replace("-", "−") for weight in best.weights)
    return (
        f"| | {family} | {len(best.weights)} | {least} | {weights} | {lost} "
        f"| {best.nodes:,} | {best.seconds:.1f} |"
    )


def main() -> None:
    words = sys.argv[1:]
    seconds = float(words.pop(0)) if words else 60.0
    table = [line for name in words or GAMES for line in rows(name, seconds)]
    head = HEAD.format(seconds=seconds, counted=COUNTED)
    if words:
        print(head + "\n".join(table))
    else:
        PAGE.write_text(head + "\n".join(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
