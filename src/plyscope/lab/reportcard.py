"""The report card of a heuristic: what it is worth against the truth.

On a game whose positions can all be visited, every position is solved, and the search to every
depth is worked out for all positions at once, from the last to the first: what it would choose, and
what that choice gives away. On a larger game that has a solver, the same is asked of positions of
random games, each searched by itself. Each number stands beside that of `null`, which has no
opinion: much of what a heuristic seems to know is the search's own doing. Ties count in parts: of
two moves rated alike, one of which loses, half is lost. Finished games are scored by their result,
so that what is measured is the heuristic and not its table for full lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, sqrt
from random import Random
from time import perf_counter
from typing import Any

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame, Position
from plyscope.rules.symmetry import orbit
from plyscope.searching.driver import search
from plyscope.searching.score import WIN
from plyscope.solving.quiet import quiet_position
from plyscope.solving.solve import has_distances, is_quickly_solved, solve

__all__ = ["AtDepth", "Mistake", "ReportCard", "report_card"]

MOST_POSITIONS = 300_000
WORST = 10
RATINGS_TIMED = 2_000
TRIES = 200
"""Random games in turn that bring no new position, before a sample is given up."""


@dataclass(frozen=True, kw_only=True)
class AtDepth:
    """What choosing by a search of `depth` plies gives away, over all positions with a choice
    between better and worse moves.

    `mistakes` is the part of them in which a move is chosen that loses value, `lost` the mean of
    what is lost (a win given up for a draw, or a draw for a loss, is 1; a win for a loss 2);
    `null_mistakes` the same of the search without an opinion. `cured` and `spoilt` count the
    positions that are right here and were wrong one ply shallower, and the other way round; `worse`
    is the chance of so many spoilt ones, or more, if depth made no difference (McNemar 1947,
    one-sided and exact), None at depth 1. `margin` is what a sample leaves open of `mistakes` (95
    %), 0 where all positions were asked.
    """

    depth: int
    mistakes: float
    null_mistakes: float
    margin: float
    lost: float
    cured: int
    spoilt: int
    worse: float | None


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A position in which the heuristic, looking at each move's position alone, prefers a move that
    loses value.

    `margin` is by how much it rates the `chosen` move above the `better` one, `lost` what that
    costs.
    """

    position: Position
    chosen: str
    better: str
    margin: int
    lost: int


