"""The command `tune`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands import answer, data, output, refusal
from plyscope.evaluation.tablefile import read_table
from plyscope.lab.matches.records import Records
from plyscope.tuning.result import TuningResult
from sentences import says
from tunings import sampled, whole

QUICK = ("--family", "lines", "--no-games")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tuned(monkeypatch: pytest.MonkeyPatch) -> list[TuningResult]:
    """What `tune` will return, in the place of all the work."""
    results: list[TuningResult] = []
    monkeypatch.setattr("plyscope.tuning.tune.tune", lambda *_, **__: results.pop())
    return results


def test_tunes_tictactoe_to_the_same_file_each_time(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("tune", "counted-lines", *QUICK, "--html", "card.html", "--record", "lab.db")
    words += ("--optimum",)
    status, out, err = answer(capsys, *words, "-o", "mine.toml")
    assert (status, err) == (0, "")
    assert out.startswith("tuned lines on tictactoe at depth 1: ")
    assert "wrote mine.toml" in out
    table = read_table("mine.toml")
    assert table.provenance["game"] == "tictactoe"
    assert "tuned lines on tictactoe" in (here / "card.html").read_text()
    with Records("lab.db", reading=True) as records:
        (kept,) = records.tunings()
    assert "No 2 numbers have fewer wrong moves at depth 1 than these" in " ".join(out.split())
    again = data(capsys, "tune", "counted-lines", *QUICK, "-o", "again.toml")
    assert (here / "again.toml").read_bytes() == (here / "mine.toml").read_bytes()
    assert {**again, "seconds": 0} == {**kept, "seconds": 0, "optimum": None}
    card = data(capsys, "report-card", "mine.toml", "--depth", "1")[0]
    assert card["depths"][0]["mistakes"] == pytest.approx(again["errors"][0]["after"]["value"])


def test_writes_nothing_without_an_improvement_and_succeeds(
    here: Path, tuned: list[TuningResult], capsys: pytest.CaptureFixture[str]
) -> None:
    tuned.append(whole())
    out = output(capsys, "tune", "counted-lines", "-o", "mine.toml")
    assert out.startswith("no improvement")
    assert "nothing was written" in out
    assert not (here / "mine.toml").exists()


def test_keeps_an_interrupted_tuning_without_overwriting_the_start(
    here: Path, tuned: list[TuningResult], capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.toml").write_text("mine = [0, 1, 3, 8]\n")
    for _ in range(2):
        tuned.append(sampled(outcome="interrupted", errors=()))
    status, out, _ = answer(capsys, "tune", "mine.toml", "-o", "best.toml")
    assert status == 1
    assert "wrote best.toml: the best so far" in out
    assert "with --resume FILE, the same command" in out
    assert read_table("best.toml").provenance["outcome"] == "interrupted"
    assert answer(capsys, "tune", "mine.toml", "--in-place")[0] == 1
    assert (here / "mine.toml").read_text() == "mine = [0, 1, 3, 8]\n"


def test_says_how_to_resume_after_an_early_interrupt(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **__: Any) -> TuningResult:
        raise KeyboardInterrupt

    monkeypatch.setattr("plyscope.tuning.tune.tune", interrupted)
    status, out, err = answer(capsys, "tune", "counted-lines", "--resume", "labels")
    assert (status, out) == (1, "")
    says(err)


def test_passes_all_options_to_the_tuning(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: dict[str, Any] = {}

    def tuned(start: str, game: str, **options: Any) -> TuningResult:
        asked.update(options, start=start, game=game)
        return sampled()

    monkeypatch.setattr("plyscope.tuning.tune.tune", tuned)
    words = "--free mine,theirs --depth 3 --samples 9 --seed 4 --seconds 7 --resume labels"
    words += " --node-cost 1.5 --jobs 3 --objective depths"
    data(capsys, "tune", "open-lines", "-g", "connect4", "--family", "table", *words.split())
    del asked["progress"]
    assert asked.pop("executor").jobs == 3
    assert asked == {
        "start": "open-lines",
        "game": "connect4",
        "family": "table",
        "objective": "depths",
        "free": ["mine", "theirs"],
        "labels": "exact",
        "depth": 3,
        "samples": 9,
        "seed": 4,
        "seconds": 7.0,
        "optimum": False,
        "resume": "labels",
        "node_cost": 1.5,
        "trials": True,
    }


def test_overwrites_the_start_only_when_asked_by_name(
    here: Path, tuned: list[TuningResult], capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.toml").write_text("mine = [0, 1, 3, 8]\n")
    tuned.append(sampled())
    says(refusal(capsys, "tune", "mine.toml", "-o", "./mine.toml"))
    assert answer(capsys, "tune", "mine.toml", "--in-place")[0] == 0
    assert read_table("mine.toml") == sampled().candidate


# Functions


FUNCTION = "def f({}, *, worth=(0, 1, 3, 8)):\n    return {}\n"


def test_writes_the_file_of_a_function_with_other_constants(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FUNCTION.format("mine, theirs", "mine and -theirs or worth[mine] - worth[theirs]")
    (here / "mine.py").write_text(text)
    words = ("tune", "mine.py:f", "-g", "4,2,3", "--no-games", "--html", "card.html")
    status, out, err = answer(capsys, *words, "-o", "tuned.py")
    assert (status, err) == (0, "")
    assert out.startswith("tuned constants on 4,2,3 at depth 1: ")
    assert "– to –" in out  # a finished line counts by the result
    assert "-H tuned.py:f --depth 1" in out
    assert "wrote tuned.py" in out
    tuned = (here / "tuned.py").read_text()
    assert tuned.startswith(f"{text}# Tuned by plyscope.\n")
    assert "constants on 4,2,3" in (here / "card.html").read_text()
    found = data(capsys, *words)
    assert found["weights"][3]["low"] is None
    card = data(capsys, "report-card", "tuned.py:f", "-g", "4,2,3", "--depth", "1")[0]
    assert card["depths"][0]["mistakes"] == found["errors"][0]["after"]["value"]


@pytest.mark.parametrize(
    "words",
    [
        ("f.py:f", "-o", "f.py"),
        ("f.py:f", "-o", "f.toml"),
        ("f.py:f", "--in-place"),
        ("counted-lines", "-o", "t.py"),
        ("f.py:f", "--family", "own", "-o", "t.py"),
        ("none.py:f", "-o", "t.py"),
    ],
)
def test_rejects_files_of_the_wrong_kind_before_the_work(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (here / "f.py").write_text(FUNCTION.format("board", "worth[1] * board[0][0]"))
    (here / "none.py").write_text("def f(mine, theirs):\n    return mine - theirs\n")
    err = refusal(capsys, "tune", *words)
    says(err)
    assert err.count("\n") == 1
