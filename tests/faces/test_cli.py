"""The command line: what it prints, and that nothing typed at it ends in a traceback."""

from __future__ import annotations

import argparse
import io
import json
import random
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import pytest

import plyscope
from commands import answer, data, output, python, refusal
from documents import ROOT
from plyscope import search
from plyscope.faces.cli import parser as whole_command_line
from plyscope.faces.cli import run
from plyscope.faces.cli.groups import command_names
from plyscope.faces.cli.options import Parser
from plyscope.faces.findings.searches import comparison_section
from plyscope.faces.terminal import Terminal
from plyscope.faces.texts import finding
from plyscope.searching.score import WIN
from sentences import says
from sizes import sized

PLACE = ".X./O../X.O"
REFUSED = Path(__file__).parents[1] / "corpus" / "refused.txt"
"""Commands that are refused, each with its sentence in the golden file."""


def test_help_loads_neither_rich_nor_numpy_nor_a_floor_below() -> None:
    code = "import sys; sys.argv = ['plyscope', '--help']\nfrom plyscope.__main__ import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print([name for name in ('rich', 'numpy', 'numba', 'plyscope.rules', 'plyscope.searching') if name in sys.modules])"
    printed = python("-c", code).stdout
    assert printed.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "words",
    ["list games", "eval .X./O../X.O", "analyze .X./O../X.O", "tree .X./O../X.O -d 2"],
)
def test_loads_few_modules_for_a_quick_command(words: str) -> None:
    code = f"import sys\nfrom plyscope.faces.cli import run\nassert run({words.split()}) == 0\nprint(*sys.modules)"
    printed = python("-c", code).stdout
    loaded = printed.splitlines()[-1].split()
    assert len([name for name in loaded if name.partition(".")[0] == "plyscope"]) <= 110
    assert not {"numpy", "numba", "sqlite3", "msgspec"} & {*loaded}


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


def test_analyze_stops_by_itself_on_a_large_board_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.faces.cli.analyze.DEFAULT_SECONDS", 0.3)
    status, out, err = answer(capsys, "analyze", "gomoku15")
    assert status == 0
    assert "time limit" in out
    assert "--seconds" in err


