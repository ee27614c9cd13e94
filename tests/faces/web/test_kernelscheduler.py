"""The scheduler of a game of one's own in a notebook: questions are ended in the midst of the game."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from examples.nim import Nim
from plyscope.rules.source import as_position
from plyscope_web import kernelscheduler
from plyscope_web.kernelscheduler import KernelScheduler
from waiting import reached

SHOWN = b'{"position": "slow nim"}'


class SlowNim(Nim):
    """Nim whose moves are not found before somebody says so."""

    name = "slow nim"
    begun, may_go_on = threading.Event(), threading.Event()
    is_deaf = False

    def moves(self, position: Any) -> Any:
        type(self).begun.set()
        if self.is_deaf:
            self.may_go_on.wait(60)
        while not self.may_go_on.is_set():
            pass
        return super().moves(position)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> KernelScheduler:
    SlowNim.begun.clear()
    SlowNim.may_go_on.clear()
    monkeypatch.setattr(SlowNim, "is_deaf", False)
    return KernelScheduler(as_position(SlowNim(1, 2)))


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


async def ask(scheduler: KernelScheduler, said: list[tuple[str, Any]]) -> Any:
    return await scheduler.take(
        "show", SHOWN, lambda kind, text: said.append((kind, json.loads(text)))
    )


def test_ends_a_cancelled_question_and_answers_the_next(slow: KernelScheduler) -> None:
    async def work() -> list[tuple[str, Any]]:
        said: list[tuple[str, Any]] = []
        job = await ask(slow, said)
        await reached(SlowNim.begun.is_set)
        thread = slow.thread
        await slow.cancel(job)
        later = await ask(slow, said)
        await reached(lambda: not slow.alone.locked() or len(slow.open) <= 1)
        SlowNim.may_go_on.set()
        await later.done.wait()
        assert slow.thread is thread
        await slow.stop()
        return said

    first, second = run(work)
    assert first == ("error", "stopped")
    assert second[1]["names"] == ["a1", "b1", "b2"]


def test_ends_a_question_at_its_timeout(
    slow: KernelScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(kernelscheduler.DEFAULT_SECONDS, "quick", 0.2)

    async def work() -> list[tuple[str, Any]]:
        said: list[tuple[str, Any]] = []
        await (await ask(slow, said)).done.wait()
        await slow.stop()
        return said

    assert run(work) == [("error", "no answer in time")]


def test_abandons_an_unresponsive_thread_and_answers_in_another(
    slow: KernelScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SlowNim, "is_deaf", True)
    monkeypatch.setitem(kernelscheduler.DEFAULT_SECONDS, "quick", 0.2)
    monkeypatch.setattr(kernelscheduler, "STOP_SECONDS", 0.1)

    async def work() -> list[tuple[str, Any]]:
        said: list[tuple[str, Any]] = []
        deaf = slow.thread
        await (await ask(slow, said)).done.wait()
        assert slow.thread is not deaf
        SlowNim.is_deaf = False
        SlowNim.may_go_on.set()
        kernelscheduler.DEFAULT_SECONDS["quick"] = 60.0
        await (await ask(slow, said)).done.wait()
        await slow.stop()
        return said

    first, second = run(work)
    assert (first[0], "does not answer" in first[1]) == ("error", True)
    assert second[0] == "found"
