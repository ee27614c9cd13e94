"""What a submission is checked for, and what its sandbox keeps it from."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from commands import answer, data, python, refusal
from plyscope.errors import HeuristicError
from plyscope.evaluation.function import MAX_VALUE
from plyscope_class.assignment import Assignment, CheckOptions, Limits, Rubric
from plyscope_class.check import Check, _Checking, check_submission, drawn_positions
from plyscope_class.findings import estimate_lines
from plyscope_class.grade import Grade, _report_card, grade_of
from plyscope_class.grade import _certificate as _points
from plyscope_class.judge import _certificates, judge
from plyscope_class.submission_process import (
    MAX_STARTS,
    Budget,
    SubmissionAgent,
    SubmissionHeuristic,
    SubmissionProcess,
)
from sentences import says
from sources import sources

SOURCES = sources("check")
GOOD = SOURCES["good"]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's sandbox")


def assignment(
    interface: str = "heuristic", game: str = "tictactoe", positions: int = 20
) -> Assignment:
    limits = Limits(import_seconds=1.0, call_seconds=0.3, megabytes=500)
    check = CheckOptions(positions=positions)
    return Assignment(interface=interface, game=game, limits=limits, check=check).checked()


def checked(text: str, interface: str = "heuristic", game: str = "tictactoe") -> Check:
    wanted = assignment(interface, game)
    return check_submission({wanted.file: text.encode()}, wanted.file, wanted)


def test_gives_a_good_submission_all_points_and_no_finding() -> None:
    for game in ("tictactoe", "connect4"):
        found = checked(GOOD, game=game)
        assert (found.is_sound, found.share) == (True, 1)
        assert (found.can_be_judged, found.has_chance) == (True, False)


@pytest.mark.parametrize("other", ["heuristic.py/notes.txt", f"{'x' * 300}.txt"])
def test_reports_names_that_no_folder_can_hold(other: str) -> None:
    wanted = assignment()
    found = check_submission({"heuristic.py": GOOD.encode(), other: b""}, "heuristic.py", wanted)
    assert not found.can_be_judged
    (runs,) = found.findings
    assert runs.name == "runs"
    assert repr(other[:60]) in str(runs.finding)


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("def heuristic(board:", "runs"),
        ("1 / 0", "runs"),
        ("import os; os._exit(3)", "runs"),
        ("import time; time.sleep(100)", "runs"),
        ("def other(board): return 1", "function"),
        ("def heuristic(a, b, c, d): return 1", "function"),
        (f"print('hello'){GOOD}", "quiet"),
        ("def heuristic(board): return 1 / 0", "answers"),
        ("def heuristic(board): return 'a'", "answers"),
        ("import os\ndef heuristic(board): os._exit(0)", "answers"),
        ("def heuristic(board):\n  while True: pass", "time"),
        ("import random\ndef heuristic(board): return random.randrange(9)", "chance"),
        ("seen = []\ndef heuristic(board):\n  seen.append(0)\n  return len(seen)", "chance"),
        ("def heuristic(board, player): return board[0].count(player)", "symmetry"),
        (
            "def heuristic(board, player):\n  return player * board[0].count(player) + board[1].count(1)",
            "colours",
        ),
    ],
)
def test_prints_each_finding_as_a_sentence_under_its_item(text: str, item: str) -> None:
    found = checked(text)
    told = {each.name: each.finding for each in found.items if each.finding is not None}
    says(told[item])
    assert not found.is_sound
    assert found.share < 1


MINIMAX = SOURCES["minimax"]
PERFECT = SOURCES["perfect"]


@pytest.mark.parametrize("form", PERFECT)
def test_accepts_perfect_values_that_infer_the_side_to_move(form: str) -> None:
    wanted = assignment(positions=100)
    text = MINIMAX + PERFECT[form]
    found = check_submission({wanted.file: text.encode()}, wanted.file, wanted)
    assert (found.findings, found.share) == ((), 1)


LINES_OF_X = SOURCES["lines_of_x"]


@pytest.mark.parametrize(
    ("text", "item", "words"),
    [
        ("def heuristic(board): return 1", "sides", ["1 on all 100 positions"]),
        (
            "def heuristic(board): return sum(row.count('X') for row in board)",
            "sides",
            ["0 on all 100 positions", "'X'", "0, 1 and 2"],
        ),
        (
            f"{LINES_OF_X}def heuristic(board, player): return of_x(board)",
            "sides",
            ["X and O the same value"],
        ),
        (
            f"{LINES_OF_X}def heuristic(board):\n"
            "  return -of_x(board) if stones(board) % 2 else of_x(board)",
            "sides",
            ["player to move", "X's view"],
        ),
        (
            "def heuristic(board, player):\n"
            "  free = [row for row in board if ' ' not in row]\n"
            "  return sum(row.count(player) - row.count(3 - player) for row in free)",
            "sides",
            ["compares with ' '", "0, 1 and 2"],
        ),
        (
            f"{LINES_OF_X}def heuristic(board): return -of_x(board)",
            "sides",
            ["in O's view", "X's view"],
        ),
        ("def heuristic(board):\n  if board[1][1]: return 1", "answers", ["'None'", "return"]),
        (
            "def heuristic(board): return {'X': 1, 'O': -1}[board[0][0]]",
            "answers",
            ["KeyError", "0, 1 and 2"],
        ),
    ],
)
def test_names_the_likely_cause_of_a_finding(text: str, item: str, words: list[str]) -> None:
    wanted = assignment(positions=100)
    found = check_submission({wanted.file: text.encode()}, wanted.file, wanted)
    told = {each.name: str(each.finding) for each in found.findings}
    assert [word for word in words if word not in told[item]] == []


@pytest.mark.parametrize("text", [GOOD, f"{LINES_OF_X}def heuristic(board): return of_x(board)"])
def test_names_no_cause_for_sound_values(text: str) -> None:
    wanted = assignment(positions=100)
    assert check_submission({wanted.file: text.encode()}, wanted.file, wanted).is_sound


def test_reads_infinite_answers_as_the_greatest_values() -> None:
    text = "def heuristic(board): return float('inf') if board[0][0] else -float('inf')"
    (first, second), _ = values_of(text)
    assert (first, second) == (-MAX_VALUE, -MAX_VALUE)
    (first, _), _ = values_of("def heuristic(board): return float('nan')")
    assert "answered 'nan'" in str(first)


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("def heuristic(board:", "runs"),
        ("def other(board): return 1", "function"),
        ("def heuristic(board): return 1 / 0", "answers"),
        ("def heuristic(board):\n  while True: pass", "time"),
    ],
)
def test_skips_later_items_after_a_function_that_gives_no_answer(text: str, item: str) -> None:
    found = checked(text)
    assert (found.does_run, found.share, found.can_be_judged) == (False, 0, False)
    assert [each.name for each in found.findings] == [item]
    assert {"imports", "chance", "symmetry", "colours"} <= set(found.missing)


def test_reports_the_times_of_the_positions_asked() -> None:
    found = checked("import time\ndef heuristic(board):\n  time.sleep(0.1)\n  return 1")
    assert found.microseconds is not None
    assert found.microseconds >= 1e5
    late = checked("import time\ndef heuristic(board):\n  time.sleep(0.5)\n  return 1")
    (finding,) = late.findings
    says(str(finding.finding))
    assert late.microseconds is not None
    assert late.microseconds >= 3e5


# Forbidden modules

CHEATS = {
    name: (interface, text)
    for interface, texts in SOURCES["cheats"].items()
    for name, text in texts.items()
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_ends_at_the_use_of_a_forbidden_module(cheat: str) -> None:
    interface, text = CHEATS[cheat]
    found = checked(text, interface)
    assert "plyscope" in str(found.forbidden)
    assert (found.share, found.can_be_judged) == (0, False)
    assert [each.name for each in found.findings] == ["imports"]


def test_lets_an_agent_use_its_position_and_all_of_python() -> None:
    text = """