def test_compare_marks_every_exact_algorithm_as_equal_to_minimax(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = data(capsys, "compare", PLACE, "--scoring", "result")
    assert isinstance(found, list)
    assert {result["value"] for result in found if result["bound"] == "exact"} == {WIN}
    told = " ".join(answer(capsys, "compare", PLACE)[1].split())
    assert "the value of minimax: negamax, alphabeta, pvs, mtdf, sss, pn, dfpn" in told
    assert "an estimate: uct, accumulating" in told


def test_compare_leaves_out_algorithms_that_the_requested_form_cannot_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = data(capsys, "compare", PLACE, "-d", "2", "--form", "compiled")
    assert isinstance(found, list)
    names = [result["algorithm"] for result in found]
    assert "mtdf" in names
    assert not {"sss", "pn", "dfpn"} & {*names}


def test_analyze_compares_several_algorithms_as_compare_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    depth = ("--depth", "3")
    some = data(capsys, "analyze", PLACE, "-A", "minimax,pvs", *depth)
    assert [each["algorithm"] for each in some] == ["minimax", "pvs"]
    compared = data(capsys, "compare", PLACE, *depth)
    every = data(capsys, "analyze", PLACE, "-A", "all", *depth)
    kept = ("algorithm", "value", "best_moves", "nodes", "cutoffs")
    assert [[each[key] for key in kept] for each in every] == [
        [each[key] for key in kept] for each in compared
    ]
    assert "--top" in refusal(capsys, "analyze", PLACE, "-A", "all", "--top", "2")


@pytest.mark.parametrize(
    ("several", "option"),
    [("minimax,negamax", "--cut gt"), ("minimax,pvs", "--multipv 2"), ("all", "--threads 2")],
)
def test_rejects_an_option_of_no_algorithm_for_several_as_for_one(
    several: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(capsys, "analyze", PLACE, "-A", several, *option.split())
    assert found == answer(capsys, "analyze", PLACE, "-A", "minimax", *option.split())
    assert found[0] == 2
    assert found[2].count("\n") == 1
    assert repr(option.split()[0][2:]) in found[2]


def test_compare_and_help_fit_a_window_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = answer(capsys, "compare", PLACE)[1].splitlines()
    assert any(line.startswith(" iterative-deepening ") for line in lines)
    with pytest.raises(SystemExit):
        run(["records", "--help"])
    lines += capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80


def test_compare_says_whose_value_is_wrong() -> None:
    results = [search(PLACE, algorithm=name) for name in ("minimax", "alphabeta", "pvs")]
    results[1] = replace(results[1], value=results[1].value + 1)
    printed = io.StringIO()
    Terminal(printed, 120).print(finding(comparison_section(results, 120)))
    assert "a value that DIFFERS from minimax's: alphabeta" in printed.getvalue()
    assert "the value of minimax: pvs" in printed.getvalue()


def test_eval_explains_its_sum(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "eval", "X../.X./...", "-H", "open-lines", "--side", "x")
    assert isinstance(found, dict)
    assert (found["value"], sum(line["value"] for line in found["lines"])) == (6, 6)


def test_certify_says_that_two_ply_never_loses_and_how_accumulating_loses(
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


@pytest.mark.parametrize("kind", ["games", "heuristics", "algorithms", "agents"])
def test_catalogues_list_names_as_table_and_json(
    capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    rows = data(capsys, "list", kind)
    assert isinstance(rows, list)
    assert data(capsys, "list")[kind] == rows
    for words in (["list", kind], ["list"]):
        printed = answer(capsys, *words)[1]
        assert all(row["name"] in printed for row in rows)


def test_greets_on_one_screen_with_every_command_and_running_examples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, err = answer(capsys)
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert {*command_names()} <= set(re.findall(r"[a-z-]+", out))
    examples = [
        line.split("   ")[0].split(maxsplit=1)[1] for line in lines if line.startswith("  plyscope")
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    for words in map(shlex.split, examples):
        assert answer(capsys, *words)[0] == 0, words
    assert len(examples) == 3


SHORT = {
    "-a": {"assignment"},
    "-g": {"game"},
    "-n": {"games", "count", "questions", "samples"},
    "-H": {"heuristic"},
    "-A": {"algorithm"},
    "-d": {"depth"},
    "-s": {"seed"},
    "-t": {"seconds"},
    "-j": {"jobs"},
    "-o": {"output"},
    "-h": {"help"},
    "-v": {"version"},
}
"""The short options, and the long ones they stand for in some command."""


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser, all its options there, and those of the commands within it."""
    assert isinstance(parser, Parser)
    parser.complete()
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def test_spells_one_meaning_alike_in_every_command() -> None:
    short_of = {name: short for short, names in SHORT.items() for name in names}
    metavars: dict[str, str] = {}
    for parser in parsers(whole_command_line()):
        for action in parser._actions:
            for option in (each for each in action.option_strings if each.startswith("--")):
                name = option.removeprefix("--")
                short = [each for each in action.option_strings if not each.startswith("--")]
                assert short == ([short_of[name]] if name in short_of else []), (
                    parser.prog,
                    option,
                )
                if action.nargs != 0 and name not in ("algorithm", "assignment", "output"):
                    assert metavars.setdefault(name, str(action.metavar)) == str(action.metavar), (
                        parser.prog,
                        option,
                    )


def test_an_option_given_twice_adds_up_or_is_refused_in_every_command() -> None:
    added = set()
    for parser in parsers(whole_command_line()):
        parser.complete()
        for action in parser._actions:
            if action.option_strings and action.nargs != 0:
                name = f"{parser.prog.partition(' ')[2]} {action.option_strings[-1]}"
                is_once = type(action).__name__ == "_Once"
                added |= set() if is_once else {name}
    assert added == {
        "class run --export",
        "compare --algorithm",
        "compare --heuristic",
        "eval --heuristic",
        "tree --diff",
        "web --heuristic",
        "web --name",
    }


def test_options_given_twice_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    tree = "[[3,12,8],[2,4,6],[14,5,2]]"
    apart = answer(capsys, "tree", tree, "--diff", "cut=gt", "--diff", "bound=hard")
    assert apart == answer(capsys, "tree", tree, "--diff", "cut=gt", "bound=hard")
    names = ("-H", "open-lines", "-H", "counted-lines")
    found = data(capsys, "eval", "X../.O./...", *names)
    assert [each["heuristic"] for each in found] == ["open-lines", "counted-lines"]
    searches = data(capsys, "compare", "XX./OO./...", *names, "-A", "minimax", "-A", "alphabeta")
    assert [(each["heuristic"], each["algorithm"]) for each in searches] == [
        (heuristic, algorithm)
        for heuristic in ("open-lines", "counted-lines")
        for algorithm in ("minimax", "alphabeta")
    ]


def test_gomocup_prints_as_json_what_it_plays(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "gomocup", "--agent", "one-ply")
    assert found == {"agent": "one-ply", "sides": [5, 20], "rules": [0, 1, 4, 8, 9]}


JSON = {
    "analyze": ["analyze", PLACE],
    "compare": ["compare", PLACE, "-d", "2"],
    "tree": ["tree", "[[3,5],[6,9]]", "-o", "tree.svg"],
    "eval": ["eval", PLACE],
    "exam": ["exam", "-o", "sheet.md"],
    "play": ["play", "--x", "two-ply", "--o", "random", "--seed", "1"],
    "review": ["review", "tictactoe 5 1 9"],
    "puzzles": ["puzzles", "4,3,3", "-n", "1"],
    "gomocup": ["gomocup"],
    "report-card": ["report-card", "null", "-d", "1"],
    "tune": ["tune", "counted-lines", "--family", "lines", "--no-games"],
    "check": ["check", "tictactoe", "-n", "3"],
    "export": ["export", "connectx", "counted-lines", "-o", "agent.py"],
    "match": ["match", "two-ply", "random", "-n", "4", "-j", "1", "--record", "games.db"],
    "tournament": ["tournament", "two-ply", "random", "-n", "4", "-j", "1"],
    "records": ["records", "games.db", "-o", "games.html"],
    "solve": ["solve", "tictactoe", "--proof", "3.proof"],
    "verify": ["verify", "3.proof"],
    "certify": ["certify", "two-ply"],
    "perft": ["perft", "tictactoe", "-d", "2"],
    "list": ["list"],
    "examples": ["examples", "mine"],
    "completion": ["completion", "bash"],
}
"""A use of every command, but of `web`, which serves, `warm`, which compiles, and `class`, which
is tried by itself."""


def test_prints_only_json_with_json_and_writes_its_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert {*JSON, "web", "warm", "class"} == {*command_names()}
    for words in JSON.values():
        status, out, _ = answer(capsys, *words, "--json")
        assert (status, bool(json.loads(out))) == (0, True), words
    for name in ("tree.svg", "sheet.md", "sheet-key.md", "agent.py", "3.proof", "games.html"):
        assert Path(name).stat().st_size > 0


def test_json_contains_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(answer(capsys, "solve", "tictactoe", "--json")[1])
    assert found["plyscope"].partition("+")[0] == plyscope.__version__
    compared = json.loads(answer(capsys, *JSON["compare"], "--json")[1])
    assert {item["plyscope"] for item in compared} == {found["plyscope"]}


def test_lists_and_copies_examples_and_overwrites_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "nim.py " in answer(capsys, "examples")[1]
    mine = tmp_path / "new" / "nim.py"
    mine.parent.mkdir()
    mine.write_text("mine")
    status, out, _ = answer(capsys, "examples", str(mine.parent))
    assert (status, mine.read_text()) == (0, "mine")
    assert "not overwritten: nim.py" in out
    copied = {file.name for file in mine.parent.iterdir()}
    assert copied == {file.name for file in (ROOT / "examples").iterdir() if file.is_file()}
    assert answer(capsys, "perft", str(mine.with_name("kalah.py:Kalah")), "-d", "1")[0] == 0


def test_leaves_no_part_of_an_example_on_a_full_disk(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("plyscope.wholefile.os.replace", full)
    said = refusal(capsys, "examples", str(tmp_path))
    assert "No space left on device" in said
    assert str(tmp_path) in said
    assert [*tmp_path.iterdir()] == []


def test_every_command_takes_json() -> None:
    for parser in parsers(whole_command_line()):
        if parser.get_default("run") is not None:
            assert "--json" in parser._option_string_actions, parser.prog


def test_takes_a_file_as_a_heuristic(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("mine = [0, 1, 3, 8]\n")
    (tmp_path / "mine.py").write_text(
        "def same(mine, theirs, lines):\n    return 3\ndef broken(mine, theirs, lines):\n    return 1 / 0\n"
    )
    found = data(capsys, "analyze", PLACE, "-H", str(tmp_path / "mine.toml"))
    assert isinstance(found, dict)
    assert (found["value"], found["nodes"]) == (5, 98)
    _, out, err = answer(capsys, "analyze", PLACE, "-H", f"{tmp_path / 'mine.py'}:same", "--json")
    assert json.loads(out)["value"] == 3
    says(err)
    says(refusal(capsys, "analyze", PLACE, "-H", f"{tmp_path / 'mine.py'}:broken"))


@pytest.mark.parametrize("words", REFUSED.read_text(encoding="utf-8").splitlines())
def test_answers_bad_input_in_one_line_with_status_2(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    says(words, refusal(capsys, *shlex.split(words)))


def test_quotes_an_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'frobnicate'" in refusal(capsys, "frobnicate")


def test_plays_a_heuristic_given_as_agent_by_alpha_beta_and_says_the_depth(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("mine = [0, 1, 3, 8]\n")
    Path("his.py").write_text(
        "def his(mine, theirs, lines):\n    return (mine & 1) - (theirs & 1)\n"
    )
    for command in ("match", "tournament"):
        status, out, err = answer(capsys, command, "mine.toml", "his.py", "-n", "4", "-j", "1")
        assert (status, err.count("\n")) == (0, 1)
        says("match mine.toml his.py", err)
        assert re.search(r"\bmine\b.*\n.*\bhis\b", out)
    asked = answer(
        capsys, "match", "mine.toml", "two-ply", "-d", "3", "-n", "4", "--json", "-j", "1"
    )
    told = ["match", "mine=alphabeta heuristic=mine.toml depth=3", "two-ply", "-n", "4", "-j", "1"]
    assert "to depth 3\n" in asked[2]
    found, written = json.loads(asked[1]), json.loads(answer(capsys, *told, "--json")[1])
    times = ("seconds", "seconds_a_move")
    assert {**found, **dict.fromkeys(times)} == {**written, **dict.fromkeys(times)}
    says(answer(capsys, "certify", "mine.toml")[2])
    _, out, err = answer(capsys, "play", "--x", "mine.toml", "--o", "two-ply", "--seed", "1")
    assert "X: mine (" in out
    says(err)
    for wrong in (
        "match two-ply random -d 3",
        "match . random",
        "match mine.tml random",
        "analyze tictactoe -H hiss.py:his",
    ):
        says(wrong, refusal(capsys, *wrong.split()))


ALPHABETS = (
    "XO./",
    "xo_-./0123456789 ",
    "[](),=AB-0123456789",
    "abc123 ,x\t\n'\"\\{}:é∞\0",
    "tictactoe connect4 5,5,4 44455 h8",
)


@pytest.mark.parametrize("seed", range(sized(40, 400)))
def test_prints_no_traceback_whatever_is_typed(
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


@pytest.mark.parametrize("words", [("-v",), ("--version",)])
def test_the_version_has_a_letter(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = answer(capsys, *words)
    assert (status, err) == (0, "")
    assert re.fullmatch(r"plyscope \d+\.\d+\.\d+\n", out)


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "help") == answer(capsys, "--help")
    assert answer(capsys, "help", "perft") == answer(capsys, "perft", "--help")
    assert answer(capsys, "help")[0] == 0


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("solve", "zzz"), "games"),
        (("match", "zzz", "random"), "agents"),
        (("analyze", PLACE, "-A", "zzz"), "algorithms"),
        (("eval", PLACE, "-H", "zzz"), "heuristics"),
    ],
)
def test_names_a_few_of_many_names_and_where_all_are_listed(
    words: tuple[str, ...], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refusal(capsys, *words)
    assert "'zzz'" in err
    told = err.partition("one of ")[2].partition(";")[0]
    assert 4 <= len(told.split(", ")) <= 10
    if kind in ("games", "agents"):
        says(err)


@pytest.mark.parametrize("position", ["XX./.../...", "XXX/OOO/..."])
def test_says_that_no_game_leads_to_a_position(
    position: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("solve", "analyze"):
        status, _, err = answer(capsys, command, position)
        assert status == 0
        says(f"solve {position}", err)


@pytest.mark.parametrize("position", ["O../.../...", "XO./.../..."])
def test_says_nothing_of_a_position_of_a_game(
    position: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("solve", "analyze"):
        status, _, err = answer(capsys, command, position)
        assert (status, err) == (0, "")


def test_prints_the_size_of_a_written_proof_and_the_whole_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.bin"
    out = output(capsys, "solve", "tictactoe", "--proof", str(file))
    assert re.search(rf"wrote {re.escape(str(file))}, {file.stat().st_size:,} bytes; [\d.]+ s", out)
    written = data(capsys, "solve", "tictactoe", "--proof", str(file))["written"]
    assert (written["file"], written["bytes"]) == (str(file), file.stat().st_size)


def test_prints_moves_and_counts_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = answer(capsys, "solve", "XX./OO./...", "--csv")
    head, *rows = out.splitlines()
    assert head == "move,value,distance,score"
    assert "c3,1,1," in rows
    assert len(rows) == 5
    _, out, _ = answer(capsys, "perft", "tictactoe", "-d", "2", "--csv")
    head, *rows = out.splitlines()
    assert head.startswith("ply,sequences,positions,classes")
    assert [row.split(",")[1] for row in rows] == ["1", "9", "72"]


def test_lists_many_equal_moves_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = answer(capsys, "solve", "5,5,4")
    assert "all moves alike" in out
    moves = re.compile(r"^ \S+( ←)? +draw ", re.MULTILINE)
    assert not moves.search(out)
    _, out, _ = answer(capsys, "solve", "tictactoe")
    assert len(moves.findall(out)) == 9


def test_prints_the_number_of_stones_above_a_large_board(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "connect4, 2 stones" in answer(capsys, "eval", "connect4 44")[1]


def test_why_shows_conflicts_with_their_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    words = "report-card", "counted-lines", "-g", "3,3,3,gravity", "-d", "1", "--why"
    (card,) = data(capsys, *words)
    conflict = card["why"]["conflicts"][1]
    assert [len(asked["right"]) for asked in conflict["positions"]] == [1, 1]
    assert not any(conflict["cases"][0]["sum"])
    out = output(capsys, *words)
    assert "these two positions make opposite demands on the numbers" in out
    assert "Terms that resolve them" in out


def test_counts_one_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\n3 nodes, 2 leaves" in answer(capsys, "tree", "[3,5]")[1]
    assert "1 cutoff; value 3" in answer(capsys, "tree", "[[3,5],[2,9]]")[1]
    assert "the best of 2 moves" in answer(capsys, "analyze", "[[3,5],[2,9]]", "--top", "1")[1]


def test_results_are_equal_without_their_seconds() -> None:
    one, other = (search("XX./OO./...", depth=2) for _ in range(2))
    assert one == replace(other, seconds=other.seconds + 1)
    assert hash(one) == hash(replace(other, seconds=other.seconds + 1))
