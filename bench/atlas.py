"""The tables of docs/optima.md: what small heuristics can do on small games, with proof.

    python bench/atlas.py JOURNAL [SECONDS] [GAME ...]   compute what the journal does not have
    python bench/atlas.py JOURNAL --check [GAME ...]     play the numbers of the journal
    python bench/atlas.py JOURNAL --page                 write bench/atlas.json and docs/optima.md

Every result is kept in JOURNAL, so the same command continues after an interruption. A new journal
begins with the results of bench/atlas.json. Results that the time limit left open, and that no
other result implies, are repeated when SECONDS is larger than before. Tests hold the page to the
data, and part of the data to the board.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from math import gcd
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from plyscope import parse_game
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.faces.diagrams.board import board_svg
from plyscope.faces.report.charts import by_itself, line_chart
from plyscope.journal import Journal
from plyscope.lab.judging.graph import Rated
from plyscope.lab.judging.population import Population, Positions, best_of
from plyscope.lab.judging.whole import WholeGame
from plyscope.tuning.family import Family, families_of, find_family
from plyscope.version import __version__
from plyscope_optima.conflict import conflicts
from plyscope_optima.optimum import games_lost, optimum
from plyscope_optima.unbeaten import unbeaten

PAGE = Path(__file__).parent.parent / "docs" / "optima.md"
DATA = Path(__file__).parent / "atlas.json"
IMAGES = PAGE.parent / "images"
BEGIN, END = "<!-- atlas -->\n", "<!-- end of the atlas -->\n"
GAMES = "tictactoe", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity", "4,3,3"
DEPTHS = 1, 2, 3
LATER = ("patterns",)
"""Families that are not in the tables."""
LARGE = ("table+cells", "kinds+cells", "kinds+cells+threats")
SINGLE = "lines: mine[2]"
"""A family of one number: that of two stones on a line."""
LIBRARY = "kinds+cells+threats+mobility"
"""The terms that the smallest tables that never lose are chosen from."""
WRITTEN_SECONDS = 10.0
"""The least time limit with which the results of the page were computed."""
FORMAT = "plyscope atlas 1"
Result = dict[str, Any]


@cache
def family_of(name: str, game: str) -> Family:
    """Return a family by its name, `family` or `family: parameter, parameter`."""
    family, _, free = name.partition(": ")
    return find_family(family, "null", parse_game(game), free.split(", ") if free else None)


@cache
def families(game: str) -> tuple[str, ...]:
    """Return the names of the families in the tables of a game, by their number of weights."""
    rules = parse_game(game)
    named = [SINGLE, *(name for name in families_of(rules) if name not in LATER), *LARGE]
    sizes: dict[str, int] = {}
    for name in named:
        terms = name.partition(":")[0].split("+")
        if set(terms) <= set(families_of(rules)):
            sizes[name] = len(family_of(name, game).parameters)
    return tuple(sorted(sizes, key=lambda name: sizes[name]))


@lru_cache(1)
def whole(game: str) -> WholeGame:
    """Return all positions of a game; only the latest game is kept."""
    return WholeGame(parse_game(game))


def fewest(
    family: Family, depth: int, seconds: float, population: Population, known: Sequence[int] = ()
) -> Result:
    """Return the fewest wrong moves of a family at a depth, with the bound that is proved.

    `known` are good weights, from which a search may begin."""
    if depth == 1:
        best = optimum(family, population, seconds)
        found = {"least": best.least, "bound": best.bound, "weights": best.weights}
    else:
        found = ahead(family, depth, seconds, population, known)
    heuristic = family.heuristic(found["weights"], "best")
    critical = population.critical
    asked = float(critical.wrong_by(critical.played(heuristic, depth)).mean())
    if abs(asked - found["least"]) > 1e-9:
        raise SystemExit(f"{family}: {found} has {asked} on the board")
    return found


def ahead(
    family: Family, depth: int, seconds: float, population: Population, known: Sequence[int]
) -> Result:
    """Return the fewest wrong moves at a depth beyond 1, by branch and bound that begins with the
    weights `known`. One and two numbers are swept too, and both methods have to agree."""
    critical, graph = population.critical, population.critical.graph
    nodes = graph.nodes_after(critical.plan, depth)
    nodes = nodes[np.isnan(graph.results[nodes >> 1])]
    at, sides = (nodes >> 1).tolist(), (nodes & 1).tolist()
    features = family.features([graph.positions[one] for one in at], sides).astype(np.float64)
    rated = Rated(find_heuristic("null", family.game), graph)

    def scores(weights: Any) -> Any:
        rated.known[nodes] = features @ weights
        return graph.searched(critical.plan, depth, rated)[0]

    def wrong(weights: Any) -> float:
        return float(critical.wrong_by(best_of(scores(weights), critical.starts)).mean())

    size = len(family.parameters)
    best = optimum(family, population, seconds, depth=depth, start=tuple(known))
    found = {"least": best.least, "bound": best.bound, "weights": best.weights}
    if size <= 2:
        points = [(sign,) for sign in (1, -1, 0)] if size == 1 else list(sectors(features))
        least, weights = min((wrong(np.array(point)), point) for point in points)
        if not best.bound - 1e-9 < least < best.least + 1e-9:
            raise SystemExit(f"{family} depth {depth}: {best}, but {weights} have {least}")
        found = {"least": least, "bound": least, "weights": weights}
    return found


def sectors(features: Any) -> Iterator[tuple[int, int]]:
    """Yield two weights on each direction in which the order of two leaves changes, and two weights
    between each two neighbours."""
    different = np.unique(features, axis=0).astype(np.int64)
    normals = set()
    for row in different:
        for a, b in np.unique(different - row, axis=0).tolist():
            divisor = gcd(a, b)
            if divisor:
                normals.add((-b // divisor, a // divisor))  # along which a difference is zero
    order = sorted(normals, key=lambda one: np.arctan2(one[1], one[0]))
    for one, other in zip(order, [*order[1:], order[0]], strict=True):
        yield one
        between = one[0] + other[0], one[1] + other[1]
        yield between if any(between) else (-one[1], one[0])


def holds(family: Family, sides: str, depth: int, seconds: float, whole: Population) -> Result:
    """Return whether some weights of a family never lose as these sides."""
    value = whole.exact_values[0]
    if (value > 0 and "o" in sides) or (value < 0 and "x" in sides):
        return {"possible": False, "weights": None, "nodes": 0}  # the other side can force a win
    found = unbeaten(family, sides, depth, population=whole, seconds=seconds)
    if found.weights is not None and depth == 1:
        lost = games_lost(family, found.weights, 600)
        if lost is None or any(lost["xo".index(side)] for side in sides):
            raise SystemExit(f"{family.name}: {found} loses {lost}")
    return {"possible": found.is_possible, "weights": found.weights, "nodes": found.nodes}


def smallest(game: str, sides: str, seconds: float, population: Population) -> Result:
    """Return the fewest numbers of the library that never lose at depth 1 as these sides.

    All choices of one number, of two and so on are tried, until some hold or the time ends.
    """
    end, rules = perf_counter() + seconds, parse_game(game)
    terms = "+".join(term for term in LIBRARY.split("+") if term in families_of(rules))
    every = find_family(terms, "null", rules).parameters
    whole_library = unbeaten(find_family(terms, "null", rules), sides, population=population)
    if whole_library.is_possible is False:
        return {"numbers": None, "none": True, "of": len(every)}
    for size in range(1, len(every) + 1):
        held = []
        for free in combinations(every, size):
            family = find_family(terms, "null", rules, list(free))
            found = unbeaten(family, sides, population=population, seconds=60)
            if found.is_possible is None or perf_counter() > end:
                return {"numbers": size, "none": False, "is_open": True, "of": len(every)}
            if found.weights is not None:
                held.append([*zip(family.parameters, found.weights, strict=True)])
        if held:
            shown = min(held, key=lambda each: sum(abs(weight) for _, weight in each))
            return {
                "numbers": size,
                "none": False,
                "ways": len(held),
                "weights": shown,
                "of": len(every),
            }
    raise AssertionError("all numbers together never lose")


def tasks(games: tuple[str, ...]) -> Iterator[tuple[str, str, int, str]]:
    """Yield what is computed, in order: game, family, depth, `wrong` or sides."""
    small = [game for game in games if parse_game(game).size <= 9]
    large = [game for game in games if game not in small]
    for some, depth in ((small, 1), (small, 2), (large, 1), (small, 3), (large, 2), (large, 3)):
        for game in some:
            if depth == 1:
                yield game, "", 1, "value"
            for family in families(game):
                for what in ("x", "o", "xo", "wrong"):
                    yield game, family, depth, what
    for game in small:
        for sides in ("x", "o", "xo"):
            yield game, LIBRARY, 1, f"smallest {sides}"


def answer(
    game: str, family: str, depth: int, what: str, seconds: float, known: Sequence[int] = ()
) -> Result:
    """Compute one result; `known` are the best weights so far."""
    population = whole(game)
    if what == "value":
        critical = population.critical
        shares = {
            f"{name} {each}": float(
                critical.wrong_by(
                    critical.played(find_heuristic(name, population.game), each)
                ).mean()
            )
            for name in ("counted-lines", "null")
            for each in DEPTHS
        }
        return {"critical": len(critical), "value": population.exact_values[0], **shares}
    if what.startswith("smallest"):
        return smallest(game, what.partition(" ")[2], 60 * seconds, population)
    made = family_of(family, game)
    if what == "wrong":
        return fewest(made, depth, seconds, population, known)
    return holds(made, what, depth, seconds, population)


def is_open(result: Result) -> bool:
    """Return whether the time limit left a result open."""
    if "least" in result:
        return bool(result["least"] - result["bound"] > 1e-12)
    return bool(result.get("is_open")) or ("possible" in result and result["possible"] is None)


def compute(journal: Journal, seconds: float, games: tuple[str, ...]) -> None:
    """Compute all results that the journal does not have."""
    for task in tasks(games):
        known, implied = journal.known.get(task), Result()
        if known:
            if not is_open(known[0]) or known[1] >= seconds:
                continue
            implied = with_smaller({key: result for key, (result, *_) in journal.known.items()})[
                task
            ]
            if not is_open(implied):
                continue
        began = perf_counter()
        result = answer(*task, seconds, implied.get("weights") or ())
        taken = perf_counter() - began
        journal.keep(task, result, seconds, round(taken, 2))
        print(f"{taken:7.1f} s", *task, result, file=sys.stderr, flush=True)


# The second method, and the page


def is_beaten(population: Population, heuristic: Any, depth: int, side: int) -> bool:
    """Return whether some line of play beats a search with this heuristic, by playing it."""
    here = [at for at in population.asked if population.sides[at] == side]
    positions = Positions(population, here)
    best = positions.played(heuristic, depth)
    chosen: dict[int, list[int]] = {}
    for number, at in enumerate(here):
        begin, end = positions.starts[number : number + 2]
        after = zip(population.children[at], best[begin:end], strict=True)
        chosen[at] = [child for child, is_best in after if is_best]
    stack, seen = [0], {0}
    while stack:
        at = stack.pop()
        result = population.result(at)
        if result is not None and (result if population.sides[at] == side else -result) < 0:
            return True
        following = set(chosen.get(at, population.children[at])) - seen
        seen |= following
        stack += following
    return False


def check(game: str, family: str, depth: int, what: str, result: Result) -> None:
    """Exit if numbers do not do on the board what a result says."""
    if what == "value" or not result.get("weights"):
        return
    population, weights = whole(game), result["weights"]
    if what.startswith("smallest"):
        names = [name for name, _ in weights]
        terms = "+".join(
            term for term in LIBRARY.split("+") if term in families_of(population.game)
        )
        made, weights = find_family(terms, "null", population.game, names), [w for _, w in weights]
        sides = what.partition(" ")[2]
    else:
        made, sides = family_of(family, game), "" if what == "wrong" else what
    heuristic = made.heuristic(weights, "best")
    if any(is_beaten(population, heuristic, depth, "xo".index(side)) for side in sides):
        raise SystemExit(f"{game} {family} {depth} {what}: {weights} are beaten")
    if not sides:
        critical = population.critical
        wrong = float(critical.wrong_by(critical.played(heuristic, depth)).mean())
        if abs(wrong - result["least"]) > 1e-9:
            raise SystemExit(f"{game} {family} {depth}: {result} has {wrong} on the board")


@cache
def expressed(smaller: str, larger: str, game: str, depth: int) -> Any:
    """Return a matrix, by which weights of one family become weights of another that rate all
    leaves alike; None if there is none.

    Both families are linear in the values of the states of lines, of cells, threats and mobility.
    At a fixed depth the side to move at a leaf is known.
    """
    small, large = (_values(name, game, depth % 2 == 0) for name in (smaller, larger))
    matrix = np.rint(np.linalg.lstsq(large, small)[0]).astype(np.int64)
    return matrix if (large @ matrix == small).all() else None


@cache
def _values(name: str, game: str, is_to_move: bool) -> Any:
    """Return the values of the units of a family, a column for each, with a row for each state of
    lines, cell and kind of threat, and for mobility."""
    rules = parse_game(game)
    stones = range(rules.longest_line + 1)
    kinds = dict.fromkeys(line.kind for line in rules.lines)
    states = [*product(kinds, stones, stones, range(3), [is_to_move])]
    columns = [
        [
            *(unit.line_value(*state) for state in states),
            *(unit.cells.get(rules.format_cell(cell), 0) for cell in range(rules.size)),
            *(unit.threats.get(key, 0) for key in product(range(2), repeat=2)),
            unit.mobility,
        ]
        for unit in family_of(name, game).units
    ]
    return np.array(columns).T


def with_smaller(found: dict[Any, Result]) -> dict[Any, Result]:
    """Return the results with those that others imply, where these are open or worse.

    Numbers for both sides are numbers for each, and numbers of a family can be written as numbers
    of a larger one (`expressed`). If a family has none, a smaller one has none; its bound is one
    too.
    """
    better = dict(found)
    for game, family, depth, what in found:
        if what not in ("x", "o", "xo", "wrong"):
            continue
        for smaller in families(game):
            matrix = expressed(smaller, family, game, depth)
            if matrix is None or (game, smaller, depth, what) not in found:
                continue
            if what == "wrong" and smaller != family:
                bound = found[game, family, depth, what]["bound"]
                below = better[game, smaller, depth, what]
                if bound > below["bound"] + 1e-12:
                    better[game, smaller, depth, what] = {**below, "bound": bound}
            elif what != "wrong" and better[game, smaller, depth, what]["possible"] is None:
                own_answer = found[game, family, depth, what]
                if own_answer["possible"] is False:
                    better[game, smaller, depth, what] = own_answer
            for known in (what, "xo") if what in "xo" else (what,):
                if (game, smaller, depth, known) not in found:
                    continue
                result, now = found[game, smaller, depth, known], better[game, family, depth, what]
                if what == "wrong":
                    is_better = result["least"] < now["least"] - 1e-12
                else:
                    is_better = now["possible"] is None and result["possible"] is True
                if is_better:
                    weights = (matrix @ result["weights"]).tolist()
                    better[game, family, depth, what] = {**now, **result, "weights": weights}
                    if what == "wrong":
                        better[game, family, depth, what]["bound"] = now["bound"]
    return better


def tables(data: dict[str, Result]) -> str:
    """Return the tables of the page."""
    found = with_smaller({tuple(json.loads(key)): result for key, result in data.items()})
    lines: list[str] = []
    for game in GAMES:
        about = found[game, "", 1, "value"]
        value = {1: "X wins", 0: "a draw", -1: "O wins"}[about["value"]]
        lines += [f"### {game}", "", f"{about['critical']:,} critical positions; {value}.", ""]
        for depth in DEPTHS:
            shares = [f"{100 * about[f'{name} {depth}']:.2f}" for name in ("counted-lines", "null")]
            lines += [
                f"Depth {depth}. Wrong moves of `counted-lines` {shares[0]} %, "
                f"without a heuristic {shares[1]} %.",
                "",
                "| family | numbers | wrong, % | the best numbers | as X | as O | as both |",
                "|---|---:|---:|---|---|---|---|",
            ]
            for family in families(game):
                size = len(family_of(family, game).parameters)
                best = found[game, family, depth, "wrong"]
                least = f"{100 * best['least']:.2f}"
                if best["least"] - best["bound"] > 1e-12:
                    least = f"{100 * best['bound']:.2f} to {least}"
                cells = [family, str(size), least, written(best["weights"])]
                cells += [answered(found[game, family, depth, sides]) for sides in ("x", "o", "xo")]
                lines.append(f"| {' | '.join(cells)} |")
            lines.append("")
    lines += ["### The fewest numbers that never lose", ""]
    lines += ["| game | as | numbers | of | ways | such as |", "|---|---|---:|---:|---:|---|"]
    for (game, _, _, what), result in found.items():
        if what.startswith("smallest"):
            sides = {"x": "X", "o": "O", "xo": "both"}[what.partition(" ")[2]]
            cells = [game, sides, "none", str(result["of"]), "", ""]
            if not result["none"]:
                shown = ", ".join(f"`{name}` {written([at])}" for name, at in result["weights"])
                cells[2:] = map(str, (result["numbers"], result["of"], result["ways"], shown))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def written(weights: Sequence[int]) -> str:
    """Return weights in words."""
    return ", ".join(f"{weight:,}".replace("-", "−") for weight in weights)


def answered(result: Result) -> str:
    """Return whether some numbers never lose."""
    if result["possible"] is None:
        return "open"
    return written(result["weights"]) if result["possible"] else "none"


def figures(data: dict[str, Result]) -> Iterator[tuple[str, str]]:
    """Yield the file names and texts of the page's pictures."""
    for letter, asked in zip(
        "ab",
        conflicts("null", family="kinds", count=1, additions=False).conflicts[0].positions,
        strict=True,
    ):
        yield f"optima-conflict-{letter}.svg", board_svg(asked.position)
    series = []
    found = with_smaller({tuple(json.loads(key)): result for key, result in data.items()})
    for depth in DEPTHS:
        fewest: dict[int, float] = {}
        for family in families("tictactoe"):
            size = len(family_of(family, "tictactoe").parameters)
            least = found["tictactoe", family, depth, "wrong"]["least"]
            fewest[size] = min(fewest.get(size, 1.0), least)
        points = [(float(size), 100 * least) for size, least in sorted(fewest.items())]
        series.append((f"depth {depth}", points))
    title = "Fewest wrong moves on tictactoe, % of critical positions, by numbers"
    yield "optima-tictactoe.svg", by_itself(line_chart(title, "numbers", series))


