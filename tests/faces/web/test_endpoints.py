"""The endpoints, as functions: what they answer is what the library answers."""

from __future__ import annotations

import json
import re
from time import process_time
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.evaluation.linetable import KindTable
from plyscope.lab.questions.exam.exam import exam
from plyscope.lab.questions.quiz.boards import BoardQuestion, mark_board
from plyscope_web.endpoints import answer, in_short, quiz, read
from sentences import refuses, says


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def told(endpoint: str, **asked: Any) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    heard.append(answer(endpoint, read(endpoint, json.dumps(asked).encode()), heard.append))
    return heard


def test_shows_a_position_as_it_is() -> None:
    shown = ask("show", position="connect4 444")
    assert shown["cells"][17] == "."
    assert (shown["cells"][24], shown["cells"][31], shown["cells"][38]) == ("x", "o", "x")
    assert (shown["side"], shown["over"], shown["line"]) == ("o", False, None)
    assert shown["moves"] == [35, 36, 37, 17, 39, 40, 41]
    won = ask("play", position="tictactoe a1 a2 b1 b2", move="c1")
    assert (won["winner"], won["line"], won["cell"], won["moves"]) == ("x", [6, 7, 8], 8, [])
    assert ps.parse(won["position"], "tictactoe").winner == 0


@pytest.mark.parametrize(
    ("endpoint", "asked"),
    [
        ("report", {"depths": 0}),
        ("report", {"depths": 2.5}),
        ("report", {"seconds": -1}),
        ("question", {"asked": ["all"]}),
        ("question", {"branching": [2, 9]}),
        ("trace", {"position": "1", "conventions": {"cut": 1}}),
        ("explain", {"position": "1", "heuristic": {}}),
        ("explain", {"position": "1", "heuristic": {"values": {"2": 1}}}),
        ("show", []),
    ],
)
def test_rejects_a_request_in_plain_words(endpoint: str, asked: Any) -> None:
    with pytest.raises(PlyscopeError) as caught:
        read(endpoint, json.dumps(asked).encode())
    says(str(caught.value))


def test_rejects_an_unreadable_rest_of_a_request_in_plain_words() -> None:
    for rest in (b"", b', "a": ' + b"[" * 100_000, b', "a": ' + b"9" * 5_000 + b"}"):
        with pytest.raises(PlyscopeError, match="expected"):
            read("show", b'{"position": 3' + rest)


def test_says_what_was_expected_when_it_quotes_a_large_board() -> None:
    over = "20,20,5 a1 a2 b1 b2 c1 c2 d1 d2 e1"
    with pytest.raises(PlyscopeError) as caught:
        ask("suggest", position=over)
    said = in_short(caught.value)
    assert len(said) < 420
    assert said.startswith("'20,20,5 ......")
    assert said.endswith("is over; expected an unfinished position")


def test_explains_terms_that_add_up_to_the_evaluation() -> None:
    for heuristic in ("open-lines", "weighted-lines", "counted-lines", "diagonal-lines"):
        found = ask("explain", position="XO./.X./..O", heuristic=heuristic)
        position = ps.parse("XO./.X./..O")
        assert (
            found["total"]
            == ps.evaluate(position, heuristic)
            == sum(share["value"] for share in found["lines"])
        )
        for item in found["after"]:
            assert item["value"] == ps.evaluate(position.play(item["cell"]), heuristic, side="x")
        again = ask("explain", position="XO./.X./..O", heuristic=found["table"])
        assert again["total"] == found["total"]


