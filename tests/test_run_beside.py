"""Calls beside the interpreter end when they are told to, at whatever instant Ctrl-C comes."""

from __future__ import annotations

import dis
import gc
import signal
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from time import perf_counter, sleep
from types import CodeType, FrameType
from typing import Any

import pytest

from plyscope import parse_game, solve
from plyscope.searching.limit import Late
from plyscope_fast.evaluation.tablebase import tablebase
from plyscope_fast.machine import threads as run
from plyscope_fast.machine.threads import Abandoned, ThreadRunner, uninterrupted
from waiting import PATIENCE_SECONDS, until


class Work:
    """A call that goes on until it is told to stop or has done what it does, or for some time."""

    def __init__(self, seconds: float = PATIENCE_SECONDS) -> None:
        self.seconds = seconds
        self.is_told = self.is_done = False
        self.running = 0

    def stop(self) -> None:
        self.is_told = True

    def __call__(self) -> str:
        self.running += 1
        end = perf_counter() + self.seconds
        while not (self.is_told or self.is_done) and perf_counter() < end:
            sleep(0.001)
        self.running -= 1
        return "stopped" if self.is_told else "done"


def interrupted_at(number: int, file: str, call: Any) -> bool:
    """Call, with a KeyboardInterrupt at the so-manieth instruction of `file` in this thread; return
    whether it came to that.

    No signal is heard before a function's first instruction is done, and an exception there may
    send the interpreter round in circles.
    """
    left = [number]

    def look(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != file or left[0] <= 0:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti > _first(frame.f_code):
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
        return look

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # 3.12 looks for it here, when the tracing begins
    sys.settrace(look)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@lru_cache
def _first(code: CodeType) -> int:
    """Return where the first instruction of a function is at which a signal is heard."""
    return next(each.offset for each in dis.get_instructions(code) if each.opname == "RESUME")


def test_returns_the_answer_of_a_call_or_raises_its_exception() -> None:
    assert ThreadRunner(lambda: None).run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        ThreadRunner(lambda: None).run(lambda: 1 // 0)


def test_stops_at_the_deadline_and_by_an_exception_of_the_poll() -> None:
    work = Work()
    side, began = ThreadRunner(work.stop), perf_counter()
    with pytest.raises(Late):
        side.run(work, began + 0.05)
    assert work.running == 0

    def poll() -> None:
        raise LookupError("seen")

    work = Work()
    with pytest.raises(LookupError, match="seen"):
        ThreadRunner(work.stop).run(work, poll=poll)
    assert work.running == 0


def test_abandons_a_deaf_call_and_waits_for_its_end_before_the_next() -> None:
    work = Work()
    side, began = ThreadRunner(lambda: None), perf_counter()
    with pytest.raises(Abandoned):
        side.run(work, began + 0.1)
    until(lambda: work.running, 1)
    work.is_done = True
    assert side.end()
    assert work.running == 0
    assert side.run(lambda: work.running) == 0


def test_stops_by_ctrl_c_at_any_instruction_without_swallowing_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "POLL_SECONDS", 0.003)
    was_running = 0
    for number in count(1):
        work = Work(0.01)
        side = ThreadRunner(work.stop)
        if not interrupted_at(number, run.__file__, lambda side=side, work=work: side.run(work)):
            break
        side.end()
        was_running += work.is_told
        assert work.running == 0, number
        work.is_told = False
        assert side.run(work) == "done", number
        assert side.run(lambda: 7) == 7, number
    assert number > 50
    assert was_running > 10


@pytest.mark.parametrize("module", ["plyscope_fast.machine.threads", "plyscope_fast.solving.lines"])
def test_leaves_a_solver_unchanged_after_ctrl_c_at_any_instruction(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plyscope_fast.solving import lines

    monkeypatch.setattr(lines, "IN_PLACE_NODES", 1000)  # so that it goes beside
    lines.lines_solver.cache_clear()
    assert solve("6,5,4", "lines", with_moves=False).value == 1
    file = sys.modules[module].__file__ or ""
    for number in count(1, 29):
        lines.lines_solver.cache_clear()

        def ask() -> None:
            assert solve("6,5,4", "lines", with_moves=False).value == 1

        if not interrupted_at(number, file, ask):
            break
        assert solve("6,5,4", "lines", with_moves=False).value == 1, number
        assert solve("5,5,4 c3", "lines", with_moves=False).value == 0, number
        if number > 29 * 60:
            break
    assert number > 100
    lines.lines_solver.cache_clear()


def test_lets_two_threads_use_one_solver() -> None:
    wrong: list[object] = []

    def ask(text: str, value: int) -> None:
        for _ in range(3):
            verdict = solve(text, "lines", with_moves=False)
            wrong.extend([verdict] if verdict.value != value else [])

    asked = (("6,5,4", 1), ("6,5,4 c3", -1), ("6,5,4", 1))
    threads = [threading.Thread(target=ask, args=words) for words in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_continues_compiling_after_ctrl_c_ends_the_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "POLL_SECONDS", 0.003)
    begun, done = [], []

    def work() -> int:
        begun.append(threading.get_ident())
        assert uninterrupted(threading.get_ident) == begun[-1]  # it is in such a thread already
        sleep(0.005)
        done.append(len(begun))
        return 7

    for number in count(1):
        if not interrupted_at(number, run.__file__, lambda: uninterrupted(work)):
            break
        until(lambda: not run.uninterrupted_calls())
        assert len(done) == len(begun), number
    assert number > 15
    assert 10 < len(begun) == len(done) <= number
    assert threading.get_ident() not in begun
    assert uninterrupted(work) == 7
    with pytest.raises(ZeroDivisionError):
        uninterrupted(lambda: 1 // 0)


EXITS = """
import os, signal, sys, time
from plyscope.lab.people.workers import LocalWorkers

def main():
    workers = LocalWorkers(2, alone=0.0)
    future = workers.submit(time.sleep, 3600)
    if sys.argv[1] == "killed":
        os.kill(next(iter(workers.pools[0]._processes)), signal.SIGKILL)
        while not future.done():  # submitted again until it is given up
            for pool in list(workers.pools):
                for pid in list(pool._processes or ()):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
    else:
        workers.abandon()

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("how", ["abandoned", "killed"])
def test_exits_after_its_worker_was(how: str, tmp_path: Path) -> None:
    file = tmp_path / "work.py"
    file.write_text(EXITS)
    command = [sys.executable, str(file), how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Alone:
    """A kernel where there are no threads: it ticks at every node, until it is told to stop."""

    def __init__(self) -> None:
        self.nodes, self.is_told = 0, False

    def stop(self) -> None:
        self.is_told = True

    def __call__(self) -> int:
        while not self.is_told and self.nodes < 1_000_000:
            self.nodes += 1
            run.tick()
        return self.nodes


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Alone:
    monkeypatch.setattr(run, "HAS_THREADS", False)
    return Alone()


def test_a_call_without_threads_stops_at_its_deadline(alone: Alone) -> None:
    with pytest.raises(Late):
        ThreadRunner(alone.stop).run(alone, perf_counter() + 0.01)
    assert alone.is_told
    assert run.node_count[0] == run.NO_TICK


def test_a_call_without_threads_returns_its_result(alone: Alone) -> None:
    assert ThreadRunner(alone.stop).run(lambda: 5, perf_counter() + 60) == 5
    assert uninterrupted(lambda: 6) == 6


def test_a_call_without_threads_stops_on_ctrl_c_and_then_raises_it(alone: Alone) -> None:
    def call() -> int:
        signal.raise_signal(signal.SIGINT)  # is not raised here, as in a kernel
        return alone()

    with pytest.raises(KeyboardInterrupt):
        ThreadRunner(alone.stop).run(call)
    assert alone.is_told
    assert alone.nodes == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_call_without_threads_polls_and_passes_on_what_that_raises(alone: Alone) -> None:
    times: list[int] = []

    def poll() -> None:
        times.append(ThreadRunner(alone.stop).run(lambda: 7))  # another call inside
        if len(times) == 2:
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        ThreadRunner(alone.stop).run(alone, None, poll)
    assert times == [7, 7]


def test_helpers_do_not_start_without_threads(alone: Alone) -> None:
    helper = ThreadRunner(alone.stop)
    helper.begin(alone)
    assert helper.end()
    assert alone.nodes == 0


def test_the_nodes_between_two_ticks_follow_the_speed(
    alone: Alone, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(run, "perf_counter", lambda: now[0])
    counts: list[int] = []

    def call() -> None:
        for node_seconds in [1e-7] * 12 + [1e-5] * 3:
            now[0] += run.node_count[0] * node_seconds
            run.tick()
            counts.append(run.node_count[0])

    ThreadRunner(alone.stop).run(call)
    assert counts[:4] == [128, 256, 512, 1024]
    assert counts[11] == pytest.approx(run.TICK_SECONDS / 1e-7, rel=0.01)
    assert counts[-1] == pytest.approx(run.TICK_SECONDS / 1e-5, rel=0.01)


def test_a_tablebase_without_threads_stops_at_its_deadline(alone: Alone) -> None:
    with pytest.raises(Late):
        tablebase(parse_game("4,3,3,misere"), deadline=perf_counter())


def test_a_handler_of_a_signal_decides_what_a_call_without_threads_raises(alone: Alone) -> None:
    asked: list[str] = []

    def handle(number: int, frame: FrameType | None) -> None:
        while frame is not None:
            asked.append(frame.f_code.co_name)
            frame = frame.f_back
        if asked.count("call") == 2:
            raise InterruptedError

    def call() -> int:
        signal.raise_signal(signal.SIGINT)  # the handler lets it pass
        assert alone.nodes == 0
        signal.raise_signal(signal.SIGINT)
        return alone()

    before = signal.signal(signal.SIGINT, handle)
    try:
        with pytest.raises(InterruptedError):
            ThreadRunner(alone.stop).run(call)
        assert signal.getsignal(signal.SIGINT) is handle
    finally:
        signal.signal(signal.SIGINT, before)
    assert alone.nodes == 1


def test_memory_of_a_call_without_threads_is_freed_when_it_stops(alone: Alone) -> None:
    """Not at the next collection of cycles: tables are large."""
    gc.disable()
    try:
        for deadline in (perf_counter(), None):
            kernel = Alone()
            freed = weakref.ref(kernel)
            call = kernel if deadline else partial(_interrupted, kernel)
            with suppress(Late, KeyboardInterrupt):
                ThreadRunner(kernel.stop).run(call, deadline)
            assert kernel.is_told
            del kernel, call
            assert freed() is None
    finally:
        gc.enable()


def _interrupted(kernel: Alone) -> int:
    signal.raise_signal(signal.SIGINT)
    return kernel()
