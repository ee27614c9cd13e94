"""Agents, games between them, and certificates."""

from __future__ import annotations

import pickle
import random
from operator import attrgetter
from pathlib import Path
from random import Random
from time import process_time, sleep
from typing import Any

import pytest

import oracles
import plyscope
from commands import python
from plyscope import AGENTS, certify, parse, parse_agent, play_match, search, solve
from plyscope.errors import OptionError, PlyscopeError
from plyscope.lab.agents.agent import AllChoices, Choice
from plyscope.lab.agents.catalogue import level
from plyscope.lab.agents.players import LevelAgent, opening_move
from plyscope.lab.agents.searches import SearchAgent
from plyscope.lab.matches.game import play_game
from plyscope.rules.games import GAMES
from plyscope.rules.position import Position
from sentences import refuses, says


def as_text(b: oracles.Board) -> str:
    return "/".join("".join(b[row : row + 3]) for row in (0, 3, 6))


def test_certifies_that_two_ply_never_loses_with_the_oracles_counts() -> None:
    certificate = certify("two-ply")
    assert certificate.never_loses
    assert certificate.losing_line is None
    for side, letter in zip(certificate.sides, "XO", strict=True):
        expected = oracles.play_all(
            lambda b, letter=letter: oracles.two_ply_choices(b, letter), letter
        )  # type: ignore[misc]
        assert (side.wins, side.draws, side.losses) == expected


@pytest.mark.parametrize("name", ["one-ply", "accumulating", "greedy"])
def test_shows_a_game_that_beats_a_beatable_agent(name: str) -> None:
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
def test_finds_a_beating_line_with_the_engine_on_large_boards(agent: str, game: str) -> None:
    certificate = certify(agent, game, max_positions=50, seconds=12)
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
def test_returns_the_partial_certificate_after_ctrl_c(most: int) -> None:
    code = (
        "import threading, _thread\nfrom plyscope import certify, search\nsearch('connect4', 'engine', nodes=1)\n"
        "threading.Timer(1.0, _thread.interrupt_main).start()\n"
        f"found = certify('level-7', 'connect4', max_positions={most}, seconds=1000)\n"
        "print(found.is_searched, found.never_loses, len(found.sides))"
    )
    printed = python("-c", code).stdout
    assert printed in ("True None 2\n", "True False 2\n")


def test_does_not_call_unbeatable_what_the_engine_cannot_beat() -> None:
    certificate = certify("two-ply", max_positions=50, seconds=5)
    assert (certificate.is_searched, certificate.never_loses, certificate.losing_line) == (
        True,
        None,
        None,
    )
    assert "not decided" in certificate.answer


def test_does_not_certify_an_agent_that_draws_or_reads_the_clock() -> None:
    def middle_or_any(position: Any) -> int:
        return int(random.choice(position.moves))

    found = certify("uct nodes=1500 scoring=result")
    assert found.never_loses is not True
    assert certify("uct nodes=1500 scoring=result seed=5").doubt is None
    says(str(certify(middle_or_any).doubt))
    assert certify("engine seconds=0.0005").never_loses is not True
    for sure in ("perfect", "engine seconds=60"):  # which see the end in time
        assert (certify(sure).answer, certify(sure).doubt) == ("never loses", None)


def test_leaves_a_doubtful_agent_undecided_where_no_line_beats_it() -> None:
    class Unsure:
        name = "unsure"

        def all_choices(self, position: Any) -> AllChoices:
            return AllChoices(AGENTS["two-ply"].choices(position), "plays by the weather")

        choices = choose = all_choices

    found = certify(Unsure())
    assert found.never_loses is None
    assert found.as_dict()["doubt"] == "plays by the weather"
    says(found.answer)


