"""Wins at hand that a player takes late or gives away, and wins in one that it does not block."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import oracles
import plyscope as ps
from games import NIM_FILE
from plyscope.faces.reviews import wins_sentences
from plyscope.lab.agents.agent import Agent
from plyscope.lab.judging.wins import WinsTaken, wins_taken
from plyscope.lab.matches.match import play_match
from plyscope.rules.notation import parse
from sentences import says


def first_of_best(b: oracles.Board) -> list[int]:
    """The first move of the best result, as minimax plays that does not count plies."""
    values = {cell: oracles.hurried_move3(b, cell) for cell in oracles.moves(b, oracles.LINES3)}
    results = {cell: (value > 0) - (value < 0) for cell, value in values.items()}
    return [max(results, key=results.__getitem__)]


BOARDS: dict[str, Callable[[oracles.Board], Sequence[int]]] = {
    "random": lambda b: oracles.moves(b, oracles.LINES3),
    "two-ply": lambda b: oracles.two_ply_choices(b, oracles.to_move(b)),
    "first": lambda b: oracles.moves(b, oracles.LINES3)[:1],
    "first of the best": first_of_best,
}


GRAVITY = "3,3,3,gravity"
"""A game with few positions."""


class Fixed(Agent):
    """A player of all moves that a function of a board returns."""

    name = "fixed"
    summary = "plays by a function"

    def __init__(self, choose: Callable[[oracles.Board], Sequence[int]]) -> None:
        object.__setattr__(self, "cells_of", choose)

    def choices(self, position: Any) -> Sequence[int]:
        b = oracles.board(str(position).split()[0])
        return [position.game.parse_move(position, name_of(cell)) for cell in self.cells_of(b)]


def name_of(cell: int) -> str:
    return f"{'abc'[cell % 3]}{3 - cell // 3}"


def counts(found: WinsTaken | None) -> tuple[int, ...]:
    """What `oracles.slower_wins3` counts."""
    assert (found.is_exact, found.is_partial) == (True, False)
    given_away = found.given_away or 0
    return found.wins, found.slower, given_away, found.wins_in_one, found.passed_in_one


@pytest.mark.parametrize("name", BOARDS)
def test_counts_the_wins_that_an_agent_does_not_take_at_once(name: str) -> None:
    found = ps.certify(Fixed(BOARDS[name])).wins_taken
    assert counts(found) == oracles.slower_wins3(BOARDS[name])


def test_counts_those_of_an_agent_with_random_choices() -> None:
    numbers = random.Random(4)
    chosen = {
        b: numbers.sample(cells, min(2, len(cells)))
        for b in oracles.reachable3()
        if (cells := [cell for cell in range(9) if b[cell] == "."])
    }
    found = ps.certify(Fixed(chosen.__getitem__)).wins_taken
    assert counts(found) == oracles.slower_wins3(chosen.__getitem__)


def test_names_the_moves_that_win_sooner() -> None:
    certificate = ps.certify(Fixed(first_of_best))
    found = certificate.wins_taken
    assert counts(found) == (357, 43, 0, 315, 43)
    assert (found.blocks, found.unblocked) == (134, 0)
    first = found.first
    position = first.position
    at_once = {m for m in position.moves if position.play(m).winner == position.side}
    assert {position.game.parse_move(position, name) for name in first.better} == at_once
    assert (first.value, first.plies, first.better_plies) == (1, 3, 1)
    data = certificate.as_dict()["wins_taken"]
    assert (data["slower"], data["first"]["position"]) == (43, str(position))
    says("certify a player that wins later", str(certificate))


@pytest.mark.parametrize(("name", "game"), [("perfect", GRAVITY), ("two-ply", "tictactoe")])
def test_blames_nobody_who_takes_the_fastest_win(name: str, game: str) -> None:
    found = ps.certify(name, game).wins_taken
    assert found.wins
    assert (found.slower, found.given_away, found.unblocked, found.first) == (0, 0, 0, None)
    says(f"wins at hand of {name}", "\n".join(wins_sentences(found)))


def test_says_that_a_search_was_asked_not_to_count_plies() -> None:
    later, soon = (
        ps.certify(f"alphabeta scoring={scoring}", GRAVITY).wins_taken
        for scoring in ("result", "distance")
    )
    assert (later.scoring, later.slower) == ("result", 4)
    assert (soon.scoring, soon.slower) == (None, 0)
    says("wins at hand with scoring=result", "\n".join(wins_sentences(later)))


def test_judges_the_moves_of_a_match() -> None:
    result = play_match("random", "perfect", games=20, seed=2)
    own, other = result.wins_taken
    assert other.wins > 0
    assert (other.slower, other.given_away, other.unblocked) == (0, 0, 0)
    assert own.unblocked > 0
    assert not own.may_vary
    data = result.as_dict()["wins_taken"]
    assert [each["unblocked"] for each in data] == [own.unblocked, 0]
    says("wins at hand in a match", "\n".join(wins_sentences(own, "random")))


def test_counts_what_was_played_in_a_match() -> None:
    """Each position once, with the worst move played there, by a count of our own."""
    result = play_match("random", "random", games=60, seed=5)
    for own in (0, 1):
        wins, slower, lost = set(), set(), set()
        for start, names, side_of_a in result.first_games:
            position = start
            for name in names:
                b = oracles.board(str(position).split()[0])
                if (position.side == side_of_a) == (own == 0) and oracles.hurried3(b) > 0:
                    cell = [name_of(each) for each in range(9)].index(name)
                    after = oracles.hurried_move3(b, cell)
                    wins.add(b)
                    (lost if after <= 0 else slower if after < oracles.hurried3(b) else set()).add(
                        b
                    )
                position = position.play(name)
        found = result.wins_taken[own]
        assert counts(found)[:3] == (len(wins), len(slower - lost), len(lost))


@pytest.mark.parametrize(
    ("text", "move", "wins", "slower", "blocks", "unblocked"),
    [
        ("connect4 121314", "1", 1, 0, 0, 0),
        ("connect4 121314", "7", 1, 1, 0, 0),
        ("connect4 12131", "1", 0, 0, 1, 0),
        ("connect4 12131", "6", 0, 0, 1, 1),
        ("connect4 44", "1", 0, 0, 0, 0),
    ],
)
def test_asks_only_for_wins_in_one_on_large_boards(
    text: str, move: str, wins: int, slower: int, blocks: int, unblocked: int
) -> None:
    position = parse(text)
    found = wins_taken(position.game, {position: [position.game.parse_move(position, move)]})
    assert (found.is_exact, found.given_away, found.positions) == (False, None, 1)
    assert (found.wins, found.slower, found.blocks, found.unblocked) == (
        wins,
        slower,
        blocks,
        unblocked,
    )
    assert (found.wins, found.slower) == (found.wins_in_one, found.passed_in_one)
    says(f"{move} on {text}, judged", "\n".join(wins_sentences(found)))


def test_does_not_blame_what_no_move_prevents() -> None:
    position = parse("XX./X.O/.O. o")  # two lines are open
    for move in position.moves:
        found = wins_taken(position.game, {position: [move]})
        assert (found.blocks, found.unblocked) == (0, 0)


def test_judges_games_of_people(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM_FILE)
    found = ps.certify("random", f"{file}:Nim").wins_taken
    assert found.is_exact
    assert (found.wins, found.wins_in_one) == (14, 6)
    assert found.given_away == 12  # all but the last stone of each side


def test_tells_nothing_of_a_game_with_payoffs() -> None:
    class Coins(ps.Game):
        scored = True

        def start(self) -> Any:
            return 0, 0

        def side(self, state: Any) -> int:
            return int(state[0]) % 2

        def moves(self, state: Any) -> Any:
            return [1, 2]

        def play(self, state: Any, move: Any) -> Any:
            return state[0] + 1, state[1] + move * (1 - 2 * self.side(state))

        def payoff(self, state: Any) -> Any:
            return state[1] if state[0] == 3 else None

    assert ps.certify("random", Coins()).wins_taken is None


def test_looks_for_no_win_where_a_turn_has_too_many_moves() -> None:
    start = ps.parse("connect6 k10")
    found = wins_taken(start.game, {start: [start.moves[0]]})
    assert (found.positions, found.wins, found.is_partial) == (0, 0, True)
    says("wins at hand in connect6", "\n".join(wins_sentences(found)))
    small = ps.certify("random", "3,2,3,stones=2").wins_taken
    assert small.is_exact
    assert small.wins_in_one > 0
