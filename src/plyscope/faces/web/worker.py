"""A worker: a process of the desk's that answers questions in turn, until its input ends.

A question is a line of four words, the last of which may have spaces: its number, the verb, the
crowd (how many wait for each worker: the seconds that are asked for are divided by one more), and
the arguments as they came, in JSON. An answer is a line of three: the number, the kind, and JSON.
First comes `0 ready null`; to a question come `time`, the seconds it may take, any number of
`told`, and in the end one of `found`, `error`, and `failed` with the name of an exception that
nobody foresaw: its traceback is on stderr, and the desk replaces this process.

A word on its command line is the game of one's own that is played beside line games.

`7 stop` has question 7 answered with what is known by then. It raises KeyboardInterrupt in the
midst of that question and nowhere else: not before it, not after it, not while a line is written,
not where it would be swallowed, in a `__del__` or in what LLVM calls back, and not in an import.
What is being compiled goes on in a thread of its own, and the next question that needs it waits for
the rest.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import traceback
from queue import SimpleQueue
from time import perf_counter, sleep
from typing import Any, BinaryIO

import msgspec

from plyscope.errors import PlyscopeError
from plyscope.faces.web.verbs import VERBS, answer, in_short, load_room, read
from plyscope.faces.web.verbs.inputs import own_start
from plyscope.machine.run import uninterrupted_calls
from plyscope.processes import channel
from plyscope.pythonfile import blamed
from plyscope.rules.source import as_position

LEAST_SECONDS = 0.3
"""What a question may take at the least, however many wait."""
WINDING_UP = 1.0
"""Seconds after which nothing of a question that was stopped may be running."""
POLL_SECONDS = 0.02
NEVER_CUT = ("numba.", "llvmlite.", "importlib._bootstrap", "_frozen_importlib")
"""Modules in which no KeyboardInterrupt is raised: Numba could not compile again, LLVM would
swallow it, an import would be left half done."""


def main() -> None:
    """Answer until there is nothing more to read."""
    worker = _Worker(*channel())
    prepare()
    if sys.argv[1:]:
        own_start.set(as_position(sys.argv[1]))
    signal.signal(signal.SIGINT, worker.heard)
    sys.unraisablehook = worker.lost
    for work in (worker.listen, worker.insist):
        threading.Thread(target=work, daemon=True).start()
    worker.say(0, "ready", None)
    while True:
        worker.answer(*worker.asked.get())


def prepare() -> None:
    """Import whatever a verb may want, so that nothing is stopped in the midst of it."""
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.compiled.run import is_ready

    for verb in VERBS:
        load_room(verb)
    for algorithm in ALGORITHMS.values():
        is_ready(algorithm)


class _Worker:
    """Hears in a thread of its own, so that a question can be stopped; answers in the main one."""

    def __init__(self, questions: BinaryIO, answers: BinaryIO) -> None:
        self.questions, self.answers = questions, answers
        self.asked: SimpleQueue[tuple[int, str, float, bytes]] = SimpleQueue()
        self.number = 0
        """The question that is being answered."""
        self.stopped = 0
        """The question that was stopped last."""
        self.later: SimpleQueue[None] = SimpleQueue()
        """Has an entry for each stop that came where nothing may be cut in two."""

    def listen(self) -> None:
        """Take questions, and stop the one that is to be stopped."""
        for line in self.questions:
            number, verb, *rest = line.rstrip(b"\n").split(b" ", 3)
            if verb != b"stop":
                self.asked.put((int(number), verb.decode(), float(rest[0]), rest[1]))
                continue
            self.stopped = int(number)
            _interrupt_main()
        os._exit(0)  # whoever asks is gone

    def insist(self) -> None:
        """Try again, a little later, what could not be stopped at once."""
        while True:
            self.later.get()
            sleep(POLL_SECONDS)
            _interrupt_main()

    def heard(self, number: int, frame: Any) -> None:
        """Stop the question that is to be stopped, where `frame` is in the midst of it."""
        inside, may_be_cut = set(), True
        while frame is not None:
            inside.add(frame.f_code)
            is_whole = frame.f_globals.get("__name__", "").startswith(NEVER_CUT)
            may_be_cut &= frame.f_code.co_name != "__del__" and not is_whole
            frame = frame.f_back
        if self.number != self.stopped or _Worker.found.__code__ not in inside:
            return
        if not may_be_cut or _Worker.say.__code__ in inside:
            self.later.put(None)
            return
        raise KeyboardInterrupt

    def lost(self, lost: sys.UnraisableHookArgs) -> None:
        """Try again where the interruption was swallowed all the same, by what C calls back."""
        if isinstance(lost.exc_value, KeyboardInterrupt):
            self.later.put(None)
        else:
            sys.__unraisablehook__(lost)

    def answer(self, number: int, verb: str, crowd: float, arguments: bytes) -> None:
        """Answer a question, whatever comes of it."""
        self.number = number
        before = _searches()
        kind, said, message = "error", b"", ""
        try:
            kind, said = "found", self.found(verb, crowd, arguments)
        except KeyboardInterrupt:
            message = "stopped"
        except PlyscopeError as error:
            message = in_short(error)
        except (MemoryError, RecursionError) as error:
            message = f"{type(error).__name__} in {verb!r}; expected a smaller question"
        except Exception as error:
            message = in_short(blamed(error))  # on the game of one's own, which its author mends
            if not message:
                traceback.print_exc()
                kind, message = "failed", type(error).__name__
        self.say(number, kind, said or msgspec.json.encode(message))
        if self.stopped == number:
            self._leave_nothing_running(before)

    def found(self, verb: str, crowd: float, arguments: bytes) -> bytes:
        """Return what the verb finds, as JSON; raise KeyboardInterrupt once it is stopped."""
        if self.stopped == self.number:
            raise KeyboardInterrupt
        request: Any = read(verb, arguments)
        patience = VERBS[verb].patience
        if patience is not None:
            share = max(LEAST_SECONDS, request.seconds / (1 + crowd))
            request.seconds = min(request.seconds, share)
            self._tell("time", patience(request))
        return msgspec.json.encode(answer(verb, request, lambda news: self._tell("told", news)))

    def _tell(self, kind: str, news: Any) -> None:
        self.say(self.number, kind, msgspec.json.encode(news))

    def say(self, number: int, kind: str, said: bytes | None) -> None:
        """Write a line."""
        self.answers.write(b"%d %s %s\n" % (number, kind.encode(), said or b"null"))
        self.answers.flush()

    def _leave_nothing_running(self, threads: int) -> None:
        """Wait for the threads of a search that was stopped; end this process where one runs on.

        Such a one was not yet known when the search was stopped, and would never end by itself.
        """
        deadline = perf_counter() + WINDING_UP
        while _searches() > threads:
            if perf_counter() > deadline:
                text = "plyscope: a search runs on though it was stopped; its worker ends"
                print(text, file=sys.stderr, flush=True)
                os._exit(0)
            sleep(POLL_SECONDS)


def _searches() -> int:
    """Return the number of threads, without those that compile: these end by themselves."""
    return _thread._count() - uninterrupted_calls()


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


if __name__ == "__main__":
    main()
