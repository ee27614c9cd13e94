"""Files as people and platforms name them, and whose they are."""

from __future__ import annotations

import ast
import json
import os
import sys
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import normalize
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from bench.classroom import BOMB, ZIPS, claiming
from plyscope.errors import OptionError
from plyscope.evaluation.diagnosis import Source
from plyscope_class.alike import fingerprint, same_as
from plyscope_class.assignment import Assignment
from plyscope_class.notebook import script_of_notebook
from plyscope_class.submissions import Submission, find_submissions, one_submission
from sentences import says

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


def noted(*cells: str) -> str:
    """Return a notebook with these code cells, between texts."""
    made: list[dict[str, Any]] = [{"cell_type": "markdown", "source": ["def heuristic(no)"]}]
    for text in cells:
        source = text.splitlines(keepends=True)
        made.append({"cell_type": "code", "source": source, "outputs": [], "metadata": {}})
    return json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}})


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
            [
                ("ann", "", "ann.py", False),
                ("bob", "", "heuristic.py", False),
                ("note", "", "", False),
            ],
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
def test_finds_files_under_names_of_people_and_in_zips_of_platforms(
    tmp_path: Path, files: dict[str, str], expected: list[tuple[str, str, str, bool]]
) -> None:
    assert told(found(tmp_path / "unpacked", dict(files))) == expected
    if expected[0][1]:
        assert told(found(tmp_path / "packed", {"submissions.zip": zipped(files)})) == expected


def test_reads_a_zip_or_folder_of_one_person_as_one_submission(tmp_path: Path) -> None:
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


def test_keeps_two_submissions_of_one_name_apart(tmp_path: Path) -> None:
    files = {f"Ada Lovelace_{number}_assignsubmission_file_/h.py": MINE for number in (7, 8)}
    assert [each.key for each in found(tmp_path, dict(files))] == ["Ada-Lovelace", "Ada-Lovelace-8"]


def test_gives_no_two_submissions_the_same_name(tmp_path: Path) -> None:
    names = ["a b", "a+b", "a-b", "a-b-2", "A b"]
    keys = [each.key for each in found(tmp_path, {f"{name}.py": MINE for name in names})]
    assert len({key.lower() for key in keys}) == len(names)


def test_gives_numbered_names_that_no_other_folder_has(tmp_path: Path) -> None:
    people = [("---", "../../x"), ("Ann", "12/34"), ("Ann", "12/35"), ("--", "..")]
    metadata = "".join(
        f"submission_{at}:\n  :submitters:\n  - :name: '{name}'\n    :sid: '{number}'\n"
        for at, (name, number) in enumerate(people)
    )
    files = {f"submission_{at}/heuristic.py": MINE for at in range(len(people))}
    keys = [
        each.key
        for each in found(
            tmp_path, {"e.zip": zipped({"submission_metadata.yml": metadata, **files})}
        )
    ]
    assert keys == ["Ann", "Ann-12-35", "unnamed", "x"]


def test_shortens_a_long_name_to_one_that_files_can_have(tmp_path: Path) -> None:
    names = {"ä" * 120: MINE, "ä" * 121: MINE}
    archive = zipped({f"all/{name}_7_assignsubmission_file_/h.py": names[name] for name in names})
    keys = [each.key for each in found(tmp_path, {"export.zip": archive})]
    assert [len(key) for key in keys] == [50, 52]


def test_opens_zips_in_the_zip_of_a_platform(tmp_path: Path) -> None:
    work = zipped({"project/heuristic.py": MINE, "project/weights.txt": "1"})
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("submissions/lovelaceada_417_90210_work.zip", work)
        archive.writestr("submissions/hoppergrace_12_90211_heuristic.py", MINE)
    grace, ada = found(tmp_path, {"submissions.zip": out.getvalue()})
    assert (ada.key, ada.problem, ada.main) == ("lovelaceada", "", "heuristic.py")
    assert grace.main == "heuristic.py"


def test_reports_a_damaged_zip_for_its_owner_alone(tmp_path: Path) -> None:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("heuristic.py", MINE * 50)
    whole = out.getvalue()
    for at in range(len(whole)):
        for byte in (whole[at] ^ 0xFF, 0):  # a name may become one of no letters
            damaged = whole[:at] + bytes([byte]) + whole[at + 1 :]
            _, bob = found(tmp_path / f"{at} {byte}", {"ann.zip": damaged, "bob.py": MINE})
            assert (bob.key, bob.main) == ("bob", "bob.py")