def test_explains_searches_and_returns_a_table_of_terms() -> None:
    table = {
        "values": {"1,0": 1, "0,1": -1},
        "weights": {"diagonal": 2},
        "tempo": {"2,0": 5},
        "ends": {"2,2": 3, "1,1": 0},
        "cells": {"d1": 4, "a1": 0},
        "threats": {"0,1": 9, "1,0": 2},
        "mobility": {"safe": 1},
        "patterns": {"2,1": 6, "4,0": 11},
        "pattern_tempo": {"3,0": 13},
        "kinds": {"row values 1,0": 7, "row tempo 0,2": -3, "column values 2,0": 0},
    }
    position = "connect4 44335"
    found = ask("explain", position=position, heuristic=table)
    own = ps.TermSum(
        ps.LineTable("your table", {(1, 0): 1, (0, 1): -1}, {"diagonal": 2}),
        tempo={(2, 0): 5},
        ends={(2, 2): 3},
        cells={"d1": 4},
        threats={(0, 1): 9, (1, 0): 2},
        mobility=1,
        patterns={(2, 1): 6, (4, 0): 11},
        pattern_tempo={(3, 0): 13},
        kinds={"row": KindTable({(1, 0): 7}, {(0, 2): -3})},
    )
    assert found["total"] == found["sum"] == ps.evaluate(position, own)
    assert found["total"] == sum(share["value"] for share in found["terms"])
    assert found["notes"] == list(ps.explain(position, own).notes)
    for item in found["after"]:
        after = ps.parse(position).play(item["cell"])
        assert item["value"] == ps.evaluate(after, own, side="o")
    assert ask("explain", position=position, heuristic=found["table"])["total"] == found["total"]
    told = ask("analyze", position=position, algorithm="alphabeta", heuristic=table, depth=4)
    assert told["value"] == ps.search(position, heuristic=own, depth=4).value
    with refuses(PlyscopeError):
        ask("explain", position=position, heuristic={**table, "ends": {"2,5": 3}})


def test_lists_the_terms_that_apply_to_the_game() -> None:
    scope = ask("explain", position="tictactoe")["scope"]
    assert (scope["rows"], scope["unsafe"]) == (False, False)
    assert sorted(map(sorted, scope["orbits"])) == [
        ["a1", "a3", "c1", "c3"],
        ["a2", "b1", "b3", "c2"],
        ["b2"],
    ]
    scope = ask("explain", position="connect4")["scope"]
    assert (scope["rows"], scope["unsafe"]) == (True, True)
    assert len(scope["orbits"]) == 24
    assert scope["patterns"][-2:] == [[3, 1], [4, 0]]
    assert ["a1", "g1"] in scope["orbits"]
    assert ask("explain", position="15,15,5 h8")["scope"]["orbits"] == []


def test_offers_the_tablebase_as_a_heuristic_of_small_boards() -> None:
    found = ask("explain", position="X../.O./..X o", heuristic="tablebase")
    assert found["total"] == ps.evaluate("X../.O./..X o", "tablebase") == 0
    assert found["lines"] == []
    assert {item["value"] for item in found["after"]} == {0, -997}
    depth = {"depth": 2, "seconds": 30}
    told = ask("analyze", position="4,3,3", algorithm="alphabeta", heuristic="tablebase", **depth)
    assert told["value"] == 1000 - ((ps.solve("4,3,3").distance or 0) - 2)
    with refuses(PlyscopeError):
        ask("analyze", position="4,3,3", algorithm="engine", heuristic="tablebase", **depth)
    with refuses(PlyscopeError):
        ask("explain", position="connect4", heuristic="tablebase")


def test_deepens_an_analysis_to_the_result_of_the_search() -> None:
    heard = told(
        "analyze",
        position="connect4 4443",
        algorithm="alphabeta",
        heuristic="counted-lines",
        depth=5,
        seconds=30,
    )
    assert [item["depth"] for item in heard] == [1, 2, 3, 4, 5, 5]
    for item in heard:
        found = ps.search(
            "connect4 4443", "alphabeta", "counted-lines", depth=item["depth"], root="open"
        )
        assert item["value"] == found.value
        assert {move["cell"]: move["value"] for move in item["moves"]} == {
            move.move: move.value for move in found.moves
        }
        assert {move["sign"] for move in item["moves"]} == {"="}
        assert item["nodes"] == found.nodes


def test_ends_an_analysis_at_its_limits() -> None:
    found = ask("analyze", position="connect4 4443", algorithm="alphabeta", nodes=3_000, seconds=30)
    assert found["stopped"] == "nodes"
    assert found["total_nodes"] <= 3_000
    assert ask("analyze", position="connect4 4443", algorithm="alphabeta", depth=3)["depth"] == 3


