"""Compilation of all searches and solvers in advance, for `plyscope warm`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from errno import EACCES
from pathlib import Path
from typing import Any

from plyscope.cache import own_folder
from plyscope.errors import OptionError
from plyscope.extras import has_machine_code, lacking_for_kernels, needs
from plyscope.processes import usable_cores
from plyscope.progress import Progress, silent
from plyscope_fast.machine.compiling import viewed
from plyscope_fast.machine.store import cache_folder, read, why_not_kept

BAR_WIDTH = 20
"""Width of the progress bar in characters."""


def warm(progress: Progress = silent) -> dict[str, float]:
    """Compile every algorithm and solver in worker processes; return the seconds of each, by name;
    none if the machine code came with plyscope.

    On an interrupt the processes are ended; finished compilations stay in the cache. Raises
    MissingPackageError, and OptionError if the cache cannot keep the machine code.
    """
    if (lacking := lacking_for_kernels())[0]:
        raise needs("machine code", *lacking)
    if has_machine_code():
        return {}
    require_writable()
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
    # on the disk: this process may have loaded some
    if lost := [name for name in names if not all(read(each.file_name) for each in _kernels(name))]:
        raise OptionError(f"compiled, but not kept: {', '.join(lost)}; expected space on the disk")
    return spent


def require_writable() -> None:
    """Raise OptionError if machine code cannot be stored in the cache folder."""
    try:
        own_folder(cache_folder())
        if not os.access(cache_folder(), os.W_OK):
            raise OSError(EACCES, os.strerror(EACCES))
    except OSError as error:
        raise OptionError(why_not_kept(error)) from None


def bar(done: int, total: int) -> str:
    """Return a progress bar as text."""
    filled = BAR_WIDTH * done // max(1, total)
    return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {done} of {total}"


def prepare(name: str) -> tuple[str, float]:
    """Compile an algorithm or solver if necessary; return its name and the seconds this took."""
    from time import perf_counter

    began = perf_counter()
    with viewed(lambda text: None):  # the bar shows it
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
    from plyscope_fast.solving.signs import sign_finder
    from plyscope_fast.solving.threats import threat_solver

    small = line_game("5,5,4")
    boards = {game.shape: game for game in GAMES.values() if not CONNECT.why_not(game.start())}
    return {
        "lines": lambda: lines_solver(small),
        "lines, misere": lambda: lines_solver(line_game("5,5,4,misere")),
        "lines, exactly": lambda: lines_solver(line_game("5,5,4,exactly")),
        "blocking": lambda: matcher_of(small),
        "threats": lambda: threat_solver(small),
        "signs": lambda: sign_finder(GAMES["connect4"]),
        **{game.name: lambda game=game: connect_solver(game) for game in boards.values()},
    }


def _kernels(name: str) -> tuple[Any, ...]:
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope_fast.searching.run import entries

    if name in ALGORITHMS:
        return entries(ALGORITHMS[name])
    kernels: tuple[Any, ...] = _solvers()[name]().entries
    return kernels


def all_kernels() -> Iterator[Any]:
    """Yield the kernels of all searches and solvers; some belong to several."""
    for name in [*_solvers(), *_algorithms()]:
        yield from _kernels(name)
