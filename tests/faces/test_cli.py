"""The command line: what it prints, and that nothing typed at it ends in a traceback."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from commands import answer, data
from plyscope.searching.score import WIN

PLACE = ".X./O../X.O"


def test_help_loads_neither_rich_nor_numpy_nor_a_floor_below() -> None:
    code = "import sys; sys.argv = ['plyscope', '--help']\nfrom plyscope.__main__ import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print([name for name in ('rich', 'numpy', 'numba', 'plyscope.rules', 'plyscope.searching') if name in sys.modules])"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert printed.splitlines()[-1] == "[]"


def test_analyze_prints_the_published_table_of_system_c(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answer(capsys, "analyze", PLACE, "--heuristic", "counted-lines")
    rows = [line.split() for line in out.splitlines()]
    assert status == 0
    for row in (
        "a3 0, 0 0 3 47 20 8 6",
        "c3 ← 0, 2 5 5 35 17 8 6",
        "b2 ← 1, 1 5 6 39 31 14 6",
        "c2 1, 2 0 2 61 42 15 14",
        "b1 2, 1 −8 2 43 34 15 6",
    ):
        assert row.split() in rows
    assert ["sum", "225", "144", "60", "38"] in rows
    assert "alphabeta 98 nodes, 39 leaves, 30 cutoffs; minimax 226 nodes (57% fewer)" in out


def test_analyze_json_has_the_fields_of_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "analyze", PLACE)
    assert isinstance(found, dict)
    assert (found["value"], found["nodes"], found["cutoffs"], found["best_moves"]) == (
        5,
        98,
        30,
        ["c3"],
    )
    assert (found["minimax"]["nodes"], found["open_root"]["best_moves"]) == (226, ["c3", "b2"])
    assert [move["nodes"] for move in found["open_root"]["moves"]] == [20, 17, 31, 42, 34]


def test_analyze_of_a_board_too_large_to_finish_stops_by_itself_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.faces.cli.analyze.DEFAULT_SECONDS", 0.3)
    status, out, err = answer(capsys, "analyze", "gomoku15")
    assert status == 0
    assert "stopped because its time was spent" in out
    assert "--seconds" in err


def test_compare_marks_every_exact_algorithm_as_equal_to_minimax(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = data(capsys, "compare", PLACE, "--scoring", "result")
    assert isinstance(found, list)
    assert {result["value"] for result in found if result["bound"] == "exact"} == {WIN}
    assert "DIFFERS" not in answer(capsys, "compare", PLACE)[1]


def test_eval_explains_its_sum(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "eval", "X../.X./...", "-H", "open-lines", "--side", "x")
    assert isinstance(found, dict)
    assert (found["value"], sum(line["value"] for line in found["lines"])) == (6, 6)


def test_certify_says_that_two_ply_never_loses_and_how_the_accumulating_agent_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "never loses" in answer(capsys, "certify", "two-ply")[1]
    found = data(capsys, "certify", "accumulating", status=1)
    assert isinstance(found, dict)
    assert (found["never_loses"], len(found["losing_line"])) == (False, 7)


def test_perft_prints_the_facts_of_3x3(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = answer(capsys, "perft", "tictactoe")
    assert ["sum", "549,946", "5,478", "765", "131,184", "77,904", "46,080"] in [
        line.split() for line in out.splitlines()
    ]
    assert "255,168 complete games" in out


@pytest.mark.parametrize("catalogue", ["games", "heuristics", "algorithms", "agents"])
def test_catalogues_list_names_as_table_and_json(
    capsys: pytest.CaptureFixture[str], catalogue: str
) -> None:
    rows = data(capsys, catalogue)
    assert isinstance(rows, list)
    printed = answer(capsys, catalogue)[1]
    assert all(row["name"] in printed for row in rows)


def test_a_heuristic_of_ones_own_is_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text("mine = [0, 1, 3, 8]\n")
    (tmp_path / "mine.py").write_text(
        "def same(mine, theirs, lines):\n    return 3\ndef broken(mine, theirs, lines):\n    return 1 / 0\n"
    )
    found = data(capsys, "analyze", PLACE, "-H", str(tmp_path / "mine.toml"))
    assert isinstance(found, dict)
    assert (found["value"], found["nodes"]) == (5, 98)
    assert data(capsys, "analyze", PLACE, "-H", f"{tmp_path / 'mine.py'}:same")["value"] == 3  # type: ignore[index]
    status, _, err = answer(capsys, "analyze", PLACE, "-H", f"{tmp_path / 'mine.py'}:broken")
    assert (status, err.count("\n")) == (2, 1)
    assert "'broken' raised ZeroDivisionError" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["analyze", "X"], "cannot read the position 'X'"),
        (["analyze", "connect4 44x3"], "column 'x' at move 3 of '44x3'; expected 1 to 7"),
        (
            ["analyze", "tictactoe", "-A", "alphabet"],
            "unknown algorithm 'alphabet'; expected perhaps alphabeta",
        ),
        (["analyze", "tictactoe", "-A", "pvs", "--cut", "gt"], "'pvs' takes no option 'cut'"),
        (["analyze", "tictactoe", "--depth", "0"], "'0'; expected a whole number from 1"),
        (["analyze", "tictactoe", "--seconds", "-1"], "'-1'; expected a number of seconds"),
        (
            ["analyze", "tictactoe", "--window", "5", "1"],
            "window (5, 1); expected alpha below beta",
        ),
        (
            ["eval", "tictactoe", "-H", "counted"],
            "unknown heuristic 'counted'; expected perhaps counted-lines",
        ),
        (["eval", "tictactoe", "-H", "none.toml"], "cannot read the heuristic file 'none.toml'"),
        (["eval", "tictactoe", "--side", "z"], "unknown side 'z'; expected x or o"),
        (["eval", "[[1,2],3"], "'[[1,2],3'"),
        (["certify", "nobody"], "unknown agent 'nobody'"),
        (["certify", "two-ply", "--seconds", "soon"], "'soon'; expected a number of seconds"),
        (["perft", "tictactoes"], "unknown game 'tictactoes'; expected perhaps tictactoe"),
        (["perft", "tictactoe", "--depth", "many"], "'many'; expected a whole number"),
        (["frobnicate"], "'frobnicate'"),
        ([], "COMMAND"),
    ],
)
def test_bad_input_is_answered_in_one_line_with_status_2(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    status, out, err = answer(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


ALPHABETS = (
    "XO./",
    "xo_-./0123456789 ",
    "[](),=AB-0123456789",
    "abc123 ,x\t\n'\"\\{}:é∞\0",
    "tictactoe connect4 5,5,4 44455 h8",
)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_typed_at_any_command_gives_a_traceback(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    draw = random.Random(seed)
    for _ in range(12):
        command = draw.choice(["analyze", "compare", "eval", "tree", "perft"])
        text = "".join(draw.choice(draw.choice(ALPHABETS)) for _ in range(draw.randrange(1, 20)))
        words = [
            command,
            text,
            *draw.choice(
                [
                    [],
                    ["-H", text],
                    ["--game", text],
                    ["--side", text],
                    ["--depth", text],
                    ["--window", "1", text],
                ]
            ),
        ]
        words += ["--depth", "2"] if command in ("analyze", "compare", "tree", "perft") else []
        status, _, err = answer(capsys, *words)
        assert status in (0, 2), (words, err)
        assert (status == 2) == bool(err) or status == 0, (words, err)
        assert "Traceback" not in err, words
