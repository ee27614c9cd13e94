"""Which cases are slow."""

from __future__ import annotations

from documents import ROOT
from durations import slow_among, slow_cases


def test_a_test_has_quick_cases_for_a_few_seconds_together() -> None:
    costs = {f"a.py::many[{seed}]": 0.1 + seed / 1000 for seed in range(30)}
    costs |= {"a.py::one": 0.2, "a.py::dear": 0.5}
    slow = slow_among(costs)
    assert slow == {f"a.py::many[{seed}]": 0.1 + seed / 1000 for seed in range(14, 30)} | {
        "a.py::dear": 0.5
    }


def test_lists_only_tests_that_exist() -> None:
    tests = {case.partition("[")[0] for case in slow_cases()}
    texts = {
        file: (ROOT / file).read_text("utf-8") for file in {t.partition("::")[0] for t in tests}
    }
    unknown = {
        t for t in tests if f"def {t.rpartition('::')[2]}(" not in texts[t.partition("::")[0]]
    }
    assert unknown == set()
