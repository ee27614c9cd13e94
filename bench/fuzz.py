"""Reads texts, files and data that somebody has tampered with: `python bench/fuzz.py [--inputs
1000] [--seed 0] [--targets "NAME;..."]`.

Each target reads what `fuzz_texts` makes of valid inputs. Bad are: an exception that is no refusal
(PlyscopeError; ValueError for proofs), a refusal of more than 1,000 characters or with one that is
not printable, more than two seconds of computing, and, where something is read and written again, a
difference. Of the bad ones some are shown, one of a kind.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from fuzz_targets import Target, targets

SECONDS = 2.0
"""What an input may take."""
GIVEN_UP = 20
"""Seconds after which nothing more is waited for."""
MOST_BYTES = 6 << 30
"""Of address space, the searches' machine code and tables among them."""
LONGEST = 1000


class GivenUp(BaseException):
    """Raised in the middle of an input that takes too long."""


@dataclass
class Row:
    """What came of a target: `bad` by kind, with the first input of each."""

    inputs: int = 0
    taken: int = 0
    bad: int = 0
    worst: float = 0.0
    slowest: str = ""
    kinds: dict[str, str] = field(default_factory=dict)


@contextmanager
def patience():
    """Raise GivenUp in whatever takes too long."""

    def give_up(number: int, frame: Any) -> None:
        raise GivenUp

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, GIVEN_UP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fault(target: Target, given: Any) -> tuple[str | None, bool]:
    """Return what is bad about how an input is read, None where nothing is, and whether it was
    taken."""
    try:
        with patience():
            target.read(given)
    except target.refusals as error:
        said = str(error)
        if len(said) > LONGEST:
            return f"a message of more than {LONGEST:,} characters, from {_where(error)}", False
        odd = next((character for character in said if not character.isprintable()), None)
        return (None if odd is None else f"a message with {odd!r}, from {_where(error)}"), False
    except GivenUp:
        return f"no end in {GIVEN_UP} seconds", False
    except Exception as error:  # which is what is looked for
        return f"{type(error).__name__} {str(error)[:80]!r} at {_where(error)}", False
    return None, True


def _where(error: BaseException) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    ours = [
        frame for frame in traceback.extract_tb(error.__traceback__) if "plyscope" in frame.filename
    ]
    last = ours[-1] if ours else place
    return f"{Path(last.filename).name}:{last.lineno}"


def fuzz(target: Target, inputs: int, seed: int) -> Row:
    """Read so many inputs; return what came of them."""
    draw, row, told = Random(f"{target.name} {seed}"), Row(), perf_counter()
    for _ in range(inputs):
        given = target.make(draw)
        began = process_time()
        kind, is_taken = fault(target, given)
        took = process_time() - began
        if kind is None and took > SECONDS:
            kind = f"more than {SECONDS:.0f} seconds"
        row.inputs, row.taken = row.inputs + 1, row.taken + is_taken
        if took > row.worst:
            row.worst, row.slowest = took, ascii(given)[:300]
        if kind is not None:
            row.bad += 1
            row.kinds.setdefault(_kind_of(kind), f"{kind}: {ascii(given)[:600]}")
        if perf_counter() - told > 30:
            told = perf_counter()
            print(f"{target.name}: {row.inputs:,} of {inputs:,}", file=sys.stderr, flush=True)
    return row


def _kind_of(text: str) -> str:
    """Return what is the same of faults that are: the exception, and where it is raised."""
    return text.split(" ", 1)[0] + text.rpartition(" ")[2]


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000, help="of each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--targets", default="", metavar="NAME;...", help="some of them alone")
    asked = parser.parse_args(words)
    if words is None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    print(f"{'target':28}{'inputs':>9}{'taken':>9}{'bad':>7}{'worst, s':>10}")
    bad, before = 0, os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # in which no name of a file means anything
        try:
            for target in targets(Path(folder)):
                if asked.targets and target.name not in asked.targets.split(";"):
                    continue
                row = fuzz(target, asked.inputs, asked.seed)
                bad += row.bad
                print(
                    f"{target.name:28}{row.inputs:9,}{row.taken:9,}{row.bad:7,}{row.worst:10.2f}",
                    flush=True,
                )
                for said in list(row.kinds.values())[:8]:
                    print(f"    {said}", flush=True)
                if row.worst > SECONDS / 2:
                    print(f"    slowest: {row.slowest}", flush=True)
        finally:
            os.chdir(before)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