@pytest.mark.skipif(sys.platform != "linux", reason="names there are text")
def test_accepts_names_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"r\xe9mi.py")).write_text(MINE)
    (only,) = find_submissions(tmp_path, Assignment().checked())
    assert (only.key, only.name, only.main) == ("r-mi", "r\ufffdmi", "r\ufffdmi.py")


@pytest.mark.parametrize(
    "files",
    [
        {"ann/a.py": "x = 1", "ann/b.py": "y = 1"},
        {"ann/a.java": "x"},
        {"ann/h.py": b"x" * 6_000_000},
        {f"ann/{at}.txt": "" for at in range(201)},
        {"ida.ipynb": "{}"},
        {"ida/a.ipynb": noted("x = 1")},
        {"ida.ipynb": noted("def heuristic(:")},
        {"ida/a.ipynb": noted(MINE), "ida/b.ipynb": noted(MINE)},
        {"petra.txt": "x"},
        {"ralf.PY": MINE},
        {"ulla.rar": "x"},
        {"vito.tar.gz": "x"},
        {"selma.zip": b"PK no zip"},
        {"timo.zip": zipped({})},
        {"uwe.zip": zipped({"../out.py": MINE})},
        {"ann.py": MINE, "ann/heuristic.py": MINE},
        {"ann.py": MINE, "ann.zip": zipped({"h.py": MINE})},
        {f"ann/work/venv/{at}.cfg": "" for at in range(201)} | {"ann/work/venv/pyvenv.cfg": ""},
    ],
)
def test_says_why_a_submission_cannot_be_judged(
    tmp_path: Path, files: dict[str, str | bytes]
) -> None:
    (only,) = found(tmp_path, files)
    assert only.main == ""
    says(only.problem)


def test_finds_the_file_with_the_function_among_several(tmp_path: Path) -> None:
    (only,) = found(tmp_path, {"ann/a.py": "x = 1", "ann/b.py": MINE})
    assert (only.main, only.problem) == ("b.py", "")


def test_ignores_hidden_files_of_a_zip(tmp_path: Path) -> None:
    names = ["../../out.py", "/etc/out.py", "heuristic.py"]
    (ann,) = found(tmp_path, {"ann.zip": zipped(dict.fromkeys(names, MINE))})
    assert list(ann.files) == ["heuristic.py"]


def test_reports_a_link_or_an_empty_folder_as_a_submission(tmp_path: Path) -> None:
    (tmp_path / "secret.py").symlink_to("/etc/hostname")
    (tmp_path / "all").symlink_to("/etc")
    (tmp_path / "dora" / "src").mkdir(parents=True)
    given = find_submissions(tmp_path, Assignment().checked())
    problems = {each.key: (each.main, each.problem) for each in given}
    assert set(problems) == {"all", "dora", "secret"}
    assert problems["dora"] == ("", "an empty folder, 'src'; expected heuristic.py")
    for key in ("secret", "all"):
        assert problems[key][0] == ""
        assert "symbolic link" in problems[key][1]
    (tmp_path / "empty").mkdir()
    with pytest.raises(OptionError, match="no submissions in"):
        find_submissions(tmp_path / "empty", Assignment().checked())


# Zips that hold more than they seem, or less


@pytest.mark.parametrize("kind", ZIPS)
def test_lets_no_zip_take_the_place_of_another(tmp_path: Path, kind: str) -> None:
    good = zipped({"heuristic.py": MINE})
    others = {"ann.py": MINE, "bob.zip": good, "carl.zip": good, "zoe.py": MINE}
    alone = found(tmp_path / "alone", dict(others))
    given = found(tmp_path / "all", {"abe.zip": ZIPS[kind], **others})
    assert [each.key for each in given] == ["abe", "ann", "bob", "carl", "zoe"]
    assert given[1:] == alone


@pytest.mark.parametrize("kind", ZIPS)
def test_lets_no_zip_take_the_place_of_another_in_an_export(tmp_path: Path, kind: str) -> None:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in (("Abe_1", ZIPS[kind]), ("Bob_2", zipped({"heuristic.py": MINE}))):
            archive.writestr(f"{name}_assignsubmission_file_/hw.zip", content)
    abe, bob = found(tmp_path, {"moodle.zip": out.getvalue()})
    assert (abe.key, bob.key, bob.main, bob.problem) == ("Abe", "Bob", "heuristic.py", "")
    assert bool(abe.problem) == (kind != "claims")


