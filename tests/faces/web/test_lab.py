"""The bench and the lab: a heuristic of one's own is shaped, measured and played."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.faces.wording import signed
from plyscope_optima import conflicts
from plyscope_web.endpoints import answer, read
from sentences import refuses, says

COUNTED = {"values": {"1,0": 1, "2,0": 5, "0,1": -1, "0,2": -5}}


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def test_plays_the_moves_of_a_search_with_the_table() -> None:
    table = ps.LineTable("mine", {(1, 0): 1, (2, 0): 5, (0, 1): -1, (0, 2): -5})
    position = ps.parse("connect4 443")
    for depth in (1, 4):
        found = ps.search(position, "alphabeta", table, depth=depth, root="open")
        best = {position.game.format_cell(move) for move in found.best_moves}
        for seed in range(4):
            agent = {"heuristic": COUNTED, "depth": depth}
            played = ask("move", position="connect4 443", agent=agent, seed=seed)
            assert played["move"] in best
            assert (played["value"], played["depth"]) == (found.value, depth)


def test_searches_at_least_one_ply_with_a_table() -> None:
    with refuses(PlyscopeError):
        ask("move", position="tictactoe", agent={"heuristic": COUNTED, "depth": 0})


def test_keeps_the_clamp_of_a_table() -> None:
    table = {**COUNTED, "clamp": 3}
    found = ask("explain", position="X../X../...", heuristic=table, side="x")
    assert (found["total"], found["table"]["clamp"]) == (3, 3)
    assert found["sum"] > 3


def test_limits_the_depth_of_tables_to_quick_answers() -> None:
    with refuses(PlyscopeError):
        ask(
            "move", position="15,15,5", agent={"heuristic": {**COUNTED, "name": "mine"}, "depth": 4}
        )
    with refuses(PlyscopeError):
        ask("certify", agent="full-alphabeta", game="connect4")


# Text

TERMS = {
    "name": "my own",
    "values": {"1,0": 1, "0,1": -1, "1,1": 2},
    "weights": {"diagonal": 2},
    "tempo": {"2,0": 5},
    "ends": {"2,2": 3},
    "cells": {"d1": 4},
    "threats": {"0,1": 9},
    "mobility": {"safe": 1},
    "kinds": {"row values 1,0": 7, "row tempo 0,2": -3},
    "clamp": 500,
}


@pytest.mark.parametrize("table", [COUNTED, TERMS])
@pytest.mark.parametrize("form", ["toml", "json", "python"])
def test_reads_a_table_back_from_its_text(table: dict[str, Any], form: str) -> None:
    pasted = ask("paste", text=ask("write", table=table)[form])
    assert pasted["name"] == table.get("name", "")
    for position in ("connect4 44335", "connect4 1122334"):
        before, after = (
            ask("explain", position=position, heuristic=each) for each in (table, pasted["table"])
        )
        assert after["total"] == before["total"]
        assert after["after"] == before["after"]
    assert ask("paste", text=ask("write", table=pasted["table"])[form])["table"] == pasted["table"]


def test_writes_a_table_as_text_that_plyscope_reads(tmp_path: Path) -> None:
    written = ask("write", table=TERMS)
    position = ps.parse("connect4 44335")
    total = ask("explain", position="connect4 44335", heuristic=TERMS)["total"]
    for form in ("toml", "json"):
        file = tmp_path / f"mine.{form}"
        file.write_text(written[form])
        assert ps.evaluate(position, str(file)) == total
    scope: dict[str, Any] = {}
    exec(written["python"], scope)
    assert ps.evaluate(position, scope["my_own"]) == total
    assert "mine = [0, 1]" in ask("write", table={"values": {"1,0": 1, "0,1": -1}})["toml"]


@pytest.mark.parametrize(
    "text",
    [
        "import plyscope as ps\nmine = ps.LineTabel('a', {})",
        "def f(mine, theirs):\n    return mine - theirs",
        "mine = open('x')",
        "[1]",
        'mine = [0, 1\nsummary = "f (x)"',
    ],
)
def test_reads_a_text_as_what_it_looks_like(text: str) -> None:
    with refuses(PlyscopeError):
        ask("paste", text=text)


def test_reads_a_text_without_a_name_or_with_a_section_first() -> None:
    assert ask("paste", text="[cells]\nb2 = 3")["table"]["cells"] == {"b2": 3}
    for text in ("mine = [0, 1]", '{"mine": [0, 1]}', '{"values": {"1,0": 1}}'):
        assert ask("paste", text=text)["name"] == ""


def test_accepts_the_table_of_an_address() -> None:
    table = {"values": {"1,0": 3}, "mobility": {"safe": 2}, "threats": {"0,1": 4}}
    pasted = ask("paste", text=json.dumps(table))["table"]
    assert (pasted["values"], pasted["mobility"], pasted["threats"]) == tuple(table.values())


@pytest.mark.parametrize(
    "text",
    [
        *("", "hello", "[1]", "{", "mine = 3", '{"values": {"1": 3}}', '{"colour": 3}'),
        *("ps.LineTable(", "ps.LineTable(3)", "mine = LineTable('a', {(1, 0): x})"),
        *("ps.LineTable(**{})", "ps.TermSum(cells=3)", "ps.TermSum(kinds={'row': 3})"),
        *("ps.TermSum(3)", "x = 1; y = 'LineTable('", "ps.LineTable('a', {(1, 0): 10**99})"),
        *(
            "ps.LineTable(__import__('os').system('touch run'), {})",
            "[" * 9000,
            "ps.LineTable" + "(" * 9000,
        ),
    ],
)
def test_rejects_a_text_that_is_no_table_in_one_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlyscopeError) as caught:
        ask("paste", text=text)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


# Wrong moves


def wrong_by_hand(heuristic: Any) -> tuple[float, int, int]:
    """Return the wrong moves one ply ahead over all positions of tic-tac-toe, the positions in
    which there is one, and those with a choice, by looking at each with nothing but the rules."""
    values: dict[str, int] = {}

    def worth(position: Any) -> int:
        text = str(position)
        if text not in values:
            if position.is_over:
                values[text] = 0 if position.winner is None else -1
            else:
                values[text] = max(-worth(position.play(move)) for move in position.moves)
        return values[text]

    start = ps.parse("tictactoe")
    worth(start)
    wrong, faulty, choices, seen, waiting = 0.0, 0, 0, {str(start)}, [start]
    while waiting:
        position = waiting.pop()
        if position.is_over:
            continue
        after = [position.play(move) for move in position.moves]
        for child in after:
            if str(child) not in seen:
                seen.add(str(child))
                waiting.append(child)
        truth = [-worth(child) for child in after]
        if len(set(truth)) > 1:
            choices += 1
            rated = [
                heuristic.evaluate(child, position.side)
                if not child.is_over
                else (0 if child.winner is None else 10**9)
                for child in after
            ]
            best = [
                value for value, rating in zip(truth, rated, strict=True) if rating == max(rated)
            ]
            wrong += sum(value < max(truth) for value in best) / len(best)
            faulty += min(best) < max(truth)
    return wrong, faulty, choices


def test_counts_wrong_moves_as_by_looking_at_every_position() -> None:
    table = ps.LineTable("mine", {(1, 0): 1, (2, 0): 5, (0, 1): -1, (0, 2): -5})
    wrong, faulty, choices = wrong_by_hand(table)
    found = ask("wrong", heuristic=COUNTED)
    assert (found["choices"], found["whole"], found["about"]) == (
        choices,
        True,
        "all unfinished positions",
    )
    assert choices == 3191
    assert (found["wrong"], found["faulty"]) == (pytest.approx(wrong), faulty)
    assert found["low"] == found["high"] == pytest.approx(wrong / choices)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_counts_wrong_moves_as_the_report_card_does(depth: int) -> None:
    table = ps.LineTable("mine", {(1, 0): 1, (2, 0): 5, (0, 1): -1, (0, 2): -5})
    card = ps.report_card(table, "tictactoe", depth=depth)
    found = ask("wrong", heuristic=COUNTED, depth=depth)
    assert found["share"] == pytest.approx(card.depths[-1].mistakes)
    sampled = ps.report_card(table, "connect4", depth=1, samples=60, seed=3)
    found = ask("wrong", heuristic=COUNTED, game="connect4", samples=60, seed=3)
    assert (found["choices"], found["whole"]) == (sampled.choices, False)
    for key in ("low", "high"):
        assert found[key] == pytest.approx(getattr(sampled.depths[0], key))


def test_lists_changed_positions_as_fixed_and_regressed() -> None:
    worse = {"values": {"1,0": 1, "2,0": 1, "0,1": -5, "0,2": -1}}
    found = ask("wrong", heuristic=COUNTED, before=worse)
    back = ask("wrong", heuristic=worse, before=COUNTED)
    assert (found["fixed"], found["regressed"]) == (back["regressed"], back["fixed"])
    assert found["before"]["wrong"] == back["wrong"] > found["wrong"]
    assert found["before"]["faulty"] + found["regressed"] - found["fixed"] == found["faulty"]
    assert found["chance"] < 0.001 < 0.999 < back["chance"]
    for sort, table, is_right in (("fixed", COUNTED, True), ("fixed", worse, False)):
        for item in found["boards"][sort]:
            position = ps.parse(item["position"])
            values = {
                move: -ps.solve(position.play(position.game.parse_move(position, move))).value
                for move in (position.game.format_cell(cell) for cell in position.moves)
            }
            right = {move for move, value in values.items() if value == max(values.values())}
            assert right == set(item["right"])
            plays = ps.search(
                position, "alphabeta", ps.LineTable("t", pairs(table)), depth=1, root="open"
            ).best_moves
            names = {position.game.format_cell(move) for move in plays}
            assert (names <= right) is is_right
    assert found["boards"]["fixed"]
    same = ask("wrong", heuristic=COUNTED, before=COUNTED)
    assert (same["fixed"], same["regressed"], same["boards"]["fixed"]) == (0, 0, [])


def pairs(table: dict[str, Any]) -> dict[tuple[int, int], int]:
    return {(int(key[0]), int(key[2])): value for key, value in table["values"].items()}


def test_samples_a_larger_game_and_says_so() -> None:
    told: list[dict[str, Any]] = []
    request = read("wrong", b'{"game": "4,3,4", "heuristic": "open-lines"}')
    found = answer("wrong", request, told.append)
    assert (found["whole"], found["positions"]) == (False, 1000)
    assert "random games" in found["about"]
    assert any("positions" in news.get("text", "") for news in told)
    assert found["low"] < found["share"] < found["high"] or found["wrong"] == 0
    with pytest.raises(PlyscopeError, match="no solver"):
        ask("wrong", game="6,6,6,gravity,misere")


@pytest.mark.parametrize("game", ["connect6", "5,5,4,stones=2"])
def test_rejects_a_game_without_a_quick_solver_soon(game: str) -> None:
    began = process_time()
    for endpoint in ("wrong", "report"):
        with pytest.raises(PlyscopeError, match="no solver"):
            ask(endpoint, game=game)
    assert process_time() - began < 15


def test_reports_a_slow_sample_as_it_grows() -> None:
    told: list[dict[str, Any]] = []
    asked = {"game": "5,5,4", "heuristic": "open-lines", "samples": 25, "before": "counted-lines"}
    found = answer("wrong", read("wrong", json.dumps(asked).encode()), told.append)
    parts = [news for news in told if "choices" in news]
    assert [part["positions"] for part in parts] == [10, 20]
    for part in parts:
        first = ask("wrong", **{**asked, "samples": part["positions"]})
        assert {**part, "text": "", "about": ""} == {**first, "text": "", "about": ""}
    assert found["positions"] == 25
    texts = [news["text"] for news in told]
    says(texts[0])
    assert "positions of random games, solved one by one: 20 of 25" in texts


def test_answers_with_the_part_of_a_stopped_sample() -> None:
    def told(news: dict[str, Any]) -> None:
        if news.get("text", "").endswith("20 of 50"):
            raise KeyboardInterrupt

    asked = {"game": "5,5,4", "heuristic": "open-lines", "samples": 50, "seed": 2}
    found = answer("wrong", read("wrong", json.dumps(asked).encode()), told)
    assert found == ask("wrong", **{**asked, "samples": 20})
    with pytest.raises(KeyboardInterrupt):
        answer("wrong", read("wrong", b'{"game": "5,5,4", "seed": 3}'), _interrupt)


# Report cards, certificates, matches


def test_grows_a_report_card_to_that_of_the_library() -> None:
    told: list[dict[str, Any]] = []
    table = ps.LineTable("your table", pairs(COUNTED))
    request = read("report", json.dumps({"heuristic": COUNTED, "depths": 3}).encode())
    found = answer("report", request, told.append)
    card = ps.report_card(table, depth=3).as_dict()
    assert {**found["card"], "microseconds": 0} == json.loads(
        json.dumps({**card, "microseconds": 0}, default=str)
    ) | {key: found["card"][key] for key in ("worst", "notes", "depths")}
    assert list(found["card"]["depths"]) == list(card["depths"])
    assert [len(news["card"]["depths"]) for news in told if "card" in news] == [1, 2, 3]
    (section,) = found["sections"]
    labels = [row[0] for row in section["rows"]]
    assert "wrong moves at depth 3 (with no heuristic: 4.6%)" in labels
    says(section["words"][0])


def test_ends_a_report_card_of_a_sample_at_its_time() -> None:
    options = {"game": "connect4", "samples": 40, "depths": 8, "seconds": 0.01}
    found = ask("report", heuristic="counted-lines", **options)
    assert 1 <= len(found["card"]["depths"]) < 8  # how many end in 0.01 s is the machine's
    same = ps.report_card("counted-lines", "connect4", depth=1, samples=40)
    assert found["card"]["depths"][0]["mistakes"] == same.depths[0].mistakes
    assert any("(" in cell for row in found["sections"][0]["rows"] for cell in row[1:])


def test_tunes_as_the_library_and_counts_wrong_moves_of_the_result() -> None:
    told: list[dict[str, Any]] = []
    request = read("tune", json.dumps({"heuristic": COUNTED, "family": "table"}).encode())
    found = answer("tune", request, told.append)
    table = ps.LineTable("your table", pairs(COUNTED))
    same = ps.tune(table, family="table", trials=False)
    assert found["tuning"]["weights"] == same.as_dict()["weights"]
    assert (found["tuning"]["outcome"], found["tuning"]["trials"]) == (same.outcome, [])
    wrong = ask("wrong", heuristic=found["table"])
    assert wrong["share"] == pytest.approx(same.at_use.after.value)
    assert any("text" in news for news in told)
    headings = [section["heading"] for section in found["sections"]]
    assert headings[:3] == ["Result", "Weights", "Wrong moves by depth"]


def test_explains_conflicts_as_the_library_with_boards() -> None:
    found = ask("why", heuristic="counted-lines", family="kinds", count=1, seconds=3)
    same = conflicts("counted-lines", family="kinds", count=1, additions=False)
    (conflict,) = found["conflicts"]
    places = same.conflicts[0].positions
    assert [each["position"] for each in conflict["boards"]] == [str(a.position) for a in places]
    assert [each["right"] for each in conflict["boards"]] == [[*a.right] for a in places]
    assert conflict["section"]["rows"][-1][0] == "sum"
    assert set(conflict["section"]["rows"][-1][2:]) == {"0"}
    assert "no 8 numbers of kinds make every right move" in found["answer"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"heuristic": "random"}, "has no table"),
        ({"game": "gomoku15"}, "expected a smaller game"),
        ({"depth": 9}, "expected a whole number from 1 to 4"),
    ],
)
def test_rejects_tables_without_conflicts_to_explain(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(PlyscopeError, match=said):
        ask("why", **asked)


@pytest.mark.parametrize(
    "asked",
    [
        {"heuristic": "random"},
        {"game": "gomoku15"},
        {"game": "connect4", "family": "table", "samples": 10},
        {"depth": 7},
    ],
)
def test_rejects_what_the_page_cannot_tune(asked: dict[str, Any]) -> None:
    with refuses(PlyscopeError):
        ask("tune", **asked)


@pytest.mark.parametrize(("depth", "table"), [(1, COUNTED), (2, {"values": {}})])
def test_says_never_loses_of_a_player_that_no_line_of_play_beats(
    depth: int, table: dict[str, Any]
) -> None:
    found = ask("certify", agent={"heuristic": table, "depth": depth})
    agent = ps.Agent(heuristic=ps.LineTable("t", pairs(table)), depth=depth, ties="random")
    assert found["never_loses"] is is_unbeaten(agent)
    assert (found["answer"] == "never loses") is found["never_loses"]


def is_unbeaten(agent: Any) -> bool:
    """Return whether an agent loses no game of tic-tac-toe, whatever is played against it and
    whichever of its best moves it draws."""
    known: dict[tuple[str, int], bool] = {}

    def loses(position: Any, side: int) -> bool:
        if position.is_over:
            return bool(position.winner == 1 - side)
        key = str(position), side
        if key not in known:
            moves = agent.choices(position) if position.side == side else position.moves
            known[key] = any(loses(position.play(move), side) for move in moves)
        return known[key]

    return not any(loses(ps.parse("tictactoe"), side) for side in (0, 1))


def test_does_not_say_never_loses_with_too_many_lines_of_play() -> None:
    found = ask("certify", agent={"heuristic": COUNTED, "depth": 1}, game="6,6,4", seconds=0.6)
    assert found["never_loses"] is not True
    assert found["answer"].startswith(("can be beaten", "not decided"))


def test_plays_the_match_of_the_library_and_reports_its_games() -> None:
    asked = {
        "a": {"heuristic": {**COUNTED, "name": "mine"}, "depth": 2},
        "b": "level-3",
        "games": 40,
        "seed": 5,
    }
    found = ask("match", **asked)
    agent = ps.Agent(heuristic=ps.LineTable("mine", pairs(COUNTED)), depth=2, ties="random")
    same = ps.play_match(agent, "level-3", 40, seed=5, opening_plies=2).as_dict()
    for key in ("a_wins", "b_wins", "draws", "pairs", "distinct", "better"):
        assert found["match"][key] == same[key], key
    (section,) = found["sections"]
    assert section["rows"][0][0] == "mine, 2 plies"
    assert "better" in section["heading"] or "no difference shown" in section["heading"]
    assert found["elo"].startswith(signed(same["elo"]["value"]))
    again = ask("match", **asked)
    assert again["sections"][0]["rows"] == section["rows"]


@pytest.mark.parametrize(
    ("endpoint", "asked"),
    [("wrong", {}), ("report", {}), ("certify", {"agent": "two-ply"})],
)
def test_rejects_a_position_for_questions_about_a_whole_game(
    endpoint: str, asked: dict[str, Any]
) -> None:
    with refuses(PlyscopeError):
        ask(endpoint, game=".X./O../X.O", **asked)


def test_begins_a_match_at_a_given_position() -> None:
    position = "connect4 44444"
    found = ask("match", a="random", b="greedy", game=position, games=10, seed=3)
    same = ps.play_match("random", "greedy", 10, seed=3, start=ps.parse(position))
    assert found["match"]["pairs"] == same.as_dict()["pairs"]
    assert found["match"]["openings"] == 1
    with refuses(PlyscopeError):
        ask("match", a="random", b="greedy", game=position, opening_plies=2)
    with refuses(PlyscopeError):
        ask("match", a="random", b="greedy", game="XXX/OO./...")


def test_ends_a_match_at_its_time_and_says_so() -> None:
    asked = {"a": "random", "b": "level-1", "games": 10_000, "seconds": 0.2}
    heard: list[dict[str, Any]] = []
    found = answer("match", read("match", json.dumps(asked).encode()), heard.append)
    games = found["match"]["games"]
    assert 2 <= games < 10_000
    assert f"the time was over after {games:,} games of 10,000" in found["sections"][0]["notes"]
    assert any("sections" in news for news in heard)


def test_ends_a_match_by_its_sequential_test() -> None:
    found = ask("match", a="perfect", b="random", games=1000, sprt=[0, 100], seconds=30)
    assert found["match"]["stopped"] == "sprt"
    better = "perfect is better than random: the sequential test accepts +100 Elo against 0"
    (section,) = found["sections"]
    assert section["heading"] == better
    assert any(text.startswith("log-likelihood ratio") for text in section["notes"])


def test_answers_with_the_part_of_a_stopped_report_card() -> None:
    def told(news: dict[str, Any]) -> None:
        if news.get("text") == "searching 3 plies":
            raise KeyboardInterrupt

    found = answer("report", read("report", b'{"depths": 6}'), told)
    assert len(found["card"]["depths"]) == 2
    with pytest.raises(KeyboardInterrupt):
        answer("report", read("report", b'{"depths": 6}'), _interrupt)


def _interrupt(news: dict[str, Any]) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "text",
    [
        "-" * 39_000 + "1  # LineTable()",
        "LineTable(" + "1+" * 15_000 + "1)",
        "x" + ".a" * 15_000 + "  # LineTable()",
        "a" + ".a" * 15_000 + " = 1",
        '{"a":' * 7_000,
    ],
)
def test_rejects_a_text_nested_too_deep_in_one_line(text: str) -> None:
    # how deep JSON may be is the matter of Python's version: 3.13 reads it to its early end
    with pytest.raises(PlyscopeError, match=r"too deep|column 35001") as caught:
        ask("paste", text=text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["class", "None"])
def test_reads_back_a_table_named_like_a_keyword(name: str) -> None:
    text = ask("write", table={"values": {"1,0": 1}, "name": name})["python"]
    assert ask("paste", text=text)["name"] == name
