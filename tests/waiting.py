"""Waits for a state that another thread, a process or a browser has still to reach."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

PATIENCE_SECONDS = 60.0
"""Time that a machine with much else to do may take for what takes an instant on an idle one."""
POLL_SECONDS = 0.02


class _Wait:
    """A state that is read until it is as expected, or until the time is over."""

    def __init__(self, read: Callable[[], Any], expected: object, seconds: float) -> None:
        self.read, self.expected, self.seconds = read, expected, seconds
        self.end = monotonic() + seconds

    def is_over(self) -> bool:
        """Return whether the state is reached; fail with what was read last after the time."""
        is_late = monotonic() > self.end  # asked first, so that there is a reading after the end
        found = self.read()
        if found != self.expected and is_late:
            raise AssertionError(f"{found!r} after {self.seconds:g} s; expected {self.expected!r}")
        return bool(found == self.expected)


def until(
    read: Callable[[], Any], expected: object = True, seconds: float = PATIENCE_SECONDS
) -> None:
    """Read a state again and again until it is as expected; fail with the last one."""
    wait = _Wait(read, expected, seconds)
    while not wait.is_over():
        sleep(POLL_SECONDS)


def read_until(wanted: bytes, file: int) -> bytes:
    """Read a pipe or a terminal until the bytes `wanted` have come; fail at its end, or late."""
    read = b""
    while wanted not in read:
        assert select.select([file], [], [], PATIENCE_SECONDS)[0], read
        data = os.read(file, 4096)
        assert data, read  # its end
        read += data
    return read


async def reached(
    read: Callable[[], Any], expected: object = True, seconds: float = PATIENCE_SECONDS
) -> None:
    """Do the same as `until` in a coroutine, so that its loop goes on meanwhile."""
    wait = _Wait(read, expected, seconds)
    while not wait.is_over():
        await asyncio.sleep(POLL_SECONDS)
