"""The examples in README.md and docs/, run as they stand.

A block fenced as `console` holds commands after `$ ` and what they print; a block fenced as `pycon`
is a doctest. Times, the only thing that differs from run to run, are compared as if they were all
alike. `python tests/documents.py` writes what the commands print today into the files. A block that
needs another library is left alone where that is not installed.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import tempfile
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any

from plyscope.faces import progress

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(?P<kind>console|pycon)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LIBRARIES = {"openspiel": "pyspiel", "pettingzoo": "pettingzoo", "gymnasium": "gymnasium"}
"""Other people's libraries: the word in a block that tells that it needs one, and the module."""
SECONDS = re.compile(r"\d+\.\d{3} s\b")
COMMIT = re.compile(r'("plyscope": "[0-9.]+)\+[\w.]+')
MICROSECONDS = re.compile(r" *\d+\.\d µs\b")


def documents() -> list[Path]:
    """Return the files that hold examples."""
    return sorted(
        path
        for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
        if FENCE.search(path.read_text(encoding="utf-8"))
    )


def run_console(body: str) -> str:
    """Return the block with what its commands print now; files they write go to a folder that is
    then removed."""
    commands = [line for line in body.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("examples").symlink_to(ROOT / "examples")
        return "".join(f"{command}\n{_printed(command[2:])}" for command in commands)


def _printed(command: str) -> str:
    from plyscope.faces.cli import run
    from plyscope_fast.solving.connect import connect_solver
    from plyscope_fast.solving.lines import lines_solver
    from plyscope_fast.solving.threats import threat_solver

    for solver in (
        connect_solver,
        lines_solver,
        threat_solver,
    ):  # as in a process of its own, which remembers nothing
        solver.cache_clear()
    words = shlex.split(command)
    assert words[0] == "plyscope", f"{command!r} is no command of plyscope"
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        contextlib.suppress(SystemExit),
    ):
        run(words[1:])
    text = COMMIT.sub(r"\1", printed.getvalue().strip("\n"))
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


def comparable(text: str) -> str:
    """Return `text` with all times alike."""
    return MICROSECONDS.sub(" 0.0 µs", SECONDS.sub("0.000 s", text))


def blocks(path: Path, kind: str) -> list[str]:
    """Return the bodies of the file's blocks of that kind."""
    return [
        match["body"]
        for match in FENCE.finditer(path.read_text(encoding="utf-8"))
        if match["kind"] == kind and runs_here(match["body"])
    ]


def runs_here(body: str) -> bool:
    """Return whether the libraries that a block needs are installed."""
    return all(find_spec(module) for word, module in LIBRARIES.items() if word in body)


def doctest_failures(path: Path) -> str:
    """Run the doctest blocks of the file as one, and return what fails."""
    failures = io.StringIO()
    test = doctest.DocTestParser().get_doctest(
        "".join(blocks(path, "pycon")), {}, path.name, str(path), 0
    )
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(
        test, out=failures.write
    )
    return failures.getvalue()


def rewrite(path: Path) -> None:
    """Write what the commands of the file print now; what differs in times alone stays as it is."""

    def renewed(match: re.Match[str]) -> str:
        if match["kind"] != "console" or not runs_here(match["body"]):
            return match[0]
        fresh = run_console(match["body"])
        return (
            match[0]
            if comparable(fresh) == comparable(match["body"])
            else f"```console\n{fresh}```"
        )

    text = path.read_text(encoding="utf-8")
    path.write_text(FENCE.sub(renewed, text), encoding="utf-8")


# Notebooks


def notebooks() -> list[Path]:
    """Return the lessons."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> Any:
    """Return the notebook with what its cells answer now; raises at the first one that fails."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    for cell in notebook.cells:
        cell.get("metadata", {}).pop("execution", None)
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET, None)
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


WIDGET = "application/vnd.jupyter.widget-view+json"


def answers(notebook: Any) -> list[str]:
    """Return what its cells have answered, with all times alike; what a slow machine says of its
    progress is no answer, also where it parts what a cell prints."""
    found = []
    for cell in notebook.cells:
        printed = ""
        for output in cell.get("outputs", ()):
            if output.get("name") == "stderr":
                continue
            if output.output_type == "stream":
                printed += output.text
                continue
            data = output.get("data", {})
            found.append(comparable(data.get("text/html", "") or data.get("text/plain", "")))
        if printed:
            found.append(comparable(printed))
    return found


def rerun(path: Path) -> None:
    """Execute the notebook and keep its answers, if more than times has changed."""
    import nbformat

    fresh, kept = executed(path), nbformat.read(path, as_version=4)
    if answers(fresh) != answers(kept):
        nbformat.write(fresh, path)


if __name__ == "__main__":
    progress.PIPE_SECONDS = progress.SLOW_SECONDS = inf  # as in the tests
    for document in documents():
        rewrite(document)
    for notebook in notebooks():
        rerun(notebook)