def test_limits_a_zip_by_its_unpacked_size(tmp_path: Path) -> None:
    liar, bombs = found(tmp_path, {"abe.zip": claiming(600_000_000), "bea.zip": BOMB})
    assert (liar.problem, set(liar.files)) == ("", {"heuristic.py", "z.bin"})
    assert bombs.files == {}
    says(bombs.problem)
    (less,) = found(tmp_path / "less", {"abe.zip": claiming(0)})
    assert "damaged" in less.problem


def test_stops_unpacking_a_zip_bomb_at_the_limit(tmp_path: Path) -> None:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("z.bin", bytes(100_000_000))
    nested = BytesIO()
    with ZipFile(nested, "w", ZIP_DEFLATED) as archive:
        archive.writestr("lovelaceada_1_2_work.zip", out.getvalue())
    for name, content in (("ann.zip", out.getvalue()), ("export.zip", nested.getvalue())):
        folder = tmp_path / name.removesuffix(".zip")
        folder.mkdir()
        (folder / name).write_bytes(content)
        tracemalloc.start()
        (only,) = find_submissions(folder, Assignment().checked())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert only.problem == "larger than 5 MB when unpacked"
        assert most < 30_000_000


@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_rejects_compression_methods_that_cannot_be_read_in_parts(
    tmp_path: Path, method: int
) -> None:
    out = BytesIO()
    with ZipFile(out, "w", method) as archive:
        archive.writestr("heuristic.py", MINE)
    (only,) = found(tmp_path, {"ann.zip": out.getvalue()})
    says(only.problem)


def test_recognizes_a_resubmitted_file_by_the_name_that_canvas_wrote(tmp_path: Path) -> None:
    numbered = {"heuristic.py": MINE, "weights-1.json": "[1]", "weights-2.json": "[2]"}
    mine = {f"lisa/{name}": text for name, text in numbered.items()}
    (lisa,) = found(tmp_path / "plain", dict(mine))
    (zipped_lisa,) = found(tmp_path / "zip", {"lisa.zip": zipped(numbered)})
    canvas = {f"lisa_4_{at}_{name}": text for at, (name, text) in enumerate(numbered.items(), 1)}
    (of_canvas,) = found(tmp_path / "canvas", dict(canvas))
    for submission in (lisa, zipped_lisa, of_canvas):
        assert {name: text.decode() for name, text in submission.files.items()} == numbered
    one = one_submission(tmp_path / "plain" / "lisa", Assignment().checked())
    assert one.files == lisa.files
    again = {"lisa_4_1_h.py": "old", "lisa_4_7_h-1.py": MINE, "lisa_4_7_data-1.json": "[1]"}
    (twice,) = found(tmp_path / "again", dict(again))
    assert twice.files["h.py"].decode() == MINE
    assert set(twice.files) == {"h.py", "data.json", "data-1.json"}  # which of both, nobody knows


def test_keeps_names_like_those_of_platforms_in_a_personal_folder(tmp_path: Path) -> None:
    files = {"ann/heuristic.py": MINE, "ann/data_12_34_x.csv": "1", "ann/submission_2/x.txt": "1"}
    (ann,) = found(tmp_path, dict(files))
    assert set(ann.files) == {name.removeprefix("ann/") for name in files}


def test_lets_a_folder_with_names_of_others_take_nobodys_row(tmp_path: Path) -> None:
    others = {"bob.py": MINE, "carl.py": MINE}
    moodle = "Bob_7_assignsubmission_file_/heuristic.py"
    alone = found(tmp_path / "alone", dict(others))
    one = found(tmp_path / "one", {**others, f"mal/{moodle}": "", "mal/heuristic.py": MINE})
    assert [each for each in one if each.key != "mal"] == list(alone)
    assert {each.key for each in one} == {"bob", "carl", "mal"}
    all_of_it = found(tmp_path / "all", {**others, f"mal/{moodle}": ""})
    assert [each for each in all_of_it if each.key != "mal"] == list(alone)


