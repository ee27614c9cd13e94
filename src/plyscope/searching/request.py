"""Requests for a search: the options, read and checked once.

`SearchOptions` declares the options for the library, agents and commands. `make_request` turns them
into a frozen `SearchRequest`, which the search, its walks and its result hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import lcm
from numbers import Real
from typing import Any, Literal, TypedDict, Unpack, get_args, get_origin, get_type_hints

from plyscope.catalogue import unknown_keyword
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.evaluation.heuristics import find_heuristic, in_units
from plyscope.rules.game import Game, GameLike, state_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import as_position
from plyscope.rules.tree import ExplicitTree, TreePosition
from plyscope.rules.treetext import as_exact, exact_value
from plyscope.searching.algorithm import FORMS, Algorithm, FormName, SearchRequest
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import (
    CONVENTIONS,
    BoundStyle,
    Cut,
    Cutoffs,
    Order,
    Root,
    Scoring,
    Window,
    make_conventions,
)
from plyscope.searching.engine import ENGINE_OPTIONS, make_engine_options
from plyscope.searching.limit import LIMITS, Limit, share_of


class SearchOptions(TypedDict, total=False):
    """The options of a search, all optional; None has the same effect as no option."""

    # limits (Limit)
    depth: int | None
    nodes: int | None
    seconds: float | None
    clock: float | None
    """Seconds left for the whole game; the search uses its share of them."""
    # conventions (Conventions)
    scoring: Scoring | None
    order: Order | None
    seed: int | None
    cut: Cut | None
    cutoffs: Cutoffs | None
    bound: BoundStyle | None
    root: Root | None
    window: Window | tuple[float, float] | None
    # the form and the game
    form: FormName | None
    """`reference`, `compiled`, or `auto`: the one that is expected to finish first."""
    game: GameLike | str | None
    """The game, if the position is a state or a text that does not name it."""
    # the playing engine's own (EngineOptions)
    threads: int | None
    multipv: int | None
    megabytes: int | None
    table: Any


OPTIONS = tuple(SearchOptions.__annotations__)
"""The names of the options."""


def make_request(
    position: Any,
    algorithm: str | Algorithm = "alphabeta",
    heuristic: HeuristicLike | None = None,
    **options: Unpack[SearchOptions],
) -> SearchRequest:
    """Return the request for a search of `position`.

    `position` is anything that `as_position` accepts, `algorithm` a name or an Algorithm,
    `heuristic` anything that `find_heuristic` accepts; its default is that of the algorithm or of
    the game. The default scoring of user-defined games is `result`.

    Raises UnknownNameError, NotationError or OptionError.

    >>> make_request(".X./O../X.O", depth=3).limit.depth
    3
    """
    if not isinstance(algorithm, str | Algorithm):
        raise OptionError(f"algorithm {str(algorithm)[:40]!r}; expected a name or an Algorithm")
    chosen = algorithm if isinstance(algorithm, Algorithm) else ALGORITHMS[algorithm]
    given = _given(options)
    position = as_position(position, given.get("game"))
    game: Game = position.game
    is_line_game = isinstance(game, LineGame)
    if chosen.needs_lines and not is_line_game:
        raise OptionError(
            f"{game.name!r} is not a line game; expected one for algorithm {chosen.name!r}"
        )
    if chosen.needs_chance and not isinstance(game, ExplicitTree):
        raise OptionError(
            f"algorithm {chosen.name!r} on {game.name!r}, a game without chance; "
            "expected minimax, or a tree with chance nodes, such as [chance[3,5],chance[2,9]]"
        )
    if "clock" in given:
        clock = share_of(given["clock"], position)
        given["seconds"] = min(clock, given.get("seconds", clock))
    limits = [name for name in LIMITS if name in given]
    if game.draw_by_repetition and not (limits or chosen.counts_playouts):
        raise OptionError(
            f"a search without a limit on {game.name!r}, whose positions may repeat; "
            "expected a depth, nodes or seconds"
        )
    if isinstance(game, ExplicitTree):
        chosen = _for_tree(chosen, game)
        position, game = _with_window(position, given)
    is_own = not is_line_game and not isinstance(game, ExplicitTree)
    valued = find_heuristic(chosen.heuristic if heuristic is None else heuristic, game)
    return SearchRequest(
        game=game,
        position=state_of(position),
        algorithm=chosen,
        heuristic=in_units(valued, game),
        **_settings(chosen, given, "result" if is_own else chosen.scoring),
    )


def _for_tree(algorithm: Algorithm, tree: ExplicitTree) -> Algorithm:
    """Return the algorithm that searches `tree`: expectimax for minimax if it has chance nodes.

    Raises OptionError for an algorithm that cannot search it.
    """
    if algorithm.needs_chance or (algorithm.name == "minimax" and tree.has_chance):
        return ALGORITHMS["expectimax"]
    if tree.has_chance:
        raise OptionError(
            f"algorithm {algorithm.name!r} on a tree with chance nodes, where no bound can cut: "
            "one unseen child may change an average by any amount; expected expectimax"
        )
    if tree.unknown and not algorithm.is_exact:
        raise OptionError(
            f"algorithm {algorithm.name!r} on a tree with an unknown leaf "
            f"{next(iter(tree.unknown.values()))!r}; expected an exact algorithm, or a number"
        )
    return algorithm


def _with_window(position: TreePosition, given: dict[str, Any]) -> tuple[Any, ExplicitTree]:
    """Return the position and its tree with a scale that the `given` window divides, whose ends
    become exact."""
    tree, window = position.game, given.get("window")
    if isinstance(window, tuple | list) and all(isinstance(end, Real) for end in window):
        ends = [as_exact(end) for end in window]
        given["window"] = tuple(map(exact_value, ends))
        tree = replace(tree, divided_by=lcm(tree.divided_by, *(end.denominator for end in ends)))
    return position._replace(game=tree), tree


def check_options(algorithm: Algorithm, options: Mapping[str, Any]) -> None:
    """Raise OptionError or UnknownNameError for options that are wrong for every position."""
    _settings(algorithm, _given(options), algorithm.scoring)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not None; raise UnknownNameError for unknown ones."""
    for name in options:
        if name == "engine":
            raise OptionError(f"engine={options[name]!r}; expected form={options[name]!r}")
        if name not in OPTIONS:
            raise unknown_keyword(name, [*OPTIONS, "algorithm", "heuristic"])
    return {name: value for name, value in options.items() if value is not None}


