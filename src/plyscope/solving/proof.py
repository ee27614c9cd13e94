"""Writing proofs that `verify` checks.

A proof of a win holds a move of the winner for every position that the loser can reach; a proof of
a draw holds such moves for both sides. A pairing of cells, or a win by fours, replaces everything
that follows it.

Where a side draws even if its own lines do not count, the proof holds its replies to some moves
only, with zones that answer the others. From the empty board the first player's draw needs no
moves: it follows by strategy stealing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from plyscope.errors import OptionError
from plyscope.progress import Count
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.solving.ask import Ask
from plyscope.solving.lines import LINES, LinesSolver
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of
from plyscope.solving.threats import THREATS, Fours, ThreatSolver
from plyscope.solving.verify import (
    MAX_BYTES,
    MAX_LINE_CHECKS,
    STEALING,
    Answers,
    Game,
    Rejected,
    Work,
    check_fours,
    plain_move,
    zone_of,
)

PAIRING_TRIES = 2_000
"""The limit of steps of the search for a pairing."""
WIN_NODES = 1_000_000
"""The node limit of the search for a win by threats, before the usual solver is used."""
ZONE_NODES = 20_000_000
"""The node limit of each question for a reply that stops all lines."""
ZONE_EFFORT = (5_000, 16)
"""The effort of the solver: more than usual, since each pairing found makes the proof shorter."""
Pairs = tuple[tuple[int, int], ...]


def proof_of(position: Position, progress: Count | None = None) -> str:
    """Return the proof of the value of a position. `progress` receives the number of positions
    done.

    Raises OptionError if the game is over or is not solved, or if the game or its proof exceeds the
    limits of the checker.
    """
    if position.is_over:
        raise OptionError(
            f"a proof of '{position}', where the game is over;"
            " expected a position in which it goes on"
        )
    game = _game_data(position.game)
    try:
        rules = Game(game)
    except Rejected as error:
        raise OptionError(
            f"a proof of '{position}', whose game the checker rejects: {error}"
        ) from None
    claims = _claims(position)
    lines, met = [json.dumps(_head(position, game, claims))], 0
    for number, (side, least) in enumerate(claims):
        lines.append(f"claim {number}")
        for line in _answers(position, side, least, rules):
            lines += [line] if line else []
            met += 1
            if progress is not None and met % 256 == 0:
                progress(met)
            if met > rules.most_met:
                raise _too_large(position, rules.most_met, "positions")
    text = "".join(f"{line}\n" for line in lines)
    text += f"digest {hashlib.sha256(text.encode()).hexdigest()}\n"
    if len(text) > MAX_BYTES:
        raise _too_large(position, MAX_BYTES, "bytes")
    return text


def _too_large(position: Position, most: int, units: str) -> OptionError:
    return OptionError(
        f"a proof of '{position}' takes more than {most:,} {units}; expected a smaller game"
    )


def _claims(position: Position) -> list[tuple[int, int]]:
    """Return the claims to prove: pairs of a side and 1 for a win or 0 for a draw at least.

    Raises OptionError if the position is not solved.
    """
    verdict = solve(position, with_moves=False)
    if verdict.value is None:
        raise OptionError(f"a proof of '{position}', which was not solved: {verdict.stopped}")
    winner = position.side if verdict.value > 0 else 1 - position.side
    return [(winner, 1)] if verdict.value else [(0, 0), (1, 0)]


def _head(
    position: Position, game: dict[str, Any], claims: list[tuple[int, int]]
) -> dict[str, Any]:
    return {
        "format": "plyscope proof 1",
        "name": position.game.name,
        "game": game,
        "root": {
            "x": f"{position.first:x}",
            "o": f"{position.second:x}",
            "to_move": SIDES[position.side],
        },
        "claims": [
            {"side": SIDES[side], "at_least": least}
            | ({"by": STEALING} if _is_stolen(position, side, least) else {})
            for side, least in claims
        ],
    }


def _is_stolen(root: Position, side: int, least: int) -> bool:
    """Return whether a claim follows by strategy stealing."""
    is_first = root.side == side and not root.first | root.second
    return least == 0 and is_first and root.game.variants <= {"torus", "holes"}


def _game_data(game: LineGame) -> dict[str, Any]:
    """Return the `game` object of a proof's first line.

    It has k if the lines are all straight lines of k cells, and else lists each line once. Rules
    added after the first checkers are present only if the game has them, so that a checker that
    does not know them rejects the file.
    """
    if not game.variants <= {"torus", "gravity", "misere", "holes", "exactly"}:
        known = "turns of one stone, lines of any kind and exact ones, holes, gravity, misère"
        raise OptionError(
            f"a proof of {game.name!r}; expected rules that the checker knows: {known}"
        )
    by_length = isinstance(game.given, int) and isinstance(game.torus, bool) and bool(game.lines)
    data: dict[str, Any] = {
        "shape": list(game.shape),
        "torus": game.torus and by_length,
        "gravity": game.gravity,
        "misere": game.misere,
    }
    if game.holes:
        data["holes"] = list(bits(game.holes))
    if game.exactly:
        data["exactly"] = True
    if by_length:
        return {**data, "k": game.given}
    told = dict.fromkeys((line.mask, line.ends if game.exactly else 0) for line in game.lines)
    data["lines"] = [list(bits(mask)) for mask, _ in told]
    if game.exactly:
        data["ends"] = [list(bits(ends)) for _, ends in told]
    return data


def _answers(root: Position, side: int, least: int, rules: Game) -> Iterator[str]:
    """Yield the side's answer for every position that the opponent can reach.

    It is empty if the checker finds the move by itself.
    """
    if _is_stolen(root, side, least):
        return
    if least == 0 and LINES.plays(root):
        zones = _Zones(root, side, rules)
        if zones.stop_all_lines():
            try:
                yield from zones.lines()
            except Rejected:
                raise _too_large(root, MAX_LINE_CHECKS, "tests of a line") from None
            return
    with_pairs = least == 0 and root.game.variants <= {"torus", "holes", "exactly"}
    # A new solver with empty tables, so that the proof is always the same.
    solver = ThreatSolver(root.game) if least and THREATS.plays(root) else None
    todo, seen = [root], {root}
    while todo:
        position = todo.pop()
        place = f"{position.first:x} {position.second:x}"
        fours = None if solver is None else solver.by_fours(position, side)
        if fours is not None and position.side == side:
            fours = fours if _still_win(rules, fours, position, side) else None
        if fours is not None:
            yield f"{place} fours {','.join(map(str, fours.line[::2]))}"
        if position.side == side:
            if fours is not None:
                continue
            plain = plain_move(rules, (position.first, position.second), side)
            moves: tuple[int, ...] = (plain if plain >= 0 else _move(position, with_pairs, solver),)
            yield "" if plain >= 0 and solver is None else f"{place} {moves[0]}"
        else:
            pairs = find_pairs(position, side) if with_pairs else None
            if pairs:
                yield f"{place} pairs {','.join(f'{one}-{other}' for one, other in pairs)}"
                continue
            moves = tuple(position.moves)
        for after in map(position.play, moves):
            if after.is_over or after in seen:
                continue
            if fours is None or not _still_win(rules, fours, after, side):
                seen.add(after)
                todo.append(after)


def _still_win(rules: Game, fours: Fours, position: Position, side: int) -> bool:
    """Return whether the checker accepts these fours as a win."""
    try:
        check_fours(rules, fours.line[::2], (position.first, position.second), side)
    except Rejected:
        return False
    return True


def _move(position: Position, with_pairs: bool, solver: ThreatSolver | None) -> int:
    """Return a best move, if possible one after which a pairing answers everything."""
    if solver is not None:
        known = solver.wins(Ask(position, limit=WIN_NODES), position.side).move
        if known is not None:
            return known
    best: tuple[int, ...] = solve(
        position, with_moves=plan_of(position.game).has_distances
    ).best_moves
    if with_pairs:
        for move in best:
            after = position.play(move)
            if not after.is_over and find_pairs(after, position.side):
                return move
    return best[0]


class _Zones:
    """The answers of a side that stops every line of the opponent, whatever its own lines are.

    The solver has empty tables, so that the proof is always the same. The checker computes the
    zones.
    """

    def __init__(self, root: Position, side: int, rules: Game) -> None:
        self.root, self.side, self.rules = root, side, rules
        self.solver = LinesSolver(root.game, weak=True, effort=ZONE_EFFORT)
        self.ask = Ask(root, limit=ZONE_NODES)
        self.ask.use(self.solver)
        self.stones = root.first, root.second
        self.first: int | None = None
        """The move of the side, if it is to move at the root."""
        self.answers: Answers = {}
        self.zones: dict[str, int] = {}
        self.work = Work(rules)

    def stop_all_lines(self) -> bool:
        """Return whether the side stops every line, and there are enough cells to say how."""
        if (self.root.game.board & ~(self.root.first | self.root.second)).bit_count() < 3:
            return False
        try:
            if self.root.side != self.side:
                return not self.solver.wins(self.ask, self.root.side).wins
            self.first = self._reply(self.stones)
        except SearchStopped:
            return False
        return self.first is not None

    def lines(self) -> Iterator[str]:
        """Yield the answers as lines of the file."""
        if self.first is None:
            yield from self._position(self.stones)
        else:
            yield f"{self.stones[0]:x} {self.stones[1]:x} {self.first}"
            if not self.root.play(self.first).is_over:
                yield from self._position(self._with(self.first, self.side))

    def _with(self, cell: int, side: int, stones: tuple[int, int] | None = None) -> tuple[int, int]:
        x, o = stones or self.stones
        return (x, o | 1 << cell) if side else (x | 1 << cell, o)

    def _reply(self, stones: tuple[int, int]) -> int | None:
        return self.solver.reply(self.ask, stones[1 - self.side], stones[self.side])

    def _zone(self, stones: tuple[int, int]) -> int:
        """Return the zone by the answers up to now; raise Rejected if they do not suffice."""
        return zone_of(self.rules, stones, self.side, self.answers, set(), self.zones, self.work)

    def _position(self, stones: tuple[int, int], is_first: bool = True) -> Iterator[str]:
        """Yield the answers for a position with the opponent to move, and store its zone."""
        place = f"{stones[0]:x} {stones[1]:x}"
        own, other = stones[self.side], stones[1 - self.side]
        if not is_first:
            with contextlib.suppress(Rejected):  # the weights of the lines suffice
                self.zones[place] = self._zone(stones)
                return
        if pairs := self.solver.pairs(other, own):
            self.answers[place] = ("pairs", tuple(cell for pair in pairs for cell in pair))
        else:
            self.answers[place] = ("zone", ())
            replies: list[int] = []
            lines = [line for line in self.root.game.masks if not line & own]
            empty = self.root.game.board & ~(own | other)
            weights = {
                cell: sum(2.0 ** (line & other).bit_count() for line in lines if line >> cell & 1)
                for cell in bits(empty)
            }
            left, searched = empty, 0
            for move in sorted(weights, key=lambda cell: -weights[cell]):
                shared = searched if left >> move & 1 else 0
                for line in lines if shared else ():
                    shared &= line if line >> move & 1 else -1
                if shared or not left >> move & 1:
                    continue
                moved = self._with(move, 1 - self.side, stones)
                reply = self._reply(moved)
                assert reply is not None
                after = self._with(reply, self.side, moved)
                at = f"{after[0]:x} {after[1]:x}"
                if at not in self.zones:
                    yield from self._position(after, False)
                left &= (1 << reply | self.zones[at]) & ~(1 << move)
                searched |= 1 << move
                replies += move, reply
            self.answers[place] = ("zone", tuple(replies))
        self.zones[place] = self._zone(stones)
        kind, cells = self.answers[place]
        steps = zip(cells[::2], cells[1::2], strict=True)
        yield f"{place} {kind} {','.join(f'{one}-{other}' for one, other in steps)}"


def find_pairs(position: Position, side: int) -> Pairs | None:
    """Return disjoint pairs of empty cells such that every line without a stone of `side` has one.

    Return None if none are found, or none are needed.
    """
    own = position.stones(side)
    empty = position.game.board & ~(position.first | position.second)
    open_ = [line & empty for line in position.game.masks if not line & own]
    if any(line.bit_count() < 2 for line in open_):
        return None
    tries = PAIRING_TRIES

    def extend(lines: list[int], free: int, pairs: Pairs) -> Pairs | None:
        nonlocal tries
        tries -= 1
        if not lines:
            return pairs
        narrowest = min(lines, key=lambda line: (line & free).bit_count())
        cells = list(bits(narrowest & free))
        for at, one in enumerate(cells):
            for other in cells[:at]:
                if tries <= 0:
                    return None
                pair = 1 << one | 1 << other
                left = [line for line in lines if line & pair != pair]
                longer = extend(left, free & ~pair, (*pairs, (other, one)))
                if longer is not None:
                    return longer
        return None

    return extend(open_, empty, ()) or None
