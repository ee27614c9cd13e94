"""The command `tune`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import answer, data
from plyscope.evaluation.tablefile import read_table
from plyscope.faces.findings.families import comparison_section
from plyscope.faces.terminal import Terminal
from plyscope.faces.texts import part
from plyscope.lab.records import Records
from plyscope.lab.share import wilson
from plyscope.tuning import comparison
from plyscope.tuning.comparison import compare_families, front
from plyscope.tuning.result import TuningResult
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
    status, out, _ = answer(capsys, "tune", "counted-lines", "-o", "mine.toml")
    assert status == 0
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
    assert "plyscope: note: run the same command again to continue from labels\n" in err


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


def test_learns_families_from_positions_labelled_once(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []

    def tuned(*_: Any, family: str, resume: Path, **__: Any) -> TuningResult:
        files.append(resume)
        return sampled(family=family)

    monkeypatch.setattr(comparison, "tune", tuned)
    compare_families("counted-lines", "connect4", ["lines", "table"])
    compare_families("counted-lines", "connect4", ["lines"], resume=here / "labels")
    assert files[0] == files[1] != files[2] == here / "labels"
    assert not files[0].exists()


def test_overwrites_the_start_only_when_asked_by_name(
    here: Path, tuned: list[TuningResult], capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.toml").write_text("mine = [0, 1, 3, 8]\n")
    tuned.append(sampled())
    status, _, err = answer(capsys, "tune", "mine.toml", "-o", "./mine.toml")
    assert (status, err) == (
        2,
        "plyscope: output './mine.toml' is START; expected another name, or --in-place\n",
    )
    assert answer(capsys, "tune", "mine.toml", "--in-place")[0] == 0
    assert read_table("mine.toml") == sampled().candidate


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("counted-lines -o mine.txt", "ends in .toml, .json"),
        ("counted-lines -o nowhere/mine.toml", "existing folder"),
        ("counted-lines --in-place", "a table's file as START"),
        ("mine.toml --in-place -o other.toml", "a table's file as START"),
        ("counted-lines --html card.pdf", "ends in .html"),
        ("counted-lines --families all -o mine.toml", "--families"),
        ("counted-lines --families all --family lines", "expected one of them"),
        ("counted-lines --families lines,tabel", "tabel"),
        ("counted-lines --family tabel", "table"),
        ("counted-lines --optimum -g connect4", "expected a whole game"),
        ("counted-lines --depth 0", "from 1 to 20"),
    ],
)
def test_rejects_impossible_requests_before_any_work(
    words: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = answer(capsys, "tune", *words.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_shows_families_side_by_side_with_their_front(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--families", "lines", "--html", "families.html")
    found = data(capsys, "tune", "counted-lines", *words)
    assert (here / "families.html").read_text().count('class="chart"') == 1 + 3
    assert [row["weights"] for row in found["rows"]] == [0, 2]
    (result,) = found["results"]
    assert found["rows"][1]["wrong"] == [each["after"] for each in result["errors"]]
    wrong = [row["wrong"][0]["value"] for row in found["rows"]]
    assert [row["is_on_front"][0] for row in found["rows"]] == [True, wrong[1] < wrong[0]]


@pytest.mark.parametrize(("spoilt", "is_shown"), [(9, True), (25, False)])
def test_prints_a_full_star_where_the_difference_is_shown(
    monkeypatch: pytest.MonkeyPatch, spoilt: int, is_shown: bool
) -> None:
    """The larger family is right in 30 positions where the smaller one is wrong."""
    at = np.arange(100)
    loses = {"lines": at < 40, "table": (at >= 30) & (at < 40 + spoilt)}
    numbers = {"lines": 3, "table": 6}

    def tuned(*_: Any, family: str, **__: Any) -> TuningResult:
        share = wilson(int(loses[family].sum()), 100)
        start = wilson(60, 100)
        errors = replace(sampled().errors[0], depth=1, before=start, after=share, p=0.001)
        weights = sampled().weights[:1] * numbers[family]
        return sampled(family=family, weights=weights, errors=(errors,), loses=(loses[family],))

    monkeypatch.setattr(comparison, "tune", tuned)
    found = compare_families("counted-lines", "connect4", ["lines", "table"])
    row = found.rows[-1]
    assert row.family == "table"
    assert row.is_on_front == (True,)
    assert row.is_shown == (is_shown,)


def test_fits_the_table_of_families_into_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    def tuned(*_: Any, family: str, **__: Any) -> TuningResult:
        return sampled(family=family)

    monkeypatch.setattr(comparison, "tune", tuned)
    found = compare_families("counted-lines", "connect4", ["to-move", "to-move-kinds"])
    out = io.StringIO()
    section = comparison_section(found.as_dict(), is_brief=True)
    Terminal(out, 80).print([*part(section)])
    rows = {line.split()[0]: line for line in out.getvalue().splitlines() if line.strip()}
    assert max(map(len, rows.values())) <= 80
    assert "25.5 (23.4 to 27.7) ★" in rows["counted-lines,"]
    assert "19.7 (17.8 to 21.7) ★" in rows["to-move"]


def test_keeps_the_undominated_families_as_the_front() -> None:
    points = [(0, 25.5), (3, 26.0), (3, 20.0), (6, 20.0), (6, 19.0), (6, 19.0), (18, 30.0)]
    assert front(points) == [
        not any((x <= weights and y < wrong) or (x < weights and y <= wrong) for x, y in points)
        for weights, wrong in points
    ]


def test_keeps_finished_families_of_an_interrupted_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: Any, family: str, **__: Any) -> TuningResult:
        if family == "table":
            raise KeyboardInterrupt
        return sampled(family=family)

    monkeypatch.setattr(comparison, "tune", interrupted)
    found = compare_families("counted-lines", "connect4", ["lines", "table", "to-move"])
    assert found.is_interrupted
    assert [result.family for result in found.results] == ["lines"]
    assert json.dumps(found.as_dict())
    with pytest.raises(KeyboardInterrupt):
        compare_families("counted-lines", "connect4", ["table"])


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
    ("words", "message"),
    [
        (("f.py:f", "-o", "f.py"), "output 'f.py' is START; expected another name"),
        (("f.py:f", "-o", "f.toml"), "'f.toml' of a function; expected a name that ends in"),
        (("f.py:f", "--in-place"), "--in-place with 'f.py:f'; expected a table"),
        (("counted-lines", "-o", "t.py"), "output 't.py' of a table; expected a name that ends in"),
        (("f.py:f", "--family", "own", "-o", "t.py"), "output 't.py' of a table; expected a name"),
        (("none.py:f", "-o", "t.py"), "has no numbers to tune; expected keyword"),
    ],
)
def test_rejects_files_of_the_wrong_kind_before_the_work(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    (here / "f.py").write_text(FUNCTION.format("board", "worth[1] * board[0][0]"))
    (here / "none.py").write_text("def f(mine, theirs):\n    return mine - theirs\n")
    status, out, err = answer(capsys, "tune", *words)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