def test_scores_every_move_of_a_small_board_with_the_engine() -> None:
    found = ask("analyze", position="tictactoe b2 a3", seconds=2)
    assert found["complete"]
    assert {move["cell"] for move in found["moves"]} == {1, 2, 3, 5, 6, 7, 8}
    assert all(move["sign"] == "=" and move["value"] == 0 for move in found["moves"])


def test_returns_the_proof_of_the_solver() -> None:
    found, verdict = ask("solve", position="tictactoe b2 a2"), ps.solve("tictactoe b2 a2")
    assert (found["value"], found["distance"], found["best"]) == (
        verdict.value,
        verdict.distance,
        list(verdict.best_moves),
    )
    assert len(found["moves"]) == 7
    reason, why = found["reason"], ps.why("tictactoe b2 a2")
    assert (reason["kind"], reason["sentence"]) == (why.kind, why.sentence)
    assert [verdict.position.game.format_cell(cell) for cell in reason["cells"]] == [*why.cells]


def test_tells_the_reason_for_the_reply_to_a_move() -> None:
    found = ask("refute", position="tictactoe a1", move="b1", seconds=1)
    why = ps.why("tictactoe a1", against="b1")
    assert found["reason"]["sentence"] == why.sentence
    assert found["reason"]["kind"] == "refuted"


@pytest.mark.parametrize("text", ["tictactoe a3 b3", "5,3,3 c3 e1", "5,3,3", "4,4,3,misere b1"])
def test_shows_each_winning_line_to_its_end(text: str) -> None:
    *_, early, found = told("solve", position=text)
    assert (early["value"], early["lines"]) == (found["value"], [])  # the proof comes first
    position = ps.parse(text)
    wins = {item["move"]: item["distance"] for item in found["moves"] if item["value"] == 1}
    lines = {line[0]: line for line in found["lines"]}
    assert set(wins) <= set(lines)
    assert found["lines"][0] == found["line"]
    for move, line in lines.items():
        end = position.play(*line)
        assert end.is_over
        if move in wins:
            assert end.winner == position.side
            assert len(line) == wins[move]


def test_marks_the_losing_move_in_a_review() -> None:
    heard = told("review", position="tictactoe", moves=["b2", "b1", "a1", "c3", "a3", "a2", "c1"])
    assert len(heard) == 10  # each position, all again, and the answer
    assert [point["verdict"] for point in heard[-1]["points"]] == [
        None,
        None,
        "mistake",
        *[None] * 5,
    ]
    assert all(point["proved"] for point in heard[-1]["points"])
    start, _, gave, *_ = heard[-1]["points"]
    assert (start["gives"], start["better"], start["sentence"]) == (False, [], "")
    assert (gave["gives"], gave["better"]) == (True, ["a3", "c3", "a1", "c1"])
    says(gave["sentence"])
    assert [point["gives"] for point in heard[-1]["points"]].count(True) == 1


def test_marks_a_win_that_comes_later_than_it_could_in_a_review() -> None:
    moves = ["a3", "b3", "a2", "c3", "b2", "a1", "c1"]
    *_, heard = told("review", position="tictactoe", moves=moves)
    late = heard["points"][5]
    assert (late["verdict"], late["gives"], late["better"]) == ("slower win", False, [])
    assert [point["verdict"] for point in heard["points"]].count("slower win") == 1
    says(late["sentence"])


def test_solves_each_position_of_a_review_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[ps.Position] = []

    def counting(position: ps.Position, *words: Any, **options: Any) -> Any:
        searched.append(position)
        return ps.search(position, *words, **{**options, "depth": 2})

    monkeypatch.setattr("plyscope.lab.judging.review.search", counting)
    moves = ["h8", "a1", "i8", "a2", "j8", "o15"]
    points = ask("review", position="gomoku15", moves=moves, seconds=0.2)["points"]
    assert len(searched) == len(set(searched)) <= len(points)
    assert points[-1]["sentence"].startswith("move 6, O o15")
    assert points[-1]["gives"] == bool(points[-1]["better"])


