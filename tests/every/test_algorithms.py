"""What every algorithm of the catalogue promises on every game."""

from __future__ import annotations

import json
import random
from collections import Counter
from math import inf
from typing import Any

import pytest

import plyscope as ps
from games import MixedTree
from listed import EVERY_GAME, Oracle, game_of, late_state, opinions_of, some_depth
from plyscope import ALGORITHMS
from plyscope.errors import OptionError
from plyscope.rules.game import as_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.conventions import CHOICES
from plyscope.searching.events import Cutoff, Enter, Leaf, Return, TableHit
from plyscope.searching.score import Bound
from plyscope_fast.searching.run import compiled_form_of, entries
from plyscope_fast.searching.walk import TEXTS
from sizes import sized

TOLD = [*TEXTBOOK]
EXACT = [name for name in TOLD if ALGORITHMS[name].is_exact]
SAMPLES, TREES = sized(3, 30), sized(100, 2_000)
LIMITS = {"engine": {"depth": 3}, "uct": {"nodes": 200}}
every_game = pytest.mark.parametrize("spec", EVERY_GAME)


def plays(name: str, game: Any) -> bool:
    if ALGORITHMS[name].is_engine and not getattr(game, "alternates", True):
        return False
    if ALGORITHMS[name].needs_chance:
        return isinstance(game, ExplicitTree)
    return isinstance(game, LineGame) or not ALGORITHMS[name].needs_lines


def some_options(draw: random.Random, name: str, game: Any) -> dict[str, Any]:
    """Any conventions that the algorithm takes on the game."""
    takes = ALGORITHMS[name].takes
    options: dict[str, Any] = {key: draw.choice(CHOICES[key]) for key in CHOICES if key in takes}
    if getattr(game, "scored", False) and options.get("scoring") == "distance":
        options["scoring"] = "result"
    return {**options, "seed": draw.randrange(99)} if options.get("order") == "random" else options


def view_of(game: Any, state: Any) -> int:
    """1 if values are in FIRST's view, as always in explicit trees; −1 if in SECOND's."""
    return -1 if game.side(state) and not isinstance(game, ExplicitTree) else 1


def hold(game: Any, state: Any, name: str, draw: random.Random) -> None:
    """Hold a search to brute force: value, bounds of the root's moves, best moves, and the value
    all along the principal variation."""
    heuristic, leaf = opinions_of(game, draw)
    depth, options = some_depth(game, state, draw), some_options(draw, name, game)
    oracle, left = Oracle(game, leaf, options["scoring"]), inf if depth is None else depth
    view = view_of(game, state)
    value = view * oracle.value(state, left)
    values = {
        move: view * oracle.value(game.play(state, move), left - 1, 1) for move in game.moves(state)
    }
    about = (str(state), depth, options)
    found = ps.search(state, name, heuristic, game=game, depth=depth, **options)
    assert (found.value, found.bound) == (value, Bound.EXACT), about
    best = tuple(move for move in game.moves(state) if values[move] == value)
    assert found.best_moves, about
    assert set(found.best_moves) <= set(best), about
    proves_all = options.get("root") == "open" or options.get("cut") == "gt"
    if name in ("minimax", "negamax") or (proves_all and options["bound"] == "soft"):
        assert found.best_moves == best, about
    for item in found.moves:
        assert item.bound is not Bound.EXACT or item.value == values[item.move], (about, item)
        assert item.bound is not Bound.UPPER or item.value >= values[item.move], (about, item)  # type: ignore[operator]
    at = state
    for ply, move in enumerate(found.pv):
        assert view * oracle.value(at, left - ply, ply) == value, about
        at = game.play(at, move)
    assert game.payoff(at) is not None or len(found.pv) == depth, about
    assert view * oracle.value(at, left - len(found.pv), len(found.pv)) == value, about


