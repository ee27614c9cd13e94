"""The lab on games of one's own: matches, records, certificates and report cards, held to brute
force over the rules alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from commands import output
from games import DotsAndBoxes, Kalah, Othello
from plyscope.errors import AgentError, OptionError, PlyscopeError
from plyscope.lab.agents.agent import legal_move
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.matches.game import GameRecord
from plyscope.lab.matches.gametext import read_games, write_games
from plyscope.lab.matches.match import play_match
from plyscope.lab.matches.records import Records
from plyscope.lab.matches.tournament import tournament
from plyscope.lab.people.workers import LocalWorkers
from plyscope.rules.game import GamePosition, as_game
from plyscope.rules.games import parse_game
from sentences import refuses, says
from sources import sources

EXAMPLES = Path(__file__).parents[2] / "examples"
NIM = f"{EXAMPLES / 'nim.py'}:Nim"

ROUND = sources("own_games")["round"]


@pytest.fixture
def round_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "round.py").write_text(ROUND)
    monkeypatch.chdir(tmp_path)
    return "round.py"


def records_of(*words: Any, **options: Any) -> list[GameRecord]:
    """Return the games of a match, in order."""
    found: list[GameRecord] = []

    class Kept:
        def experiment(self, question: dict[str, Any]) -> int:
            return 0

        def pairs(self, number: int) -> dict[int, list[GameRecord]]:
            return {}

        def keep(self, number: int, pair: int, games: list[GameRecord]) -> None:
            found.extend(games)

    play_match(*words, records=Kept(), **options)  # type: ignore[arg-type]
    return found


# Games


def test_reports_a_game_in_which_nobody_can_move() -> None:
    class Stuck(Kalah):
        def moves(self, position: Any) -> Any:
            return [] if position.side else super().moves(position)

    for ask in (
        lambda: play_match("random", "random", 2, Stuck(2, 2)),
        lambda: ps.certify("random", Stuck(2, 2)),
        lambda: ps.report_card("null", Stuck(2, 2)),
    ):
        with pytest.raises(OptionError, match="'kalah' goes on without a move on"):
            ask()


def test_plays_user_defined_games_better_at_higher_levels() -> None:
    found = ps.play_match("level-8", "level-1", games=20, game=Kalah(3, 3), seed=2)
    assert found.a_wins > 15


def test_draws_an_endless_game_at_the_ply_limit(round_file: str) -> None:
    found = play_match(
        f"{round_file}:walker",
        f"{round_file}:walker",
        games=4,
        game=f"{round_file}:Round",
        max_plies=31,
    )
    assert (found.draws, found.at_limit, found.a_forfeits) == (4, 4, 0)
    found = play_match("random", "random", 10, f"{round_file}:Round", seed=1, max_plies=100)
    assert found.at_limit == 0


@pytest.mark.parametrize("answer", [1, "b2", True, 2.0, "nothing", None])
def test_accepts_a_move_or_its_name_from_an_agent(answer: Any) -> None:
    position = GamePosition(as_game(DotsAndBoxes(1, 1)), DotsAndBoxes(1, 1).start())
    if answer == 1 and answer is not True:
        assert legal_move(position, answer) == 1
        assert legal_move(position, "1") == 1
        return
    with pytest.raises(AgentError, match="^answered"):
        legal_move(position, answer)


# Openings


def test_begins_pairs_after_random_moves_by_seed() -> None:
    games = records_of("random", "random", games=20, game=NIM, seed=5, opening_plies=2)
    starts = [game.start.state for game in games]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) > 5
    nim = parse_game(NIM)
    for game in games:
        state = nim.start()
        for move in game.opening.split(", "):
            state = nim.play(state, nim.parse_move(state, move))
        assert state == game.start.state
    more = records_of("random", "random", games=30, game=NIM, seed=5, opening_plies=2)
    assert [game.moves for game in more[:20]] == [game.moves for game in games]
    with refuses(OptionError):
        play_match("random", "random", game=NIM, opening_plies=40)


# Processes


def test_plays_the_same_games_in_other_processes(round_file: str) -> None:
    """The game, a state of a class of its file, and a bot of that file are found again there."""
    words = ("random", f"agent:{round_file}:sitter")
    options = {"games": 12, "game": f"{round_file}:Round", "seed": 4, "opening_plies": 1}
    alone = play_match(*words, **options)
    with LocalWorkers(2, alone=0.0) as workers:
        together = play_match(*words, **options, executor=workers)
    same = ("a_wins_as_x", "a_wins_as_o", "b_wins_as_x", "b_wins_as_o", "pairs", "distinct")
    assert [getattr(alone, name) for name in same] == [getattr(together, name) for name in same]


def test_searches_a_game_of_a_file_with_its_heuristic(round_file: str) -> None:
    agent = ps.parse_agent(f"alphabeta heuristic={round_file}:high depth=1")
    position = ps.parse_game(f"{round_file}:Round")
    start = GamePosition(position, position.start())
    assert agent.choices(start) == (("sit down", 0),)  # which wins
    found = play_match(agent, "random", games=2, game=f"{round_file}:Round", seed=1)
    assert (found.a_forfeits, found.nodes_a_move[0] is not None) == (0, True)


def test_rejects_a_game_without_a_file_for_sandboxed_agents(round_file: str) -> None:
    class Local(Kalah):
        pass

    with refuses(PlyscopeError):
        play_match(f"{round_file}:walker", "random", games=2, game=Local(2, 2))


# Records


def test_reads_recorded_games_instead_of_playing_again(round_file: str) -> None:
    words, options = ("random", "random"), {"game": f"{round_file}:Round", "seed": 2}
    with Records("games.db") as records:
        first = play_match(*words, games=6, records=records, opening_plies=2, **options)
        (experiment,) = records.experiments()
        assert experiment.question["game"] == "round.py:Round"
        assert "round.py" in experiment.question["files"]
        kept = [game for pair in records.pairs(1).values() for game in pair]
        again = play_match(*words, games=6, records=records, opening_plies=2, **options)
        assert again.seconds_a_move == first.seconds_a_move  # to the last digit
        more = play_match(*words, games=10, records=records, opening_plies=2, **options)
        assert len(records.experiments()) == 1
    played = records_of(*words, games=10, opening_plies=2, **options)
    assert [(game.start.state, game.moves, game.winner) for game in kept] == [
        (game.start.state, game.moves, game.winner) for game in played[:6]
    ]
    assert more.games == 10
    assert any(" " in move for game in kept for move in game.moves)


def test_reports_a_changed_game_file_in_records(
    round_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.faces.cli import run

    assert (
        run(["match", "random", "random", "-g", "round.py:Round", "-n", "2", "--record", "r"]) == 0
    )
    assert run(["records", "r"]) == 0
    assert "has changed" not in capsys.readouterr().err
    Path("round.py").write_text(ROUND.replace("% 4", "% 5"))
    assert run(["records", "r"]) == 0
    says(capsys.readouterr().err)
    assert (
        run(["match", "random", "random", "-g", "round.py:Round", "-n", "2", "--record", "r"]) == 0
    )
    with Records("r") as records:
        assert len(records.experiments()) == 2  # another game


def test_reads_games_back_from_text(round_file: str) -> None:
    games = [
        *records_of("random", "random", games=3, game=f"{round_file}:Round", seed=2),
        *records_of("random", "random", games=3, game=NIM, seed=2, opening_plies=3),
    ]
    text = "\n".join(write_games(games))
    told = [(g.players, g.start, g.opening, g.moves, g.end, g.winner, g.ending) for g in games]
    read = list(read_games(text))
    assert [
        (g.players, g.start, g.opening, g.moves, g.end, g.winner, g.ending) for g in read
    ] == told
    assert [ply.side for g in read for ply in g.plies] == [
        ply.side for g in games for ply in g.plies
    ]


def test_plays_a_tournament_and_rates_the_agents() -> None:
    found = tournament(["level-6", "random"], games=20, game=NIM, seed=1)
    ratings = found.ratings.by_player
    assert found.game == NIM
    assert ratings["level-6"].value > ratings["random"].value


# Certificates


def test_finds_a_loss_among_too_many_lines() -> None:
    found = ps.certify("random", Kalah(4, 4), max_positions=100, seconds=20)
    assert found.is_searched
    assert found.losing_line is not None
    game, state = Kalah(4, 4), Kalah(4, 4).start()
    (side,) = [side for side in found.sides if side.losing_line == found.losing_line][:1]
    for move in found.losing_line:
        state = game.play(state, game.parse_move(state, move))
    assert game.payoff(state) * (1 if side.agent_side == "x" else -1) < 0


def test_rejects_a_certificate_of_an_endless_game(round_file: str) -> None:
    with refuses(OptionError):
        ps.certify("random", f"{round_file}:Round")


# Report cards


def no_opinion(state: Any) -> int:
    return 0


def test_gives_distances_of_the_solver_in_a_whole_game() -> None:
    whole = WholeGame(parse_game(NIM))
    for at, state in enumerate(whole.positions):
        verdict = ps.solve(GamePosition(whole.game, state), with_moves=False)
        assert (whole.exact_values[at], whole.distances[at]) == (verdict.value, verdict.distance)


def test_rejects_a_report_card_of_an_endless_game(round_file: str) -> None:
    with refuses(OptionError):
        ps.report_card(no_opinion, f"{round_file}:Round")


# What cannot be had


@pytest.mark.parametrize(
    "ask",
    [
        lambda: play_match("two-ply", "random", game=NIM),
        lambda: play_match("engine", "random", game=NIM),
        lambda: play_match("program command=cat", "random", game=NIM),
        lambda: play_match("random", "random", game=NIM, balanced=True),
        lambda: play_match("random", "random", game=NIM, adjudicate=3),
        lambda: play_match("random", "random", game=NIM, max_plies=0),
        lambda: ps.report_card("null", NIM, samples=5),
        lambda: play_match("random", "random", game=Othello(4), records=object()),
    ],
)
def test_rejects_impossible_requests_in_a_line_with_the_game(ask: Any) -> None:
    with refuses(PlyscopeError) as raised:
        ask()
    assert "\n" not in str(raised.value)


def test_reports_matches_and_cards_of_a_user_defined_game(
    round_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.faces.cli import run

    Path("rate.py").write_text("def rate(state):\n    return sum(map(ord, str(state))) % 7 - 3\n")
    assert run(["match", "random", "level-1", "-g", NIM, "-n", "4", "--record", "r"]) == 0
    assert run(["report-card", "rate.py:rate", "-g", NIM, "--depth", "2", "--record", "r"]) == 0
    capsys.readouterr()
    told = output(capsys, "records", "r", "--report")
    assert told.count(f"## {NIM}") == 1
    assert "The worst mistakes of rate" in told
    assert "mirrored" not in told
    assert run(["records", "r", "--output", "r.html"]) == 0
    assert "<pre>" in Path("r.html").read_text()


# Every call of the table in which a game of one's own once failed


def test_prints_a_certificate_of_a_game_without_a_name() -> None:
    found = ps.certify("random", type(parse_game(NIM))())
    assert found.game == "nim"
    assert found.losing_line is not None
    assert " ".join(found.losing_line) in str(found)


class Take(ps.Game):
    """Each side takes one or two; who takes the last one wins."""

    most = 2
    heap = 3

    def start(self) -> tuple[int, int]:
        return self.heap, 0

    def side(self, state: tuple[int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [take for take in range(1, self.most + 1) if take <= state[0]]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, 1 - state[1]

    def payoff(self, state: tuple[int, int]) -> int | None:
        return None if state[0] else 1 if state[1] else -1


def test_measures_a_changed_game_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope.lab.judging.populations._latest", {})
    game, counts = Take(), []
    for heap, most in ((3, 2), (3, 1), (8, 1), (3, 2)):
        monkeypatch.setattr(Take, "heap", heap)
        monkeypatch.setattr(Take, "most", most)
        counts.append(ps.report_card("null", game, depth=1).positions)
    assert counts == [6, 4, 9, 6]
    monkeypatch.setattr("plyscope.lab.judging.whole.MAX_POSITIONS", 8)
    monkeypatch.setattr(Take, "heap", 30)
    with pytest.raises(OptionError, match="more than 8 positions"):
        ps.report_card("null", game, depth=1)
    monkeypatch.setattr(Take, "heap", 3)
    assert ps.report_card("null", game, depth=1).positions == 6
