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

How few wrong moves can a heuristic with a given number of weights make? The table answers this for
depth 1, over all critical positions of a game. No real numbers of a family make fewer wrong moves
than the column *wrong* says, and *the best numbers* make as few. If moves are rated alike, the
share of wrong ones among them counts. If {seconds:g} seconds were not enough for a proof, the
column gives the proved bound and the least known value. *Loses as* names the sides as which some
line of play beats these numbers at depth 1. A heuristic with few wrong moves may still lose, and
where X can force a win everybody loses as O. The row of each game gives the wrong moves of
`{counted}` and of random play. Measured on two busy cores; written by
`python bench/optima.py {seconds:g}`.

Knowing who is to move helps more than anything else in a table of lines: on 4,3,3 the four numbers
of `to-move` make a fifth of the wrong moves of the two of `lines`. At depth 1 `table` and `kinds`
are equivalent to `to-move` and `to-move-kinds`, because every position is evaluated right after a
move of the root's side.

## How it is proved

The choice of a move depends only on the differences between the features of siblings, and only on
the sign that the weights give each difference. There are few distinct differences: 55 for the 3,191
critical positions of tic-tac-toe and four numbers, 234 for the 60,707 of 4,3,3. Each is a plane
through the origin of the space of weights, and the loss changes only at these planes.

Branch and bound cuts the space, plane by plane, into cones. In each cone some choices are decided.
The bound of a cone is the loss of the decided positions, plus what the others must lose because
they need different sides of the same plane. A plane itself is a part too: if the middle one of
three moves in a row is right, a tie is better than either side. Cones are stored by their rays, in
whole numbers, so nothing is rounded. Tests compare the result with sweeps over all faces, with a
mixed-integer programme (HiGHS) for the four numbers of tic-tac-toe, and with a thousand other
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
