"""Terminals of any encoding, streams that are closed, full or left, exit statuses, and systems
without the modules of POSIX."""

from __future__ import annotations

import io
import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import documents
from commands import output, python
from plyscope.faces.cli import run
from plyscope.faces.cli.groups import command_names
from plyscope.faces.progress import telling
from plyscope.faces.signs import HANDLER, STAND_INS, one_line, plain
from plyscope_fast.machine import shipped
from sentences import says
from sources import sources
from waiting import PATIENCE_SECONDS, read_until

ENCODINGS = ("ascii", "cp1252")
PLYSCOPE = (sys.executable, "-m", "plyscope")
README = [
    line.removeprefix("$ plyscope ")
    for block in documents.blocks(documents.ROOT / "README.md", "console")
    for line in block.splitlines()
    if line.startswith("$ plyscope ")
]
SAMPLES = (
    *README,
    "analyze '.X./O../X.O' --nodes 50",
    "analyze connect4 -A engine --nodes 2000 --multipv 2",
    "compare '.X./O../X.O' --depth 3",
    "eval 'XO./.X./..O'",
    "eval 'XO./.X./..O' --heuristic weighted-lines",
    "report-card counted-lines open-lines --depth 3",
    "tree 'A[é[3,5],C[2,7]]'",
    "tree '[[3,5],[2,9]]' --diff cut=gt",
    "tree '[[3,5],[2,9]]' --step",
    "solve 'X../.O./..X'",
    "solve tictactoe --proof 3.proof",
    "verify 3.proof",
    "puzzles 4,3,3 -n 1",
    "exam --key --seed 3 --cuts 2",
    "match two-ply random -n 20 --jobs 1 --record games.db --sprt 0 400",
    "tournament two-ply random -n 4 --jobs 1",
    "records games.db",
    "records games.db --plies",
    "records games.db --csv",
    "records games.db --report",
    "perft tictactoe",
    "play tictactoe --x two-ply --o random --seed 1",
    "play tictactoe --level 3 --seed 1",
    "gomocup --agent one-ply",
    "",
    "list",
    "list games",
    "list heuristics",
    "list algorithms",
    "list agents",
    "analyze X≥Y−1",
    "tree '[[1,é]]'",
    *(f"{name} --help" for name in command_names()),
    "--help",
)


