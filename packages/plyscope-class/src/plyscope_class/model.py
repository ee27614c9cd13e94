"""Submissions that are the model solution, or nearly: marks for the teacher, which cost no points.

Model solutions are public: each student who installs plyscope has those of the ready-made
assignments. A short solution may be the same by chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plyscope_class.alike import fingerprint, similar
from plyscope_class.assignment import HANDOUT_FOLDER, TEACHER_FOLDER, Assignment
from plyscope_class.submissions import Submission

SOLUTIONS = Path(__file__).parent / "assignments"
SAME = "same as the model solution"


def model_marks(
    submissions: Iterable[Submission], assignment: Assignment, folder: str | Path
) -> dict[str, str]:
    """Return, by key, the mark of each program that is a model solution or similar to one.

    Model solutions are those of plyscope, and in the teacher's folder of the class in `folder`.
    """
    if not assignment.file.endswith(".py"):
        return {}
    places = [*SOLUTIONS.glob("*/solution.py"), *Path(folder, TEACHER_FOLDER).glob("*.py")]
    models = [_of_file(place) for place in sorted(places)]
    prints = {fingerprint(each.files, each.main) for each in models}
    given = [_text(each) for each in sorted(Path(folder, HANDOUT_FOLDER).glob("*.py"))]
    marks = {}
    for own in (each for each in submissions if each.main.endswith(".py")):
        if fingerprint(own.files, own.main) in prints:
            marks[own.key] = SAME
            continue
        shares = [pair.share for model in models for pair in similar([own, model], given)]
        if shares:
            marks[own.key] = f"{100 * max(shares):.0f} % like the model solution"
    return marks


def _of_file(place: Path) -> Submission:
    name = place.name
    return Submission(key="", name="", identity="", files={name: place.read_bytes()}, main=name)


def _text(place: Path) -> str:
    return place.read_text(encoding="utf-8", errors="replace")
