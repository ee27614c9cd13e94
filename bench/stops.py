"""Stops at random moments, by Ctrl-C and by time, in every solver and search: `python
bench/stops.py [--stops 200] [--seed 1]`.

After each stop: it was heard soon, the answer is right or says that it is none, the same question
asked again is answered right, and no thread is left. Ctrl-C is a signal to this process, so that it
comes between any two instructions, or while machine code runs.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer
from time import perf_counter, sleep
from typing import Any

CALM = 3.0
"""Seconds within which all threads have ended."""
SLOW = ("lines, torus", "threats", "threats, 15x15", "tablebase", "checkpoint")
GROWN = 128
"""Megabytes by which the process may have grown at the end."""


def by_stones(mine: int, theirs: int, lines: Any) -> int:
    """A heuristic that is no table."""
    return mine.bit_count() * 3 - (theirs & 0x1C387).bit_count()


def solves() -> dict[str, Callable[..., Any]]:
    """Return questions to every solver, with nothing known beforehand."""
    from plyscope import solve
    from plyscope_fast.evaluation import tablebase
    from plyscope_fast.solving.connect import connect_solver
    from plyscope_fast.solving.lines import lines_solver
    from plyscope_fast.solving.threats import threat_solver

    folder = Path(tempfile.mkdtemp())
    vars(tablebase)["home"] = lambda: folder

    def ask(text: str, **fixed: Any) -> Callable[..., Any]:
        def asked(**options: Any) -> Any:
            for solver in (connect_solver, lines_solver, threat_solver):
                solver.cache_clear()
            tablebase._in_memory.clear()
            for file in folder.rglob("*"):
                if file.is_file():
                    file.unlink()
            verdict = solve(text, **fixed, **options)
            return verdict.value, verdict.stopped, verdict.seconds

        return asked

    def in_jobs(**options: Any) -> Any:
        with ThreadPoolExecutor(2) as executor:
            return ask("6,5,4", executor=executor, jobs=2)(**options)

    return {
        "lines": ask("7,4,4", method="lines"),
        "lines, value": ask("7,7,5", method="lines", with_moves=False),
        "lines, weak": ask("7,7,5", maker_breaker=True),
        "lines, torus": ask("4x4x4,4,torus"),
        "checkpoint": ask("6,5,4", checkpoint=folder / "checkpoint", megabytes=4),
        "jobs": in_jobs,
        "threats": ask("7,7,4", method="threats"),
        "threats, 15x15": ask("15,15,5 h8 a1 i9 o1 g9 a15", method="threats"),
        "in turn": ask("7,7,4"),
        "connect": ask("6,5,4,gravity"),
        "connect, value": ask("connect4 32164625", with_moves=False, megabytes=8),
        "tablebase": ask("4,3,4"),
        "search": ask("4,3,4", method="search"),
    }


def searches() -> dict[str, Callable[..., Any]]:
    """Return searches by every algorithm, in both forms."""
    from plyscope import search

    def ask(text: str, algorithm: str, **fixed: Any) -> Callable[..., Any]:
        def asked(**options: Any) -> Any:
            found = search(text, algorithm, **fixed, **options)
            return None if found.stopped else found.value, found.stopped, found.seconds

        return asked

    depths = {
        "minimax": 6,
        "negamax": 6,
        "alphabeta": 8,
        "pvs": 8,
        "mtdf": 8,
        "iterative-deepening": 8,
    }
    found = {
        name: ask("connect4", name, depth=depth, form="compiled") for name, depth in depths.items()
    }
    return {
        **found,
        "engine": ask("5,5,4", "engine", depth=8),
        "engine, 2 threads": ask("4,3,4", "engine", threads=2),
        "alphabeta, function": ask(
            "connect4", "alphabeta", heuristic=by_stones, depth=7, form="compiled"
        ),
        "alphabeta, reference": ask("connect4", "alphabeta", depth=4, form="reference"),
        "alphabeta, reference, function": ask(
            "connect4", "alphabeta", heuristic=by_stones, depth=4, form="reference"
        ),
        "uct": ask("connect4", "uct", nodes=400),
    }


def megabytes() -> int:
    """Return the memory of this process when no solver is kept."""
    from plyscope_fast.solving.connect import connect_solver
    from plyscope_fast.solving.lines import lines_solver
    from plyscope_fast.solving.threats import threat_solver

    for solver in (connect_solver, lines_solver, threat_solver):
        solver.cache_clear()
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


class Stops:
    """What came of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.heard: list[tuple[float, str]] = []
        self.stopped = self.finished = self.raised = 0
        self.wrong: list[str] = []
        self.is_armed = False
        self.sent = 0.0
        signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: Any) -> None:
        if self.is_armed:
            self.is_armed = False
            raise KeyboardInterrupt

    def _send(self) -> None:
        self.sent = perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    def stop(self, name: str, ask: Callable[..., Any], right: Any, usual: float) -> None:
        """Stop a question once, and see that all is well."""
        after = self.random.random() * usual * 1.1
        how = self.random.choice(("keep", "keep", "raise", "seconds"))
        threads = len(os.listdir("/proc/self/task"))
        told = f"{name}, {how} after {after:.3f} s of {usual:.3f}"
        value, stopped = None, ""
        began = perf_counter()
        try:
            if how == "seconds":
                value, stopped, _ = ask(seconds=after)
                self.sent = began + after
            else:
                timer = Timer(after, self._send)
                self.sent, self.is_armed = 0.0, True
                timer.start()
                value, stopped, _ = ask(**({"keep_interrupted": True} if how == "keep" else {}))
                self.is_armed = False
        except KeyboardInterrupt:
            self.raised += 1
            stopped = "raised"
        back = perf_counter()
        if how != "seconds":
            timer.cancel()
            timer.join()
        if stopped and self.sent:
            self.heard.append((back - self.sent, told))
        self.stopped, self.finished = self.stopped + bool(stopped), self.finished + (not stopped)
        if value is not None and value != right:
            self.wrong.append(f"{told}: {value}, expected {right}")
        if value is None and not stopped:
            self.wrong.append(f"{told}: no answer, and nothing stopped it")
        again = ask()[0]
        if again != right:
            self.wrong.append(f"{told}: asked again {again}, expected {right}")
        until = perf_counter() + CALM
        while len(os.listdir("/proc/self/task")) > threads and perf_counter() < until:
            sleep(0.01)
        if len(os.listdir("/proc/self/task")) > threads:
            self.wrong.append(f"{told}: threads are left")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--heard", type=float, default=0.3, help="seconds within which a stop is to be heard"
    )
    parser.add_argument(
        "--quick", action="store_true", help="without the questions that take longest"
    )
    arguments = parser.parse_args()
    questions = {**solves(), **searches()}
    for name in SLOW if arguments.quick else ():
        del questions[name]
    right, usual = {}, {}
    for name, ask in questions.items():
        ask()  # compiled by now
        began = perf_counter()
        right[name], usual[name] = ask()[0], perf_counter() - began
        assert right[name] is not None, name
        print(f"{name:32}{usual[name]:8.3f} s  {right[name]:g}", flush=True)
    stops = Stops(arguments.seed)
    before = megabytes()
    for number in range(arguments.stops):
        name = list(questions)[number % len(questions)]
        stops.stop(name, questions[name], right[name], usual[name])
    grown = megabytes() - before
    heard = sorted(stops.heard)
    print(
        f"{arguments.stops} stops, seed {arguments.seed}: {stops.stopped} stopped, "
        f"{stops.raised} of them raised; {stops.finished} too late"
    )
    if heard:
        print(
            f"heard after {heard[len(heard) // 2][0]:.3f} s (median), "
            f"{heard[-1][0]:.3f} at most: {heard[-1][1]}"
        )
    print(f"grown by {grown} MB; wrong: {len(stops.wrong)}")
    print("\n".join(stops.wrong), end="\n" if stops.wrong else "")
    late = [told for seconds, told in heard if seconds > arguments.heard]
    print("\n".join(f"heard late: {told}" for told in late), end="\n" if late else "")
    return 1 if stops.wrong or late or grown > GROWN else 0


if __name__ == "__main__":
    sys.exit(main())