def write_page(journal: Journal) -> None:
    """Write the data, the tables and the pictures."""
    known = {task: journal.known[task][0] for task in tasks(GAMES)}
    data = {json.dumps(task): result for task, result in known.items()}
    DATA.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")
    data = json.loads(DATA.read_text(encoding="utf-8"))
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n{tables(data)}{END}{rest.partition(END)[2]}", encoding="utf-8")
    for name, text in figures(data):
        (IMAGES / name).write_text(text, encoding="utf-8")


def main() -> None:
    path, *words = sys.argv[1:]
    journal = Journal(Path(path), FORMAT, {"version": __version__}, key_length=4)
    if words == ["--page"]:
        write_page(journal)
    elif words[:1] == ["--check"]:
        games = tuple(words[1:]) or GAMES
        for game in games:
            for task, known in journal.known.items():
                if task[0] == game:
                    check(*task, known[0])
            print(game, "checked", file=sys.stderr, flush=True)
    else:
        if not journal.known:
            for key, result in json.loads(DATA.read_text(encoding="utf-8")).items():
                journal.keep(tuple(json.loads(key)), result, WRITTEN_SECONDS, 0.0)
        seconds = float(words.pop(0)) if words else 60.0
        compute(journal, seconds, tuple(words) or GAMES)


if __name__ == "__main__":
    main()