@dataclass(frozen=True, kw_only=True)
class ReportCard:
    """What `report_card` found.

    `positions` were visited, all of the game unless `is_sampled`, `choices` of them offer moves of
    different worth. `correlation` is Kendall's tau-b (1945) between the evaluation and the value of
    running positions, `among_siblings` the same among the moves of one position, over all pairs of
    different worth. `asymmetric` and `partial` count positions whose evaluation changes when the
    board is turned or mirrored, or when the colours are exchanged. `microseconds` is the cost of
    one evaluation in Python. `nodes` are those of alpha-beta to the end from the start, moves best
    first in the heuristic's eyes, `null_nodes` those where only finished games are told apart; None
    for a sample.
    """

    heuristic: str
    game: str
    positions: int
    is_sampled: bool
    choices: int
    correlation: float | None
    among_siblings: float
    depths: tuple[AtDepth, ...]
    asymmetric: int
    partial: int
    microseconds: float
    nodes: int | None
    null_nodes: int | None
    worst: tuple[Mistake, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the card as JSON-ready data."""
        return {
            **vars(self),
            "depths": [vars(item) for item in self.depths],
            "worst": [{**vars(item), "position": str(item.position)} for item in self.worst],
        }


def report_card(
    heuristic: Any,
    game: LineGame | str = "tictactoe",
    depths: int = 6,
    progress: Callable[[int], None] | None = None,
    samples: int | None = None,
    seed: int = 0,
) -> ReportCard:
    """Return the report card of `heuristic` on `game` for searches of 1 to `depths` plies;
    `progress` is called with the positions visited.

    With `samples` it is asked about so many positions of random games that `seed` draws. Raises
    OptionError for a game of more than 300,000 positions without, or that no solver has values for
    at once with `samples`, and what `find_heuristic` raises.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    opinion, null = find_heuristic(heuristic, rules), find_heuristic("null", rules)
    graph = (
        _graph_of(rules, progress)
        if samples is None
        else _sample_of(rules, samples, seed, progress)
    )
    ratings, truth = graph.evaluated(opinion), graph.truth
    own, without = (
        graph.choices(opinion, ratings, depths),
        graph.choices(null, [0] * len(ratings), depths),
    )
    running = [at for at, after in enumerate(graph.children) if after]
    asymmetric, partial = graph.violations(opinion, ratings)
    return ReportCard(
        heuristic=opinion.name,
        game=rules.name,
        positions=len(ratings) if samples is None else len(running),
        is_sampled=samples is not None,
        choices=len(graph.deciding(truth)),
        correlation=_tau_b([ratings[at] for at in running], [truth[at] for at in running]),
        among_siblings=graph.among_siblings(ratings, truth),
        depths=tuple(
            _at_depth(depth, own, without, samples is not None) for depth in range(1, depths + 1)
        ),
        asymmetric=asymmetric,
        partial=partial,
        microseconds=_cost(opinion, graph.positions),
        nodes=_nodes(rules, opinion) if samples is None else None,
        null_nodes=_nodes(rules, null) if samples is None else None,
        worst=graph.worst(ratings, truth),
    )


class _Graph:
    """All positions of a game and their children, by number; children have greater numbers. Values
    are in the mover's view."""

    def __init__(self, game: LineGame, progress: Callable[[int], None] | None) -> None:
        self.game = game
        self.positions = [game.start()]
        self.children: list[list[int]] = []
        self.number = number = {self.positions[0]: 0}
        for position in self.positions:
            if progress is not None:
                progress(len(self.positions))
            found = []
            for move in () if position.is_over else position.moves:
                child = position.play(move)
                if child not in number:
                    number[child] = len(self.positions)
                    self.positions.append(child)
                found.append(number[child])
            self.children.append(found)
            if len(self.positions) > MOST_POSITIONS:
                raise OptionError(
                    f"'{game.name}' has more than {MOST_POSITIONS:,} positions; expected a smaller game"
                )

    def evaluated(self, heuristic: Heuristic) -> list[int]:
        """Return what the heuristic says of each position."""
        return [heuristic.evaluate(position, position.side) for position in self.positions]

    def result(self, at: int) -> int:
        """Return what a finished position is worth: 1, 0 or −1."""
        position = self.positions[at]
        return 0 if position.winner is None else 1 if position.winner == position.side else -1

    @cached_property
    def truth(self) -> list[int]:
        """What each position is worth: 1, 0 or −1."""
        values = [0] * len(self.positions)
        for at in range(len(values) - 1, -1, -1):
            after = self.children[at]
            values[at] = max(-values[child] for child in after) if after else self.result(at)
        return values

    def deciding(self, truth: Sequence[int]) -> list[int]:
        """Return the positions whose moves are not all worth the same."""
        return [
            at
            for at, after in enumerate(self.children)
            if len({truth[child] for child in after}) > 1
        ]

    def choices(
        self, opinion: Heuristic, ratings: Sequence[int], depths: int
    ) -> list[list[tuple[float, float]]]:
        """Return by depth, from 1, for each deciding position which part of the chosen moves loses
        value, and how much on average."""
        truth = self.truth
        deciding, found = self.deciding(truth), []
        ends = [
            self.result(at) * WIN if not after else None for at, after in enumerate(self.children)
        ]
        values = [rating if end is None else end for rating, end in zip(ratings, ends, strict=True)]
        for _ in range(depths):
            here = []
            for at in deciding:
                least = min(values[child] for child in self.children[at])
                losses = [
                    truth[at] + truth[child]
                    for child in self.children[at]
                    if values[child] == least
                ]
                here.append(
                    (sum(loss > 0 for loss in losses) / len(losses), sum(losses) / len(losses))
                )
            found.append(here)
            values = [
                max(-values[child] for child in after) if end is None else end
                for after, end in zip(self.children, ends, strict=True)
            ]
        return found

    def among_siblings(self, ratings: Sequence[int], truth: Sequence[int]) -> float:
        """Return, over all pairs of one position's moves of different worth, the part rated in the
        right order less that in the wrong."""
        agree = pairs = 0
        for after in self.children:
            for index, one in enumerate(after):
                for other in after[:index]:
                    if truth[one] != truth[other]:
                        pairs += 1
                        sign = 1 if truth[one] > truth[other] else -1
                        agree += sign * (
                            (ratings[one] > ratings[other]) - (ratings[one] < ratings[other])
                        )
        return agree / max(1, pairs)

    def rating(self, position: Position, ratings: Sequence[int], heuristic: Heuristic) -> int:
        """Return what the heuristic says of a position."""
        return ratings[self.number[position]]

    def violations(self, heuristic: Heuristic, ratings: Sequence[int]) -> tuple[int, int]:
        """Return how many positions are evaluated otherwise when turned or mirrored, and when the
        colours are exchanged."""
        asymmetric = partial = 0
        seen: set[Position] = set()
        for position, rating in zip(self.positions, ratings, strict=True):
            if position not in seen:
                images = orbit(position)
                seen |= images
                if len({self.rating(image, ratings, heuristic) for image in images}) > 1:
                    asymmetric += len(images)
            winner = None if position.winner is None else 1 - position.winner
            swapped = Position(
                self.game, position.second, position.first, 1 - position.side, winner
            )
            partial += heuristic.evaluate(swapped, swapped.side) != rating
        return asymmetric, partial

    def worst(self, ratings: Sequence[int], truth: Sequence[int]) -> tuple[Mistake, ...]:
        """Return the positions with the greatest losses, of equal ones those it is surest of, one
        of those that mirror each other."""
        found: list[tuple[int, int, int, int, int]] = []
        for at in self.deciding(truth):
            after = self.children[at]
            chosen = min(after, key=lambda child: ratings[child])
            better = min(
                (child for child in after if truth[child] == -truth[at]),
                key=lambda child: ratings[child],
            )
            if truth[at] + truth[chosen] > 0 and ratings[chosen] < ratings[better]:
                found.append(
                    (
                        truth[at] + truth[chosen],
                        ratings[better] - ratings[chosen],
                        at,
                        chosen,
                        better,
                    )
                )
        mistakes: list[Mistake] = []
        seen: set[Position] = set()
        for lost, margin, at, chosen, better in sorted(
            found, key=lambda item: (-item[0], -item[1], item[2])
        ):
            position = self.positions[at]
            if position in seen:
                continue
            seen |= orbit(position)
            names = [
                self.game.format_move(position, position.moves[self.children[at].index(child)])
                for child in (chosen, better)
            ]
            mistakes.append(
                Mistake(
                    position=position, chosen=names[0], better=names[1], margin=margin, lost=lost
                )
            )
            if len(mistakes) == WORST:
                break
        return tuple(mistakes)


class _Sample(_Graph):
    """Positions of quiet games that a solver has the value of at once, each with its children."""

    def __init__(
        self, game: LineGame, samples: int, seed: int, progress: Callable[[int], None] | None
    ) -> None:
        if not has_distances(game):
            raise OptionError(
                f"samples of '{game.name}', which no solver has values of at once; expected gravity, or at most 16 cells"
            )
        self.game, draw = game, Random(seed)
        found: dict[Position, tuple[Position, ...]] = {}
        since = 0
        while len(found) < samples:
            since += 1
            if since > TRIES:
                raise OptionError(
                    f"{samples} samples of '{game.name}': only {len(found)} were found; expected fewer"
                )
            position = quiet_position(game, draw)
            if position not in found and is_quickly_solved(position):
                found[position] = tuple(position.play(move) for move in position.moves)
                since = 0
                if progress is not None:
                    progress(len(found))
        self.positions = list(
            dict.fromkeys([*found, *(child for after in found.values() for child in after)])
        )
        self.number = {position: at for at, position in enumerate(self.positions)}
        self.children = [
            [self.number[child] for child in found.get(position, ())] for position in self.positions
        ]

    @cached_property
    def truth(self) -> list[int]:
        """What each position is worth: 1, 0 or −1."""
        return [solve(position, with_moves=False).value or 0 for position in self.positions]

    def choices(
        self, opinion: Heuristic, ratings: Sequence[int], depths: int
    ) -> list[list[tuple[float, float]]]:
        """Return what `_Graph.choices` does, by searching each position."""
        found = []
        for depth in range(1, depths + 1):
            here = []
            for at in self.deciding(self.truth):
                position = self.positions[at]
                best = search(
                    position, "alphabeta", opinion, depth=depth, scoring="result", root="open"
                ).best_moves
                losses = [
                    self.truth[at] + self.truth[self.number[position.play(move)]] for move in best
                ]
                here.append(
                    (sum(loss > 0 for loss in losses) / len(losses), sum(losses) / len(losses))
                )
            found.append(here)
        return found

    def rating(self, position: Position, ratings: Sequence[int], heuristic: Heuristic) -> int:
        """Return what the heuristic says of a position, which need not be one of the sample."""
        return heuristic.evaluate(position, position.side)


_latest: list[_Graph] = []


def _graph_of(game: LineGame, progress: Callable[[int], None] | None) -> _Graph:
    """Return the graph of the game, the latest one again where it is the same: heuristics are
    compared on one game."""
    if not _latest or _latest[0].game != game or isinstance(_latest[0], _Sample):
        _latest[:] = [_Graph(game, progress)]
    return _latest[0]


@lru_cache(maxsize=1)
def _sample_of(
    game: LineGame, samples: int, seed: int, progress: Callable[[int], None] | None
) -> _Sample:
    """Return the sample, the latest one again where it is the same."""
    return _Sample(game, samples, seed, progress)


def _at_depth(
    depth: int,
    own: list[list[tuple[float, float]]],
    null: list[list[tuple[float, float]]],
    is_sampled: bool,
) -> AtDepth:
    here, without = own[depth - 1], null[depth - 1]
    cured = spoilt = 0
    if depth > 1:
        for (before, _), (now, _) in zip(own[depth - 2], here, strict=True):
            cured += before > 0 and now == 0
            spoilt += before == 0 and now > 0
    count = max(1, len(here))
    mistakes = sum(part for part, _ in here) / count
    spread = sum((part - mistakes) ** 2 for part, _ in here) / count
    return AtDepth(
        depth=depth,
        mistakes=mistakes,
        margin=1.96 * sqrt(spread / count) if is_sampled else 0.0,
        null_mistakes=sum(part for part, _ in without) / count,
        lost=sum(loss for _, loss in here) / count,
        cured=cured,
        spoilt=spoilt,
        worse=None if depth == 1 else _at_least(spoilt, cured + spoilt),
    )


def _at_least(heads: int, tosses: int) -> float:
    """Return the chance of so many heads, or more."""
    return float(sum(comb(tosses, number) for number in range(heads, tosses + 1)) / 2**tosses)


def _nodes(game: LineGame, heuristic: Heuristic) -> int:
    return search(game.start(), "alphabeta", heuristic, scoring="result", order="best").nodes


def _cost(heuristic: Heuristic, positions: Sequence[Position]) -> float:
    asked = positions[:RATINGS_TIMED]
    began = perf_counter()
    for position in asked:
        heuristic.evaluate(position, position.side)
    return (perf_counter() - began) / len(asked) * 1e6


def _tau_b(ratings: Sequence[int], truth: Sequence[int]) -> float | None:
    """Return Kendall's tau-b, None where one of the two is always the same; the truth takes three
    values, so that counts by value do."""
    from bisect import bisect_left, bisect_right

    groups = {
        value: sorted(rating for rating, true in zip(ratings, truth, strict=True) if true == value)
        for value in (-1, 0, 1)
    }
    agree = 0
    for low, high in ((-1, 0), (-1, 1), (0, 1)):
        for rating in groups[high]:
            agree += bisect_left(groups[low], rating) - (
                len(groups[low]) - bisect_right(groups[low], rating)
            )

    def pairs(count: int) -> int:
        return count * (count - 1) // 2

    ties: dict[int, int] = {}
    for rating in ratings:
        ties[rating] = ties.get(rating, 0) + 1
    rated = pairs(len(ratings)) - sum(map(pairs, ties.values()))
    worth = pairs(len(ratings)) - sum(pairs(len(group)) for group in groups.values())
    return float(agree / sqrt(rated * worth)) if rated and worth else None