@pytest.mark.parametrize(
    "names",
    [
        ("hw3-submissions/hw3-ann/heuristic.py", "hw3-submissions/hw3-bob/src/heuristic.py"),
        ("hw3-11-22-2026-submissions/hw3-ann/h.py", "hw3-11-22-2026-submissions/hw3-bob/h.py"),
        ("submitted/ann/hw3/heuristic.py", "submitted/bob/hw3/heuristic.py"),
    ],
)
def test_opens_the_folders_of_github_classroom_and_nbgrader(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    files = dict.fromkeys(names, MINE)
    keys = [(each.key, each.problem) for each in found(tmp_path / "all", dict(files))]
    assert keys == [("ann", ""), ("bob", "")]
    of_zip = found(tmp_path / "zip", {f"{names[0].split('/')[0]}.zip": zipped(files)})
    assert [each.key for each in of_zip] == ["ann", "bob"]


def test_reads_both_unicode_forms_of_a_name_as_one_student(tmp_path: Path) -> None:
    composed, decomposed = (normalize(form, "Jörg Müller") for form in ("NFC", "NFD"))
    files = {
        f"{composed}_7_assignsubmission_file_/heuristic.py": MINE,
        f"{decomposed}_7_assignsubmission_file_/data.txt": "1",
    }
    (only,) = found(tmp_path / "moodle", {"export.zip": zipped(files)})
    assert (only.key, set(only.files)) == ("Jörg-Müller", {"heuristic.py", "data.txt"})
    (twice,) = found(tmp_path / "plain", {f"{composed}.py": MINE, f"{decomposed}.py": "x = 1"})
    assert "handed in twice" in twice.problem


def test_makes_keys_that_are_file_names_on_every_system(tmp_path: Path) -> None:
    keys = [each.key for each in found(tmp_path, {f"{name}.py": MINE for name in ("NUL", "com1")})]
    assert keys == ["NUL-", "com1-"]


def test_reads_a_folder_that_only_looks_like_an_export_as_a_submission(tmp_path: Path) -> None:
    (only,) = found(tmp_path / "a", {"ann/src/submission_metadata.yml": METADATA})
    assert (only.key, only.main) == ("ann", "")
    twice = zipped({"submitted/bob/h.py": MINE, "submitted": "a file"})
    assert [each.key for each in found(tmp_path / "b", {"submitted.zip": twice})]


# Programs that are the same


WORK = """def score(board, player):
    total = 0
    for row in board:
        total += row.count(player) * 2
    return total

def heuristic(board, player):
    return score(board, player) - score(board, 3 - player)
"""
RENAMED = WORK.replace("score", "worth").replace("total", "summe").replace("board", "brett")


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        (WORK, True),
        (f'"""Mine."""\n# all mine\n{WORK}'.replace("(board, player):", "( board,player ):"), True),
        (RENAMED, True),
        (WORK.replace("    total = 0", '    """Count."""\n    total = 0'), True),
        (WORK.replace("* 2", "* 3"), False),
        (WORK.replace("count", "index"), False),
        ("def heuristic(board, player):\n    return 0\n", False),
        ("def heuristic(board, player:\n", False),
    ],
)
def test_compares_programs_without_comments_and_names(text: str, is_same: bool) -> None:
    digests = [
        fingerprint({"heuristic.py": each.encode()}, "heuristic.py") for each in (WORK, text)
    ]
    assert (digests[0] == digests[1]) == is_same


def test_compares_large_programs_by_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    parse = ast.parse
    monkeypatch.setattr(
        "ast.parse", lambda content, *given: parsed.append(len(content)) or parse(content, *given)
    )
    large = (WORK + "x = 1\n" * 200_000).encode()
    one, same, other = (
        fingerprint({"heuristic.py": each}, "heuristic.py")
        for each in (large, large, large + b"# mine")
    )
    assert one == same != other
    files = {"heuristic.py": b"import big\n" + WORK.encode(), "big.py": large}
    renamed = {**files, "heuristic.py": b"import big\n" + RENAMED.encode()}
    assert fingerprint(files, "heuristic.py") == fingerprint(renamed, "heuristic.py")
    assert max(parsed) < 1000
    assert Source.of_text(large.decode(), "heuristic").trees == ()