def hold_told(game: Any, state: Any, name: str, draw: random.Random) -> None:
    """Hold every score that a search tells to brute force, and its counts to what it tells."""
    heuristic, leaf = opinions_of(game, draw)
    options, depth = some_options(draw, name, game), some_depth(game, state, draw) or 4
    limits = LIMITS.get(name, {})
    traced = ps.trace(state, name, heuristic, game=game, depth=depth, **options, **limits)
    found, kinds = traced.result, Counter(type(event) for event in traced)
    assert kinds[Enter] == found.nodes
    if ALGORITHMS[name].deepening is None:
        assert (kinds[Leaf], kinds[Cutoff]) == (found.leaves, found.cutoffs)
        for kind, count in ((Enter, "nodes"), (Leaf, "leaves"), (Cutoff, "cutoffs")):
            below = Counter(e.path[0] for e in traced if isinstance(e, kind) and e.path)
            assert all(getattr(item, count) == below[item.move] for item in found.moves)
    json.dumps([event.as_dict() for event in traced])
    if name not in EXACT:
        return
    oracle, left = Oracle(game, leaf, options["scoring"]), dict[Any, float]()
    for event in traced:
        if isinstance(event, Enter):
            left[event.path] = inf if event.depth is None else event.depth
        elif isinstance(event, Leaf | Return | TableHit):
            at = state
            for move in event.path:
                at = game.play(at, move)
            view = view_of(game, state)
            value = view * oracle.value(at, left.get(event.path, inf), len(event.path))
            bound = Bound.EXACT if isinstance(event, Leaf) else event.bound
            is_true = {
                Bound.EXACT: value == event.score,
                Bound.LOWER: value >= event.score,
                Bound.UPPER: value <= event.score,
            }
            assert is_true[bound], (str(state), options, event, value)


@pytest.mark.parametrize("name", EXACT)
@every_game
def test_finds_the_value_of_brute_force_under_all_conventions(spec: str, name: str) -> None:
    draw, game = random.Random(f"{spec} {name}"), game_of(spec)
    for _ in range(SAMPLES if getattr(game, "size", 0) < 100 else 1):
        hold(game, late_state(game, draw), name, draw)


@pytest.mark.parametrize("name", TOLD)
@every_game
def test_reports_true_events_that_add_up_to_the_counts(spec: str, name: str) -> None:
    draw, game = random.Random(f"told {spec} {name}"), game_of(spec)
    if plays(name, game):
        hold_told(game, late_state(game, draw), name, draw)


@pytest.mark.parametrize("name", EXACT)
def test_finds_true_values_and_events_on_random_trees(name: str) -> None:
    """Whose levels mix MAX and MIN, and whose small values give many ties."""
    draw = random.Random(f"trees {name}")
    for number in range(TREES):
        tree = MixedTree.drawn(draw, draw.randint(1, 5))
        hold(tree, (), name, draw)
        if number % 4 == 0:
            hold_told(tree, (), name, draw)


@pytest.mark.parametrize("name", ALGORITHMS)
@every_game
def test_answers_for_every_game_or_rejects_it_in_one_line(spec: str, name: str) -> None:
    game, draw = game_of(spec), random.Random(f"{name} {spec}")
    state = late_state(game, draw)
    if not plays(name, game):
        with pytest.raises(OptionError, match=f"'{name}'.*expected|expected.*'{name}'") as told:
            ps.search(state, name, game=game)
        assert "\n" not in str(told.value)
        assert f"'{as_game(game).name}'" in str(told.value)
        return
    limits: dict[str, Any] = LIMITS.get(name, {"depth": 2})
    found = ps.search(state, name, game=game, **limits)
    again = ps.search(found.position, name, **limits)
    same = ("value", "bound", "best_moves", "nodes", "pv")
    assert [getattr(found, key) for key in same] == [getattr(again, key) for key in same]
    assert set(found.best_moves) <= set(game.moves(state))
    assert found.best_move in found.best_moves
    for move in found.pv:
        assert move in game.moves(state)
        state = game.play(state, move)
    data = json.loads(json.dumps(found.as_dict()))
    assert (data["algorithm"], data["game"]) == (name, found.position.game.name)
    assert name in repr(found)


@pytest.mark.parametrize("name", TOLD)
def test_keeps_its_node_limit_and_answers_with_the_last_finished_depth(name: str) -> None:
    found = ps.search("4,4,4", name, nodes=3000)
    assert found.nodes <= 3000
    assert found.depths
    if ALGORITHMS[name].is_exact:
        assert found.stopped == "nodes"
        assert found.value == ps.search("4,4,4", "minimax", depth=found.depth).value


@pytest.mark.parametrize("name", ALGORITHMS)
def test_gives_its_forms_its_name(name: str) -> None:
    algorithm, file = ALGORITHMS[name], name.replace("-", "_")
    assert bool(entries(algorithm)) == (algorithm.compiled is not None)
    if algorithm.compiled:
        assert algorithm.compiled == ("walk" if name in TEXTS else file)
        assert callable(compiled_form_of(algorithm).search)
    if not algorithm.is_engine:
        assert algorithm.reference.__module__ == f"plyscope.searching.reference.{file}"