def test_proves_the_moves_that_a_review_leaves_open() -> None:
    moves = ["c1", "b1", "b2", "a1", "g1", "g2", "c2", "b3", "c3", "d1", "c4"]
    *heard, last = told("review", position="connect4", moves=moves, seconds=0.02, proving=30)
    brief = heard[len(moves) + 1]["points"]  # each position, and what follows from later ones
    open_ = [ply for ply, point in enumerate(brief) if ply and not point["judged"]]
    assert open_
    assert not any(point["gives"] for point in brief[1:] if not point["judged"])
    assert sum(bool(point.get("judged")) for point in last["points"]) > len(moves) - len(open_)
    counts = [sum(point["proved"] for point in each["points"]) for each in heard[len(moves) + 1 :]]
    assert counts == sorted(counts)


def test_keeps_the_review_when_its_proofs_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: Any, **options: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("plyscope.lab.judging.review.solve", stopped)
    moves = ["h8", "g9", "h9"]
    points = ask("review", position="gomoku15", moves=moves, seconds=0.02, proving=5)["points"]
    assert len(points) == 4


def test_names_the_source_of_a_known_result_on_the_empty_board_alone() -> None:
    known = {
        text: ask("show", position=text)["known"]
        for text in ("gomoku15", "15,15,5,exactly", "qubic", "gomoku15 h8", "20,20,5", "connect4")
    }
    sources = ["Allis 1994", "Allis 1994", "Patashnik 1980", None, None, None]
    assert list(known.values()) == sources


@pytest.mark.parametrize(("text", "middle"), [("gomoku15", ["h8"]), ("20,20,5", ["j11"])])
def test_analyses_the_middle_of_a_large_empty_board(text: str, middle: list[str]) -> None:
    found = ask("analyze", position=text, depth=2, seconds=5)
    names = ask("show", position=text)["names"]
    assert [names[cell] for cell in found["best"]] == middle
    (line,) = found["lines"]
    assert line["cells"][:1] == found["best"]
    assert line["pv"][:1] == middle
    assert not found["settled"]
    assert ask("suggest", position=text)["sentence"].startswith(f"{middle[0]} looks best")


def test_reports_an_end_seen_by_a_search_in_the_words_of_the_game() -> None:
    moves = ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4"]
    *_, last = ask("review", position="gomoku15", moves=moves, seconds=0.2)["points"]
    assert last["proved"]
    assert last["text"] == "X wins in 1 ply"


def test_lists_threats_with_their_lines_and_in_words() -> None:
    one, *others = ask("threats", position="tictactoe a3 b2 a2 c3")["threats"]
    assert (one["kind"], one["side"], one["cells"], one["line"]) == ("line", "x", [6], [0, 3, 6])
    assert one["title"] == "X completes a line at a1"
    kinds = [(each["kind"], each["side"]) for each in others]
    assert kinds.count(("line", "o")) == 1
    assert set(kinds) == {("line", "o"), ("double", "o")}  # one more beside a1


def test_doubts_a_position_to_which_no_game_leads() -> None:
    def doubt(text: str) -> str | None:
        found: str | None = ask("show", position=text)["doubt"]
        return found

    says(doubt("XXX/XX./..."))
    says(doubt("XXX/OOO/..."))
    assert doubt("connect6 j10") is None
    for text in ("tictactoe", "tictactoe b2 a1", "OO./X../...", "connect4 445566"):
        assert doubt(text) is None, text


def test_offers_only_agents_that_answer_soon() -> None:
    assert "full-alphabeta" in ask("show", position="tictactoe")["agents"]
    offered = ask("show", position="connect4")["agents"]
    assert {"two-ply", "perfect", "engine", "level-10"} < set(offered)
    assert not {"full-alphabeta", "accumulating"} & set(offered)
    assert "two-ply" not in ask("show", position="gomoku15")["agents"]
    for position, agent in (("gomoku15", "two-ply"), ("4,4,4", "full-alphabeta")):
        with pytest.raises(PlyscopeError, match=f"agent '{agent}' on .* answers soon"):
            ask("move", position=position, agent=agent)


def test_shows_winning_lines_to_the_end() -> None:
    start = "gomoku15 h8 a1 h9 a2 h10 o1"
    found = ask("analyze", position=start, seconds=1.0)
    for line in found["lines"][:2]:
        assert line["text"] == "= win in 3 plies"
        assert ps.parse(start).play(*line["pv"]).winner == 0
        assert len(line["pv"]) == len(line["cells"]) == 3
    proved = ask("solve", position="connect4 44444335633553")
    end = ps.parse("connect4 44444335633553").play(*proved["line"])
    assert (len(proved["line"]), end.winner) == (proved["distance"], 0)