def _settings(algorithm: Algorithm, given: dict[str, Any], scoring: Scoring) -> dict[str, Any]:
    """Return the fields of a request that do not depend on the position."""
    form = given.get("form", "auto")
    if form not in FORMS:
        raise OptionError(f"form {str(form)[:40]!r}; expected {', '.join(FORMS)}")

    def those(names: tuple[str, ...]) -> dict[str, Any]:
        return {name: given[name] for name in names if name in given}

    return {
        "conventions": make_conventions(
            algorithm.name, algorithm.takes, those(CONVENTIONS), scoring
        ),
        "limit": Limit(**those(LIMITS)),
        "form": form,
        "options": make_engine_options(algorithm.name, algorithm.is_engine, those(ENGINE_OPTIONS)),
    }


@cache
def written_options() -> dict[str, Any]:
    """Return the options that can be written as text, with their kinds: int, float, or a Literal of
    names."""
    hints = get_type_hints(SearchOptions)
    kinds = {name: next(iter(get_args(hint)), None) for name, hint in hints.items()}
    return {
        name: kind
        for name, kind in kinds.items()
        if kind in (int, float) or get_origin(kind) is Literal
    }


def read_option(name: str, text: str, where: str = "") -> Any:
    """Return the value of an option written as `text`; raise OptionError, which contains
    `where`."""
    kind = written_options()[name]
    expected = "a number" if kind in (int, float) else ", ".join(get_args(kind))
    try:
        if kind in (int, float):
            return kind(text)
        if text in get_args(kind):
            return text
    except ValueError:
        pass
    raise OptionError(f"{name} {text[:40]!r}{where}; expected {expected}")