def test_does_not_certify_a_file_of_random_moves(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("import random\ndef play(p):\n    return random.choice(p.moves)\n")
    says(str(certify(f"{file}:play", "4,1,2").doubt))


def test_does_not_claim_a_search_without_a_finished_game() -> None:
    class Slow:
        name = "slow"

        def choices(self, position: Any) -> tuple[int, ...]:
            sleep(0.4)
            return tuple(position.moves[:1])

        choose = choices

    answer = certify(Slow(), "gomoku9", seconds=0.5).answer
    assert answer.startswith("not decided: the time ended before every line of play was played")
    assert answer.endswith("no game was finished in time")


def test_rejects_at_once_what_cannot_be_certified() -> None:
    began = process_time()
    with refuses(OptionError):
        certify("perfect", "connect6")
    assert process_time() - began < 10  # its positions take minutes
    turns = "4,4,4,stones=2"
    assert certify("greedy", turns, max_positions=200, seconds=6).never_loses is not True


def test_two_ply_chooses_as_the_oracle_does() -> None:
    agent = AGENTS["two-ply"]
    for b in random.Random(2).sample(oracles.reachable3(), 400):
        if oracles.moves(b, oracles.LINES3):
            assert list(agent.choices(parse(as_text(b)))) == oracles.two_ply_choices(
                b, oracles.to_move(b)
            )


@pytest.mark.parametrize(
    ("spec", "heuristic"),
    [
        ("5,5,4", "patterns"),
        ("6,6,4,renju", "patterns"),
        ("6,6,4,caro", "patterns"),
        ("connect4", "counted-lines"),
        ("5,5,4,misere", "counted-lines"),
    ],
)
def test_uses_patterns_in_levels_with_the_engine_where_they_help(spec: str, heuristic: str) -> None:
    position = parse(spec)
    agent = level(7)
    assert heuristic_of(agent, position) == heuristic
    for _ in range(6):
        position = position.play(agent.choose(position, Random(0)).move)
    assert heuristic_of(level(6), position) == "counted-lines"


def heuristic_of(agent: LevelAgent, position: Position) -> Any:
    search = agent.searcher(position)
    assert isinstance(search, SearchAgent)
    return dict(search.options)["heuristic"]


def test_level_10_plays_proved_moves_with_gravity() -> None:
    position = parse("connect4 4444443333522")  # proved within milliseconds
    for _ in range(4):
        choice, verdict = level(10).choose(position, Random(0)), solve(position)
        assert choice.value == verdict.value
        assert choice.move in verdict.best_moves
        position = position.play(choice.move)
    assert heuristic_of(level(9), position) == "counted-lines"
    assert heuristic_of(level(10), parse("5,5,4")) == "patterns"


@pytest.mark.parametrize("opponent", ["random", "greedy", "one-ply", "level-1"])
def test_two_ply_loses_none_of_many_games(opponent: str) -> None:
    result = play_match("two-ply", opponent, games=300, seed=4)
    assert (result.b_wins, result.a_wins + result.draws) == (0, 300)


def test_a_match_is_reproducible_and_counts_every_game() -> None:
    one, other = (play_match("random", "greedy", games=60, seed=9) for _ in range(2))
    told = attrgetter("a_wins", "b_wins", "draws", "moves_to_win")
    assert told(one) == told(other)
    assert one.a_wins + one.b_wins + one.draws == 60


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
def test_reads_and_writes_agents_as_text(text: str) -> None:
    agent = parse_agent(text)
    assert agent.name == text
    assert agent.choices(parse("tictactoe 5"))


@pytest.mark.parametrize(
    "text",
    [
        *("", "nobody", "alphabeta depth=x", "alphabeta depth=0", "alphabeta deep=3"),
        *("two-ply depth=2", "pvs cut=gt", "uct ties=some", "alphabeta depth"),
        "alphabeta order=up",
    ],
)
def test_rejects_bad_agents(text: str) -> None:
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


def test_decides_games_by_their_value() -> None:
    plain = play_match("perfect", "perfect", 20, "4,3,3", 5, opening_plies=1)
    decided = play_match("perfect", "perfect", 20, "4,3,3", 5, opening_plies=1, adjudicate=6)
    told = attrgetter("a_wins_as_x", "a_wins_as_o", "draws")
    assert told(decided) == told(plain)
    assert decided.distinct <= plain.distinct
    start = parse("connect4 555422433323451176441511")
    record = play_game((AGENTS["random"], AGENTS["random"]), start, random.Random(1), adjudicate=17)
    assert (record.ending, record.is_forfeit) == ("solved", False)
    assert (record.end.first | record.end.second).bit_count() == 25
    assert solve(record.end).value == {None: 0, "x": 1, "o": -1}[record.winner] * (
        1 - 2 * record.end.side
    )


def test_makes_an_agent_of_a_local_function() -> None:
    def corners(board: list[list[int]], player: int) -> int:
        """My corners less theirs."""
        marks = [board[row][column] for row in (0, -1) for column in (0, -1)]
        return marks.count(player) - marks.count(3 - player)

    mine = plyscope.Agent(heuristic=corners, depth=1, name="mine")
    assert isinstance(mine, plyscope.Agent)
    assert (mine.name, mine.summary) == ("mine", "alphabeta heuristic=corners depth=1")
    assert mine.choices(parse("tictactoe")) == (0,)
    every = plyscope.Agent(heuristic=corners, depth=1, ties="random")
    assert every.choices(parse("tictactoe")) == (0, 2, 6, 8)
    result = play_match(mine, "random", games=20, seed=1)
    assert (result.a, result.b, result.games, result.a_forfeits) == ("mine", "random", 20, 0)


@pytest.mark.parametrize(
    "heuristic",
    [
        plyscope.heuristic(lambda mine, theirs: mine / 3, scale=100),
        plyscope.LineTable("pairs", {(2, 0): 1}),
        "weighted-lines",
        lambda mine, theirs, lines: mine,
    ],
)
def test_accepts_for_an_agent_every_heuristic_of_a_search(heuristic: Any) -> None:
    position = parse("X.O/.../...")
    agent = plyscope.Agent(heuristic=heuristic, depth=2)
    assert agent.choices(position) == search(position, heuristic=heuristic, depth=2).best_moves[:1]


def test_makes_agents_of_functions_and_texts() -> None:
    last = plyscope.Agent(lambda position: position.moves[-1], name="last", seconds=1)
    assert (last.name, last.choices(parse("tictactoe"))) == ("last", (8,))
    named = plyscope.Agent("two-ply", name="B")
    assert (named.name, named.spec) == ("B", "B=two-ply")
    assert named.choices(parse("tictactoe")) == parse_agent("two-ply").choices(parse("tictactoe"))
    assert plyscope.Agent("alphabeta depth=2", ties="random").name == (
        "alphabeta depth=2 ties=random"
    )
    assert plyscope.Agent(named) is named


def test_accepts_an_agent_of_a_user_defined_class() -> None:
    class Mine(plyscope.Agent):
        name = summary = "of my own"

        def choices(self, position: Any) -> Any:
            return position.moves[:1]

        def choose(self, position: Any, random: Random) -> Choice:
            return Choice(position.moves[0])

    class Alike:
        """Which extends nothing."""

        name = summary = "alike"
        choices, choose = Mine.choices, Mine.choose

    assert isinstance(Mine(), plyscope.Agent)
    assert isinstance(Alike(), plyscope.Agent)
    assert not isinstance("alphabeta", plyscope.Agent)
    assert play_match(Mine(), Alike(), games=2).games == 2


def test_pickles_agents_for_other_processes() -> None:
    for agent in (parse_agent("x=alphabeta depth=2"), plyscope.Agent(heuristic="null", depth=1)):
        again = pickle.loads(pickle.dumps(agent))
        assert (again, again.name, again.spec) == (agent, agent.name, agent.spec)


@pytest.mark.parametrize("text", ["alphabeta depth=3", "two-ply", "level-3", "uct nodes=50"])
def test_calls_an_agent_in_tables_by_the_name_before_its_text(text: str) -> None:
    agent, plain = parse_agent(f"mine={text}"), parse_agent(text)
    assert (agent.name, agent.spec) == ("mine", f"mine={text}")
    draws = (Random(1), Random(1))
    position = parse("tictactoe b2")
    assert agent.choose(position, draws[0]) == plain.choose(position, draws[1])


def test_reports_two_agents_of_one_name() -> None:
    with refuses(OptionError):
        play_match("mine=alphabeta depth=1", "mine=alphabeta depth=2", games=2)
    assert play_match("mine=random", "mine=random", games=2).games == 2


@pytest.mark.parametrize(
    "text",
    [
        "depth=3",
        "random=alphabeta depth=3",
        "mine=nobody",
        "mine.toml",
        "open-lines",
        "alphabeta scale=3",
    ],
)
def test_rejects_a_name_that_means_something_else(text: str) -> None:
    with pytest.raises(PlyscopeError) as caught:
        parse_agent(text)
    says(f"agent {text}", str(caught.value))


@pytest.mark.parametrize(
    "given",
    [
        {"depht": 3},
        {"ties": "some"},
        {"clock": 3},
        {"name": ""},
        {"heuristic": []},
        {"algorithm": "alfabeta"},
    ],
)
def test_rejects_an_impossible_agent(given: dict[str, Any]) -> None:
    with refuses(PlyscopeError):
        plyscope.Agent(**given)
    with refuses(OptionError):
        plyscope.Agent(3)  # type: ignore[arg-type]


def test_says_where_a_heuristic_given_as_agent_belongs(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(mine, theirs): return 3")
    with refuses(PlyscopeError):
        parse_agent(f"{tmp_path / 'mine.py'}")

    def f(mine: Any, theirs: int) -> int:
        return 3

    with refuses(OptionError):
        plyscope.Agent(f)


def test_reports_a_heuristic_of_unknown_signature_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(position, side): return 3")
    said = r"heuristic 'f\(position, side\)'; expected f\(position\), f\(board\), "
    with pytest.raises(PlyscopeError, match=said):
        parse_agent(f"alphabeta heuristic={tmp_path / 'mine.py'} depth=1")

    def f(position: Any, side: int) -> int:
        return 3

    with pytest.raises(OptionError, match=said):
        plyscope.Agent(heuristic=f, depth=1)


def test_reads_the_scale_of_a_files_fractions_in_the_agents_text(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(board, player): return board[1][1] == player and 0.5")
    agent = parse_agent(f"centre=alphabeta heuristic={tmp_path / 'mine.py'} scale=10 depth=1")
    assert agent.choices(parse("tictactoe")) == (4,)
    choice = agent.choose(parse("tictactoe"), Random(0))
    assert choice.value == 5


@pytest.mark.parametrize("number", [1, 5, 6, 7])
def test_levels_open_in_the_middle_of_a_large_board_and_answer_beside_the_stone(
    number: int,
) -> None:
    for spec, opened in (("gomoku15", ["h8"]), ("20,20,5", ["j10", "j11", "k10", "k11"])):
        start = parse(spec)
        for position, expected in (
            (start, opened),
            (start.play("h8"), ["g7", "g8", "g9", "h7", "h9", "i7", "i8", "i9"]),
        ):
            (move,) = level(number).all_choices(position).moves
            choice = level(number).choose(position, Random(1))
            assert choice.move == move
            assert position.game.format_cell(move) in expected
    assert opening_move(start.play("h8").play("g9")) is None
    for spec in ("gomoku9", "connect4", "4x4x4,4", "10,10,5,misere", "12,12,4,gravity"):
        assert opening_move(parse(spec)) is None
