"""The endpoints of Trees: what is shown of a search is what the search did."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope.faces.diagrams import proofs
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.svg import tree_svg
from plyscope.faces.diagrams.tikz import tree_tikz
from plyscope.faces.wording import dotted
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.conventions import Conventions
from plyscope.searching.reference import dfpn, pn
from plyscope.searching.score import format_score
from plyscope_web.endpoints import answer, read, trees
from plyscope_web.pseudocode.catalogue import TEXTS, pseudocode_of
from sentences import refuses, says

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


def test_draws_an_explicit_tree_whole_or_rejects_it_as_too_large() -> None:
    def tree(plies: int, width: int = 9) -> str:
        return "[" + ",".join([tree(plies - 1, width) if plies else "1"] * width) + "]"

    found = ask("trace", position=tree(3), algorithm="minimax")
    assert len(found["nodes"]) == 7_381
    assert found["left"] == ""
    with refuses(PlyscopeError):
        ask("trace", position=tree(3, 10))


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
        state = states.get(number, {})
        assert (state.get("score", ""), state.get("cut", False), state.get("visits", 0)) == (
            picture.score_text(node),
            node.is_cut,
            node.visits,
        )
    assert found["steps"][-1]["counts"] == [picture.nodes, picture.leaves, picture.cutoffs]
    for step in found["steps"]:  # each step stands at a line of code that is shown
        module, line = found["places"][step["at"]]
        assert line in {number for number, _ in found["code"].get(module, [])} or step["kind"] in (
            "iteration",
            "enter",
            "leaf",
        ), step
        assert step["line"] in range(len(found["pseudocode"])), step


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs", "pn", "iterative-deepening"])
def test_counts_the_nodes_left_out_of_a_large_search(algorithm: str) -> None:
    found = ask("trace", position="connect4", algorithm=algorithm, depth=4, most=200)
    whole = ps.search("connect4", algorithm, "counted-lines", depth=4, form="reference")
    shown = found["steps"][-1]["counts"]
    numbers = [int(text.replace(",", "")) for text in re.findall(r"[\d,]*\d", found["left"])]
    assert len(found["nodes"]) <= 200
    assert numbers[:2] == [shown[0], whole.nodes]
    kinds = [event.kind for event in ps.trace("connect4", algorithm, "counted-lines", depth=4)]
    all_of_it = [kinds.count(kind) for kind in ("enter", "leaf", "cutoff")]
    assert all_of_it[0] == whole.nodes
    assert numbers[2:] == [one - other for one, other in zip(all_of_it, shown, strict=True)]
    everything = ask("trace", position="connect4", algorithm=algorithm, depth=4, most=10_000)
    assert everything["left"] == ""
    assert everything["steps"][-1]["counts"] == all_of_it
    names = [node["path"] for node in found["nodes"]]  # the first nodes, where they stand later
    assert [node["path"] for node in everything["nodes"] if node["path"] in set(names)] == names


def test_stops_a_long_search_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MAX_SECONDS", 0.05)
    news: list[dict[str, Any]] = []
    request = read("trace", b'{"position": "connect4", "algorithm": "minimax", "depth": 8}')
    found = answer("trace", request, news.append)
    assert re.search(r"^1,000 of more than \d+,\d+ nodes are shown; .*stopped after", found["left"])
    assert "stopped before it found a value" in found["found"]
    assert re.fullmatch(r"\d,\d+ nodes searched so far", news[0]["text"])


def test_shows_visits_and_means_of_the_search_by_playouts() -> None:
    position = ps.parse("tictactoe b2 a3 c3")
    found = ask("trace", position=str(position), algorithm="uct")
    result = ps.search(position, "uct", "counted-lines", nodes=400)
    last: dict[int, dict[str, Any]] = {}
    for step in found["steps"]:
        last |= dict(step["changes"])
    children = {
        node["name"]: last[number]
        for number, node in enumerate(found["nodes"])
        if node["parent"] == 0
    }
    assert len(children) == len(result.moves)
    for move in result.moves:
        shown = children[position.game.format_cell(move.move)]
        assert move.value is not None
        assert shown["score"].lstrip("≈ ") == format_score(move.value).rstrip("0").rstrip(".")
    assert sum(child["visits"] for child in children.values()) == 399
    assert last[0]["note"] == "399 visits"
    said = [step["say"] for step in found["steps"][:3]]
    says("\n".join(said))


@pytest.mark.parametrize("position", [TREE, "tictactoe b2 a3 c3 a1", "connect4 4444"])
def test_shows_proof_numbers_of_the_search(position: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[tuple[tuple[Any, ...], str]] = []
    update = pn.TreeNode.update

    def watched(node: pn.TreeNode) -> None:
        update(node)
        wanted.append((node.node.path, str(proofs.Numbers(node.proof, node.disproof))))

    monkeypatch.setattr(pn.TreeNode, "update", watched)
    found = ask("trace", position=position, algorithm="pn", depth=3, most=10_000)
    paths = [dotted(path) for path, _ in wanted]
    notes = [note for _, note in wanted]
    shown = [
        (found["nodes"][number]["path"], look["note"])
        for step in found["steps"]
        for number, look in step["changes"]
        if "note" in look
    ]
    at = 0  # every number of the search is shown, in its order
    for pair in zip(paths, notes, strict=True):
        at = shown.index(pair, at)
    assert len(wanted) > 10


@pytest.mark.parametrize("position", [TREE, "tictactoe b2 a3 c3 a1"])
def test_df_pn_shows_the_numbers_that_its_table_keeps(
    position: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    combine = dfpn._combine

    def watched(is_max: bool, children: Any) -> Any:
        numbers = combine(is_max, children)
        kept.append(str(proofs.Numbers(*numbers[:2])))
        return numbers

    monkeypatch.setattr(dfpn, "_combine", watched)
    found = ask("trace", position=position, algorithm="dfpn", depth=3)
    shown = [
        look["note"] for step in found["steps"] for _, look in step["changes"] if "note" in look
    ]
    at = 0
    for note in kept:
        at = shown.index(note, at)
    assert len(kept) > 10


def test_passes_conventions_to_the_search() -> None:
    tree = "[[5,3],[3,9],[4,2]]"
    assert ask("trace", position=tree)["steps"][-1]["counts"][0] == 9
    assert ask("trace", position=tree, conventions={"cut": "gt"})["steps"][-1]["counts"][0] == 10
    narrow = ask("trace", position=tree, conventions={"alpha": 6, "beta": 9})
    assert narrow["text"] == "≤ 5"
    found = ask("differ", position=tree, second={"conventions": {"cut": "gt"}})
    assert found["counts"]["nodes"] == [9, 10]
    assert len(found["differences"]) == found["count"] == 2


def test_lists_differences_between_the_final_states_of_two_searches() -> None:
    asked = {"position": "tictactoe b2 a3 c3", "depth": 3}
    second: dict[str, Any] = {"algorithm": "pvs", "conventions": {"order": "best"}}
    found = ask("differ", **asked, second=second)

    def known(**search: Any) -> dict[str, str]:
        shown = ask("trace", **asked, **search, most=10_000)
        looks: dict[int, dict[str, Any]] = {}
        for step in shown["steps"]:
            looks |= dict(step["changes"])
        paths = [node["path"] for node in shown["nodes"]]
        return {
            paths[number]: look.get("score", "no score")
            for number, look in looks.items()
            if "visits" in look
        }

    one, other = known(), known(**second)
    differing = {path for path in one.keys() | other.keys() if one.get(path) != other.get(path)}
    assert {item["path"] for item in found["differences"]} == differing
    assert len(differing) == found["count"] > 10
    assert found["parting"] == 1  # the root is entered alike, its first move is another one


def test_has_pseudocode_of_about_ten_lines_for_every_algorithm() -> None:
    assert sorted(TEXTS) == sorted([*TEXTBOOK, "expectimax"])
    for algorithm in TEXTBOOK:
        code = pseudocode_of(algorithm, Conventions())
        assert 8 <= len(code.lines) <= 13
        assert max(map(len, code.lines)) <= 57
        assert not [line for line in code.lines if "#" in line or "{" in line]


def test_writes_the_conventions_into_the_pseudocode() -> None:
    def lines(**conventions: Any) -> str:
        return "\n".join(pseudocode_of("alphabeta", Conventions(**conventions)).lines)

    assert "if α ≥ β: stop" in lines()
    assert "if α > β: stop" in lines(cut="gt")
    assert "return best, clamped to [α, β]" in lines(bound="hard")


def last_looks(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return how each node that was reached looks at the end, by its path."""
    looks: dict[str, dict[str, Any]] = {}
    for step in found["steps"]:
        looks |= {found["nodes"][number]["path"]: look for number, look in step["changes"]}
    return looks


