"""A worker process of the scheduler: answers one request after the other until its input ends.

A request is a line of four fields: its number, the endpoint, the load, and the arguments as JSON.
The load is the number of waiting requests per worker; the requested seconds are divided by 1 +
load. A response is a line of three fields: the number, the kind, and JSON. The first line is
`0 ready null`. A request is answered by `time` (its timeout in seconds), any number of `told`, and
finally `found`, `error`, or `failed` with the name of an unexpected exception. Its traceback goes
to stderr, and the scheduler replaces this process.

The optional command-line arguments are a user-defined game to play besides line games, perhaps
empty, and the name, the summary and the text of each heuristic of the user.

`7 stop` makes request 7 respond with its partial result. It raises KeyboardInterrupt inside that
request and nowhere else: not while a line is written, not during an import, and not where the
exception would be swallowed, in a `__del__` or in a callback of LLVM. Compilation continues in its
own thread, and the next request that needs its result waits for it.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from contextlib import suppress
from importlib import import_module
from itertools import starmap
from pkgutil import iter_modules
from queue import SimpleQueue
from time import perf_counter, sleep
from typing import Any, BinaryIO

import msgspec

from plyscope.errors import PlyscopeError
from plyscope.extras import missing, why_no_kernels
from plyscope.faces.progress import viewing_compiling
from plyscope.processes import channel
from plyscope.rules.source import as_position
from plyscope_fast.machine.threads import uninterrupted_calls
from plyscope_web.endpoints import ENDPOINTS, answer, load_module, read
from plyscope_web.endpoints.inputs import OwnHeuristic, own_heuristics, own_start
from plyscope_web.outcome import may_interrupt, outcome

MIN_SECONDS = 0.3
"""The least time of a search under load."""
WIND_DOWN_SECONDS = 1.0
"""The time limit for the threads of a stopped request to end."""
POLL_SECONDS = 0.02


def main() -> None:
    """Answer requests until the input ends."""
    worker = _Worker(*channel())
    prepare()
    game, *heuristics = sys.argv[1:] or [""]
    if game:
        own_start.set(as_position(game))
    own_heuristics.set(tuple(starmap(OwnHeuristic, zip(*[iter(heuristics)] * 3, strict=True))))
    signal.signal(signal.SIGINT, worker.handle_interrupt)
    sys.unraisablehook = worker.lost
    for work in (worker.listen, worker.repeat_interrupts):
        threading.Thread(target=work, daemon=True).start()
    worker.say(0, "ready", None)
    while True:
        worker.answer(*worker.asked.get())


def prepare() -> None:
    """Import everything the endpoints need, so that no import is interrupted later."""
    from plyscope.searching.accelerator import accelerator
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.tuning.proofs import proof

    for endpoint in ENDPOINTS:
        load_module(endpoint)
    accelerator()
    import_module("plyscope.rules.treeforms.reading")
    for question in ("optimum", "unbeaten", "games-lost", "conflicts"):
        with suppress(PlyscopeError):  # another package has them
            proof(question)
    if missing(("numpy",)):
        return
    import_module("plyscope.tuning.tune")
    for folder in ("plyscope_fast.evaluation", "plyscope_fast.solving"):
        for module in iter_modules(import_module(folder).__path__, f"{folder}."):
            import_module(module.name)
    if why_no_kernels():
        return
    import_module("plyscope_fast.searching.rootpatterns")
    from plyscope_fast.searching.run import is_ready

    for algorithm in ALGORITHMS.values():
        is_ready(algorithm)


class _Worker:
    """Reads requests in a separate thread, so that they can be stopped, and answers in the main
    thread."""

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self.questions, self.answers = questions, answers
        self.asked: SimpleQueue[tuple[int, str, float, bytes]] = SimpleQueue()
        self.number = 0
        """The number of the current request."""
        self.stopped = 0
        """The number of the last stopped request."""
        self.later: SimpleQueue[None] = SimpleQueue()
        """An entry for each interrupt that came in an uninterruptible place."""

    def listen(self) -> None:
        """Read requests into the queue, and stop the current one on `stop`."""
        for line in self.questions:
            number, endpoint, *rest = line.rstrip(b"\n").split(b" ", 3)
            if endpoint != b"stop":
                self.asked.put((int(number), endpoint.decode(), float(rest[0]), rest[1]))
                continue
            self.stopped = int(number)
            _interrupt_main()
        os._exit(0)  # the scheduler is gone

    def repeat_interrupts(self) -> None:
        """Repeat interrupts that came in an uninterruptible place."""
        while True:
            self.later.get()
            sleep(POLL_SECONDS)
            _interrupt_main()

    def handle_interrupt(self, number: int, frame: Any) -> None:
        """Raise KeyboardInterrupt if `frame` is inside the stopped request (handler of SIGINT)."""
        may = may_interrupt(frame, _Worker.found.__code__, _Worker.say.__code__)
        if self.number != self.stopped or may is None:
            return
        if not may:
            self.later.put(None)
            return
        raise KeyboardInterrupt

    def lost(self, lost: sys.UnraisableHookArgs) -> None:
        """Repeat an interrupt that a callback from C swallowed."""
        if isinstance(lost.exc_value, KeyboardInterrupt):
            self.later.put(None)
        else:
            sys.__unraisablehook__(lost)

    def answer(self, number: int, endpoint: str, load: float, arguments: bytes) -> None:
        """Answer a request; every exception becomes a response."""
        self.number = number
        before = _searches()
        self.say(number, *outcome(endpoint, lambda: self.found(endpoint, load, arguments)))
        if self.stopped == number:
            self._end_threads(before)

    def found(self, endpoint: str, load: float, arguments: bytes) -> bytes:
        """Return the response as JSON; raise KeyboardInterrupt when the request is stopped."""
        if self.stopped == self.number:
            raise KeyboardInterrupt
        request: Any = read(endpoint, arguments)
        timeout = ENDPOINTS[endpoint].timeout
        if timeout is not None:
            share = max(MIN_SECONDS, request.seconds / (1 + load))
            request.seconds = min(request.seconds, share)
            self._tell("time", timeout(request))
        with viewing_compiling(lambda text: self._tell("told", {"text": text})):
            found = answer(endpoint, request, lambda news: self._tell("told", news))
        return msgspec.json.encode(found)

    def _tell(self, kind: str, news: Any) -> None:
        self.say(self.number, kind, msgspec.json.encode(news))

    def say(self, number: int, kind: str, said: bytes | None) -> None:
        """Write a line."""
        self.answers.write(b"%d %s %s\n" % (number, kind.encode(), said or b"null"))
        self.answers.flush()

    def _end_threads(self, threads: int) -> None:
        """Wait for the threads of a stopped search; end this process if one does not end.

        Such a thread started while the search was being stopped, and would never end.
        """
        deadline = perf_counter() + WIND_DOWN_SECONDS
        while _searches() > threads:
            if perf_counter() > deadline:
                text = "plyscope: a stopped search is still running; its worker ends"
                print(text, file=sys.stderr, flush=True)
                os._exit(0)
            sleep(POLL_SECONDS)


def _searches() -> int:
    """Return the number of threads, without those that compile."""
    return _thread._count() - uninterrupted_calls()


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


if __name__ == "__main__":
    main()
