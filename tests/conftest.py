"""Hooks for all tests."""

from __future__ import annotations

import os
import signal
from math import inf
from pathlib import Path

import pytest

import blocked
import durations
import sentences
import sizes
from plyscope.faces import progress

if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # as under nohup: tests of Ctrl-C, and their children, are to hear it all the same
    signal.signal(signal.SIGINT, signal.default_int_handler)

# no line about a slow machine in what tests and documents compare
progress.PIPE_SECONDS = progress.SLOW_SECONDS = inf

os.environ.pop(
    "COLUMNS", None
)  # of the window that the tests were started in, or of xdist's making

SKIPPED = pytest.StashKey[set[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two runs share the suite: the first is quick, with few packages, and notes the tests that it
    skips; the second, with all packages, runs the rest. `sizes.sized` says what a size means,
    `durations` which tests are quick."""
    parser.addoption("--note-skipped", metavar="FILE", help="write the tests and files skipped")
    parser.addoption(
        "--rest", metavar="FILE", help="run what a quick run with --note-skipped did not run"
    )
    parser.addoption("--quick", action="store_true", help="leave out the cases of slow.txt")
    parser.addoption("--bare", action="store_true", help="run as if no package were installed")
    parser.addoption("--measure", action="store_true", help="write slow.txt anew")
    parser.addoption(
        "--write-sentences", action="store_true", help="write data/sentences.json anew; without -n"
    )
    parser.addoption(
        "--size", choices=sizes.SIZES, default=sizes.chosen, help="how much campaigns try"
    )


def pytest_configure(config: pytest.Config) -> None:
    sizes.chosen = config.getoption("size")
    sentences.written = {} if config.getoption("write_sentences") else None
    config.stash[SKIPPED] = set()
    if config.getoption("bare"):
        blocked.block()
        config.pluginmanager.register(blocked.Bare())
    if config.getoption("note_skipped"):
        config.pluginmanager.register(_Notes(config.stash[SKIPPED]))
    if config.getoption("measure"):
        config.pluginmanager.register(durations.Measuring())
        if not hasattr(config, "workerinput"):  # not in the workers of xdist
            config.pluginmanager.register(durations.Writing())


@pytest.fixture(scope="session", autouse=True)
def folder_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tell `says` which folders to leave out."""
    sentences.folder = tmp_path_factory.getbasetemp()


def pytest_report_header(config: pytest.Config) -> str:
    if not config.getoption("quick"):
        return ""
    return f"without {len(durations.slow_cases())} slow cases (make check runs all)"


class _Notes:
    """Collects the ids of skipped tests, and of files that are skipped whole."""

    def __init__(self, skipped: set[str]) -> None:
        self.skipped = skipped

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.skipped.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    file = session.config.getoption("note_skipped")
    if file and not hasattr(session.config, "workerinput"):  # not in the workers of xdist
        Path(file).write_text("\n".join(sorted(session.config.stash[SKIPPED])), encoding="utf-8")
    if sentences.written:
        sentences.write(sentences.written)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    file = config.getoption("rest")
    if file:
        noted = set(Path(file).read_text(encoding="utf-8").split("\n"))
        done = {
            item
            for item in durations.quick(items)
            if not {item.nodeid, item.nodeid.split("::")[0]} & noted
        }
        _select(config, items, [item for item in items if item not in done])
    if config.getoption("quick"):
        _select(config, items, durations.quick(items))


def _select(config: pytest.Config, items: list[pytest.Item], run: list[pytest.Item]) -> None:
    """Leave out all items that are not in `run`."""
    config.hook.pytest_deselected(items=list(set(items) - set(run)))
    items[:] = run