import copy, functools, inspect, pickle, traceback
import numpy
from helper import VALUE

@functools.lru_cache(None)
def value(position):
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.side else -1
    return max(-value(position.play(move)) for move in position.moves)

def choose(position):
    assert copy.deepcopy(position) == pickle.loads(pickle.dumps(position)) == position
    assert inspect.getmodule(type(position)) and traceback.format_stack() and inspect.stack()
    print(position, repr(position), position.game, position.game.lines[:VALUE])
    return min(position.moves, key=lambda move: value(position.play(move)))
"""
    wanted = assignment("agent", positions=5)
    files = {wanted.file: text.encode(), "helper.py": b"import numpy.linalg\nVALUE = 1\n"}
    found = check_submission(files, wanted.file, wanted)
    assert (found.forbidden, found.is_sound) == (None, True)


def test_ignores_imports_that_never_run_and_can_forbid_other_modules() -> None:
    text = f"{GOOD}\nif __name__ == '__main__':\n  import plyscope as ps\n  print(ps.report_card)"
    assert checked(text).is_sound
    check = CheckOptions(positions=5, forbidden=("json",))
    wanted = replace(assignment(), check=check)
    files = {wanted.file: f"import json, plyscope\n{GOOD}".encode()}
    assert "imports 'json'" in str(check_submission(files, wanted.file, wanted).forbidden)
    files = {wanted.file: f"import plyscope.solving\n{GOOD}".encode()}
    assert check_submission(files, wanted.file, wanted).is_sound


def test_shows_the_simplest_position_of_a_finding_for_every_command() -> None:
    text = "def heuristic(board, player):\n  assert sum(map(sum, board)) < 3\n  return 0"
    (finding,) = (each for each in checked(text).findings if each.name == "answers")
    assert finding.position is not None
    position = ps.parse(finding.position)
    assert (position.first | position.second).bit_count() == 2
    assert "raised AssertionError" in str(finding.finding)


def test_judges_seeded_chance_and_not_answers_that_differ_between_equal_runs() -> None:
    seeded = checked("import random\ndef heuristic(board): return random.randrange(9)")
    assert (seeded.can_be_judged, seeded.has_chance) == (True, True)
    at_import = checked(
        "import random\nweight = random.random()\ndef heuristic(board): return round(weight * 1000)"
    )
    assert (at_import.can_be_judged, at_import.has_chance) == (True, False)
    from_the_system = checked(
        "import os\nw = int.from_bytes(os.urandom(3))\ndef heuristic(board): return w"
    )
    assert from_the_system.can_be_judged is False
    says(str(from_the_system.findings[-1].finding))


@pytest.mark.parametrize("place", ["w = ", "def heuristic(board): return "])
def test_reports_unrepeatable_answers_in_the_same_words_each_time(place: str) -> None:
    text = f"import os\n{place}int.from_bytes(os.urandom(3))\n"
    text += "def heuristic(board): return w\n" if place == "w = " else ""
    one, other = checked(text), checked(text)
    assert one.findings == other.findings
    says(str(one.findings[-1].finding))


def test_lets_an_agent_draw_and_reads_a_table_in_this_process() -> None:
    agent = checked(
        "import random\ndef choose(position): return random.choice(position.moves)", "agent"
    )
    assert (agent.is_sound, agent.has_chance) == (True, True)
    assert checked("def choose(position): return 99", "agent").findings[0].name == "answers"
    assert checked("mine = [0, 1, 3, 8]", "table").is_sound
    says(str(checked("mine = [0, 1]", "table").findings[0].finding))
    assert checked("mine = 'x'", "table").findings[0].name == "runs"
    for hostile in ("mine = " + "[" * 100_000, "#" * 600_000, "mine = [0, 1e999, 2]", "\0"):
        assert checked(hostile, "table").findings[0].name == "runs"


def test_asks_everybody_the_same_positions_and_agents_those_with_a_move() -> None:
    wanted = assignment(positions=200)
    assert drawn_positions(wanted) == drawn_positions(assignment(positions=200))
    assert len(set(drawn_positions(wanted))) == 200
    assert any(position.is_over for position in drawn_positions(wanted))
    assert not any(position.is_over for position in drawn_positions(assignment("agent")))


# The sandbox


def values_of(
    text: str, wanted: Assignment | None = None
) -> tuple[list[int | str], SubmissionProcess]:
    """Return the value of two positions, or why there is none, and the submission, closed."""
    found: list[int | str] = []
    with SubmissionProcess(
        {"heuristic.py": text.encode()}, "heuristic.py", wanted or assignment()
    ) as submission:
        heuristic = SubmissionHeuristic(submission)
        for position in (ps.parse("tictactoe"), ps.parse("tictactoe b2")):
            try:
                found.append(heuristic.evaluate(position, 0))
            except ps.PlyscopeError as error:
                found.append(str(error))
    return found, submission


@LINUX
@pytest.mark.parametrize(
    "attempt",
    [
        "open({other!r}).read()",
        "__import__('os').listdir({folder!r})",
        "open('mine.txt', 'w')",
        "__import__('os').fork()",
        "__import__('subprocess').run(['true'])",
        "__import__('socket').socket()",
        "__import__('os').kill(__import__('os').getppid(), 0)",
    ],
)
def test_blocks_attempts_to_leave_the_sandbox(tmp_path: Path, attempt: str) -> None:
    (tmp_path / "other.py").write_text("secret")
    attempt = attempt.format(other=str(tmp_path / "other.py"), folder=str(tmp_path))
    (first, _), _ = values_of(f"def heuristic(board):\n  {attempt}\n  return 1")
    assert "raised PermissionError" in str(first)


@LINUX
def test_blocks_in_the_kernel_the_calls_that_python_does_not_see(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("secret")
    text = f"""
