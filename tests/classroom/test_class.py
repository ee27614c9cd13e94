"""A class from the hand-out to the grades: what hostile submissions cannot change, and what being
killed cannot either."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

import plyscope as ps
from bench.classroom import HOSTILE, KINDS, differences, written
from commands import answer, data
from plyscope.lab.judging.populations import population_of
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.people.workers import LocalWorkers
from plyscope_class import gradescope
from plyscope_class.assignment import Assignment, CardOptions, CheckOptions, LadderOptions, Rubric
from plyscope_class.grade import Grade, Part, grade_of
from plyscope_class.handout import usual_assignment
from plyscope_class.judge import judge
from plyscope_class.ladder import Rung, climb
from plyscope_class.league import pairings, rounds_of, standings
from plyscope_class.run import NOT_JUDGED, _as_they_end
from sentences import says
from waiting import until

SMALL = """
title = "Small"
seed = 5
[limits]
import_seconds = 1.5
call_seconds = 0.5
total_seconds = 20
[check]
positions = 12
[rubric]
report_card = 30
certificate = 0
[report_card]
depths = 2
[ladder]
baselines = ["level-2"]
pairs = 4
opening_plies = 2
[league]
pairs = 1
"""
HONEST = {f"student{at}": KINDS[kind].format(a=2, b=3) for at, kind in enumerate((1, 4))}


def a_class(folder: Path, files: dict[str, str]) -> Path:
    (folder / "submissions").mkdir(parents=True)
    (folder / "assignment.toml").write_text(SMALL)
    for name, text in files.items():
        text = text.replace("SUBMISSIONS", str(folder / "submissions"))
        (folder / "submissions" / f"{name}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with four hostile submissions, graded."""
    hostile = ("forks", "vanishes", "patches", "reads")
    files = {f"hostile-{name}": HOSTILE[name] for name in hostile}
    folder = a_class(tmp_path_factory.mktemp("class") / "all", HONEST | files)
    subprocess.run(command(folder), check=True, capture_output=True)
    return folder


def command(folder: Path, jobs: int = 2) -> list[str]:
    return [sys.executable, "-m", "plyscope", "class", "run", str(folder), "--jobs", str(jobs)]


def rows_of(folder: Path) -> dict[str, dict[str, str]]:
    text = (folder / "grades.csv").read_text(encoding="utf-8-sig")
    return {row["id"]: row for row in csv.DictReader(text.splitlines())}


