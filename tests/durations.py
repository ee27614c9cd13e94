"""Which cases `make test` runs: those that cost little, by the measurements in `slow.txt`.

`make durations` measures all cases and writes `slow.txt`: the cases that cost more than
QUICK_SECONDS, and those of a test with many cases whose quicker cases already cost
MAX_TEST_SECONDS together, each with its seconds. `pytest --quick` leaves these out, but of a test all of whose
cases are slow it runs the quickest, if that costs at most MAX_QUICKEST_SECONDS. Then it measures
the quick cases with an empty cache in which `plyscope warm` has run, as `make test` meets them in a
new clone: a case that compiles code which only slow cases had compiled before becomes slow too. A
case that was never measured is quick. The seconds are CPU time, with child processes and with the
fixtures that the case shares with others, or half of the wall time if that is more.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

FILE = Path(__file__).with_name("slow.txt")
QUICK_SECONDS = 0.3
MAX_QUICKEST_SECONDS = 2.0
MAX_TEST_SECONDS = 1.5
COST = "seconds"


def slow_cases() -> dict[str, float]:
    """Return the seconds of the slow cases by their ids."""
    rows = (line.split(" ", 1) for line in FILE.read_text(encoding="utf-8").splitlines())
    return {case: float(seconds) for seconds, case in rows}


def slow_among(costs: dict[str, float]) -> dict[str, float]:
    """Return the slow cases among those with these seconds."""
    slow: dict[str, float] = {}
    of_test: dict[str, float] = defaultdict(float)
    for case, seconds in sorted(costs.items(), key=lambda item: item[1]):
        test = case.partition("[")[0]
        of_test[test] += seconds
        if seconds > QUICK_SECONDS or of_test[test] > MAX_TEST_SECONDS:
            slow[case] = seconds
    return slow


def quick(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the cases that `make test` runs."""
    slow = slow_cases()
    by_test: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        by_test[item.nodeid.partition("[")[0]].append(item)
    kept = {item for item in items if item.nodeid not in slow}
    for cases in by_test.values():
        if len(cases) > 1 and not kept.intersection(cases):
            quickest = min(cases, key=lambda item: slow[item.nodeid])
            if slow[quickest.nodeid] <= MAX_QUICKEST_SECONDS:
                kept.add(quickest)
    return [item for item in items if item in kept]


class Measuring:
    """Adds to the last report of each case what it has cost."""

    def __init__(self) -> None:
        self.shared: dict[tuple[str, str], float] = defaultdict(float)
        """CPU seconds of the fixtures that cases share, by the place of definition and the name."""
        with suppress(ImportError):  # so that no case pays for the import and the first compilation
            import numba

            numba.njit(lambda number: number + 1)(1)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Iterator[None]:
        """Measure a fixture, without those that it asks for."""
        began, inner = _cpu(), sum(self.shared.values())
        yield
        if fixturedef.scope != "function":
            spent = _cpu() - began - (sum(self.shared.values()) - inner)
            self.shared[fixturedef.baseid, fixturedef.argname] += spent

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note when a case begins."""
        self.began = _cpu(), perf_counter(), sum(self.shared.values())
        yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Iterator[None]:
        """Add the seconds to the report of the teardown."""
        if call.when == "teardown":
            began, began_wall, inner = self.began
            own = _cpu() - began - (sum(self.shared.values()) - inner)
            own = max(own, (perf_counter() - began_wall) / 2)
            names = getattr(item, "fixturenames", ())
            used = [
                s
                for (base, name), s in self.shared.items()
                if name in names and base in item.nodeid
            ]
            item.user_properties.append((COST, own + sum(used)))
        yield


class Writing:
    """Collects what the cases have cost, and writes the slow ones."""

    def __init__(self) -> None:
        self.costs: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Read the seconds of a case that was not skipped."""
        if report.skipped:
            self.costs[report.nodeid] = -1.0
        elif report.when == "teardown" and report.nodeid not in self.costs:
            self.costs[report.nodeid] = dict(report.user_properties)[COST]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the slow cases. Cases that were skipped, those of files that were not run, and with
        `--quick` all slow ones keep their seconds; others that were not run no longer exist."""
        if session.exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return
        files = {case.partition("::")[0] for case in self.costs}
        before = slow_cases() if FILE.exists() else {}
        measured = {case: seconds for case, seconds in self.costs.items() if seconds >= 0}
        kept = {
            case: seconds
            for case, seconds in before.items()
            if case not in measured
            and (
                case in self.costs
                or case.partition("::")[0] not in files
                or session.config.getoption("quick")
            )
        }
        rows = sorted((kept | slow_among(measured)).items())
        FILE.write_text("".join(f"{s:.1f} {case}\n" for case, s in rows), encoding="utf-8")


def _cpu() -> float:
    """Return the CPU seconds of this process and of its descendants, running ones included: a case
    is not charged for a process that an earlier one started and that ends now. Linux only."""
    ticks, waiting = 0, [os.getpid()]
    while waiting:
        process = Path(f"/proc/{waiting.pop()}")
        with suppress(OSError):  # it has ended meanwhile, and its parent has its seconds
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
            for thread in (process / "task").iterdir():
                waiting += map(int, (thread / "children").read_bytes().split())
    return ticks / os.sysconf("SC_CLK_TCK")