@contextmanager
def streams(
    encoding: str, entered: str = ""
) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Give standard output and standard error of an encoding, as `prepare_streams` leaves them."""
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding, HANDLER, "\n", write_through=True)
        for _ in range(2)
    )
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(entered), out, err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept


def printed(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode(stream.encoding)  # type: ignore[attr-defined,no-any-return]


def ask(command: str, encoding: str, entered: str = "") -> tuple[int, str, str]:
    """Run a command; return its status, and what it prints decoded."""
    import shlex

    with streams(encoding, entered) as (out, err):
        try:
            status = run(shlex.split(command))
        except SystemExit as stop:
            status = int(stop.code or 0)
    return status, printed(out), printed(err)


def comparable(text: str) -> str:
    """Return the text without times, and without what lays it out."""
    return re.sub(r"\s+|-", "", re.sub(r"\d+\.\d+ [µu]?s\b", "", text))


ENTERED = "5\nhint\nmoves\nfoo−é\nundo\nn\nSTART 5\nABOUT\nTURN 1,1\nquit\nEND\n"


def test_prints_every_command_in_any_encoding_within_its_width(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in SAMPLES:
        status, out, err = ask(command, "utf-8", ENTERED)
        for encoding in ENCODINGS:
            if "--record" in command:
                (tmp_path / "games.db").unlink()
            found, plain_out, plain_err = ask(command, encoding, ENTERED)
            assert found == status, (command, encoding, plain_err)
            assert (plain_out + plain_err).count("?") == (out + err).count("?"), (command, encoding)
            assert len(plain_err.splitlines()) == len(err.splitlines()), (command, encoding)
            if not re.search("--csv|--help|--report|algorithms", command):
                assert max(map(len, plain_out.splitlines()), default=0) <= 120, (command, encoding)
            if not re.search(
                "ms a move|nodes/s|seconds", out
            ):  # of what differs from run to run, times alone can be set aside
                assert comparable(plain(out, encoding)) == comparable(plain_out), (
                    command,
                    encoding,
                )


@pytest.mark.parametrize("encoding", ["utf-8", *ENCODINGS])
@pytest.mark.parametrize(
    "command",
    [
        "analyze '.X./O../X.O' --nodes 50",
        "report-card counted-lines --depth 1",
        "compare '[[3,5],[2,9]]'",
    ],
)
def test_aligns_columns_with_signs_of_several_letters(command: str, encoding: str) -> None:
    table = ask(command, encoding)[1].splitlines()
    rule = next(at for at, line in enumerate(table) if re.fullmatch(r" [─-]+", line))
    end = next(at for at in range(rule, len(table)) if not table[at].startswith(" "))
    assert end > rule + 2
    assert {len(line) for line in table[rule - 1 : end] if line} == {len(table[rule])}
    assert (
        any(">=" in line or "<=" in line or "tau" in line for line in table[:end])
        or encoding == "utf-8"
        or "compare" in command
    )


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_obeys_no_color_and_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    shown = {}
    for name in ("", "NO_COLOR"):
        monkeypatch.setattr("sys.stdout", screen := Screen())
        if name:
            monkeypatch.setenv(name, "1")
        assert run(["analyze", ".X./O../X.O"]) == 0
        shown[name] = screen.getvalue()
    assert "\x1b[1m" in shown[""]
    assert "\x1b" not in shown["NO_COLOR"]
    for stream in (Screen, io.StringIO):
        for columns in ("60", "90"):
            monkeypatch.setenv("COLUMNS", columns)
            monkeypatch.setattr("sys.stdout", screen := stream())
            assert run(["list", "games"]) == 0
            assert int(columns) - 8 <= max(map(len, screen.getvalue().splitlines())) <= int(columns)
    monkeypatch.setenv("COLUMNS", "wide")
    assert run(["list", "games"]) == 0


@pytest.mark.parametrize("size", [(0, 0), (70, 10)])
@pytest.mark.parametrize("no_color", ["", "1"])
def test_prints_on_a_terminal_of_any_size(size: tuple[int, int], no_color: str) -> None:
    pty = pytest.importorskip("pty")
    import termios

    above, below = pty.openpty()
    termios.tcsetwinsize(below, size[::-1])
    environment = {"NO_COLOR": no_color, "TERM": "xterm-256color"}
    process = start(
        *("analyze", ".X./O../X.O", "--top", "1"),
        **{"stdin": below, "stdout": below, "stderr": below},
        env=environment,
    )
    os.close(below)
    shown = b""
    with suppress(OSError):  # how Linux says that the other end is gone
        while data := os.read(above, 4096):
            shown += data
    os.close(above)
    assert process.wait(PATIENCE_SECONDS) == 0
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.decode()).splitlines()
    assert any(line.split()[:2] == ["c3", "←"] for line in lines), lines
    assert max(map(len, lines)) <= (size[0] or 80)
    assert (b"\x1b[1" in shown) == (not no_color)


def test_progress_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", screen := Screen())
    monkeypatch.setattr("plyscope.faces.progress.DELAY_SECONDS", 0.0)
    monkeypatch.setenv("COLUMNS", "40")
    with telling() as tell:
        tell("x" * 100)
        tell("short")
    assert screen.getvalue() == f"\r\x1b[2K{'x' * 39}\r\x1b[2Kshort\r\x1b[2K"


def test_prints_piped_lines_without_trailing_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["list"],
        ["list", "games"],
        ["analyze", "connect4", "-d", "1"],
        ["solve", "X../.O./..X"],
    ):
        out = output(capsys, *words)
        assert out.splitlines() == [line.rstrip() for line in out.splitlines()]


def test_keeps_signs_of_the_encoding_and_replaces_others() -> None:
    assert plain("−5 × 3 ± 1, é ő ≥ ½ … 象", "ascii") == "-5 x 3 +- 1, e o >= 1/2 ~ ?"
    assert plain("−5 × 3 ± 1, é ő ≥ ½ … 象", "cp1252") == "-5 × 3 ± 1, é o >= ½ … ?"
    assert plain("−5 × 3 ± 1, é ő ≥ ½ … 象", "utf-8") == "−5 × 3 ± 1, é ő ≥ ½ … 象"
    assert all(text.isascii() and not sign.isascii() for sign, text in STAND_INS.items())


READERS = {*("answer.py", "drawings.py", "gamefiles", "habits.py", "markup.py", "treeforms")}
"""Files and folders with signs that others write, and that are read and not printed."""


def test_has_a_plain_replacement_for_every_printed_sign() -> None:
    import ast

    sources = [
        *(documents.ROOT / "src").rglob("*.py"),
        *documents.ROOT.glob("packages/*/src/**/*.py"),
    ]
    assert len(sources) > 400
    for path in sources:
        names = {path.name, path.parent.name}
        if names & READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert "?" not in plain(re.sub(r"\?", "", node.value), "ascii"), (path, node.lineno)


@pytest.mark.parametrize("encoding", ["utf-8", *ENCODINGS])
def test_prints_valid_json_in_any_encoding(encoding: str) -> None:
    status, out, _ = ask("tree 'A[é[3,5],C[2,7]]' --json", encoding)
    assert status == 0
    assert out.isascii() == (encoding != "utf-8")
    assert "é" in json.loads(out)["result"]["position"]


def test_writes_files_in_utf_8_whatever_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask("tree 'A[é[3,5],C[2,7]]' -o a.svg", "ascii")[0] == 0
    assert ask("tree 'A[é[3,5],C[2,7]]' -o a.dot", "ascii")[0] == 0
    assert ask("exam 'A[é[3,5],C[2,7]]' -o a.html", "ascii")[0] == 0
    assert all(
        "é" in (tmp_path / name).read_text(encoding="utf-8")
        for name in ("a.svg", "a.dot", "a.html")
    )


def test_prints_names_as_they_are_and_control_characters_as_escapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("[red]x", ":smile:", "é", "e\x1b[31m", "\udcff"):
        (tmp_path / f"{name}.py").write_text("def f(mine, theirs, lines):\n    return 0\n")
        for encoding in ("utf-8", "ascii"):
            with streams(encoding) as (out, err):
                assert run(["eval", "XO./.X./...", "-H", f"{name}.py:f", "--json"]) == 0
                assert run(["certify", f"alphabeta depth=1 heuristic={name}.py:f"]) in (0, 1)
                assert run(["eval", "XO./.X./...", "-H", f"no{name}.py:f"]) == 2
            text = printed(out) + printed(err)
            assert "\x1b" not in text
            assert (
                f"heuristic={one_line(plain(name, encoding)) if name == 'é' else one_line(name)}.py:f"
                in text
            )
    assert "A[B[3,5],C[x=7,2]]" in ask("analyze 'A[B[3,5],C[x=7,2]]'", "utf-8")[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n b\r\nc", "a b c"),
        ("a\x1b[31mb\x00\x7f\u2028c\u202e", r"a\x1b[31mb\x00\x7f c\u202e"),
        ("±1 é", "±1 é"),
    ],
)
def test_prints_a_message_as_one_line_without_control_characters(text: str, said: str) -> None:
    assert one_line(text) == said


# as a process of its own


def start(*words: str, **options: Any) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    environment = {**os.environ, **options.pop("env", {})}
    return subprocess.Popen(
        [*PLYSCOPE, *words],
        **{"stdin": pipe, "stdout": pipe, "stderr": pipe, "env": environment, **options},
    )


PLAIN_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, PLAIN_LOCALE]
)
def test_prints_plain_signs_in_a_plain_locale(env: dict[str, str]) -> None:
    out, err = start("tree", "A[B[3,5],C[2,7]]", env=env).communicate()
    assert (err, b"?" in out) == (b"", False)
    assert out.startswith(b"^ A = 3  *   (-inf, inf)\n|- v ")


@pytest.mark.parametrize("words", [["list"], ["--help"], ["list", "games", "--json"]])
def test_prints_no_traceback_for_closed_or_full_output(words: list[str]) -> None:
    with start(*words) as left:
        left.stdout.close()
        assert (left.stderr.read(), left.wait()) == (b"", 0)  # type: ignore[union-attr]
    closed = python("-c", CLOSED, *words, check=False)
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, "", "")
    if Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            err = start(*words, stdout=full).communicate()[1].decode()
            assert re.fullmatch(r"plyscope: cannot .*write.*: No space left on device\n", err), err
            assert (
                subprocess.run(
                    [*PLYSCOPE, *words], stdout=full, stderr=full, check=False
                ).returncode
                == 2
            )


SOURCES = sources("terminal")
CLOSED = SOURCES["closed"]


def test_plays_in_a_terminal_of_plain_signs_and_ends_by_ctrl_c() -> None:
    pty = pytest.importorskip("pty")
    above, below = pty.openpty()

    def own_terminal() -> None:
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # or Ctrl-C would be nobody's

    process = start(
        *("play", "--level", "1", "--seed", "1"),
        **{
            "stdin": below,
            "stdout": below,
            "stderr": below,
            "start_new_session": True,
            "preexec_fn": own_terminal,
        },
        env={"PYTHONIOENCODING": "ascii"},
    )
    os.close(below)
    shown = b""
    for wanted, entered in (
        (b"X to move: ", b"5\n"),
        (b"X to move: ", b"\xc3\xa9\n"),
        (b"X to move: ", b"\x03"),
    ):
        shown += read_until(wanted, above)
        os.write(above, entered)
    with suppress(OSError):  # how Linux says that the other end is gone
        while select.select([above], [], [], PATIENCE_SECONDS)[0] and (
            data := os.read(above, 4096)
        ):
            shown += data
    os.close(above)
    assert process.wait(PATIENCE_SECONDS) == 0
    assert shown.replace(b"\xc3\xa9", b"").isascii()  # what was typed comes back
    assert b"---+---+---" in shown
    assert b"goodbye; to continue: plyscope play" in shown
    assert b"Traceback" not in shown


@pytest.mark.parametrize(
    ("words", "entered", "wanted", "status"),
    [
        (["play"], b"", b"X to move: ", 0),
        (["gomocup"], b"ABOUT\n", b"version", 1),
        (["web", "--port", "0", "--no-browser"], b"", b"at http", 0),
    ],
)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_sigterm_does_what_ctrl_c_does(
    words: list[str], entered: bytes, wanted: bytes, status: int, name: str
) -> None:
    with start(*words) as process:
        process.stdin.write(entered)
        process.stdin.flush()
        said = read_until(wanted, process.stdout.fileno())
        if words[0] == "web":  # which answers once it has taken the signals over
            address = re.search(rb"http://\S+/", said)
            assert address is not None
            with urlopen(address[0].decode(), timeout=60) as answer:
                assert answer.status == 200
        process.send_signal(getattr(signal, name))
        err = process.stderr.read()
        assert process.wait(PATIENCE_SECONDS) == status, err
        assert (
            words[0] == "web" or b"Traceback" not in err
        )  # a worker that is just starting may complain
        assert (b"plyscope: interrupted" in err) == (status == 1)


# what the status means


def stop(*arguments: Any, **options: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("command", "function"),
    [
        ("eval tictactoe", "plyscope.evaluation.evaluate.explain"),
        ("tree tictactoe", "plyscope.searching.trace.trace"),
        ("analyze tictactoe", "plyscope.searching.request.as_position"),
        ("compare tictactoe --depth 2", "plyscope.searching.request.as_position"),
        ("solve tictactoe", "plyscope.solving.solve.solve"),
        ("certify two-ply", "plyscope.lab.judging.certify.certify"),
        ("match random random -n 2", "plyscope.lab.matches.match.play_match"),
        ("tournament random random -n 2", "plyscope.lab.matches.tournament.tournament"),
        ("report-card counted-lines", "plyscope.lab.judging.reportcard.report_card"),
        ("exam", "plyscope.lab.questions.exam.trees.make_questions"),
        ("list games", "plyscope.faces.cli.list_._games"),
        ("warm", "plyscope.faces.cli.warm.thinking"),
    ],
)
@pytest.mark.parametrize("form", ["", " --json"])
def test_says_interrupted_with_status_1_after_ctrl_c_in_any_command(
    command: str,
    function: str,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if command == "list games":
        monkeypatch.setitem(import_module("plyscope.faces.cli.list_").ROWS, "games", stop)
    else:
        monkeypatch.setattr(function, stop)
    assert run((command + form).split()) == 1
    out, err = capsys.readouterr()
    assert err == "plyscope: interrupted\n"
    assert out == "" if not form else json.loads(out)["stopped"] == "interrupted"


def after(times: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` that raises KeyboardInterrupt when it is called once more than so many
    times."""
    left = [times]

    def counted(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        return stop() if left[0] < 0 else function(*arguments, **options)

    return counted


def test_prints_the_result_found_before_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.lab.judging.puzzles import puzzle_in
    from plyscope.lab.judging.reportcard import report_card
    from plyscope.rules.symmetry import canonical

    def printed(command: str) -> str:
        assert run(command.split()) == 1
        out, err = capsys.readouterr()
        assert err == ""
        return out

    for form in ("", " --json"):
        monkeypatch.setattr("plyscope.rules.perft.canonical", after(1 + 9 + 72, canonical))
        out = printed("perft tictactoe" + form)
        if form:
            assert [row["sequences"] for row in json.loads(out)] == [1, 9, 72]
        else:
            assert re.search(r"sum so far +82 +82 ", out)
            assert "interrupted in ply 3: 0 complete games before it" in out
        monkeypatch.setattr("plyscope.lab.judging.reportcard.report_card", after(1, report_card))
        out = printed("report-card counted-lines null --depth 1" + form)
        assert len(json.loads(out)) == 1 if form else "interrupted: 1 of 2 cards" in out
        monkeypatch.setattr("plyscope.lab.judging.puzzles.puzzle_in", after(40, puzzle_in))
        out = printed("puzzles 4,3,3 -n 500 --depth 1" + form)
        assert 0 < len(json.loads(out)) < 40 if form else "found; interrupted" in out


def test_says_in_a_card_which_positions_were_asked(capsys: pytest.CaptureFixture[str]) -> None:
    command = "report-card open-lines -g 5,5,4 --samples 25 --depth 1 --jobs 1"
    out = " ".join(output(capsys, *command.split()).split())
    assert "5,5,4: 25 positions (quiet)" in out
    assert "solved together with all their moves (lines in 2,000 or threats in 200" in out
    assert re.search(r"wrong moves at depth 1 \(with no heuristic: \d+\.\d%\) \d+\.\d% \(\d", out)


def test_lists_agents_that_did_not_play_in_an_interrupted_tournament(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from plyscope.faces.findings.matches import tournament_section
    from plyscope.faces.terminal import terminal
    from plyscope.faces.texts import finding
    from plyscope.lab.matches.tournament import tournament

    found = tournament(["random", "greedy", "one-ply"], 1000, progress=after(1, lambda score: None))
    assert found.stopped == "interrupted"
    terminal().print(finding(tournament_section(found)))
    out = capsys.readouterr().out
    assert re.search(r"^ 3 +one-ply +– +0 +0 +0$", out, re.M)
    assert "interrupted" in out


def test_answers_ctrl_c_inside_an_exec_like_any_other() -> None:
    code = """
import sys
from plyscope.faces import cli

def run(words):
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 1

cli.run = run
sys.exit(cli.main())
"""
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode
        == 1
    )


def status(command: str, capsys: pytest.CaptureFixture[str]) -> int:
    found = run(command.split())
    assert capsys.readouterr().err == ""
    return found


def test_exits_with_status_1_for_undecided_or_unproved_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("solve tictactoe", capsys) == status("solve tictactoe --json", capsys) == 0
    assert status("solve 7,7,5 --seconds 0.01 --method search", capsys) == 1
    assert status("solve 7,7,5 --seconds 0.01 --method search --json", capsys) == 1
    assert status("certify two-ply", capsys) == 0
    assert status("certify one-ply", capsys) == status("certify one-ply --json", capsys) == 1
    assert status("match two-ply two-ply -n 4 --jobs 1", capsys) == 0
    assert status("match two-ply two-ply -n 4 --jobs 1 --sprt 0 10", capsys) == 1
    assert status("match two-ply random -n 400 --jobs 1 --sprt 0 400", capsys) == 0
    assert status("puzzles 3,2,3 -n 5", capsys) == 1
    assert (
        run(["solve", "7,7,5", "--seconds", "0.01", "--method", "search", "--proof", "no.proof"])
        == 1
    )
    says(capsys.readouterr().err)
    assert not (tmp_path / "no.proof").exists()


HIDDEN = SOURCES["hidden"]


def test_runs_searches_solvers_and_the_page_without_posix_modules(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import time\ndef corner(position): return position.moves[0]\ndef stuck(position): time.sleep(100)\n"
    )
    done = python("-c", HIDDEN, str(file), input="5\n", check=False)
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert said[:4] == ["True", "True", "[0, 0, 0]", "4"]
    assert said[4].startswith("2 [")
    assert said[-1] == "0 0"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a limit of memory")
def test_says_that_memory_is_missing_if_a_library_cannot_be_loaded() -> None:
    from resource import RLIMIT_AS, setrlimit

    def limited() -> None:
        setrlimit(RLIMIT_AS, (400_000_000, 400_000_000))

    if shipped.addresses():
        pytest.skip("a clone with machine code loads no library that needs much memory")
    words = [sys.executable, "-m", "plyscope", "solve", "5,4,4"]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=limited)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    says(done.stderr)