def test_says_in_a_refutation_what_is_proved_of_the_position() -> None:
    lost = ask("refute", position="connect4 444", move="a1")
    assert lost["proved"]
    assert lost["text"].startswith("1 loses in 32 plies; every move loses, and 4 holds out longest")
    early = "connect4 4444"  # which a short question does not prove
    assert "not proved" in ask("refute", position=early, move="a1", seconds=0.3)["text"]
    columns = [35, 36, 37, 10, 39, 40, 41]
    moves = [{"move": move, "value": 1 if move == 10 else -1} for move in columns]
    known = {"position": ask("show", position=early)["position"], "value": 1, "best": [10]}
    told = ask("refute", position=early, move="a1", known=[{**known, "moves": moves}])
    assert (told["proved"], told["value"], told["best"]) == (True, -1, 1)
    assert told["text"] == "1 loses; 4 wins"
    graph = ask("review", position="connect4", moves=list("44444"), known=[known])["points"]
    assert graph[4]["text"] == "X wins"
    with pytest.raises(PlyscopeError, match="'known'"):
        ask("refute", position=early, move="a1", known=[{**known, "best": [0]}])
    with pytest.raises(PlyscopeError, match="but its best move has 1"):
        ask("refute", position=early, move="a1", known=[{**known, "value": 0, "moves": moves}])


def test_gives_a_winning_line_as_refutation() -> None:
    found = ask("refute", position="tictactoe b2 b1", move="b3")
    position = ps.parse("tictactoe b2 b1").play(*found["line"])
    assert found["line"][0] == "b3"
    assert position.is_over or found["text"].startswith("b3 draws, answered by")
    says(ask("refute", position="tictactoe b2 a3 c3", move="a1")["text"])


def test_names_columns_and_the_end_of_the_game_in_a_refutation() -> None:
    found = ask("refute", position="connect4 4444", move="a1")
    assert found["line"][0] == "a1"
    assert re.match(r"1 (is|loses|draws)\b.*; [2-7] |1 is the best", found["text"]), found["text"]
    assert not re.search(r"\b[a-g][1-6]\b", found["text"])
    for game, outcome in (("tictactoe", "wins"), ("misere-tictactoe", "loses")):
        text = ask("refute", position=f"{game} a3 b2 a2 c3", move="a1")["text"]
        assert text.startswith(f"a1 {outcome} in 1 ply; ")
    turns = ask("refute", position="5,5,4,stones=2 a1 b2 b3", move="c1", seconds=0.3)
    assert turns["line"][0] == "c1"


def test_names_columns_in_lines_and_threats_as_in_moves() -> None:
    explained = ask("explain", position="connect4 4455")
    assert "row 1, columns 2–5" in {share["line"] for share in explained["lines"]}
    assert "a3–b2–c1" in {
        share["line"] for share in ask("explain", position="tictactoe b2")["lines"]
    }
    titles = [each["title"] for each in ask("threats", position="connect4 445566")["threats"]]
    assert "X completes a line at 3" in titles
    above = [title for title in titles if "once the column is that high" in title]
    assert not any(re.search(r"\b[a-g][1-6]\b", title) for title in titles), titles
    assert any("at row 2 of column 3, in an even row" in title for title in above)


def test_proves_nothing_by_a_heuristic_that_counts_finished_games() -> None:
    lost, options = "4,4,3,exactly .OOX/OXX./.O.X/O.XX", {"algorithm": "alphabeta", "seconds": 5}
    found = ask("analyze", position=lost, **options)  # X wins there, and the table says −2
    assert (found["complete"], found["settled"]) == (True, False)
    assert ask("analyze", position=lost, algorithm="engine", seconds=5)["settled"]


def test_analyses_turns_of_several_stones_with_the_given_algorithm() -> None:
    found = ask("analyze", position="connect6 j10", seconds=0.5)
    assert found["algorithm"] == "alphabeta"
    ended = ask("analyze", position="4,4,4,stones=2 .OXX/OOX./...X/.XOO", seconds=5)
    assert ended["settled"]


