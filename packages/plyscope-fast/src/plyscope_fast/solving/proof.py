"""Writing proofs that `verify` checks.

A proof of a win holds a move of the winner for every position that the loser can reach; a proof of
a draw holds such moves for both sides. A pairing of cells, or a win by fours, replaces everything
that follows it.

With gravity, answers in the same column replace everything too. Positions that are equal up to
symmetry are proved once.

Where a side draws even if its own lines do not count, the proof holds its replies to some moves
only, with zones that answer the others. From the empty board the first player's draw needs no
moves: it follows by strategy stealing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from plyscope.errors import OptionError
from plyscope.progress import Count
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.rules.symmetry import quick_symmetries
from plyscope.searching.limit import SearchStopped
from plyscope.solving.accelerated import BLOCKING, CONNECT, LINES, TABLEBASE, THREATS
from plyscope.solving.ask import Ask
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of
from plyscope.solving.verify import (
    MAX_BYTES,
    MAX_GENERATORS,
    MAX_IMAGES,
    MAX_LINE_CHECKS,
    NO_ANSWER,
    STEALING,
    Game,
    Rejected,
    Symmetries,
    Work,
    Zones,
    check_follow,
    check_fours,
    check_step,
    follow_up,
    mapped,
    plain_move,
    read_answer,
)
from plyscope_fast.solving import connect, lines
from plyscope_fast.solving.blocking import Blocker
from plyscope_fast.solving.lines import LinesSolver
from plyscope_fast.solving.rules import game_data, no_move
from plyscope_fast.solving.signplan import Plan
from plyscope_fast.solving.signs import has_signs
from plyscope_fast.solving.threats import Fours, ThreatSolver

PAIRING_TRIES = 2_000
"""The limit of steps of the search for a pairing."""
WIN_NODES = 1_000_000
"""The node limit of the search for a win by threats, before the usual solver is used."""
QUICK_WIN_NODES = 5_000
"""The node limit of the search for a win that does not need a short proof."""
SHORT_WIN_NODES = 20_000
"""The node limit of the search for a win with a short proof, if the first one is not enough."""
ZONE_NODES = 20_000_000
"""The node limit of each question for a reply that stops all lines."""
QUICK_ZONE_NODES = 100_000
"""The node limit of such a question before the position is solved in the usual way."""
MAX_SYMMETRIC_CELLS, MAX_SMALL_CELLS = 400, 100
"""On larger boards symmetries are not searched for. On a torus, which has many more, they are
searched for only up to MAX_SMALL_CELLS, as pairs are before a solver is asked."""
DIGEST_BYTES = len(f"digest {hashlib.sha256().hexdigest()}\n")
"""The size of the last line."""
Pairs = tuple[tuple[int, int], ...]
Image = tuple[int, ...]
PAIRED = {"torus", "holes", "exactly", "misere"}
"""The variants in which pairs prove a draw."""


def proof_of(position: Position, progress: Count | None = None, with_signs: bool = False) -> str:
    """Return the proof of the value of a position, the text of `proof_lines`."""
    return "".join(proof_lines(Ask(position), None, progress, with_signs))


def proof_lines(
    ask: Ask, value: int | None, progress: Count | None = None, with_signs: bool = False
) -> Iterator[str]:
    """Yield the lines of the proof of the value of a position, each with its end.

    `value` is that value for the side to move, None if it is to be found. `ask` has the position,
    and the size and checkpoint of the tables. The tables of a solve that has finished are used
    again. `progress` receives the number of positions done. `with_signs` looks for signs too: the
    proof gets shorter, and takes longer. Its journal is the checkpoint, its progress goes to
    `ask.report`.

    Raises OptionError if the game is over or is not solved, or if the game or its proof exceeds the
    limits of the checker.
    """
    position = ask.position
    if position.is_over:
        raise OptionError(
            f"a proof of '{position}', where the game is over;"
            " expected a position in which it goes on"
        )
    game = game_data(position.game)
    try:
        rules = Game(game)
    except Rejected as error:
        raise OptionError(
            f"a proof of '{position}', whose game the checker rejects: {error}"
        ) from None
    if ask.maker_breaker:
        claims = _breaker_claims(position, value)
    else:
        claims = _claims(ask, rules) if value is None else _claims_of(position, value)
    strategies = [_strategy(ask, side, least, rules, with_signs) for side, least in claims]
    zones = [each for each in strategies if isinstance(each, _Zones)]
    is_short = len(zones) == sum(map(bool, strategies)) and all(map(_Zones.is_one_answer, zones))
    uses_part = any(each.blocker.cells for each in zones)
    images = None if is_short or uses_part else _generators(position.game)
    digest, size = hashlib.sha256(), 0
    head = json.dumps(_head(position, game, claims, images))
    for line in _body(head, strategies, Symmetries(rules, images), progress):
        size += len(line)
        if size + DIGEST_BYTES > MAX_BYTES:
            raise _too_large(position, MAX_BYTES, "bytes")
        digest.update(line.encode())
        yield line
    yield f"digest {digest.hexdigest()}\n"


def _body(
    head: str,
    strategies: list[_Zones | _Moves | None],
    symmetric: Symmetries,
    progress: Count | None,
) -> Iterator[str]:
    """Yield all lines but the last."""
    yield f"{head}\n"
    met = 0
    for number, strategy in enumerate(strategies):
        yield f"claim {number}\n"
        for line in strategy.lines(symmetric) if strategy else ():
            if line:
                yield f"{line}\n"
            met += 1
            if progress is not None and met % 256 == 0:
                progress(met)
            if strategy and met > strategy.rules.most_met:
                raise _too_large(strategy.root, strategy.rules.most_met, "positions")


def _too_large(position: Position, most: int, units: str) -> OptionError:
    return OptionError(
        f"a proof of '{position}' takes more than {most:,} {units}; expected a smaller game"
    )


def _claims(ask: Ask, rules: Game) -> list[tuple[int, int]]:
    """Return the claims to prove: pairs of a side and 1 for a win or 0 for a draw at least.

    Raises OptionError if the position is not solved.
    """
    position = ask.position
    sides = [side for side in (0, 1) if not _is_stolen(position, side, 0)]
    if BLOCKING.plays(position) and all(
        _Zones(ask, side, rules, QUICK_ZONE_NODES).stop_all_lines() for side in sides
    ):
        return [(0, 0), (1, 0)]
    is_small = position.game.size <= MAX_SMALL_CELLS
    if (
        is_small
        and (position.game.misere or not LINES.plays(position))
        and all(_Moves(ask, side, 0, rules).draws_at_once() for side in (0, 1))
    ):
        return [(0, 0), (1, 0)]
    verdict = solve(position, with_moves=False)
    if verdict.value is None:
        raise OptionError(f"a proof of '{position}', which was not solved: {verdict.stopped}")
    return _claims_of(position, verdict.value)


def _claims_of(position: Position, value: int) -> list[tuple[int, int]]:
    """Return the claims that prove a value for the side to move."""
    winner = position.side if value > 0 else 1 - position.side
    return [(winner, 1)] if value else [(0, 0), (1, 0)]


def _breaker_claims(position: Position, value: int | None) -> list[tuple[int, int]]:
    """Return the claims that prove a win of O in the weak game: O draws at least, and from the
    empty board so does X.

    Raises OptionError for a win of X, which O might prevent in the usual game by a line of its own.
    """
    if value is None or (value > 0) == (position.side == 0):
        raise OptionError(
            f"a proof of '{position}', which X, the Maker, wins; expected a win of O, the Breaker"
        )
    return [(0, 0), (1, 0)] if _is_stolen(position, 0, 0) else [(1, 0)]


def _head(
    position: Position,
    game: dict[str, Any],
    claims: list[tuple[int, int]],
    images: list[list[int]] | None,
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
    } | ({"symmetries": images} if images else {})


def _is_stolen(root: Position, side: int, least: int) -> bool:
    """Return whether a claim follows by strategy stealing."""
    is_first = root.side == side and not root.first | root.second
    return least == 0 and is_first and root.game.variants <= {"torus", "holes"}


def _generators(game: LineGame) -> list[list[int]] | None:
    """Return permutations whose products are the symmetries of the game, None if there are none or
    too many."""
    if game.size > (MAX_SMALL_CELLS if game.torus else MAX_SYMMETRIC_CELLS):
        return None
    found: list[Image] = []
    known = {tuple(range(game.size))}
    for symmetry in quick_symmetries(game, MAX_IMAGES):
        if symmetry in known:
            continue
        found.append(symmetry)
        todo = list(known)
        for one in todo:
            for image in found:
                product = tuple(image[cell] for cell in one)
                if product not in known:
                    known.add(product)
                    todo.append(product)
    return list(map(list, found)) if 0 < len(found) <= MAX_GENERATORS else None


def _strategy(
    ask: Ask, side: int, least: int, rules: Game, with_signs: bool
) -> _Zones | _Moves | None:
    """Return what gives the answers of a claim, None if it needs none."""
    root = ask.position
    if _is_stolen(root, side, least):
        return None
    if least == 0 and BLOCKING.plays(root):
        zones = _Zones(ask, side, rules)
        if zones.stop_all_lines():
            return zones
    return _Moves(ask, side, least, rules, with_signs)


class _Moves:
    """The answers of a side for every position that the opponent can reach."""

    def __init__(
        self, ask: Ask, side: int, least: int, rules: Game, with_signs: bool = False
    ) -> None:
        self.ask, self.side, self.least, self.rules = ask, side, least, rules
        self.is_signed = with_signs and has_signs(ask.position.game)
        self.plan: Plan | None = None
        self.root = root = ask.position
        self.with_pairs = least == 0 and root.game.variants <= PAIRED
        # A new solver with empty tables, so that the proof is always the same.
        self.threats = ThreatSolver(root.game) if least and THREATS.plays(root) else None
        self.symmetric = Symmetries(rules, None)
        self.after: dict[tuple[int, int], Position] = {}
        """The positions with one stone more, of which some move leads to each."""

    @cached_property
    def lines_solver(self) -> LinesSolver | None:
        """The solver of lines with the size or checkpoint in `ask`; None if there is neither."""
        is_asked = self.ask.checkpoint is not None or self.ask.megabytes is not None
        return lines.solver_of(self.ask) if is_asked and LINES.plays(self.root) else None

    @cached_property
    def shortener(self) -> ThreatSolver | None:
        """The solver that finds short proofs, with tables of its own; None if the win is found
        quickly."""
        assert self.threats is not None
        known = self.threats.wins(Ask(self.root, limit=QUICK_WIN_NODES), self.side)
        return None if known.wins else ThreatSolver(self.root.game)

    def draws_at_once(self) -> bool:
        """Return whether an answer to everything is enough, perhaps after a first move."""
        if self.root.side != self.side:
            return bool(self._leaf(self.root))
        return self._move_to_leaf(self.root, self.root.moves) is not None

    def lines(self, symmetric: Symmetries) -> Iterator[str]:
        """Yield a line for each position, those with few stones first; it is empty if the checker
        finds the move by itself."""
        self.symmetric = symmetric
        if self.is_signed:
            self.plan = Plan(self.ask, self.side, self.least, self.rules, symmetric)
            self.plan.complete()
            self.plan.shorten()
        todo = [self._image(self.root)]
        while todo:
            self.after = {}
            for position in todo:
                yield self._line(position)
            todo = list(self.after.values())

    def _line(self, position: Position) -> str:
        """Return the line for a position, and note the positions after it."""
        place = f"{position.first:x} {position.second:x}"
        is_own = position.side == self.side
        fours = None if self.threats is None else self.threats.by_fours(position, self.side)
        if fours is not None and is_own and not self._still_win(fours, position):
            fours = None
        line = "" if fours is None else f"{place} fours {','.join(map(str, fours.line[::2]))}"
        moves: Sequence[int] = position.moves
        planned = None
        if self.plan is not None and (is_own or position == self._image(self.root)):
            signs, planned = self.plan.answer(position)
            if signs:
                return f"{place} signs {signs}"
        if is_own:
            if fours is not None:
                return line
            plain = plain_move(self.rules, (position.first, position.second), self.side)
            if planned is None:
                planned = plain if plain >= 0 else self._move(position)
            moves = (planned,)
            line = "" if planned == plain and self.threats is None else f"{place} {planned}"
        elif leaf := self._leaf(position) if fours is None else "":
            return f"{place} {leaf}"
        for after in map(position.play, moves):
            if not (after.is_over or (fours is not None and self._still_win(fours, after))):
                image = self._image(after)
                self.after.setdefault((image.first, image.second), image)
        return line

    def _image(self, position: Position) -> Position:
        """Return the position that is met instead of this one."""
        x, o = self.symmetric.least(position.first, position.second)
        return position._replace(first=x, second=o)

    def _leaf(self, position: Position) -> str:
        """Return an answer to everything that follows, or an empty text."""
        pairs: Pairs | None = None
        if self.root.game.gravity:
            stones = position.first, position.second
            cells = None
            if not self.root.game.misere:
                cells = find_follow(self.rules, stones, self.side, self.least)
            if cells is None:
                return ""
            pairs = tuple(zip(cells[::2], cells[1::2], strict=True))
        elif self.with_pairs:
            pairs = find_pairs(position, self.side)
        kind = "follow" if self.root.game.gravity else "pairs"
        return "" if pairs is None else f"{kind} {_told(pairs, ',')}".rstrip()

    def _still_win(self, fours: Fours, position: Position) -> bool:
        """Return whether the checker accepts these fours as a win."""
        stones = position.first, position.second
        try:
            check_fours(self.rules, fours.line[::2], stones, self.side)
        except Rejected:
            return False
        return True

    def _move(self, position: Position) -> int:
        """Return a good move: if possible one after which an answer replaces everything, or one
        after which the position is proved already."""
        moves: Sequence[int] = position.moves
        if self.threats is not None:
            found = None
            if self.shortener is not None:
                ask = Ask(position, limit=SHORT_WIN_NODES)
                found = self._move_to_known(position, moves)
                if found is None:
                    found = self.shortener.wins(ask, position.side, is_short=True).move
            if found is None:
                found = self.threats.wins(Ask(position, limit=WIN_NODES), position.side).move
            if found is not None:
                return found
        if TABLEBASE.is_quick(self.root):
            moves = solve(position).best_moves
        leading = self._move_to_leaf(position, moves)
        if leading is None:
            leading = self._move_to_known(position, moves)
        if leading is not None:
            return leading
        if TABLEBASE.is_quick(self.root):
            return moves[0]
        ask = replace(self.ask, position=position, with_moves=False)
        if CONNECT.plays(self.root):  # the tables of a finished solve do not change the proof
            solver = connect.solver_of(ask)
            first = solver.first_move(ask, self.least)
            assert first is not None
            return first
        if self.lines_solver is not None:
            moves = self.lines_solver.solve(ask).best_moves
        else:
            moves = solve(position, with_moves=plan_of(position.game).has_distances).best_moves
        if not moves:
            raise no_move(self.root, position)
        return int(moves[0])

    def _move_to_known(self, position: Position, moves: Sequence[int]) -> int | None:
        """Return a move after which the position is proved already, None if there is none."""
        for move in moves:
            image = self._image(position.play(move))
            if (image.first, image.second) in self.after:
                return move
        return None

    def _move_to_leaf(self, position: Position, moves: Sequence[int]) -> int | None:
        """Return a move after which one answer replaces everything, None if there is none."""
        for move in moves:
            after = position.play(move)
            if not after.is_over and self._leaf(after):
                return move
        return None


class _KnownZones(Zones):
    """Zones with a memory of the last look-ups: each position after a step is looked up twice."""

    known = lru_cache(maxsize=1024)(Zones.known)


class _Zones:
    """The answers of a side that stops every line of the opponent, whatever its own lines are.

    The solver has empty tables, so that the proof is always the same, except after a solve of the
    weak game, whose tables are used. The checker computes the zones.
    """

    def __init__(self, ask: Ask, side: int, rules: Game, nodes: int = ZONE_NODES) -> None:
        self.root, self.side, self.rules = ask.position, side, rules
        self.blocker = Blocker(self.root, side, ask)
        self.ask = Ask(self.root, limit=nodes)
        self.stones = self.root.first, self.root.second
        self.zones = _KnownZones(rules, Symmetries(rules, None), side, Work(rules))

    def stop_all_lines(self) -> bool:
        """Return whether the side stops every line, and there are enough cells to say how."""
        if self.root.empty.bit_count() < 3:
            return False
        try:
            if self.root.side != self.side:
                return self.blocker.holds(
                    self.ask, self.stones[1 - self.side], self.stones[self.side]
                )
            self._reply(self.stones)
        except (SearchStopped, OptionError):
            return False
        return True

    def is_one_answer(self) -> bool:
        """Return whether pairs answer everything, after the side's first move if it is to move."""
        stones = self.stones
        if self.root.side == self.side:
            stones = self._with(self._reply(stones), self.side, stones)
        attack, defence = stones[1 - self.side], stones[self.side]
        return self.blocker.pairs(attack, defence) is not None

    def lines(self, symmetric: Symmetries) -> Iterator[str]:
        """Yield the answers as lines of the file, those that a zone depends on before it."""
        self.zones.symmetries = symmetric
        stones = self._least(self.stones)
        try:
            if self.root.side == self.side:
                first = self._reply(stones)
                yield f"{stones[0]:x} {stones[1]:x} {first}"
                if self.root._replace(first=stones[0], second=stones[1]).play(first).is_over:
                    return
                stones = self._least(self._with(first, self.side, stones))
            yield from self._position(stones)
        except Rejected:
            raise _too_large(self.root, MAX_LINE_CHECKS, "tests of a line") from None

    def _least(self, stones: tuple[int, int]) -> tuple[int, int]:
        return self.zones.symmetries.least(*stones)

    def _with(self, cell: int, side: int, stones: tuple[int, int]) -> tuple[int, int]:
        x, o = stones
        return (x, o | 1 << cell) if side else (x | 1 << cell, o)

    def _reply(self, stones: tuple[int, int]) -> int:
        """Return the side's move. Raises OptionError if none is found, and SearchStopped."""
        move = self.blocker.reply(self.ask, stones[1 - self.side], stones[self.side])
        if move is None:
            x, o = stones
            raise no_move(self.root, self.root._replace(first=x, second=o, side=self.side))
        return move

    def _reply_to_known(self, stones: tuple[int, int]) -> int | None:
        """Return a move of the side after which the position has an answer, None if there is
        none."""
        for cell in bits(self.root.game.board & ~(stones[0] | stones[1])):
            x, o = self._least(self._with(cell, self.side, stones))
            if f"{x:x} {o:x}" in self.zones.of:
                return cell
        return None

    def _position(
        self, stones: tuple[int, int], wanted: tuple[int, ...] | None = None
    ) -> Iterator[str]:
        """Yield the answers for a position with the opponent to move, and store its zone.

        `wanted` are three sets of cells to keep out of the zone if possible, the last one first;
        None at the root. They are the cells that moves before could leave out, those that the last
        move could leave out, and one that all moves of the last position leave out.
        """
        place = f"{stones[0]:x} {stones[1]:x}"
        own, other = stones[self.side], stones[1 - self.side]
        if wanted is not None:
            with contextlib.suppress(Rejected):  # the weights of the lines suffice
                self.zones.zone_of(stones, NO_ANSWER)
                return
        outer, inner, _ = wanted = wanted or (0, 0, 0)
        if pairs := self.blocker.pairs(other, own, wanted):
            text = f"{place} pairs {_told(pairs, ',')}"
        else:
            steps: list[str] = []
            lines = [line for line in self.root.game.masks if not line & own]
            empty = self.root.game.board & ~(own | other)
            weights = {
                cell: sum(2.0 ** (line & other).bit_count() for line in lines if line >> cell & 1)
                for cell in bits(empty)
            }
            left, searched, kept = empty, 0, 0
            paired: set[tuple[int, int]] = set()
            for move in sorted(weights, key=lambda cell: -weights[cell]):
                shared = searched if left >> move & 1 else 0
                for line in lines if shared else ():
                    shared &= line if line >> move & 1 else -1
                if shared or not left >> move & 1:
                    continue
                moved = self._with(move, 1 - self.side, stones)
                found = self.blocker.holding_reply(moved[1 - self.side], moved[self.side])
                reply, pairs = found or (self._reply_to_known(moved), [])
                if reply is None:
                    reply = self._reply(moved)
                after = self._with(reply, self.side, moved)
                step = f"{move}-{reply}"
                if pairs:
                    new = [pair for pair in pairs if pair not in paired]
                    step += f"={_told(new, '+')}"
                    named = (move, reply, *(cell for pair in new for cell in pair))
                    paired = check_step(self.rules, named, paired, own)
                    relevant = sum(1 << cell for pair in paired for cell in pair)
                else:
                    images = self.zones.symmetries.images(*after)
                    least = min(images)
                    x, o = self.zones.symmetries.stones(least)
                    if f"{x:x} {o:x}" not in self.zones.of:
                        symmetry = self.zones.symmetries.group[images.index(least)]
                        masks = outer | inner, left & ~(1 << move), kept
                        yield from self._position(
                            (x, o), tuple(mapped(mask & empty, symmetry) for mask in masks)
                        )
                    relevant = self.zones.known(*after)
                relevant |= 1 << reply
                if not searched:
                    kept = inner & empty & ~(relevant | 1 << move)
                    kept &= -kept
                left &= relevant & ~(1 << move)
                searched |= 1 << move
                steps.append(step)
            text = f"{place} zone {','.join(steps)}"
        _, _, answer = read_answer(text, self.rules, 0)
        self.zones.of[place] = self.zones.zone_of(stones, answer)
        yield text