def test_grades_the_others_byte_for_byte_as_without_hostile_submissions(
    graded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = a_class(tmp_path / "alone", HONEST)
    found = data_of(capsys, alone)
    assert [each["id"] for each in found["graded"]] == list(HONEST)
    assert list(differences(written(graded), written(alone))) == []
    assert len(written(alone)) == 2 * len(HONEST) + 1


def data_of(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[str, list[dict[str, str]]]:
    status, out, err = answer(capsys, "class", "run", str(folder), "--jobs", "1", "--json")
    assert status == 0
    assert err.startswith("plyscope: note: submissions run in a sandbox")
    assert "run this in a container" in err
    assert ("from malicious code" in err) == ("restricts files and processes;" not in err)
    found: dict[str, list[dict[str, str]]] = json.loads(out)
    return found


def test_grades_hostile_submissions_and_says_why(graded: Path) -> None:
    rows = rows_of(graded)
    assert float(rows["hostile-forks"]["ladder"]) == 0
    assert float(rows["hostile-vanishes"]["total"]) == 0
    assert "ended with status 0" in rows["hostile-vanishes"]["reason"]
    assert float(rows["hostile-patches"]["total"]) == 0
    assert rows["hostile-patches"]["reason"].startswith("check by hand: line 2 of ")
    if sys.platform.startswith("linux"):
        assert "PermissionError" in rows["hostile-forks"]["reason"]
    best = max(rows.values(), key=lambda row: float(row["total"]))
    assert best["id"] == "student0"


def test_writes_the_same_bytes_after_being_killed_and_resumed(graded: Path, tmp_path: Path) -> None:
    folder = a_class(tmp_path / "killed", {})
    for path in sorted((graded / "submissions").iterdir()):
        text = path.read_text().replace(str(graded), str(folder))
        (folder / "submissions" / path.name).write_text(text)
    nowhere = subprocess.DEVNULL
    running = subprocess.Popen(command(folder, jobs=1), stdout=nowhere, stderr=nowhere)
    until(lambda: len(list(folder.glob("judged/[!.]*"))) >= 2 or running.poll() is not None)
    assert running.poll() is None
    running.kill()
    running.wait()
    kept = {path.name: path.stat().st_mtime_ns for path in folder.glob("judged/[!.]*")}
    assert not (folder / "grades.csv").exists()
    subprocess.run(command(folder, jobs=1), check=True, capture_output=True)
    after = {path.name: path.stat().st_mtime_ns for path in folder.glob("judged/[!.]*")}
    assert kept.items() <= after.items()
    assert list(differences(written(graded), written(folder))) == []
    assert (folder / "leaderboard.html").read_bytes() == (graded / "leaderboard.html").read_bytes()


KILL_SELF = "__import__('os').kill(__import__('os').getpid(), {})"
ONCE = "__import__('pathlib').Path({!r}).exists() or __import__('pathlib').Path({!r}).touch() or {}"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="which says who was stopped")
def test_replaces_a_dead_or_stopped_judge_and_repeats_its_task_alone(tmp_path: Path) -> None:
    honest = eval, "__import__('time').sleep(1) or 7"
    raises = eval, "1 // 0"
    with LocalWorkers(2, alone=0.0) as executor:
        found = dict(_as_they_end({"raises": raises}, executor))
        assert "cannot be judged: ZeroDivisionError" in found["raises"]["problem"]
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
            text, mark = KILL_SELF.format(int(number)), str(tmp_path / number.name)
            once = eval, ONCE.format(mark, mark, text)
            found = dict(_as_they_end({"honest": honest, "once": once}, executor))
            assert found == {"honest": 7, "once": True}
            always = eval, text
            found = dict(_as_they_end({"always": always, "honest": honest}, executor))
            assert found == {"honest": 7, "always": {"problem": NOT_JUDGED}}


def test_reports_a_submission_whose_judge_dies_alone_too_in_a_row_and_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def die(files: dict[str, bytes], main: str, assignment: Assignment) -> None:
        asked.append(main)
        raise BrokenExecutor

    monkeypatch.setattr("plyscope_class.run._judge", die)
    folder = a_class(tmp_path / "class", {"ann": HONEST["student0"], "bob": HONEST["student1"]})
    status, _, err = answer(capsys, "class", "run", str(folder), "--jobs", "1")
    assert status == 1
    says(err.splitlines()[-1])
    assert sorted(asked) == ["ann.py", "ann.py", "bob.py", "bob.py"]
    assert {(row["total"], row["reason"]) for row in rows_of(folder).values()} == {
        ("0", NOT_JUDGED)
    }
    assert not list(folder.glob("judged/[!.]*"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_leaves_no_process_and_no_folder_when_killed_with_a_stopped_worker(tmp_path: Path) -> None:
    folder = a_class(tmp_path / "class", dict.fromkeys(("ann", "bob"), HOSTILE["sleeps"]))
    text = (folder / "assignment.toml").read_text()
    (folder / "assignment.toml").write_text(text.replace("= 1.5", "= 600"))
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    nowhere = subprocess.DEVNULL
    running = subprocess.Popen(
        command(folder), cwd=tmp_path, env=environment, stdout=nowhere, stderr=nowhere
    )

    def processes() -> dict[int, str]:
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (process / "cwd").readlink().is_relative_to(tmp_path):
                    found[int(process.name)] = (process / "cmdline").read_text()
        return found

    def strangers() -> list[str]:
        return [line for line in processes().values() if "apart_worker" in line]

    until(lambda: len(strangers()), 2)
    assert running.poll() is None
    assert list((tmp_path / "tmp").iterdir())
    (stopped, *_) = (pid for pid, line in processes().items() if "spawn_main" in line)
    os.kill(stopped, signal.SIGSTOP)
    running.kill()
    running.wait()
    until(processes, {})
    until(lambda: list((tmp_path / "tmp").iterdir()), [])


def test_shows_mistakes_as_boards_and_ties_as_ties(graded: Path) -> None:
    page = (graded / "feedback" / "student0.html").read_text(encoding="utf-8")
    assert "<h2>The worst mistakes</h2>" in page
    assert page.partition("The worst mistakes")[2].partition("</section>")[0].count("<svg") == 3
    assert "<script" not in page
    board = (graded / "leaderboard.html").read_text(encoding="utf-8")
    assert "1=" in board
    assert "hostile-vanishes" not in board
    results = json.loads((graded / "results" / "student1" / "results.json").read_text())
    row = rows_of(graded)["student1"]
    assert results["score"] == float(row["total"])
    assert sum(test["score"] for test in results["tests"]) == pytest.approx(results["score"])
    assert sum(test["max_score"] for test in results["tests"]) == pytest.approx(80)
    assert {"check: the file runs", "against exact values", "against the baselines"} <= {
        test["name"] for test in results["tests"]
    }


def test_counts_on_the_class_page_what_the_judgements_say(graded: Path) -> None:
    page = (graded / "class.html").read_text(encoding="utf-8")
    rows = rows_of(graded)
    totals = [float(row["total"]) for row in rows.values()]
    chart = page.partition("<title>Submissions by points</title>")[2].partition("</svg>")[0]
    counts = [int(text) for text in re.findall(r'class="">(\d+)</text>', chart)]
    expected = [
        sum(low <= total < low + 8 or low + 8 == total == 80 for total in totals)
        for low in range(72, -1, -8)
    ]
    assert counts == expected
    mistakes = page.partition("<h2>Common mistakes</h2>")[2].partition("</section>")[0]
    assert mistakes.count("<figure>") == len(re.findall(rf"\d of {len(rows)} prefer ", mistakes))
    kept = [json.loads(path.read_text()) for path in (graded / "judged").iterdir()]
    for count, chosen, better in re.findall(r"(\d) of \d prefer (\w+) to (\w+),", mistakes):
        pairs = [
            (item["chosen"], item["better"])
            for each in kept
            if isinstance(each, dict)
            for item in (each.get("report_card") or {}).get("worst", ())
        ]
        assert pairs.count((chosen, better)) >= int(count) > 1


def test_changes_points_without_judging_again_and_can_hide_names(
    graded: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    before = rows_of(graded)
    graded = Path(shutil.copytree(graded, tmp_path / "again"))

    def judged() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in graded.glob("judged/*")}

    kept = judged()
    file = graded / "assignment.toml"
    file.write_text(SMALL.replace("report_card = 30", "report_card = 60"))
    status, out, _ = answer(capsys, "class", "run", str(graded), "--pseudonyms")
    assert (status, judged()) == (0, kept)
    after = rows_of(graded)
    for key in HONEST:
        old, new = float(before[key]["report_card"]), float(after[key]["report_card"])
        assert new == pytest.approx(2 * old, abs=0.02)
    board = (graded / "leaderboard.html").read_text(encoding="utf-8")
    assert "student1" not in board
    page = (graded / "feedback" / "student1.html").read_text(encoding="utf-8")
    name = page.partition("On the leaderboard you are ")[2].partition(".")[0]
    assert name in board
    assert f"{len(before)} submissions" in out
    lines = out.partition("wrote")[0].splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("student1: ") for line in lines)


def test_reports_unjudged_submissions_in_a_row_a_line_and_the_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = "def heuristic(board):\n    return board[0][0]\n"
    folder = a_class(tmp_path / "class", {"Jörg": program, "copy": program.replace("board", "b")})
    for part in ("report_card = 30", "ladder = 30", "pairs = 1\n"):
        text = (folder / "assignment.toml").read_text()
        (folder / "assignment.toml").write_text(text.replace(part, f"{part.split()[0]} = 0\n"))
    text = (
        (folder / "assignment.toml")
        .read_text()
        .replace("certificate = 0", "certificate = 0\nladder = 0")
    )
    (folder / "assignment.toml").write_text(text)
    (folder / "submissions" / "ida.ipynb").write_text("{}")
    (folder / "submissions" / "selma.zip").write_bytes(b"PK")
    status, out, err = answer(capsys, "class", "run", str(folder), "--jobs", "1")
    assert status == 1
    says(err.splitlines()[-1])
    assert "the same program: Jörg, copy" in out
    assert (folder / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbfid,")
    rows = rows_of(folder)
    assert {key: row["same_as"] for key, row in rows.items()} == {
        "Jörg": "copy", "copy": "Jörg", "ida": "", "selma": "",
    }  # fmt: skip
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert "4 submissions, of which 2 could be judged." in page
    assert "<h2>The same program: Jörg, copy</h2>" in page
    assert page.count("<figcaption>Jörg</figcaption><pre>") == 1
    assert "<h2>Not judged</h2>" in page
    assert "<script" not in page
    assert rows["ida"]["total"] == "0"
    assert "notebook" in rows["ida"]["reason"]
    for told in ("feedback/Jörg.html", "results/Jörg/results.json"):
        assert "copy" not in (folder / told).read_text(encoding="utf-8")


def test_reads_the_data_beside_a_file_or_a_notebook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, notebook = tmp_path / "heuristic.py", tmp_path / "nb.ipynb"
    (tmp_path / "weights-1.json").write_text("3")
    notebook.write_text("{}")
    mine.write_text(
        "from pathlib import Path\n"
        "WEIGHT = int(Path(__file__).with_name('weights-1.json').read_text())\n"
        "def heuristic(mine, theirs):\n    return WEIGHT * (mine - theirs)\n"
    )
    assert data(capsys, "class", "check", str(mine), "-g", "tictactoe")["is_sound"]
    status, out, err = answer(capsys, "class", "check", str(notebook), "-g", "tictactoe")
    assert (status, out, err.count("\n")) == (2, "", 1)
    says(err.splitlines()[-1])
    demo = {"cell_type": "code", "source": "raise SystemExit"}
    cell = {"cell_type": "code", "source": mine.read_text()}
    notebook.write_text(json.dumps({"cells": [demo, cell]}))
    assert data(capsys, "class", "check", str(notebook), "-g", "tictactoe")["is_sound"]
    cell["source"] = "import random\ndef heuristic(mine, theirs):\n    return random.random()"
    notebook.write_text(json.dumps({"cells": [demo, cell]}))
    assert not data(capsys, "class", "check", str(notebook), "-g", "tictactoe", status=1)[
        "is_sound"
    ]


# The ladder


def test_calls_better_what_the_sign_test_shows() -> None:
    stats = pytest.importorskip("scipy.stats")
    assignment = Assignment(ladder=LadderOptions(pairs=12, opening_plies=2)).checked()
    for heuristic in ("tablebase", "open-lines", "null"):
        player = ps.Agent(heuristic=heuristic, depth=2, ties="random")
        rung = climb(player, "level-2", assignment)
        decided = rung.pairs_won + rung.pairs_lost
        expected = stats.binomtest(rung.pairs_won, decided, alternative="greater").pvalue
        assert rung.chance == pytest.approx(expected)
        assert rung.is_better == (expected <= 0.05)
        assert rung.wins + rung.draws + rung.losses == 24
        assert (rung.lost_game is None) == (rung.losses == 0)


def test_counts_repeated_pairs_once() -> None:
    assignment = Assignment(ladder=LadderOptions(pairs=30, opening_plies=1)).checked()
    first = ps.Agent(lambda position: position.moves[0])
    rung = climb(first, "alphabeta heuristic=counted-lines depth=1", assignment)
    assert rung.pairs_won + rung.pairs_even + rung.pairs_lost == 3  # openings of one ply
    assert rung.wins + rung.draws + rung.losses == 60


# The league


def test_adds_up_wins_draws_and_losses_on_both_sides() -> None:
    league = standings(["a", "b"], {("a", "b"): [1, 2, 4, 8, 16, 32]}, 1)
    assert {each.player: (each.wins, each.draws, each.losses) for each in league.standings} == {
        "a": (9, 18, 36),
        "b": (36, 18, 9),
    }


@pytest.mark.parametrize("number", [17, 20, 33])
def test_pairs_everybody_in_a_swiss_tournament_and_nobody_twice(number: int) -> None:
    players = [f"p{at}" for at in range(number)]
    strength, draw = {name: at for at, name in enumerate(players)}, Random(1)
    played: dict[tuple[str, str], list[int]] = {}
    for _ in range(rounds_of(players)):
        pairs = pairings(players, played, seed=3)
        met = [name for pair in pairs for name in pair]
        assert len(met) == len(set(met)) == number - number % 2
        assert not {frozenset(pair) for pair in pairs} & {frozenset(pair) for pair in played}
        for one, other in pairs:
            is_won = strength[one] + draw.gauss(0, 2) > strength[other]
            played[one, other] = [1, 0, 0, 1, 0, 0] if is_won else [0, 0, 1, 0, 0, 1]
    games = [sum(name in pair for pair in played) for name in players]
    assert max(games) - min(games) <= 1
    league = standings(players, played, rounds_of(players))
    order = [strength[each.player] for each in league.standings]
    assert sum(order[: number // 3]) / (number // 3) > number / 2
    assert pairings(players[:16], {}, 3) == list(combinations(players[:16], 2))


def test_a_place_is_one_more_than_those_shown_better() -> None:
    players = ["a", "b", "c"]
    played = {("a", "b"): [5, 0, 5, 5, 0, 5], ("a", "c"): [40, 0, 0, 40, 0, 0]}
    played["b", "c"] = [40, 0, 0, 40, 0, 0]
    league = standings(players, played, 1)
    assert {each.player: each.place for each in league.standings} == {"a": 1, "b": 1, "c": 3}
    assert [each.wins for each in league.standings if each.player == "c"] == [0]


# Points


def judgement(mistakes: float, line: list[str] | None, score: float) -> dict[str, object]:
    item = {"name": "runs", "says": "the file runs", "finding": None, "position": None, "share": 1}
    wrong = item | {"finding": "printed 'x'", "share": 0}
    depths = [{"depth": 1, "mistakes": mistakes, "null": 0.5, "full": 0.1}]
    side = {"wins": 1, "draws": 1, "losses": 0, "losing_line": None}
    return {
        "forbidden": None,
        "check": {"items": [item, item, item, wrong], "missing": [], "does_run": True},
        "report_card": {"choices": 10, "depths": depths, "worst": []},
        "certificate": {"x": side, "o": side | {"losing_line": line}},
        "ladder": [rung(score, baseline=f"b{at}").as_dict() for at in range(4)],
    }


def rung(score: float, *, baseline: str = "b", is_perfect: bool | None = None) -> Rung:
    games = {"wins": 9, "draws": 2, "losses": 9, "forfeits": 0, "reason": None, "lost_game": None}
    pairs = {"pairs_won": 4, "pairs_even": 2, "pairs_lost": 4, "chance": 0.5}
    return Rung(baseline=baseline, score=score, is_perfect=is_perfect, **games, **pairs)


@pytest.mark.parametrize(
    ("mistakes", "line", "score", "points"),
    [
        (0.1, None, 0.6, [15, 30, 20, 30]),
        (0.3, ["b2"], 0.55, [15, 15, 10, 22.5]),
        (0.6, ["b2"], 0.4, [15, 0, 10, 0]),
        (0.2, ["b2"], 0.45, [15, 22.5, 10, 7.5]),
        (0.1, ["b2"], 0.7, [15, 30, 10, 30]),
    ],
)
def test_gives_the_points_of_the_rubric_and_names_the_largest_loss(
    mistakes: float, line: list[str] | None, score: float, points: list[float]
) -> None:
    assignment = Assignment().checked()
    grade = grade_of(judgement(mistakes, line, score), "", assignment)
    assert [part.points for part in grade.parts] == points
    assert grade.total == sum(points)
    says(grade.reason)
    nothing = grade_of(None, "no file", assignment)
    assert (nothing.total, nothing.reason) == (0, "no file")


def test_never_gives_fewer_points_for_a_better_score() -> None:
    shares = [rung(score / 100).share for score in range(101)]
    assert shares == sorted(shares)
    assert (shares[40], shares[50], shares[60]) == (0, pytest.approx(0.5), 1)
    assert rung(0.45, is_perfect=True).share == 1


# Whole judgements

SOLVED = """
from functools import lru_cache
@lru_cache(None)
def value(position):
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.side else -1
    return max(-value(position.play(move)) for move in position.moves)
"""
UNBEATABLE = f"""{SOLVED}
def choose(position):
    return min(position.moves, key=lambda move: value(position.play(move)))
"""
LATE_CHEAT = """
asked = 0
def choose(position):
    global asked
    asked += 1
    if asked > {after}:
        import plyscope
    return position.moves[0]
"""


def graded_as(text: str, interface: str, **changed: object) -> tuple[Grade, dict[str, object]]:
    """Return the grade of a submission by the usual assignment, and its judgement."""
    assignment = replace(usual_assignment("tictactoe", interface, 7), **changed)
    judgement = judge({assignment.file: text.encode()}, assignment.file, assignment).as_dict()
    return grade_of(judgement, "", assignment), judgement


def test_gives_all_points_to_an_unbeatable_agent() -> None:
    grade, found = graded_as(UNBEATABLE, "agent")
    assert [part.points for part in grade.parts] == [20, 30, 20, 30]
    assert grade.reason == ""
    assert [each["is_perfect"] for each in found["ladder"]] == [True] * 4
    assert not found["ladder"][-1]["is_better"]  # nobody can force more than draws


def test_reports_a_reversed_sign_and_only_that() -> None:
    rubric = Rubric(certificate=0, ladder=0)
    text = "def heuristic(mine, theirs): return 0 if mine and theirs else {}mine**3 {} theirs**3"
    grade, found = graded_as(text.format("-", "+"), "heuristic", rubric=rubric)
    _, right = graded_as(text.format("", "-"), "heuristic", rubric=rubric)
    assert right["report_card"]["opposite"] is None
    expected = right["report_card"]["depths"][0]["mistakes"]
    assert found["report_card"]["opposite"][0] == expected
    assert f": {100 * expected:.1f} %" in grade.reason
    says(grade.reason)


def test_gives_a_stronger_player_more_of_the_ladder() -> None:
    wanted = usual_assignment("tictactoe", "heuristic", 7)
    shares = []
    for depth in (1, 2, 3):
        player = ps.Agent(heuristic="counted-lines", depth=depth, ties="random")
        rungs = [climb(player, text, wanted) for text in wanted.ladder.baselines]
        shares.append(sum(each.share for each in rungs))
    assert shares[0] < shares[1] < shares[2]


@pytest.mark.parametrize("after", [0, 500])
def test_gives_no_points_for_a_forbidden_module_whenever_it_is_used(after: int) -> None:
    check = CheckOptions(positions=100)  # each is asked four times, by three processes
    grade, found = graded_as(LATE_CHEAT.format(after=after), "agent", check=check)
    assert grade.total == 0
    says(grade.reason)
    assert found["check"]["does_run"] is (after > 0)


def test_gives_no_points_to_a_program_that_does_not_run() -> None:
    for text in ("def heuristic(board:", "def other(board): return 1", "heuristic = 5"):
        grade, _ = graded_as(text, "heuristic")
        assert grade.total == 0
        assert grade.reason.startswith("does not work: ")


def test_shows_mistakes_in_positions_lost_from_the_opening_last() -> None:
    wanted = usual_assignment("tictactoe", "agent", 7)
    whole = population_of(wanted.rules, None, 0)
    assert isinstance(whole, WholeGame)
    player = ps.Agent(heuristic="tablebase", depth=9)
    lost = climb(player, "alphabeta heuristic=counted-lines depth=4", wanted, whole).lost_game
    assert lost["is_lost"] is True
    avoidable = climb(ps.Agent("random"), "level-4", wanted, whole).lost_game
    assert avoidable["is_lost"] is False


# The hand-out


@pytest.mark.parametrize(
    ("game", "interface"),
    [
        ("tictactoe", "heuristic"),
        ("connect4", "table"),
        ("4,4,4", "agent"),
        ("3x3x3,3", "heuristic"),
        ("examples/nim.py:Nim", "heuristic"),
        ("examples/nim.py:Nim", "agent"),
    ],
)
def test_handout_works_as_it_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, interface: str
) -> None:
    folder = tmp_path / "class"
    words = ["class", "new", str(folder), "-g", game, "--interface", interface, "--seed", "9"]
    status, out, _ = answer(capsys, *words)
    assert (status, out.splitlines()[-1]) == (0, f"4. plyscope class run {folder}")
    wanted = Assignment.read(folder)
    assert (wanted.seed, wanted.interface) == (9, interface)
    students = Assignment.read(folder / "handout")
    assert replace(students, game="", seed=9) == replace(wanted, game="")
    assert students.seed != 9
    given = folder / "handout" / wanted.file
    checked = data(capsys, "class", "check", "--quick", str(given))
    assert checked["is_sound"], checked["items"]
    page = (folder / "handout" / "README.md").read_text()
    assert f"| | {wanted.rubric.total:g} | |" in page
    assert "pip install" in page
    assert wanted.file == ("agent.py" if interface == "agent" else given.name)
    assert [text for text in wanted.ladder.baselines if f"* `{text}`: " not in page] == []
    assert answer(capsys, *words)[0] == 2  # it is there already


def test_estimates_the_grade_that_the_assignment_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = a_class(tmp_path / "hw", {"ann": HONEST["student0"]})
    place = folder / "heuristic.py"
    place.write_text(HONEST["student0"])
    checked = data(capsys, "class", "check", str(place))
    words = ["class", "run", str(folder), "--submission", str(place), "--json"]
    graded = json.loads(answer(capsys, *words)[1])
    assert checked["estimate"]["parts"] == graded["parts"]
    assert checked["used"]["answers"] > 12 * 4
    assert 0 < checked["used"]["seconds"] < checked["used"]["most"] == 20
    _, out, _ = answer(capsys, "class", "check", str(place))
    assert f"estimate: {graded['total']:g} of {graded['of']:g} points" in out
    assert data(capsys, "class", "check", "--quick", str(place))["estimate"] is None


@pytest.mark.parametrize("interface", ["heuristic", "agent"])
def test_finds_the_file_of_a_game_in_the_folder_above(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    interface: str,
) -> None:
    shutil.copy("examples/nim.py", tmp_path / "nim.py")
    monkeypatch.chdir(tmp_path)
    answer(capsys, "class", "new", "hw", "-g", "nim.py:Nim", "--interface", interface)
    checked = data(capsys, "class", "check", "--quick", f"hw/handout/{interface}.py")
    assert checked["is_sound"], checked["items"]


def test_writes_no_path_of_the_class_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = Path("examples/ring.toml").read_text()
    parts = "".join(f"{part} = 0\n" for part in ("report_card", "certificate", "ladder"))
    text = SMALL.replace("report_card = 30\ncertificate = 0\n", parts)
    text = text.replace("seed", 'game = "ring.toml"\nseed').replace("pairs = 1\n", "pairs = 0\n")
    for place, typed in (("near", "near"), ("far/away", ".")):
        folder = a_class(tmp_path / place, {"ann": "def heuristic(board):\n  return board[0][0]\n"})
        (folder / "ring.toml").write_text(ring)
        (folder / "assignment.toml").write_text(text)
        monkeypatch.chdir(tmp_path if typed == place else folder)
        assert answer(capsys, "class", "run", typed, "--jobs", "1")[0] == 0
    near, far = written(tmp_path / "near"), written(tmp_path / "far/away")
    assert near == far
    assert "mirror image 'ring.toml " in near["grades.csv"]


# Gradescope


def test_grades_one_submission_as_the_class_does(graded: Path, tmp_path: Path) -> None:
    archive, top = tmp_path / "autograder.zip", tmp_path / "autograder"
    words = [sys.executable, "-m", "plyscope", "class", "run", str(graded)]
    subprocess.run([*words, "--gradescope", str(archive)], check=True, capture_output=True)
    with ZipFile(archive) as opened:
        assert {"setup.sh", "run_autograder"} <= set(opened.namelist())
        assert opened.getinfo("run_autograder").external_attr >> 16 == 0o755
        opened.extractall(top / "source")
    pinned = (top / "source" / "requirements.txt").read_text().splitlines()
    assert f"numba=={version('numba')}" in pinned
    assert f"llvmlite=={version('llvmlite')}" in pinned
    assert all("==" in each for each in pinned)
    entries = next((top / "source").glob("plyscope-source/plyscope_class-*/entry_points.txt"))
    assert "class = plyscope_class" in entries.read_text()  # by which plyscope finds the command
    (top / "submission").mkdir()
    (top / "results").mkdir()
    (top / "submission" / "heuristic.py").write_text(HONEST["student1"])
    environment = {"AUTOGRADER": str(top), "PYTHON": sys.executable, "PATH": os.defpath}
    script = ["bash", str(top / "source" / "run_autograder")]
    subprocess.run(script, env=environment, check=True, capture_output=True)
    subprocess.run(["bash", "-n", str(top / "source" / "setup.sh")], check=True)
    results = (top / "results" / "results.json").read_text()
    assert json.loads(results) == json.loads(
        (graded / "results" / "student1" / "results.json").read_text()
    )


def test_pins_what_the_extras_of_plyscope_need(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {
        "plyscope-class": ["plyscope[fast]==0.1.0"],
        "plyscope": ["numpy>=1.26; extra == 'fast'", "rich>=13; extra == 'terminal'"],
    }
    monkeypatch.setattr(gradescope, "requires", needs.get)
    assert gradescope._requirements() == [f"numpy=={version('numpy')}"]


@pytest.mark.parametrize(
    "words",
    [
        ["nowhere"],
        ["CLASS", "--results", "x.json"],
        ["CLASS", "--submission", "nobody.py"],
        ["CLASS"],
    ],
)
def test_names_a_missing_part_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    folder = a_class(tmp_path / "empty", {})
    given = [str(folder) if word == "CLASS" else word for word in words]
    status, out, err = answer(capsys, "class", "run", *given)
    assert (status, out) == (2, "")
    says(err.splitlines()[-1])


@pytest.mark.parametrize(
    ("old", "new"),
    [("seed = 5", 'seed = 5\ngame = "4,4,4"'), ("opening_plies = 2", "opening_plies = 9")],
)
def test_reports_unmeasurable_parts_to_the_teacher_at_no_cost_to_students(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    folder = a_class(tmp_path / "large", {"student0": HONEST["student0"]})
    (folder / "assignment.toml").write_text(SMALL.replace(old, new))
    status, out, err = answer(capsys, "class", "run", str(folder))
    assert (status, out, (folder / "grades.csv").exists()) == (2, "", False)
    says(err.splitlines()[-1])


def test_deducts_the_share_of_a_missing_value_and_all_if_most_are_missing() -> None:
    wanted = Assignment(
        rubric=Rubric(check=0, report_card=30, certificate=0, ladder=0),
        report_card=CardOptions(depths=1),
    ).checked()
    text = (
        "def heuristic(mine, theirs, lines):\n"
        "    if (mine | theirs).bit_count() LIMIT:\n        return None\n"
        "    return sum((l & mine).bit_count() ** 2 * (not l & theirs)\n"
        "               - (l & theirs).bit_count() ** 2 * (not l & mine) for l in lines)\n"
    )

    def part(limit: str) -> Part:
        files = {wanted.file: text.replace("LIMIT", limit).encode()}
        (found,) = grade_of(judge(files, wanted.file, wanted).as_dict(), "", wanted).parts
        return found

    whole, some, hardly = part("> 9"), part("== 9"), part("> 2")
    assert 0 < some.points < whole.points
    assert "None" in some.reasons[0]
    assert "% of the positions" in some.reasons[0]
    assert hardly.points == 0
    assert "None" in hardly.reasons[0]
    assert "None" not in whole.reasons[0]