def test_keeps_builtins_and_imported_names_in_the_comparison() -> None:
    pairs = [
        ("def h(b): return sum(b)", "def h(b): return max(b)"),
        (
            "from math import sin\ndef h(b): return sin(b)",
            "from math import cos\ndef h(b): return cos(b)",
        ),
        ("def h(b): return b.a", "def h(b): return b.c"),
    ]
    for one, other in pairs:
        digests = [fingerprint({"h.py": text.encode()}, "h.py") for text in (one, other)]
        assert digests[0] != digests[1]


def test_compares_modules_that_import_each_other_once() -> None:
    names = [f"part{number}" for number in range(40)]
    files = {f"{name}.py": f"import {', '.join(names)}\n".encode() for name in names}
    digests = {
        fingerprint({"h.py": b"import part0\n", **files, "part39.py": text}, "h.py")
        for text in (b"x = 1\n", b"y = 1\n", b"x = 2\n")
    }
    assert len(digests) == 2


def test_counts_imported_and_read_files_as_parts_of_a_program(tmp_path: Path) -> None:
    main = "from work import heuristic\n"
    reads = "WEIGHTS = open('weights.json').read()\ndef heuristic(board): return 1\n"
    files: dict[str, str | bytes] = {
        "ann/heuristic.py": main, "ann/work.py": WORK,
        "bob/heuristic.py": main, "bob/work.py": RENAMED, "bob/unused.txt": "x",
        "carl/heuristic.py": main, "carl/work.py": MINE,
        "dora/heuristic.py": reads, "dora/weights.json": "1",
        "eve/heuristic.py": reads, "eve/weights.json": "2",
        "fay/heuristic.py": reads, "fay/weights.json": "1",
        "gus.txt": "x", "hal.txt": "x",
    }  # fmt: skip
    assert same_as(found(tmp_path, files)) == {
        "ann": ("bob",), "bob": ("ann",), "carl": (),
        "dora": ("fay",), "eve": (), "fay": ("dora",),
    }  # fmt: skip


# Notebooks

WITH_ALL = (
    "from __future__ import annotations\n%matplotlib inline\nimport numpy as np, random\n!pip install numpy",
    "print('never run', board)\nBIG = [0] * 9\nboard = np.zeros((3, 3))",
    "for at in range(9):\n    BIG[at] = at\nBIG.append(1)\nrandom.seed(3)",
    "def heuristic(board):\n    return 1",
    "%%bash\nrm -r everything",
    "%%time\ndef weight(at):\n    board = 3\n    return BIG[at] + OTHER",
    "OTHER = 5\nraise SystemExit",
    "def heuristic(board: Board):\n    return sum(weight(at) + random.random() * 0 for at in range(9))",
    "heuristic(board)\nboard?",
)


def test_exports_a_notebook_with_the_function_and_the_names_it_reads() -> None:
    script = script_of_notebook(noted(*WITH_ALL).encode(), "heuristic")
    assert "print" not in script
    assert "SystemExit" not in script
    assert "rm -r" not in script
    assert "np.zeros" not in script  # the function's board is its own
    assert "# cell 3\n" in script
    scope: dict[str, Any] = {}
    exec(script, scope)
    assert scope["heuristic"](None) == sum(range(9)) + 9 * 5
    assert scope["BIG"][-1] == 1


def test_takes_a_file_that_a_cell_writes_as_the_script() -> None:
    text = "# mine\ndef heuristic(board):\n    return 2\n"
    book = noted("def heuristic(board): return 1", f"%%writefile heuristic.py\n{text}", "1 +")
    assert script_of_notebook(book.encode(), "heuristic") == text


def test_judges_a_notebook_in_every_layout(tmp_path: Path) -> None:
    book = noted("import plyscope", "def heuristic(board): return helper.X", "import helper")
    files = {
        "submitted/ann/hw3/hw3.ipynb": book,
        "submitted/ann/hw3/helper.py": "X = 1",
        "submitted/bob/hw3/heuristic.ipynb": book,
        "submitted/bob/hw3/draft.ipynb": noted(MINE),
        "submitted/cy/hw3/heuristic.py": MINE,
        "submitted/cy/hw3/draft.ipynb": noted(MINE),
    }
    ann, bob, cy = found(tmp_path, files)
    assert [each.main for each in (ann, bob, cy)] == ["hw3.py", "heuristic.py", "heuristic.py"]
    assert b"import helper" in ann.files["hw3.py"]
    assert b"plyscope" not in ann.files["hw3.py"]
    assert cy.files["heuristic.py"] == MINE.encode()
