"""Compilation of all searches and solvers in advance, for `plyscope warm` and `plyscope web`."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from plyscope.cache import home, own_folder
from plyscope.extras import KERNEL_PACKAGES, missing, needs, why_no_kernels
from plyscope.progress import Progress, silent
from plyscope.threads import usable_cores
from plyscope.wholefile import write_whole
from plyscope_fast.machine.store import cache_folder, sources_digest

BAR_WIDTH = 20
"""Width of the progress bar in characters."""


def is_warm() -> bool:
    """Return whether everything is compiled for these sources and the files still exist, or nothing
    can be compiled here.

    This does not import llvmlite and takes a few milliseconds.
    """
    if why_no_kernels():
        return True
    try:
        files = json.loads(_note().read_bytes())
        return all(isinstance(name, str) and os.path.exists(name) for name in files)
    except (OSError, ValueError, TypeError):
        return False


def warm(progress: Progress = silent) -> dict[str, float]:
    """Compile every algorithm and solver in worker processes; return the seconds of each, by name.

    On an interrupt the processes are ended; finished compilations stay in the cache. Raises
    MissingPackageError.
    """
    if lacking := missing(KERNEL_PACKAGES):
        raise needs("machine code", lacking, "fast")
    from concurrent.futures import as_completed

    from plyscope.lab.people.workers import LocalWorkers

    names = [*_solvers(), *_algorithms()]
    spent: dict[str, float] = {}
    # not in this process, which may be a server
    workers = LocalWorkers(max(2, usable_cores()), alone=0.0)
    try:
        compiling = [workers.submit(prepare, name) for name in names]
        progress("compiled", 0, len(names))
        for done in as_completed(compiling):
            name, seconds = done.result()
            spent[name] = seconds
            progress("compiled", len(spent), len(names))
    except BaseException:
        workers.abandon()
        raise
    workers.shutdown()
    _write_note(names)
    return spent


def can_keep() -> bool:
    """Return whether machine code can be stored in the cache folder."""
    try:
        own_folder(cache_folder())
    except OSError:
        return False
    return os.access(cache_folder(), os.W_OK)


def bar(done: int, total: int) -> str:
    """Return a progress bar as text."""
    filled = BAR_WIDTH * done // max(1, total)
    return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {done} of {total}"


def prepare(name: str) -> tuple[str, float]:
    """Compile an algorithm or solver if necessary; return its name and the seconds this took."""
    from time import perf_counter

    began = perf_counter()
    for kernel in _kernels(name):
        kernel.prepare()
    return name, perf_counter() - began


def _algorithms() -> list[str]:
    """Return algorithm names, one for each set of kernels, with the longest sources first.

    If a long compilation began last, one process would be busy while the others are idle.
    """
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope_fast import searching as compiled
    from plyscope_fast.searching.run import entries

    def size(name: str) -> int:
        return (Path(compiled.__path__[0]) / f"{ALGORITHMS[name].compiled}.py").stat().st_size

    compiled_names = [name for name, algorithm in ALGORITHMS.items() if algorithm.compiled]
    distinct = {entries(ALGORITHMS[name]): name for name in sorted(compiled_names, key=size)}
    return list(reversed(distinct.values()))


def _solvers() -> dict[str, Any]:
    """Return the constructors of the solvers that run kernels, by name.

    The solver of gravity games is compiled for each board of the catalogue. The other solvers are
    compiled once for all boards.
    """
    from plyscope.rules.games import GAMES, line_game
    from plyscope.solving.accelerated import CONNECT
    from plyscope_fast.solving.connect import connect_solver
    from plyscope_fast.solving.lines import lines_solver
    from plyscope_fast.solving.matching import matcher_of
    from plyscope_fast.solving.threats import threat_solver

    small = line_game("5,5,4")
    boards = {game.shape: game for game in GAMES.values() if not CONNECT.why_not(game.start())}
    return {
        "lines": lambda: lines_solver(small),
        "blocking": lambda: matcher_of(small),
        "threats": lambda: threat_solver(small),
        **{game.name: lambda game=game: connect_solver(game) for game in boards.values()},
    }


def _kernels(name: str) -> tuple[Any, ...]:
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope_fast.searching.run import entries

    if name in ALGORITHMS:
        return entries(ALGORITHMS[name])
    kernels: tuple[Any, ...] = _solvers()[name]().entries
    return kernels


def _note() -> Path:
    """Return the path of the list of files that were compiled for these sources."""
    return home() / f"warm-{sources_digest()}.json"


def _write_note(names: list[str]) -> None:
    files = {str(cache_folder() / kernel.file_name) for name in names for kernel in _kernels(name)}
    with suppress(OSError):
        if all(map(os.path.exists, files)):
            write_whole(_note(), (json.dumps(sorted(files)).encode(),), is_private=True)