import ctypes, os
c = ctypes.CDLL(None)
def heuristic(board):
    opened = c.open({str(tmp_path / "other.py").encode()!r}, 0) >= 0
    return opened + 2 * (c.fork() >= 0) + 4 * (c.socket(2, 1, 0) >= 0) + 8 * (c.kill(os.getppid(), 0) >= 0)
"""
    found, _ = values_of(text)
    assert found == [0, 0]
    with SubmissionProcess(
        {"heuristic.py": GOOD.encode()}, "heuristic.py", assignment()
    ) as submission:
        submission.start()
        assert submission.held == ("files", "processes")


def test_reads_its_own_files_and_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYSCOPE_SECRET", "1")
    text = "import os\nfrom helper import VALUE\ndef heuristic(board): return VALUE + len(os.environ.get('PLYSCOPE_SECRET', ''))"
    files = {"heuristic.py": text.encode(), "helper.py": b"VALUE = 7"}
    with SubmissionProcess(files, "heuristic.py", assignment()) as submission:
        assert SubmissionHeuristic(submission).evaluate(ps.parse("tictactoe"), 0) == 7
    assert not Path(submission.folder).exists()


def test_runs_no_file_of_a_submission_before_the_sandbox() -> None:
    text = "import sys\ndef heuristic(board): return sys.flags.no_user_site"
    found, _ = values_of(text)
    assert found == [1, 1]  # without which its HOME could hold a usercustomize.py


def test_lets_a_submission_use_numpy_and_threads() -> None:
    text = """