def test_shows_means_of_playouts_without_max_and_min() -> None:
    found = ask("trace", position="tictactoe b2 a3 c3 a1", algorithm="uct")
    assert all(node["mean"] for node in found["nodes"])
    game = ps.parse("tictactoe b2 a3 c3 a1")
    looks = last_looks(found)
    boxes = [node for node in found["nodes"] if node["leaf"]]
    assert boxes
    for node in boxes:  # a box is a game that is over, with its one value
        moves = [int(move) for move in node["path"].split(".")]
        over = game
        for move in moves:
            over = over.play(move)
        assert over.is_over
        value = ps.evaluate(over, "counted-lines", side="x")
        assert looks[node["path"]]["score"] == format_score(value)
    assert not [step["say"] for step in found["steps"] if "MIN" in step["say"]]
    picture = draw_tree(ps.trace(TREE, "uct", nodes=40))
    assert 'class="node" d="M' not in tree_svg(picture)
    assert not re.search(r"\\node\[(max|min)", tree_tikz(picture))


@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "sss", "pn", "dfpn", "uct"])
def test_shows_no_window_where_the_algorithm_has_none(algorithm: str) -> None:
    found = ask("trace", position=TREE, algorithm=algorithm)
    assert not [look for look in last_looks(found).values() if "window" in look]
    assert not [step["say"] for step in found["steps"] if "window" in step["say"]]


