"""Files as people and platforms name them, and whose they are."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from plyscope.errors import OptionError
from plyscope.lab.classroom.assignment import Assignment
from plyscope.lab.classroom.submissions import Submission, find_submissions

MINE = "def heuristic(board): return 1\n"
METADATA = """---
submission_901:
  :submitters:
  - :name: Ada Lovelace
    :sid: '417'
    :email: ada@example.org
  :created_at: 2026-11-22 09:00:00
submission_902:
  :submitters:
  - :name: Grace Hopper
    :sid: '12'
  - :name: Alan Turing
    :sid: '13'
"""


def found(folder: Path, files: dict[str, str | bytes]) -> tuple[Submission, ...]:
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return find_submissions(folder, Assignment().checked())


def zipped(files: dict[str, str]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def told(submissions: tuple[Submission, ...]) -> list[tuple[str, str, str, bool]]:
    return [(each.key, each.identity, each.main, each.is_late) for each in submissions]


CANVAS = {
    "lovelaceada_417_90210_heuristic.py": MINE,
    "hoppergrace_LATE_12_90211_heuristic-1.py": MINE,
    "hoppergrace_LATE_12_90212_helper.py": "X = 1",
    "anon_5f3ab_90213_mine.py": MINE,
}
MOODLE = {
    "Ada Lovelace_417_assignsubmission_file_/heuristic.py": MINE,
    "Grace Brewster Hopper_12_assignsubmission_file_/deep/mine.py": MINE,
    "Alan Turing_13_assignsubmission_file_heuristic.py": MINE,
}
GRADESCOPE = {
    "assignment_7_export/submission_metadata.yml": METADATA,
    "assignment_7_export/submission_901/heuristic.py": MINE,
    "assignment_7_export/submission_902/src/heuristic.py": MINE,
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"ann.py": MINE, "bob/heuristic.py": MINE, "note.txt": "no"},
            [("ann", "", "ann.py", False), ("bob", "", "heuristic.py", False)],
        ),
        (
            CANVAS,
            [
                ("anon_5f3ab", "5f3ab", "mine.py", False),
                ("hoppergrace", "12", "heuristic.py", True),
                ("lovelaceada", "417", "heuristic.py", False),
            ],
        ),
        (
            MOODLE,
            [
                ("Ada-Lovelace", "417", "heuristic.py", False),
                ("Alan-Turing", "13", "heuristic.py", False),
                ("Grace-Brewster-Hopper", "12", "mine.py", False),
            ],
        ),
        (
            GRADESCOPE,
            [
                ("Ada-Lovelace", "417", "heuristic.py", False),
                ("Grace-Hopper-and-Alan-Turing", "12-13", "heuristic.py", False),
            ],
        ),
    ],
    ids=["plain", "canvas", "moodle", "gradescope"],
)
def test_files_are_found_under_the_names_of_people_and_in_the_zips_of_platforms(
    tmp_path: Path, files: dict[str, str], expected: list[tuple[str, str, str, bool]]
) -> None:
    assert told(found(tmp_path / "unpacked", dict(files))) == expected
    if expected[0][1]:
        assert told(found(tmp_path / "packed", {"submissions.zip": zipped(files)})) == expected


def test_a_zip_or_a_folder_of_one_person_is_one_submission(tmp_path: Path) -> None:
    files = {"project/heuristic.py": MINE, "project/weights.txt": "1", "__MACOSX/x.py": ""}
    archive = zipped(files)
    given = {"ann.zip": archive, "lovelaceada_417_90210_work.zip": archive, "bob/all/w.py": MINE}
    ann, bob, ada = found(tmp_path, {name: given[name] for name in given})
    assert (ann.key, ann.main, set(ann.files)) == (
        "ann",
        "heuristic.py",
        {"heuristic.py", "weights.txt"},
    )
    assert (bob.main, bob.key) == ("w.py", "bob")
    assert (ada.key, ada.identity) == ("lovelaceada", "417")
    assert any(name.endswith("heuristic.py") for name in ada.files)


def test_two_of_one_name_are_two_submissions(tmp_path: Path) -> None:
    files = {f"Ada Lovelace_{number}_assignsubmission_file_/h.py": MINE for number in (7, 8)}
    assert [each.key for each in found(tmp_path, dict(files))] == ["Ada-Lovelace", "Ada-Lovelace-8"]


def test_no_two_submissions_are_called_alike(tmp_path: Path) -> None:
    names = ["a b", "a+b", "a-b", "a-b-2", "A b"]
    keys = [each.key for each in found(tmp_path, {f"{name}.py": MINE for name in names})]
    assert len({key.lower() for key in keys}) == len(names)


def test_a_long_name_is_one_that_files_can_have(tmp_path: Path) -> None:
    names = {"ä" * 120: MINE, "ä" * 121: MINE}
    archive = zipped({f"all/{name}_7_assignsubmission_file_/h.py": names[name] for name in names})
    keys = [each.key for each in found(tmp_path, {"export.zip": archive})]
    assert [len(key) for key in keys] == [50, 52]


def test_zips_in_the_zip_of_a_platform_are_opened(tmp_path: Path) -> None:
    work = zipped({"project/heuristic.py": MINE, "project/weights.txt": "1"})
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("submissions/lovelaceada_417_90210_work.zip", work)
        archive.writestr("submissions/hoppergrace_12_90211_heuristic.py", MINE)
    grace, ada = found(tmp_path, {"submissions.zip": out.getvalue()})
    assert (ada.key, ada.problem, ada.main) == ("lovelaceada", "", "heuristic.py")
    assert grace.main == "heuristic.py"


def test_a_damaged_zip_is_its_owners_problem(tmp_path: Path) -> None:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("heuristic.py", MINE * 50)
    whole = out.getvalue()
    for at in range(len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        found(tmp_path / str(at), {"ann.zip": damaged, "bob.py": MINE})


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"ann/a.py": "x = 1", "ann/b.py": "y = 1"}, "2 files .py; expected one called"),
        ({"ann/a.java": "x"}, "'a.java'; expected heuristic.py"),
        ({"ann/h.py": b"x" * 6_000_000}, "expected at most 200 of 5,000,000"),
    ],
)
def test_what_cannot_be_judged_says_why(
    tmp_path: Path, files: dict[str, str | bytes], problem: str
) -> None:
    (only,) = found(tmp_path, files)
    assert (only.main, problem in only.problem) == ("", True)


def test_the_function_tells_which_of_several_files_is_meant(tmp_path: Path) -> None:
    (only,) = found(tmp_path, {"ann/a.py": "x = 1", "ann/b.py": MINE})
    assert (only.main, only.problem) == ("b.py", "")


def test_what_a_zip_hides_stays_out(tmp_path: Path) -> None:
    names = ["../../out.py", "/etc/out.py", "heuristic.py"]
    (ann,) = found(tmp_path, {"ann.zip": zipped(dict.fromkeys(names, MINE))})
    assert list(ann.files) == ["heuristic.py"]
    (bob,) = found(tmp_path / "bad", {"bob/broken.zip": b"PK no zip"})
    assert bob.problem.startswith("'broken.zip'; expected")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "secret.py").symlink_to("/etc/hostname")
    with pytest.raises(OptionError, match="no submissions in"):
        find_submissions(tmp_path / "links", Assignment().checked())
