"""Writing proofs that `verify` checks.

A proof of a win holds a move of the winner for every position that the loser can reach; a proof of
a draw holds such moves for both sides. A pairing of cells, or a win by fours, replaces everything
that follows it.
"""

from __future__ import annotations

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
from plyscope.solving.ask import Ask
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of
from plyscope.solving.threats import THREATS, Fours, ThreatSolver
from plyscope.solving.verify import MAX_BYTES, Game, Rejected, check_fours, plain_move

PAIRING_TRIES = 2_000
"""The limit of steps of the search for a pairing."""
WIN_NODES = 1_000_000
"""The node limit of the search for a win by threats, before the usual solver is used."""
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
        "claims": [{"side": SIDES[side], "at_least": least} for side, least in claims],
    }


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