def test_sends_a_question_without_answers_and_the_key_on_demand() -> None:
    asked = {"seed": 3, "depth": 3}
    found = ask("question", **asked)
    assert "key" not in str(found)
    assert not any({"window", "score", "cut"} & set(node) for node in found["nodes"])
    assert ask("mark", question=asked, answer={})["key"] is None
    key = ask("mark", question=asked, answer={}, with_key=True)["key"]
    answer = {
        path: {
            **({} if node["value"] is None else {"value": str(node["value"])}),
            **(
                {}
                if node["window"] is None
                else dict(
                    zip(
                        ("alpha", "beta"),
                        [_text(end, n) for n, end in enumerate(node["window"])],
                        strict=True,
                    )
                )
            ),
            **({"cut": True} if node["cut"] else {}),
        }
        for path, node in key.items()
    }
    marking = ask("mark", question=asked, answer=answer)
    assert marking["points"] == marking["possible"] > 10


@pytest.mark.parametrize("endpoint", ["question", "sheet"])
def test_gives_up_a_rare_question_in_time(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiz, "MAX_SECONDS", 0.1)
    wishes = {"depth": 5, "branching": [3, 3], "deep": 5, "agree": True}
    with refuses(PlyscopeError):
        ask(endpoint, **(wishes if endpoint == "question" else {"question": wishes, "number": 20}))


@pytest.mark.parametrize(
    ("endpoint", "said"), [("report", "expected a smaller game"), ("puzzle", "expected gravity")]
)
def test_rejects_at_once_a_game_whose_random_positions_take_minutes(
    endpoint: str, said: str
) -> None:
    began = process_time()
    with pytest.raises(PlyscopeError, match=said):
        ask(endpoint, game="connect6")
    assert process_time() - began < 10


def test_rejects_a_question_about_too_large_a_tree_before_searching_it() -> None:
    tree = f"[{','.join(['1'] * 50_000)}]"
    began = process_time()
    for endpoint, asked in (
        ("question", {"tree": tree}),
        ("mark", {"question": {"tree": tree}, "answer": {}}),
    ):
        with pytest.raises(PlyscopeError, match=r"tree of 50,001 nodes; expected at most 1,000"):
            ask(endpoint, **asked)
    assert process_time() - began < 10


@pytest.mark.parametrize(
    "wishes",
    [
        {"algorithm": "minimax", "asked": ["values"]},
        {"asked": ["cuts"]},
        {"asked": ["windows"], "branching": [1, 3]},
        {"branching": [1, 3], "depth": 4, "bound": "hard", "cut": "gt"},
    ],
)
def test_gives_hints_in_order_place_rule_answer(wishes: dict[str, Any]) -> None:
    for seed in (1, 2):
        asked = {"seed": seed, **wishes}
        answer: dict[str, dict[str, Any]] = {}
        after, texts = None, []
        while (found := ask("clue", question=asked, answer=answer, after=after))["place"]:
            before, after = after, found["place"]
            assert "  " not in found["text"]
            assert found["text"].endswith((".", "?"))
            texts.append(found["text"])
            assert (found["answer"] is not None) == (after["step"] == "answer")
            if after["step"] != "where":
                assert (before["node"], before["item"]) == (after["node"], after["item"])
            if found["answer"]:
                assert len({*texts[-3:]}) == 3
                answer.setdefault(after["node"], {}).update(found["answer"])
        marking = ask("mark", question=asked, answer=answer)
        assert marking["points"] == marking["possible"] > 0
        assert len(texts) == 3 * marking["possible"]


def test_explains_a_cut_and_a_wrong_cut_in_a_hint() -> None:
    asked = {"tree": "[[5,9],[2,[8,1]]]", "asked": ["cuts"]}
    place = {"node": "1.1", "item": "cut"}
    steps = [
        ask("clue", question=asked, answer={}, after=after)["text"]
        for after in (None, {**place, "step": "where"}, {**place, "step": "rule"})
    ]
    says("\n".join(steps))
    wrong = {"node": "1", "item": "cut", "step": "rule"}
    found = ask("clue", question=asked, answer={"1": {"cut": True}}, after=wrong)
    assert found["answer"] == {"cut": False}
    says(found["text"])