import numpy as np
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(2)
def heuristic(array, player):
    own, other = pool.map(lambda side: int((array == side).sum()), (player, 3 - player))
    return int(np.linalg.norm([3.0, 4.0])) * own - 5 * other
"""
    found, _ = values_of(text)
    assert found == [0, 5]


def test_blocks_in_python_where_the_kernel_offers_no_sandbox(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other.py"
    own.mkdir()
    for file in (own / "mine.txt", other):
        file.write_text("text")
    code = f"""
import os, socket, subprocess
from plyscope.lab.people import sandbox
from plyscope.lab.people import syscalls
sandbox.c_library = syscalls.c_library = lambda: None
held = sandbox.Sandbox({str(own)!r}).enter()
def refused(attempt):
    try:
        attempt()
    except PermissionError:
        return True
    return False
attempts = (
    lambda: open({str(other)!r}), lambda: os.listdir({str(tmp_path)!r}), os.fork,
    lambda: subprocess.run(["true"]), socket.socket, lambda: os.kill(os.getppid(), 0),
)
print(held, [refused(each) for each in attempts], open({str(own / "mine.txt")!r}).read())
"""
    printed = python("-P", "-c", code, check=False)
    assert (printed.stdout, printed.stderr) == (f"() {[True] * 6} text\n", "")


def test_limits_a_patch_of_plyscope_to_its_own_submission() -> None:
    text = "from plyscope.rules.position import Position\nPosition.moves = property(lambda position: (8,))\ndef heuristic(board): return 5"
    allowed = replace(assignment(), check=CheckOptions(forbidden=()))
    found, _ = values_of(text, allowed)
    assert found == [5, 5]
    assert len(ps.parse("tictactoe").moves) == 9


@pytest.mark.parametrize(
    "forged", ['{"values": [true]}', '{"values": []}', '{"values": [1e9]}', "[]"]
)
def test_rejects_a_forged_answer_and_ends_the_process(forged: str) -> None:
    text = f"""
import os, sys
def heuristic(board):
    os.write(sys.stdout.replies.stream.fileno(), {(forged + chr(10)).encode()!r})
    return 1
