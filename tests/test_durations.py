"""Which cases are slow."""

from __future__ import annotations

from durations import slow_among


def test_a_test_has_quick_cases_for_a_few_seconds_together() -> None:
    costs = {f"a.py::many[{seed}]": 0.1 + seed / 1000 for seed in range(30)}
    costs |= {"a.py::one": 0.2, "a.py::dear": 0.5}
    slow = slow_among(costs)
    assert slow == {f"a.py::many[{seed}]": 0.1 + seed / 1000 for seed in range(14, 30)} | {
        "a.py::dear": 0.5
    }
