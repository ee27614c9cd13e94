"""Agents, games between them, and certificates."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import oracles
from plyscope import AGENTS, certify, parse, parse_agent, play_match, solve
from plyscope.errors import PlyscopeError
from plyscope.lab.game import play_game
from plyscope.rules.games import GAMES


def as_text(b: oracles.Board) -> str:
    return "/".join("".join(b[row : row + 3]) for row in (0, 3, 6))


def test_two_ply_never_loses_and_the_counts_are_those_of_the_oracle() -> None:
    certificate = certify("two-ply")
    assert certificate.never_loses
    assert certificate.losing_line is None
    for side, letter in zip(certificate.sides, "XO", strict=True):
        expected = oracles.play_all(
            lambda b, letter=letter: oracles.two_ply_choices(b, letter), letter
        )  # type: ignore[misc]
        assert (side.wins, side.draws, side.losses) == expected


@pytest.mark.parametrize("name", ["one-ply", "accumulating", "greedy"])
def test_those_that_can_be_beaten_come_with_a_game_that_beats_them(name: str) -> None:
    certificate = certify(name)
    line = certificate.losing_line
    assert not certificate.never_loses
    assert line is not None
    beaten = next(index for index, side in enumerate(certificate.sides) if side.losing_line == line)
    agent, position = parse_agent(name), GAMES["tictactoe"].start()
    for move in line:
        if position.side == beaten:
            assert position.game.parse_move(position, move) in agent.choices(position)
        position = position.play(move)
    assert position.winner == 1 - beaten
    assert certificate.sides[beaten].losses > 0


def test_the_accumulating_agent_loses_as_x_too_when_a_person_begins_with_o() -> None:
    agent, position = parse_agent("accumulating"), parse(".../.../... o")
    for move in ("a3", "b2", "c1", "b3", "a1", "a2", "b1"):
        if position.side == 0:
            assert agent.choices(position) == (position.game.parse_move(position, move),)
        position = position.play(move)
    assert position.winner == 1


def test_full_alphabeta_never_loses_whichever_cell_it_opens_with() -> None:
    certificate = certify("full-alphabeta")
    assert certificate.never_loses
    assert len(parse_agent("full-alphabeta").choices(GAMES["tictactoe"].start())) == 9


@pytest.mark.parametrize(
    ("agent", "game"),
    [("two-ply", "connect4"), ("one-ply", "connect4"), ("accumulating", "tictactoe")],
)
def test_where_there_are_too_many_lines_the_engine_finds_one_that_beats_it(
    agent: str, game: str
) -> None:
    certificate = certify(agent, game, most=50, seconds=12)
    assert certificate.is_searched
    assert certificate.never_loses is False
    for side in certificate.sides:
        if side.losing_line is not None:
            position = GAMES["tictactoe"].start() if game == "tictactoe" else parse(game)
            for move in side.losing_line:
                if "xo"[position.side] == side.agent_side:
                    assert position.game.parse_move(position, move) in parse_agent(agent).choices(
                        position
                    )
                position = position.play(move)
            assert position.winner is not None
            assert "xo"[position.winner] != side.agent_side


@pytest.mark.parametrize("most", [10**9, 50])
def test_ctrl_c_ends_a_certificate_with_what_it_has(most: int) -> None:
    code = (
        "import threading, _thread, time\nfrom plyscope import certify, search\nsearch('connect4', 'engine', nodes=1)\n"
        "threading.Timer(1.0, _thread.interrupt_main).start()\nbegan = time.perf_counter()\n"
        f"found = certify('level-7', 'connect4', most={most}, seconds=100)\n"
        "print(found.is_searched, found.never_loses, len(found.sides), time.perf_counter() - began < 8)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    assert printed in ("True None 2 True\n", "True False 2 True\n")


def test_what_the_engine_cannot_beat_is_not_said_to_be_unbeatable() -> None:
    certificate = certify("two-ply", most=50, seconds=5)
    assert (certificate.is_searched, certificate.never_loses, certificate.losing_line) == (
        True,
        None,
        None,
    )
    assert "not decided" in certificate.answer


def test_two_ply_chooses_as_the_oracle_does() -> None:
    agent = AGENTS["two-ply"]
    for b in random.Random(2).sample(oracles.reachable3(), 400):
        if oracles.moves(b, oracles.LINES3):
            assert list(agent.choices(parse(as_text(b)))) == oracles.two_ply_choices(
                b, oracles.to_move(b)
            )


@pytest.mark.parametrize("opponent", ["random", "greedy", "one-ply", "level-1"])
def test_two_ply_loses_none_of_many_games(opponent: str) -> None:
    result = play_match("two-ply", opponent, games=300, seed=4)
    assert (result.b_wins, result.a_wins + result.draws) == (0, 300)


def test_a_match_is_reproducible_and_counts_every_game() -> None:
    one, other = (play_match("random", "greedy", games=60, seed=9) for _ in range(2))
    assert (one.a_wins, one.b_wins, one.draws, one.moves_to_win) == (
        other.a_wins,
        other.b_wins,
        other.draws,
        other.moves_to_win,
    )
    assert one.a_wins + one.b_wins + one.draws == 60


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_plays_a_whole_game(name: str) -> None:
    agent = parse_agent(name)
    record = play_game((agent, AGENTS["random"]), GAMES["tictactoe"].start(), random.Random(1))
    assert record.end.is_over
    assert parse("tictactoe " + " ".join(record.moves)) == record.end


@pytest.mark.parametrize(
    "text",
    [
        "two-ply",
        "uct nodes=50",
        "alphabeta heuristic=counted-lines depth=4 ties=random",
        "greedy depth=2",
        "pvs scoring=distance depth=2",
    ],
)
def test_agents_are_written_as_text(text: str) -> None:
    agent = parse_agent(text)
    assert agent.name == text
    assert agent.choices(parse("tictactoe 5"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nobody",
        "alphabeta depth=x",
        "alphabeta depth=0",
        "alphabeta deep=3",
        "two-ply depth=2",
        "pvs cut=gt",
        "uct ties=some",
        "alphabeta depth",
        "alphabeta order=up",
    ],
)
def test_bad_agents_are_refused(text: str) -> None:
    with pytest.raises(PlyscopeError, match="expected"):
        parse_agent(text)


def test_the_perfect_agent_plays_proven_moves() -> None:
    perfect = parse_agent("perfect")
    assert certify("perfect").never_loses
    position = parse("4,3,3")
    while not position.is_over:  # a win in 7 plies against one that loses as slowly as can be
        position = position.play(perfect.choose(position, random.Random(1)).move)
    assert (position.winner, (position.first | position.second).bit_count()) == (0, 7)
    assert perfect.choices(parse("connect4 32164625")) == (
        parse("connect4").game.parse_move(parse("connect4 32164625"), "c2"),
    )
    assert parse_agent("perfect seconds=2").choices(parse("X../.O./..X")) == (1, 3, 5, 7)
    assert set(parse_agent("perfect seconds=0.1").choices(parse("gomoku9"))) <= set(range(81))
    with pytest.raises(PlyscopeError, match="unknown option 'depth'"):
        parse_agent("perfect depth=3")


def test_games_are_decided_by_what_they_are_worth() -> None:
    plain = play_match("perfect", "perfect", 20, "4,3,3", 5, opening_plies=1)
    decided = play_match("perfect", "perfect", 20, "4,3,3", 5, opening_plies=1, decide_at=6)
    assert (decided.a_wins_as_x, decided.a_wins_as_o, decided.draws) == (
        plain.a_wins_as_x,
        plain.a_wins_as_o,
        plain.draws,
    )
    assert decided.distinct <= plain.distinct
    start = parse("connect4 555422433323451176441511")
    record = play_game((AGENTS["random"], AGENTS["random"]), start, random.Random(1), decide_at=17)
    assert (record.ending, record.is_forfeit) == ("solved", False)
    assert (record.end.first | record.end.second).bit_count() == 25
    assert solve(record.end).value == {None: 0, "x": 1, "o": -1}[record.winner] * (
        1 - 2 * record.end.side
    )