"""
    (first, second), _ = values_of(text)
    says(f"{first}\n{second}")


def test_stops_asking_a_submission_that_was_ended_a_few_times() -> None:
    with SubmissionProcess(
        {"heuristic.py": b"import os\ndef heuristic(board): os._exit(0)"},
        "heuristic.py",
        assignment(),
    ) as submission:
        heuristic = SubmissionHeuristic(submission)
        reasons = []
        for position in drawn_positions(assignment())[: MAX_STARTS + 2]:
            with pytest.raises(HeuristicError) as error:
                heuristic.evaluate(position, 0)
            reasons.append(str(error.value).partition(" on '")[0])
    assert (
        reasons
        == ["ended with status 0"] * MAX_STARTS + ["was ended 3 times, and is not called again"] * 2
    )


# The command


def test_prints_each_item_and_exits_with_whether_all_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(GOOD)
    bad.write_text("def heuristic(board): return 1")
    (tmp_path / "assignment.toml").write_text('game = "tictactoe"\n')
    status, out, _ = answer(capsys, "class", "check", "--quick", str(good))
    assert (status, out.count("\n  ok ")) == (0, 10)
    status, out, _ = answer(capsys, "class", "check", "--quick", str(bad))
    assert status == 1
    assert "FINDING" in out
    assert f"plyscope eval '.../.../...' -H {bad}:heuristic" in out
    found = data(capsys, "class", "check", "--quick", str(bad), status=1)
    assert found["items"][-3]["name"] == "sides"
    says(found["items"][-3]["finding"])
    assert found["is_sound"] is False


@pytest.mark.parametrize(
    "content",
    [
        *("depht = 2", "[limits]\nseconds = 1", "interface = 'bot'", "depth = 2\nnodes = 100"),
        *("[ladder]\nbaselines = ['engine']", "[rubric]\ncheck = 'x'", "[check]\npositions = 0"),
        *("game = 'chess'", "function = 'a b'"),
    ],
)
def test_rejects_a_bad_assignment_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (tmp_path / "mine.py").write_text(GOOD)
    (tmp_path / "assignment.toml").write_text(content)
    says(refusal(capsys, "class", "check", "--quick", str(tmp_path / "mine.py")))


WINS_LATER = SOURCES["wins_later"]


def test_says_in_how_many_positions_an_agent_wins_later_than_it_could() -> None:
    rubric = Rubric(report_card=0.0, certificate=80.0, ladder=0.0)
    wanted = replace(assignment("agent", "3,3,3,gravity"), rubric=rubric).checked()
    judged = judge({wanted.file: WINS_LATER.encode()}, wanted.file, wanted).as_dict()
    found = judged["wins_taken"]
    assert (found["wins"], found["slower"], found["given_away"]) == (59, 4, 0)
    assert (found["wins_in_one"], found["passed_in_one"]) == (39, 4)
    assert found["first"]["position"] == "3,3,3,gravity O../O../XX."
    assert (found["first"]["move"], found["first"]["better"]) == ("b2", ["c1"])
    grade = grade_of(judged, "", wanted)
    assert (grade.total, grade.of) == (100, 100)  # it costs no points
    assert list(grade.facts) == found["said"]
    shown = "\n".join(estimate_lines(grade, Budget(wanted)))
    assert found["said"][0] in shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def choose(p): return p.moves[0]", None),
        (
            "N = [0]\ndef choose(p):\n    N[0] += 1\n    return p.moves[N[0] % 2 - 1]",
            "does not always give the same move",
        ),
    ],
)
def test_the_certificate_of_an_agent_that_may_draw_names_the_doubt(
    text: str, words: str | None
) -> None:
    wanted = replace(assignment("agent"), game="3,1,3")
    with SubmissionProcess({wanted.file: text.encode()}, wanted.file, wanted) as submission:
        certificate = _certificates(SubmissionAgent(submission), wanted, {})
    for side in certificate.values():
        assert (words or "") in side["doubt"]
        assert bool(side["doubt"]) == (words is not None)
    share, reasons = _points(certificate)
    assert share == 1
    assert "it lost none of" in reasons[0]
    assert ("a sample" in reasons[0]) == (words is not None)


@pytest.mark.parametrize("fails", [1, 3, 6, 9])
def test_gives_an_item_the_share_of_positions_in_which_it_holds(fails: int) -> None:
    text = (
        "def heuristic(board, player):\n"
        "    stones = sum(cell > 0 for row in board for cell in row)\n"
        f"    if stones > 9 - {fails}:\n        raise ValueError\n"
        "    return sum((cell == player) - (cell == 3 - player) for row in board for cell in row)\n"
    )
    found = checked(text)
    (item,) = (item for item in found.items if item.name == "answers")
    wanted = assignment()
    late = [each for each in drawn_positions(wanted) if str(each).count(".") < fails]
    right = 1 - len(late) / wanted.check.positions
    assert 0 < right < 1
    assert item.share == pytest.approx(right if right > 0.5 else 0)
    assert item.finding is not None
    others = sum(each.share for each in found.items if each.name != "answers")
    number = len(found.items) + len(found.missing)
    assert found.share == pytest.approx((others + item.share) / number)


LINES = SOURCES["lines"]


def of_card(text: str, **more: Any) -> Grade:
    """The grade of a heuristic for tic-tac-toe, without the games."""
    rubric = Rubric(check=20, report_card=80, certificate=0, ladder=0)
    made = Assignment(rubric=rubric, check=CheckOptions(positions=40), **more).checked()
    found = judge({made.file: text.encode()}, made.file, made)
    return grade_of(found.as_dict(), "", made)


def test_fractions_of_a_right_evaluation_cost_nothing() -> None:
    grade = of_card(LINES.replace("return total", "return total / 10"))
    assert grade.total == of_card(LINES).total == 100
    assert any("returns fractions" in reason for reason in grade.parts[0].reasons)


def test_no_depth_takes_away_the_points_of_another() -> None:
    stones = "sum(cell > 0 for row in board for cell in row)"
    mover = LINES.replace("    total = 0", f"    player, total = 1 + {stones} % 2, 0")
    grade = of_card(mover)
    card = next(part for part in grade.parts if part.name == "report_card")
    assert card.points > 10  # depth 2 is right
    says(card.reasons[0])
    assert grade.reason == card.reasons[0]


def test_the_reason_of_a_view_of_x_is_its_finding() -> None:
    grade = of_card(LINES.replace("    total = 0", "    player, total = 1, 0"))
    assert "player" in grade.reason
    assert "%" not in grade.reason
    assert not any("opposite sign" in reason for part in grade.parts for reason in part.reasons)
    opposite = of_card(LINES.replace("return total", "return -total"))
    assert "better with the opposite sign" in opposite.reason


PERFECT_AGENT = SOURCES["perfect_agent"]


@pytest.mark.parametrize("returned", ["move", "divmod(move, 3)"])
def test_a_perfect_agent_that_draws_among_its_best_moves_never_loses(returned: str) -> None:
    rubric = Rubric(check=20, report_card=0, certificate=80, ladder=0)
    made = Assignment(interface="agent", rubric=rubric).checked()
    text = PERFECT_AGENT.replace("RETURNED", returned)
    found = judge({made.file: text.encode()}, made.file, made)
    grade = grade_of(found.as_dict(), "", made)
    assert grade.total == 100
    assert "a sample: " in grade.parts[1].reasons[0]
    losing = text.replace("== best]", ">= best]")  # for O any move
    found = judge({made.file: losing.encode()}, made.file, made)
    certificate = next(p for p in grade_of(found.as_dict(), "", made).parts if p.of == 80)
    assert certificate.points <= 40
    assert "loses by" in certificate.reasons[0]


@pytest.mark.parametrize(("mistakes", "share"), [(0.3, 0.0), (0.2, 1.0), (0.1, 1.0)])
def test_gives_all_or_no_points_where_no_opinion_has_full_points(
    mistakes: float, share: float
) -> None:
    depth = {"depth": 1, "null": 0.2, "full": 0.2, "mistakes": mistakes}
    assert _report_card({"depths": [depth], "choices": 10})[0] == share


class Reports(list[tuple[Any, ...]]):
    """The findings of a check."""

    def _report(self, name: str, *finding: Any) -> None:
        self.append(finding)


@pytest.mark.parametrize(("bonus", "is_found"), [((3, -3), False), ((3, 2), True)])
def test_accepts_values_for_both_sides_with_one_sum(bonus: tuple[int, int], is_found: bool) -> None:
    """A bonus for X that O loses is one rule; without it, swapped colours show another value."""

    def evaluate(position: ps.Position, side: int) -> int:
        return ps.evaluate(position, "open-lines", side=side) + bonus[side]

    positions = [ps.parse(f"tictactoe {moves}") for moves in ("a1 b2", "a1 b1", "b2 a1 c3 a3")]
    known = {at: evaluate(position, 0) for at, position in enumerate(positions)}
    others = {at: evaluate(position, 1) + at * is_found for at, position in enumerate(positions)}
    found = Reports()
    _Checking._colours(found, positions, known, others, evaluate)  # type: ignore[arg-type]
    assert found == [()] or is_found
    assert len(found[0]) == 2 * is_found