def test_shows_the_merits_of_the_search() -> None:
    found = ask("trace", position=TREE, algorithm="sss")
    traced = ps.trace(TREE, "sss")
    entered = {event.path: event.beta for event in traced if event.kind == "enter"}
    steps = zip(found["steps"], traced, strict=True)
    for step, event in steps:
        if event.kind == "enter":
            assert step["say"].endswith(f"with h = {format_score(entered[event.path])}")
    looks = last_looks(found)
    assert looks[""]["note"] == "h = 5"
    assert looks["0.1.0"] == {"score": "6", "visits": 1, "note": "h = 5"}


def test_a_step_of_sss_stands_at_the_case_that_took_it() -> None:
    found = ask("trace", position=TREE, algorithm="sss")
    code = found["pseudocode"]
    lines = [f"{step['say']} | {code[step['line']].strip()}" for step in found["steps"]]
    says("\n".join(lines))


def test_explains_proof_searches_as_answers_to_their_question() -> None:
    found = ask("trace", position=TREE, algorithm="pn")
    said = [step["say"] for step in found["steps"]]
    says("\n".join(said))
    for step in found["steps"]:
        if step["kind"] == "leaf":
            line = found["pseudocode"][step["line"]].strip()
            assert line.startswith("a leaf with value ≥" if "at least" in step["say"] else "any")
    for _, sentence in found["sentences"]:  # no sentence claims that −1 ≥ 0
        assert "alpha" not in sentence


def test_counts_a_finished_game_as_the_accumulating_search_does() -> None:
    found = ask("trace", position="tictactoe b2 a3 c3 a1", algorithm="accumulating", depth=2)
    looks = last_looks(found)
    lost = next(node for node in found["nodes"] if node["leaf"] and node["name"] == "a2")
    assert looks[lost["path"]]["score"] == "−9"  # -10 and a ply: O has won
    said = [step["say"] for step in found["steps"]]
    assert "b3–a2 is the end of the game and counts −9" in said
    windows = [look.get("window") for look in looks.values()]
    assert "(−∞, −9)" in windows  # as the search itself has gone on with


def test_says_at_the_end_what_was_found() -> None:
    for algorithm in ("minimax", "alphabeta", "pvs", "mtdf", "sss", "pn", "dfpn"):
        found = ask("trace", position=TREE, algorithm=algorithm)
        says("trace found", found["found"])
        assert found["pruned"] == f"In the tree: {ps.search(TREE, algorithm).pruned}"
    assert ask("trace", position="tictactoe", depth=1)["pruned"] is None
    says(ask("trace", position=TREE, conventions={"alpha": 6, "beta": 9})["found"])
    says(ask("trace", position=TREE, algorithm="uct")["found"])


def test_says_at_the_end_of_an_incomplete_drawing_what_was_found() -> None:
    for algorithm in ("minimax", "alphabeta", "pvs", "iterative-deepening"):
        whole = ask("trace", position="tictactoe", algorithm=algorithm, depth=3, most=10_000)
        some = ask("trace", position="tictactoe", algorithm=algorithm, depth=3, most=50)
        assert (whole["whole"], some["whole"]) == (True, False)
        assert "b2 is best: the root is worth 5" in whole["found"]
        assert some["found"].endswith(whole["found"])
        assert "the drawing ends here" in some["found"].lower()


@pytest.mark.parametrize("algorithm", TEXTBOOK)
def test_explains_cuts_where_the_algorithm_cuts(algorithm: str) -> None:
    asked: dict[str, Any] = {"position": TREE}
    if algorithm == "accumulating":
        asked = {"position": "tictactoe b2", "depth": 3}
    found = ask("trace", algorithm=algorithm, **asked)
    assert found["cuts"] == bool(found["sentences"])
    assert found["remark"]


def test_draws_all_digits_of_a_leaf() -> None:
    drawn = tree_svg(draw_tree(ps.trace("[[-10000,3],[2,123456]]")))
    assert ">−10000<" in drawn
    assert ">123456<" in drawn


def test_shows_no_score_of_a_repeated_node_before_it_returns() -> None:
    """What an earlier call has returned is not what this one will."""
    found = ask("trace", position=TREE, algorithm="mtdf")
    known: dict[int, dict[str, Any]] = {}
    again = 0
    for step in found["steps"]:
        for number, look in step["changes"]:
            if step["kind"] == "enter" and number == step["node"]:
                again += "score" in known.get(number, {})
                assert "score" not in look
            known[number] = look
    assert again > 3
