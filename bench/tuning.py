"""What tuning comes to, on the games of docs/tuning.md, and whether it can be believed.

    python bench/tuning.py families [GAME ...]   every family of a game, as a table
    python bench/tuning.py depths                Connect Four, tuned for depths 1 to 4, with games
    python bench/tuning.py random [RUNS]         random labels: how often an improvement is "shown"
    python bench/tuning.py planted [RUNS]        labels by a table of 4,3,3: is it found again?
    python bench/tuning.py times                 seconds from start to end

    python bench/tuning.py tables                the tables of docs/tuning.md, from the data

`families` writes the tables of docs/tuning.md and the data that they are made from,
bench/tuning.json; the rest is printed. Tests hold the page to the data, and the data to the code by
small tunings (`trace`).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from plyscope import canonical, parse_game, tune
from plyscope.faces.findings.section import Section
from plyscope.faces.findings.tuning import headline, percent, trial_sentence
from plyscope.faces.report.write import markdown_table
from plyscope.jsonable import by_name
from plyscope.lab.judging.whole import WholeGame
from plyscope.tuning.family import families_of, find_family
from plyscope.tuning.result import TuningResult

DOCS = Path(__file__).parent.parent / "docs"
DATA = Path(__file__).parent / "tuning.json"
START = "counted-lines"
SAMPLES = {"5,5,4": 2_500, "connect4": 12_000}
"""Positions of the games that are too large for all of them."""
TRACED = {"tictactoe": None, "connect4": 370}
"""Positions of the small tunings that the data is held to the code by, None for all."""
GAMES = ("tictactoe", "4,3,3", "5,5,4", "connect4")
FAMILIES = {
    "5,5,4": ("lines", "table", "to-move"),
    "connect4": (
        "lines",
        "table",
        "to-move",
        "kinds",
        "to-move-kinds",
        "cells",
        "threats",
        "all",
    ),
}
"""Of large games those that say most, since each takes minutes."""
RANDOM = {"game": "5,5,4", "family": "table", "samples": 1_500}
DEPTHS = range(1, 5)


def families(games: Sequence[str]) -> None:
    """Tune every family of each game, and write its table."""
    for game in games or GAMES:
        began = perf_counter()
        names = FAMILIES.get(game) or families_of(parse_game(game))
        with TemporaryDirectory() as folder:  # positions are labelled once, for the first family
            options = {"samples": SAMPLES.get(game), "resume": Path(folder) / "labels"}
            results = [tune(START, game, family=name, trials=False, **options) for name in names]
        write(game, table(keep(game, results)))
        print(f"{game}: {perf_counter() - began:.0f} s")


def keep(game: str, results: Sequence[TuningResult]) -> dict[str, Any]:
    """Keep what the page says of a game, and the trace of the code that it was made with."""
    known = json.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    first = results[0]
    before = [f"{START}, as it is", 0, [each.before for each in first.errors]]
    after = [
        [found.family, len(found.weights), [each.after for each in found.errors]]
        for found in sorted(results, key=lambda found: len(found.weights))
    ]
    known[game] = by_name(
        {
            "is_whole": first.is_whole,
            "choices": first.errors[0].choices,
            "learned": first.choices,
            "rows": [
                dict(zip(("family", "weights", "wrong"), row, strict=True))
                for row in [before, *after]
            ],
        }
    )
    if game in TRACED:
        known[game]["trace"] = trace(game)
    DATA.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return dict(known[game])


def trace(game: str) -> dict[str, Any]:
    """Return what a small tuning comes to: positions, values, fit and searches as they are now."""
    found = tune(START, game, family="lines", samples=TRACED[game], trials=False)
    return {
        "learned": found.choices,
        "numbers": [weight.after for weight in found.weights],
        "wrong": [[each.choices, each.before.value, each.after.value] for each in found.errors],
    }


def table(found: dict[str, Any]) -> str:
    """Return the table of a game, from its data."""
    rows = tuple(
        (row["family"], f"{row['weights']}", *(percent(share, unit="") for share in row["wrong"]))
        for row in found["rows"]
    )
    depths = [f"depth {1 + at}" for at in range(len(found["rows"][0]["wrong"]))]
    return markdown_table(Section(2, "", (), ("family", "weights", *depths), rows))


def tables(_: Sequence[str]) -> None:
    """Write the tables from the data that is kept."""
    for game, found in json.loads(DATA.read_text("utf-8")).items():
        write(game, table(found))


def write(name: str, text: str) -> None:
    """Write a table where docs/tuning.md has its name."""
    page = DOCS / "tuning.md"
    marked = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    said = marked.sub(lambda found: f"{found[1]}{text}\n{found[2]}", page.read_text("utf-8"))
    page.write_text(said, encoding="utf-8")
    print(text)


def depths(_: Sequence[str]) -> None:
    """Tune for each depth of use, with games."""
    for depth in DEPTHS:
        began = perf_counter()
        found = tune(START, "connect4", depth=depth, samples=SAMPLES["connect4"]).as_dict()
        print(f"{headline(found)}  ({perf_counter() - began:.0f} s)")
        for each in found["errors"]:
            print("   ", each["depth"], each["before"], each["after"], each["p"])
        for trial in found["trials"]:
            print("   ", trial_sentence(trial), flush=True)


def by_chance(seed: int, positions: Sequence[Any]) -> list[int]:
    """Return values that mean nothing, the same for positions that mirror each other."""
    return [Random(f"{seed} {canonical(each)}").choice((-1, 0, 1)) for each in positions]


def by_table(table: Any, positions: Sequence[Any]) -> list[int]:
    """Return what a table says to whoever has moved there, in the view of who moves next."""
    return [-table.evaluate(each, 1 - each.side) for each in positions]


def random(words: Sequence[str]) -> None:
    """Tune on labels that mean nothing."""
    runs = int(words[0]) if words else 100
    shown = []
    for seed in range(runs):
        result = tune(START, seed=seed, labels=partial(by_chance, seed), trials=False, **RANDOM)
        shown += [seed] if result.is_better else []
        print(f"\r{seed + 1} of {runs}: improvements {shown}", end="", flush=True)
    print()


def planted(words: Sequence[str]) -> None:
    """Tune on what a table of 4,3,3 says, and compare the order of siblings."""
    runs = int(words[0]) if words else 10
    game = parse_game("4,3,3")
    population = WholeGame(game)
    for seed in range(runs):
        chance = Random(f"planted {seed}")
        numbers = [chance.randint(-20, 20) for _ in range(4)]
        family = find_family("table", START, game)
        table = family.heuristic(numbers, "planted")
        result = tune(
            START,
            game,
            family="table",
            seed=seed,
            labels=partial(by_table, table),
            trials=False,
        )
        tau = sibling_tau(population, table, result.candidate)
        print(numbers, [weight.after for weight in result.weights], f"τ {tau:.4f}", flush=True)


def sibling_tau(population: WholeGame, one: Any, other: Any) -> float:
    """Return Kendall's τ of two heuristics over the siblings that the first tells apart."""
    agree = pairs = 0
    for children in population.children:
        at = [population.positions[child] for child in children]
        if len(at) < 2 or any(position.is_over for position in at):
            continue
        rated = [
            (one.evaluate(each, 1 - each.side), other.evaluate(each, 1 - each.side)) for each in at
        ]
        for number, (first, second) in enumerate(rated):
            for third, fourth in rated[:number]:
                if first != third:
                    pairs += 1
                    sign = 1 if first > third else -1
                    agree += sign * ((second > fourth) - (second < fourth))
    return agree / max(1, pairs)


def times(_: Sequence[str]) -> None:
    """Print how long tunings take."""
    for game in GAMES:
        began = perf_counter()
        result = tune(START, game, family="to-move", samples=SAMPLES.get(game))
        print(f"{game}: {perf_counter() - began:.1f} s, {result.outcome}", flush=True)


VERBS: dict[str, Callable[[Sequence[str]], None]] = {
    "families": families,
    "tables": tables,
    "depths": depths,
    "random": random,
    "planted": planted,
    "times": times,
}

if __name__ == "__main__":
    verb, *rest = sys.argv[1:] or [""]
    if verb not in VERBS:
        sys.exit(__doc__)
    VERBS[verb](rest)
