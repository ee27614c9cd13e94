"""Gradescope: the `results.json` of a submission, and the autograder's zip.

The formats follow gradescope-autograders.readthedocs.io: `setup.sh` and `run_autograder` at the top
of the zip, submissions in /autograder/submission, results in /autograder/results/results.json.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from plyscope.lab.people.files import files_of_game
from plyscope.lab.people.sandbox import home_of_plyscope
from plyscope.version import __version__
from plyscope_class.assignment import ASSIGNMENT_FILE, Assignment
from plyscope_class.grade import TITLES, Grade, Part

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
"""The version of this Python, with which the pinned packages work. uv installs it if the image has
another one."""
SETUP = f"""#!/usr/bin/env bash
# Runs once, when the autograder is built: installs a Python with plyscope's dependencies.
set -euo pipefail
cd "${{AUTOGRADER:-/autograder}}/source"
if python3 -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != "{PYTHON}")'; then
    python3 -c 'import ensurepip' || {{ apt-get update; apt-get install -y python3-venv; }}
    python3 -m venv python
    python/bin/pip install --quiet -r requirements.txt
else
    curl -LsSf https://astral.sh/uv/install.sh | env UV_INSTALL_DIR="$PWD/uv" sh
    uv/uv venv --python {PYTHON} python
    uv/uv pip install --python python/bin/python --quiet -r requirements.txt
fi
"""
RUN = """#!/usr/bin/env bash
# Runs for each submission, which is judged alone against the fixed ladder.
set -euo pipefail
top="${AUTOGRADER:-/autograder}"
export PYTHONPATH="$top/source/plyscope-source"
"${PYTHON:-$top/source/python/bin/python}" -m plyscope class run "$top/source/assignment" \\
    --submission "$top/submission" --results "$top/results/results.json"
"""
DISTRIBUTION = "plyscope-class"
"""The package of this module, for pip."""
OURS = ("plyscope", DISTRIBUTION)
"""The packages whose source is in the zip."""
NEED = re.compile(r"([A-Za-z0-9._-]+)(?:\s*\[([^]]*)\])?")
"""The name and the extras of a requirement."""
ZIP_DATE = (2020, 1, 1, 0, 0, 0)
"""The date of every file in the zip, so that the zip has the same bytes each time."""


def results_of(
    grade: Grade,
    judgement: dict[str, Any] | None,
    assignment: Assignment,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a grade in Gradescope's format: a test for each part of the rubric, and for each item
    of the check, with the visibility that the assignment wants. `notes` are a test that students
    never see."""
    rungs = (judgement or {}).get("ladder") or []
    won = sum(rung["wins"] for rung in rungs)
    shown = {part: when for when, parts in assignment.gradescope.parts.items() for part in parts}
    hidden = {**_test("for the teacher", 0.0, 0.0, "\n".join(notes)), "visibility": "hidden"}
    return {
        "score": grade.total,
        "output": grade.reason or "all points",
        "visibility": "visible",
        "tests": [
            {**test, "visibility": shown.get(part.name, "visible")}
            for part in grade.parts
            for test in _tests(part, judgement)
        ]
        + [hidden] * bool(notes),
        "leaderboard": [
            {"name": "Points", "value": grade.total},
            {"name": "Games won against the baselines", "value": won},
        ],
    }


def _tests(part: Part, judgement: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return the tests of a part: one, or one for each item if those are the points of the part."""
    check = (judgement or {}).get("check") or {}
    items = check.get("items", ()) if part.name == "check" and part.points else ()
    asked = [(item["says"], item["finding"], item["share"]) for item in items]
    asked += [(name, "not checked", 0.0) for name in check.get("missing", ()) if items]
    if not asked:
        return [_test(TITLES[part.name], part.points, part.of, "\n".join(part.reasons))]
    of = part.of / len(asked)
    return [
        _test(f"{TITLES['check']}: {says}", share * of, of, finding or "holds")
        for says, finding, share in asked
    ]


def _test(name: str, points: float, of: float, output: str) -> dict[str, Any]:
    status = "passed" if points >= of else "failed"
    points, of = round(points, 4), round(of, 4)
    return {"name": name, "score": points, "max_score": of, "status": status, "output": output}


def autograder_zip(folder: Path, assignment: Assignment) -> bytes:
    """Return the zip of an autograder that grades like `plyscope class run`."""
    files: dict[str, bytes] = {
        "setup.sh": SETUP.encode(),
        "run_autograder": RUN.encode(),
        "requirements.txt": "\n".join((*_requirements(), "")).encode(),
        f"assignment/{ASSIGNMENT_FILE}": (folder / ASSIGNMENT_FILE).read_bytes(),
    }
    for name in files_of_game(assignment.rules):
        files[f"assignment/{Path(name).name}"] = Path(name).read_bytes()
    for package in (Path(home_of_plyscope()) / "plyscope", Path(__file__).parent):
        for path in sorted(package.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                name = path.relative_to(package.parent).as_posix()
                files[f"plyscope-source/{name}"] = path.read_bytes()
    metadata = f"{__package__}-{__version__}.dist-info"
    for name in ("METADATA", "entry_points.txt"):  # by which plyscope finds the command
        text = distribution(DISTRIBUTION).read_text(name) or ""
        files[f"plyscope-source/{metadata}/{name}"] = text.encode()
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = ZipInfo(name, ZIP_DATE)
            info.compress_type = ZIP_DEFLATED
            info.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
            archive.writestr(info, content)
    return out.getvalue()


def _requirements() -> list[str]:
    """Return the dependencies of plyscope and of this package, and theirs, in the versions that are
    installed here, so that a new release changes no grades during a course."""
    pinned: dict[str, str] = {}
    waiting = [(DISTRIBUTION, "")]
    for name, extra in waiting:
        for each in _required(name, extra):
            found = NEED.match(each)
            key = re.sub(r"[-_.]+", "-", found[1]).lower() if found else ""
            asked = (
                [(key, word.strip()) for word in ["", *(found[2] or "").split(",")]]
                if found
                else []
            )
            waiting += [pair for pair in dict.fromkeys(asked) if pair not in waiting]
            with suppress(PackageNotFoundError):  # of another system
                if key and key not in OURS:
                    pinned[key] = f"{key}=={version(key)}"
    return sorted(pinned.values())


def _required(name: str, extra: str) -> list[str]:
    """Return what a package needs, or what one of its extras adds."""
    try:
        needs = requires(name) or []
    except PackageNotFoundError:
        return []
    extras = [re.search(r"extra == ['\"]([\w.-]+)", each) for each in needs]
    return [each for each, of in zip(needs, extras, strict=True) if (of[1] if of else "") == extra]
