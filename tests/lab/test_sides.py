"""Opening rules: who cuts and who takes, by whose search, and what records keep of it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from plyscope import parse_game, play_match, search
from plyscope.errors import AgentError, OptionError
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.lab.matches.game import play_game
from plyscope.lab.matches.gametext import read_games, write_games
from plyscope.lab.matches.records import Records
from plyscope.lab.matches.sides import AgentPlayer, check_rule, choose_sides
from sentences import refuses


class Scripted:
    """A player that puts these stones and takes these words."""

    def __init__(self, stones: str = "", *words: str) -> None:
        self.stones, self.words = stones.split(), list(words)
        self.choices: list[tuple[str, ...]] = []

    def put(self, position: Any, stones: int) -> Any:
        put, self.stones = self.stones[:stones], self.stones[stones:]
        assert len(put) == stones
        return position.play(*put)

    def take(self, position: Any, words: tuple[str, ...]) -> str:
        self.choices.append(words)
        return self.words.pop(0)


@pytest.mark.parametrize(
    ("rule", "opener", "other", "board", "is_swapped"),
    [
        ("pie", ["b2"], ["", "x"], "b2", True),
        ("pie", ["b2"], ["", "o"], "b2", False),
        ("swap2", ["b2 a1 c4"], ["", "x"], "b2 a1 c4", True),
        ("swap2", ["b2 a1 c4"], ["", "o"], "b2 a1 c4", False),
        ("swap2", ["b2 a1 c4", "x"], ["d1 d2", "two"], "b2 a1 c4 d1 d2", False),
        ("swap2", ["b2 a1 c4", "o"], ["d1 d2", "two"], "b2 a1 c4 d1 d2", True),
    ],
)
def test_lets_one_agent_place_stones_and_the_other_choose_the_side(
    rule: str, opener: list[str], other: list[str], board: str, is_swapped: bool
) -> None:
    game = parse_game("4,4,4")
    # the words stand second where there are any
    one, two = (Scripted(words[0], *words[1:]) for words in (opener, other))
    seats = choose_sides(rule, game.start(), one, two)
    assert seats == (game.start().play(*board.split()), is_swapped)
    assert two.choices == [("x", "o", "two") if rule == "swap2" else ("x", "o")]
    assert one.choices == ([("x", "o")] if "two" in other else [])


def test_divides_turns_of_several_stones() -> None:
    game = parse_game("5,5,4,stones=2,first=2")
    seats = choose_sides("pie", game.start(), Scripted("a1 b2"), Scripted("", "o"))
    assert (seats.position.first.bit_count(), seats.position.side) == (2, 1)


def test_chooses_the_side_that_the_search_prefers() -> None:
    game, words = parse_game("4,3,3"), ("x", "o")
    agent = AgentPlayer(parse_agent("alphabeta heuristic=null scoring=result"), Random(1))
    seen = set()
    for cell in game.start().moves:
        after = game.start().play(cell)
        value = search(after, "alphabeta", "null", scoring="result").value
        seen.add(value < 0)
        assert agent.take(after, words) == ("x" if value < 0 else "o")
    assert seen == {True, False}
    even = parse_game("4,4,4").start().play("a1", "b2", "c3")
    lazy = AgentPlayer(parse_agent("alphabeta heuristic=null depth=1"), Random(1))
    assert (lazy.take(even, (*words, "two")), lazy.take(even, words)) == ("two", "o")


def test_places_what_the_search_calls_even() -> None:
    agent = AgentPlayer(parse_agent("alphabeta heuristic=counted-lines depth=1"), Random(2))
    start = parse_game("4,4,4").start()
    values = {
        start.play(cell): abs(search(start.play(cell), "alphabeta", depth=1).value)
        for cell in start.moves
    }
    assert len(set(values.values())) > 1
    for _ in range(5):
        assert values[agent.put(start, 1)] == min(values.values())


def test_chooses_at_random_without_a_value() -> None:
    taken = {
        AgentPlayer(parse_agent("random"), Random(seed)).take(
            parse_game("4,4,4").start(), ("x", "o", "two")
        )
        for seed in range(40)
    }
    assert taken == {"x", "o", "two"}


@pytest.mark.parametrize("rule", ["pie", "swap2"])
def test_records_the_sides_and_resumes(rule: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"game": "5,4,4", "seed": 3, "opening": rule}
    whole = play_match("greedy", "random", 40, **asked)
    with Records(tmp_path / "lab.db") as records:
        play_match("greedy", "random", 14, records=records, **asked)
        resumed = play_match("greedy", "random", 40, records=records, **asked)
        played = [game for pair in records.pairs(1).values() for game in pair]
    assert (resumed.pairs, resumed.outcomes) == (whole.pairs, whole.outcomes)
    assert {game.sides for game in played} == {f"{rule} kept", f"{rule} swapped"}
    assert {frozenset(game.players) for game in played} == {frozenset({"greedy", "random"})}
    for number, game in enumerate(played):
        opened = ("greedy", "random")[number % 2]
        assert game.players[game.is_swapped] == opened
        stones = (game.start.first | game.start.second).bit_count()
        assert stones in ((1,) if rule == "pie" else (3, 5))
        assert game.end == game.start.play(*game.moves)
    wins = [game.players["xo".index(game.winner)] for game in played if game.winner]
    assert (wins.count("greedy"), wins.count("random")) == (whole.a_wins, whole.b_wins)
    again = read_games("\n".join(write_games(played)))
    assert [(game.sides, game.players, game.end) for game in again] == [
        (game.sides, game.players, game.end) for game in played
    ]


def test_wins_as_a_perfect_chooser_where_no_opening_is_even() -> None:
    """On 4,3,3 each first move wins or loses: who begins wins, but for the pie rule."""
    agent, start = (
        parse_agent("alphabeta heuristic=null scoring=result"),
        parse_game("4,3,3").start(),
    )
    assert play_game((agent, agent), start, Random(1)).winner == "x"
    for seed in range(4):
        game = play_game((agent, agent), start, Random(seed), rule="pie")
        assert game.winner == ("x" if game.is_swapped else "o")  # the other one's


def test_loses_when_it_fails_during_the_choice_of_sides() -> None:
    class Failing:
        name, summary = "failing", "fails"

        def choices(self, position: Any) -> tuple[int, ...]:
            return (0,)

        def choose(self, position: Any, random: Random) -> Any:
            raise AgentError("agent 'failing' gave up")

    start = parse_game("4,4,4").start()
    game = play_game((parse_agent("greedy"), Failing()), start, Random(1), rule="pie")
    assert (game.winner, game.ending, game.plies) == ("x", "agent 'failing' gave up", ())


@pytest.mark.parametrize(
    ("rule", "position", "said"),
    [
        ("cake", "4,4,4", "opening 'cake'; expected pie or swap2"),
        ("swap2", "5,5,4,stones=2", "opening 'swap2' on '5,5,4,stones=2'; expected turns of one"),
        ("swap2", "2,2,2", "an opening of 5 stones on '2,2,2'; expected a larger board"),
    ],
)
def test_rejects_options_that_do_not_fit_in_one_line(rule: str, position: str, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        check_rule(rule, parse_game(position).start())
    assert str(caught.value).startswith(said)
    with refuses(OptionError):
        check_rule("pie", parse_game("4,4,4").start().play("a1"))
    with refuses(OptionError):
        play_match("random", "random", 2, opening="pie", opening_plies=2)
