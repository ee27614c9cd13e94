"""Matches and tournaments as tables: whether a difference is shown, and one line for each agent."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commands import answer, data
from plyscope import play_match
from plyscope.faces.findings.matches import match_findings, match_section
from plyscope.faces.wording import match_verdict
from plyscope.lab.matches.ratings import Interval, Ratings, Sprt, fit_ratings
from sentences import says


def played(a: str, b: str, games: int, **options: Any) -> tuple[str | None, str]:
    """Return who is shown to be better in a match, and the sentence."""
    result = play_match(a, b, games, **options)
    return result.better, match_verdict(result)


def test_tells_an_agent_from_itself() -> None:
    result = play_match("random", "random", games=2)
    assert result.names == ("random (a)", "random (b)")
    assert [row[0] for row in match_section(result).rows] == list(result.names)


def test_says_whether_a_difference_is_shown() -> None:
    sure, said = played("two-ply", "random", 200, seed=1)
    assert sure == "a"
    says(said)
    worse, said = played("random", "two-ply", 200, seed=1)
    assert worse == "b"
    says(said)
    same, said = played("random", "random", 200, seed=4)
    assert same is None
    says(said)
    twice = "alphabeta depth=2", "weak=alphabeta heuristic=null depth=1"
    few, said = played(*twice, 500, opening_plies=0)
    assert few is None
    says(said)


def test_lists_pairs_of_a_match_by_the_points_of_the_first_agent() -> None:
    result = replace(play_match("two-ply", "random", 200, seed=1), pairs=(0, 7, 48, 32, 13))
    said = [line for line in match_findings(result) if "pairs" in line]
    says("\n".join(said))
    assert not any(" pairs " in line for line in match_findings(replace(result, pairs=(0,) * 5)))


def test_gives_a_lower_bound_of_elo_for_an_agent_that_wins_every_game() -> None:
    result = play_match("two-ply", "random", 40, seed=1)
    won = replace(result, pairs=(0, 0, 0, 0, 20), distinct=40)
    says(match_verdict(won))
    says(match_verdict(replace(result, pairs=(20, 0, 0, 0, 0), distinct=40)))


def test_shows_a_difference_after_six_won_pairs_and_not_after_five() -> None:
    """By the sign test too: 2 / 2**6 is below 5 %, 2 / 2**5 above."""
    result = play_match("two-ply", "random", 12, seed=1)
    for pairs, better in ((6, "a"), (5, None)):
        won = replace(result, games=2 * pairs, pairs=(0, 0, 0, pairs, 0), distinct=2 * pairs)
        assert won.better == better


@pytest.mark.parametrize(
    ("elos", "accepted", "better"),
    [
        ((0, 10), "elo1", "a"),
        ((0, 10), "elo0", None),
        ((-20, 0), "elo1", None),
        ((-20, 0), "elo0", "b"),
        ((0, 10), None, None),
    ],
)
def test_says_who_is_better_only_after_a_sequential_test(
    elos: tuple[int, int], accepted: str | None, better: str | None
) -> None:
    result = play_match("two-ply", "random", 40, seed=1)
    tested = replace(result, sprt=Sprt(elo0=elos[0], elo1=elos[1]), verdict=accepted)
    assert tested.better == better
    says(match_verdict(tested))
    told = [
        text
        for text in (match_verdict(tested), *match_findings(tested))
        if re.search("difference|better|accept", text)
    ]
    assert told[1:] == []


NAMES = [f"an-agent-of-a-rather-long-name-{at}" for at in range(12)]


@pytest.mark.parametrize("number", [2, 3, 5, 12])
@pytest.mark.parametrize("gauntlet", [(), ("--gauntlet",)])
def test_prints_a_line_for_each_agent_of_a_tournament_at_80_columns(
    number: int,
    gauntlet: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    agents = [f"{name}=alphabeta depth=1 ties=random" for name in NAMES[:number]]
    status, out, _ = answer(capsys, "tournament", *agents, "-n", "2", "-j", "1", *gauntlet)
    lines = out.splitlines()
    assert status == 0
    assert max(map(len, lines)) <= 80
    rows = [line for line in lines if re.match(r" +\d+ +an-agent", line)]
    assert len(rows) == number
    if gauntlet and number > 2:
        first = next(row for row in rows if f"{NAMES[0][:13]}" in row)
        assert all(len(row.split()) == len(first.split()) for row in rows)
        assert re.search(r"\bwon +drawn +lost\b", out)
        assert "player of that number" not in out
    else:
        assert ("player of that number" in out) == (number <= 5)


def test_keeps_a_line_for_each_agent_with_forfeits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    bad = tmp_path / "bad.py"
    bad.write_text("def f(position):\n    raise ValueError\n", encoding="utf-8")
    searches = [f"alphabeta depth={depth} heuristic=counted-lines" for depth in (1, 2)]
    words = ("tournament", *searches, "random", f"bad-agent=agent:{bad}:f", "-n", "20")
    table = answer(capsys, *words)[1].split("\n\n")[1].splitlines()[2:]
    assert [line.split()[0] for line in table] == ["1", "2", "3", "4"]
    assert all(re.search(r" [+−]\d+ \([+−]\d+ to [+−]\d+\) ", line) for line in table)
    assert table[-1].endswith(" 60")


def test_adds_up_the_scores_of_the_matches_of_a_tournament(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = ["two-ply", "random", *(f"r{at}=alphabeta depth=1 ties=random" for at in range(3))]
    words = ["tournament", *agents, "-n", "6", "--seed", "3", "-j", "1"]
    matches = data(capsys, *words)["matches"]
    for columns in (120, 70):
        monkeypatch.setenv("COLUMNS", str(columns))
        out = answer(capsys, *words)[1]
        table = [line.split() for line in out.splitlines() if re.match(r" \d ", line)]
        names = [row[1] for row in table]
        for match in matches:
            cell = table[names.index(match["a"])][6:][names.index(match["b"])]
            won, drawn, lost = match["a_wins"], match["draws"], match["b_wins"]
            score = f"{100 * (won + drawn / 2) / 6:.0f}"
            assert cell == (f"{won}–{drawn}–{lost}" if columns == 120 else score)


def test_lists_players_of_equal_ratings_in_their_given_order(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last digits of a rating are chance: which of a library's kernels has added it up."""

    def shaken(results: Any) -> Ratings:
        found = fit_ratings(results)
        ratings = [
            Interval(each.value + at * 1e-13, each.low, each.high)
            for at, each in enumerate(found.ratings)
        ]
        return replace(found, ratings=tuple(ratings))

    monkeypatch.setattr("plyscope.lab.matches.tournament.fit_ratings", shaken)
    names = [f"{name}=alphabeta depth=1" for name in "dbca"]
    out = answer(capsys, "tournament", *names, "-n", "2", "-j", "1")[1]
    assert re.findall(r"^ \d +([abcd]) ", out, re.M) == list("dbca")


def test_names_a_failing_bot_in_the_table_of_a_tournament(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text("def bad(position):\n    return 99\n")
    bad = f"bad=agent:{tmp_path / 'bad.py'}:bad"
    out = answer(capsys, "tournament", "two-ply", "random", bad, "-n", "4", "-j", "1")[1]
    assert re.search(r"^ 3 +bad .* 8$", out, re.M)
    assert re.search(r"^stopped 8 times: agent 'bad' answered 99", out, re.M)
