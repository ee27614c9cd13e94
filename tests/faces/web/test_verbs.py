"""The verbs, as functions: what they answer is what the library answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.evaluation.terms import KindTable
from plyscope.faces.diagrams.picture import draw_tree
from plyscope.faces.web.verbs import VERBS, answer, games, read
from plyscope.searching.algorithms import TEXTBOOK

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def ask(verb: str, **asked: Any) -> dict[str, Any]:
    return answer(verb, read(verb, json.dumps(asked).encode()), lambda told: None)


def told(verb: str, **asked: Any) -> list[dict[str, Any]]:
    heard: list[dict[str, Any]] = []
    heard.append(answer(verb, read(verb, json.dumps(asked).encode()), heard.append))
    return heard


def test_a_position_is_shown_as_it_is() -> None:
    shown = ask("show", position="connect4 444")
    assert shown["cells"][17] == "."
    assert (shown["cells"][24], shown["cells"][31], shown["cells"][38]) == ("x", "o", "x")
    assert (shown["side"], shown["over"], shown["line"]) == ("o", False, None)
    assert shown["moves"] == [35, 36, 37, 17, 39, 40, 41]
    won = ask("play", position="tictactoe a1 a2 b1 b2", move="c1")
    assert (won["winner"], won["line"], won["cell"], won["moves"]) == ("x", [6, 7, 8], 8, [])
    assert ps.parse(won["position"], "tictactoe").winner == 0


def test_a_field_with_a_line_break_is_refused_in_one_line() -> None:
    for name in ("a\nb", "a\r\n\x1b[31mb", "a\u2028b"):
        with pytest.raises(PlyscopeError, match="unknown field `a") as caught:
            ask("show", position="tictactoe", **{name: 1})
        assert str(caught.value).isprintable()


def test_an_explanation_adds_up_to_the_evaluation() -> None:
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


def test_a_table_of_terms_is_explained_searched_and_comes_back() -> None:
    table = {
        "values": {"1,0": 1, "0,1": -1},
        "weights": {"diagonal": 2},
        "tempo": {"2,0": 5},
        "ends": {"2,2": 3, "1,1": 0},
        "cells": {"d1": 4, "a1": 0},
        "threats": {"0,1": 9, "1,0": 2},
        "mobility": {"safe": 1},
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
    with pytest.raises(PlyscopeError, match="key of ends is"):
        ask("explain", position=position, heuristic={**table, "ends": {"2,5": 3}})


def test_the_page_is_told_which_terms_can_say_something() -> None:
    scope = ask("explain", position="tictactoe")["scope"]
    assert (scope["ends"], scope["rows"], scope["unsafe"]) == (False, False, False)
    assert sorted(map(sorted, scope["orbits"])) == [
        ["a1", "a3", "c1", "c3"],
        ["a2", "b1", "b3", "c2"],
        ["b2"],
    ]
    scope = ask("explain", position="connect4")["scope"]
    assert (scope["ends"], scope["rows"], scope["unsafe"]) == (True, True, True)
    assert len(scope["orbits"]) == 24
    assert ["a1", "g1"] in scope["orbits"]
    assert ask("explain", position="15,15,5 h8")["scope"]["orbits"] == []


def test_the_tablebase_is_a_heuristic_of_small_boards() -> None:
    found = ask("explain", position="X../.O./..X o", heuristic="tablebase")
    assert found["total"] == ps.evaluate("X../.O./..X o", "tablebase") == 0
    assert found["lines"] == []
    assert {item["value"] for item in found["after"]} == {0, -997}
    depth = {"depth": 2, "seconds": 30}
    told = ask("analyze", position="4,3,3", algorithm="alphabeta", heuristic="tablebase", **depth)
    assert told["value"] == 1000 - ((ps.solve("4,3,3").distance or 0) - 2)
    with pytest.raises(PlyscopeError, match="'tablebase' is neither a table nor a function; expec"):
        ask("analyze", position="4,3,3", algorithm="engine", heuristic="tablebase", **depth)
    with pytest.raises(PlyscopeError, match="42 cells; expected at most 12 on the page"):
        ask("explain", position="connect4", heuristic="tablebase")


def test_an_analysis_deepens_and_says_what_the_search_says() -> None:
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


def test_an_analysis_ends_at_its_limits() -> None:
    found = ask("analyze", position="connect4 4443", algorithm="alphabeta", nodes=3_000, seconds=30)
    assert found["stopped"] == "nodes"
    assert found["total_nodes"] <= 3_000
    assert ask("analyze", position="connect4 4443", algorithm="alphabeta", depth=3)["depth"] == 3


def test_the_engine_scores_every_move_of_a_small_board() -> None:
    found = ask("analyze", position="tictactoe b2 a3", seconds=2)
    assert found["complete"]
    assert {move["cell"] for move in found["moves"]} == {1, 2, 3, 5, 6, 7, 8}
    assert all(move["sign"] == "=" and move["value"] == 0 for move in found["moves"])


def test_a_proof_is_that_of_the_solver() -> None:
    found, verdict = ask("solve", position="tictactoe b2 a2"), ps.solve("tictactoe b2 a2")
    assert (found["value"], found["distance"], found["best"]) == (
        verdict.value,
        verdict.distance,
        list(verdict.best_moves),
    )
    assert len(found["moves"]) == 7


def test_a_review_marks_the_move_that_threw_it_away() -> None:
    heard = told("review", position="tictactoe", moves=["b2", "b1", "a1", "c3", "a3", "a2", "c1"])
    assert len(heard) == 9
    assert [point["slip"] for point in heard[-1]["points"]] == [
        None,
        None,
        "mistake",
        None,
        None,
        None,
        None,
        None,
    ]
    assert all(point["proved"] for point in heard[-1]["points"])


def test_a_position_is_doubted_to_which_no_game_leads() -> None:
    def doubt(text: str) -> str | None:
        found: str | None = ask("show", position=text)["doubt"]
        return found

    assert doubt("XXX/XX./...") == "no game leads here: X has 5 stones, O 0 stones"
    assert doubt("XXX/OOO/...") == "no game leads here: both sides have a line"
    assert doubt("connect6 j10") is None
    for text in ("tictactoe", "tictactoe b2 a1", "OO./X../...", "connect4 4455667"):
        assert doubt(text) is None, text


def test_agents_are_those_that_answer_soon() -> None:
    assert "full-alphabeta" in ask("show", position="tictactoe")["agents"]
    offered = ask("show", position="connect4")["agents"]
    assert {"two-ply", "perfect", "engine", "level-10"} < set(offered)
    assert not {"full-alphabeta", "accumulating"} & set(offered)
    assert "two-ply" not in ask("show", position="gomoku15")["agents"]


def test_a_tree_of_a_thousand_nodes_is_drawn_and_a_larger_one_refused_in_words() -> None:
    def tree(plies: int) -> str:
        return "[" + ",".join([tree(plies - 1) if plies else "1234567"] * 9) + "]"

    assert len(tree(2)) > 4000
    assert len(ask("trace", position=tree(2), algorithm="alphabeta")["nodes"]) == 820
    with pytest.raises(PlyscopeError, match="tree of 7,381 nodes; expected at most 1,000"):
        ask("trace", position=tree(3))
    with pytest.raises(
        PlyscopeError, match="show: position is too long; expected at most 4,000 ch"
    ):
        ask("show", position="." * 5000)


def test_a_move_between_a_proof_and_an_estimate_is_not_judged() -> None:
    proved = {"proved": True, "share": 1.0}
    estimated = {"proved": False, "share": 0.05}
    assert games._slip(proved, estimated, 0) is None
    assert games._slip(proved, estimated | {"proved": True}, 0) == "mistake"
    assert games._slip(estimated, {"proved": False, "share": -0.3}, 0) == "doubtful"
    assert games._slip(estimated, {"proved": False, "share": -0.3}, 1) is None


def test_a_refutation_is_a_line_that_wins() -> None:
    found = ask("refute", position="tictactoe b2 b1", move="b3")
    position = ps.parse("tictactoe b2 b1").play(*found["line"])
    assert found["line"][0] == "b3"
    assert position.is_over or found["text"].startswith("b3 is worth")
    assert (
        ask("refute", position="tictactoe b2 a3 c3", move="a1")["text"]
        == "a1 is the best move the engine finds: 0 (searched to the end)"
    )


@pytest.mark.parametrize("algorithm", TEXTBOOK)
def test_the_steps_lead_to_the_drawn_tree(algorithm: str) -> None:
    position = "tictactoe b2 a3 c3 a1 a2" if algorithm in ("accumulating", "uct") else TREE
    depth = None if algorithm in ("accumulating", "uct") else 3
    found = ask("trace", position=position, algorithm=algorithm, depth=depth)
    limit = {"nodes": 400} if algorithm == "uct" else {"depth": depth or 2}
    traced = ps.trace(position, algorithm, **limit)  # type: ignore[arg-type]
    picture = draw_tree(traced, whole=True)
    assert len(found["steps"]) == len(traced)
    states: dict[int, dict[str, Any]] = {}
    for step in found["steps"]:
        for number, news in step["changes"]:
            states[number] = news
    nodes = list(picture.root.walk())
    assert [node["name"] for node in found["nodes"]] == [node.name for node in nodes]
    for number, node in enumerate(nodes):
        state = states.get(number, {"score": "", "cut": False, "visits": 0})
        assert (state["score"], state["cut"], state["visits"]) == (
            picture.score_text(node),
            node.is_cut,
            node.visits,
        )
    assert found["steps"][-1]["counts"] == [picture.nodes, picture.leaves, picture.cutoffs]
    for step in found["steps"]:  # each step stands at a line of code that is shown
        module, line = step["at"]
        assert line in {number for number, _ in found["code"].get(module, [])} or step["kind"] in (
            "iteration",
            "enter",
            "leaf",
        ), step


def test_conventions_reach_the_search() -> None:
    tree = "[[5,3],[3,9],[4,2]]"
    assert ask("trace", position=tree)["steps"][-1]["counts"][0] == 9
    assert ask("trace", position=tree, conventions={"cut": "gt"})["steps"][-1]["counts"][0] == 10
    narrow = ask("trace", position=tree, conventions={"alpha": 6, "beta": 9})
    assert narrow["text"] == "≤ 5"
    found = ask("differ", position=tree, second={"conventions": {"cut": "gt"}})
    assert found["counts"]["nodes"] == [9, 10]
    assert len(found["differences"]) == 2


def test_a_question_holds_no_answers_and_the_key_comes_on_demand() -> None:
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


def _text(end: int | None, number: int) -> str:
    return ("−∞", "∞")[number] if end is None else str(end)


def test_no_verb_takes_a_file_or_a_program() -> None:
    for verb, key in (
        ("explain", "heuristic"),
        ("analyze", "heuristic"),
        ("trace", "heuristic"),
        ("move", "agent"),
    ):
        for text in ("x.toml", "x.json", "os.py:system", "program command=ls"):
            with pytest.raises(PlyscopeError, match="unknown"):
                ask(verb, position="tictactoe", **{key: text})


def test_every_verb_says_what_it_is_for() -> None:
    for name, verb in VERBS.items():
        assert verb.summary.endswith("."), name
