"""A hook that makes packages look as if they were not installed."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Generator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from plyscope.errors import PlyscopeError

PACKAGES = ("plyscope_fast", "numba", "llvmlite", "numpy", "msgspec", "rich")
"""What the core does without."""


class Blocker(MetaPathFinder):
    """A finder that refuses some packages."""

    def __init__(self, packages: Sequence[str]) -> None:
        self.packages = frozenset(packages)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def block(packages: Sequence[str] = PACKAGES) -> None:
    """Refuse the import of packages from now on in this process."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in packages:
            del sys.modules[name]
    sys.meta_path.insert(0, Blocker(packages))


class Bare:
    """A plugin that runs the tests in a process without these packages.

    A test that asks for what needs them is skipped: by the error that names the package and the
    command that installs it, or because the test, or a module above the core, imports it.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        asked = "No module named 'numpy", "No module named 'plyscope_fast", '"plyscope[fast]"'
        if report.outcome == "failed" and any(each in str(report.longrepr) for each in asked):
            report.outcome, report.longrepr = "skipped", (str(collector.path), 1, "needs NumPy")
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        error = call.excinfo and call.excinfo.value
        if report.outcome == "failed" and _is_of_package(error):
            report.outcome, report.longrepr = "skipped", (str(item.path), 1, str(error))
        return report


CORE = re.compile(r"/plyscope/(\w+\.py|(rules|evaluation|searching|solving)/)")
"""The files that must not ask for a package, but by `extras.load`."""


def _is_of_package(error: BaseException | None) -> bool:
    """Return whether an error says which package is missing; not if it is an import in the core."""
    if isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] in PACKAGES:
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        asking = [file for file in files if "importlib" not in file and file != __file__]
        return CORE.search(asking[-1]) is None
    return isinstance(error, PlyscopeError) and '"plyscope[fast]"' in str(error)