def test_words_a_question_plainly_and_exactly() -> None:
    found = ask("question", asked=["values", "cuts"], cut="gt", bound="hard")
    says(found["task"])
    says("\n".join(found["rules"][:2]))
    says(found["convention"])
    assert ask("question", algorithm="minimax", asked=["values"])["rules"] == []
    with refuses(PlyscopeError):
        ask("question", algorithm="minimax", asked=["cuts"])


def test_asks_boards_in_turn_and_grades_them() -> None:
    items = [ask("pose", seed=seed)["item"] for seed in (1, 2, 3)]
    assert items == ["choice", "order", "evaluation"]
    for seed in (1, 2, 3):
        question = {"seed": seed}
        posed = ask("pose", **question)
        assert set(posed) == {"task", "rules", "item", "moves", "marks", "missing", "shown"}
        assert (posed["marks"], posed["missing"]) == ([], {})
        empty = ask("grade", question=question, answer={}, with_key=True)
        assert empty["points"] == 0 < empty["possible"]
        key = empty["key"]
        right = {"value": str(key["value"])} if "value" in key else {"order": key["order"]}
        right |= {"move": key["move"][0]} if "move" in key else {}
        found = ask("grade", question=question, answer=right)
        assert (found["points"], found["key"]) == (found["possible"], None)
    half = ask("grade", question={"seed": 1}, answer={"move": "c1", "value": "9"})
    assert [mark["verdict"] for mark in half["marks"]] == ["right", "wrong"]
    posed = ask("pose", seed=2)
    says(posed["task"])
    says("\n".join(posed["rules"]))


@pytest.mark.parametrize("seed", [1, 8])
def test_asks_for_the_same_signs_as_an_exam_and_refutes_wrong_ones(seed: int) -> None:
    (question,) = exam(1, seed=seed, ask="signs", game="5,4,4,gravity").questions
    assert isinstance(question, BoardQuestion)
    strategy, game = question.strategy, question.position.game
    assert strategy is not None
    asked = {"seed": seed, "ask": "signs"}
    posed = ask("pose", **asked)
    assert posed["shown"]["position"] == str(question.position)
    written = {mark["cell"]: mark["text"] for mark in posed["marks"]}
    letters = {cell: letter for letter, cell in posed["missing"].items()}
    assert written | letters == strategy.marks()
    assert ask("grade", question=asked, answer={}, with_key=True)["key"] == {"signs": str(strategy)}
    right = ask("grade", question=asked, answer={"signs": str(strategy)})
    assert (right["points"], right["possible"], right["refuted"]) == (3, 3, None)
    found = ask("grade", question=asked, answer={"signs": "00"})
    marked = mark_board(question, {"signs": "00"})
    assert (found["points"], marked.points) == (0, 0)
    assert marked.refuted is not None
    assert tuple(map(game.format_cell, found["refuted"]["cells"])) == marked.refuted.moves
    says(posed["task"])
    says(found["refuted"]["sentence"])
    with refuses(PlyscopeError):
        ask("grade", question=asked, answer={"signs": "A7"})


def test_writes_paper_questions_with_keys_by_seed() -> None:
    asked = {"seed": 4, "asked": ["values"]}
    found = ask("sheet", question=asked, number=3)
    questions, keys = found["questions"]["sheets"], found["keys"]["sheets"]
    assert len(questions) == len(keys) == 3
    says(found["keys"]["title"])
    alone = ask("sheet", question={**asked, "seed": 5})["questions"]["sheets"]
    assert alone == questions[1:2]
    value = ask("mark", question=asked, answer={}, with_key=True)["key"][""]["value"]
    score = f"= {value}".replace("-", "−")
    assert f">{score}<" in keys[0]["svg"]
    assert ">= ____<" in questions[0]["svg"]
    assert f">{score}<" not in questions[0]["svg"]
    own = {"tree": "[[3,17],[2,9]]", "asked": ["values"]}
    assert len(ask("sheet", question=own, number=3)["keys"]["sheets"]) == 1


def _text(end: int | None, number: int) -> str:
    return ("−∞", "∞")[number] if end is None else str(end)