def _told(pairs: Sequence[tuple[int, int]], between: str) -> str:
    """Return pairs as text."""
    return between.join(f"{one}-{other}" for one, other in pairs)


def find_follow(
    rules: Game, stones: tuple[int, int], side: int, least: int
) -> tuple[int, ...] | None:
    """Return the cells that an answer `follow` names in pairs, None if there is no such answer.

    The lowest cells of columns with an odd number of empty cells are named, unless the column has a
    winning cell. If their number is then odd, one column with a winning cell is named too.
    """
    own, taken = stones[side], stones[0] | stones[1]
    fixed = own
    odd: list[list[int]] = []
    winning: list[tuple[list[int], int]] = []
    for column in rules.columns:
        empty = [cell for cell in column if not taken >> cell & 1]
        upper, denied, is_won = follow_up(rules, empty, own)
        if is_won and len(empty) % 2:
            winning.append((empty, upper | denied))
        elif len(empty) % 2:
            odd.append(empty)
        else:
            fixed |= upper | denied
    lines = [line for line, _ in rules.lines if not line & fixed]
    for named in (*winning,) if len(odd) % 2 else (None,):
        columns = odd if named is None else [*odd, named[0]]
        gets = 0
        for empty in columns:
            upper, denied, _ = follow_up(rules, empty[1:], own)
            gets |= upper | denied
        for other in winning:
            gets |= 0 if other is named else other[1]
        cells = _matched(
            [empty[0] for empty in columns], [line for line in lines if not line & gets]
        )
        if cells is not None:
            with contextlib.suppress(Rejected):
                check_follow(rules, cells, stones, side, least)
                return cells
    return None


def _matched(cells: list[int], lines: list[int]) -> tuple[int, ...] | None:
    """Return these cells in pairs such that every line contains a pair, None if that is
    impossible."""
    if not cells:
        return None if lines else ()
    among = sum(1 << cell for cell in cells)
    if len(cells) % 2 or any((line & among).bit_count() < 2 for line in lines):
        return None
    for other in cells[1:]:
        pair = 1 << cells[0] | 1 << other
        rest = [cell for cell in cells[1:] if cell != other]
        found = _matched(rest, [line for line in lines if line & pair != pair])
        if found is not None:
            return cells[0], other, *found
    return None


def find_pairs(position: Position, side: int) -> Pairs | None:
    """Return disjoint pairs of empty cells such that every line without a stone of `side`, in
    misère of its opponent, has one.

    Return None if none are found. If none are needed, return any pair if there is one.
    """
    own = position.stones(1 - side if position.game.misere else side)
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

    found = extend(open_, empty, ())
    if found == () and empty.bit_count() > 1:
        one, other, *_ = bits(empty)
        return ((one, other),)
    return found or None
