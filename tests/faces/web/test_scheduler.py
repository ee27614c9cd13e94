"""The scheduler and its workers: that a question is stopped wherever it is and no other with it, and
what becomes of those that kill a worker."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from commands import python
from plyscope.processes import module_command
from plyscope_web import endpoints
from plyscope_web.app import MAX_UNREAD, _converse, _Places
from plyscope_web.conversation import MAX_QUEUED_PER_PAGE, Conversation
from plyscope_web.endpoints import inputs
from plyscope_web.process import Job, WorkerProcess
from plyscope_web.scheduler import MAX_QUEUED, QueueFull, Scheduler
from sources import sources
from waiting import reached

PATH = Path(__file__).resolve().parents[3] / "bench" / "fuzz_page.py"
spec = importlib.util.spec_from_file_location("fuzz_page", PATH)
bench = importlib.util.module_from_spec(spec)
sys.path.append(str(PATH.parent))  # it imports its neighbours
spec.loader.exec_module(bench)


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run in a thread of its own: a browser's tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


class Heard(list[tuple[str, Any]]):
    """What was told of a question."""

    def __call__(self, kind: str, said: bytes) -> None:
        self.append((kind, json.loads(said)))

    def depth(self) -> bool:
        """Return whether a search was told of."""
        return any(kind == "told" and "depth" in said for kind, said in self)


SOURCES = sources("scheduler")
ASKED = SOURCES["asked"]
"""A question of each endpoint, as Python: the endpoint and its arguments."""


def test_imports_everything_before_a_worker_is_ready() -> None:
    code = (
        """
import json, sys
from plyscope_web import worker
from plyscope_web.endpoints import ENDPOINTS, answer, read
worker.prepare()
before = set(sys.modules)
"""
        + ASKED
        + """
assert {endpoint for endpoint, _ in asked} == set(ENDPOINTS) - {"define"}  # a browser's alone
for endpoint, arguments in asked:
    answer(endpoint, read(endpoint, json.dumps(arguments).encode()), lambda told: None)
# the solver of boards under gravity is loaded anew for each size, and Numba where a kernel has to be compiled
late = ("connect_", "machine.compile", "machine.numba_types", "machine.python", "machine.texts")
print([name for name in set(sys.modules) - before if "plyscope" in name and not any(part in name for part in late)])
"""
    )
    done = python("-c", code, check=False)
    said = [line for line in done.stderr.splitlines() if "compiling " not in line]
    assert (done.stdout, said) == ("[]\n", [])


def test_answers_every_endpoint_without_numba_or_names_the_package() -> None:
    code = (
        """
import json
from blocked import block
block(("numba", "llvmlite"))
from plyscope.errors import PlyscopeError
from plyscope_web import worker
from plyscope_web.endpoints import ENDPOINTS, answer, read
worker.prepare()
"""
        + ASKED
        + """
assert {endpoint for endpoint, _ in asked} == set(ENDPOINTS) - {"define"}  # a browser's alone
refused = {"move engine": "jit", "wrong connect4": "no solver", "wrong 5,5,4": "no solver", "puzzle": "no such puzzle"}
for endpoint, arguments in asked:
    about = " ".join([endpoint, *(str(arguments[key]) for key in ("agent", "algorithm", "game") if key in arguments)])
    try:
        answer(endpoint, read(endpoint, json.dumps(arguments).encode()), lambda told: None)
    except PlyscopeError as error:
        assert refused.pop(about) in str(error), (about, error)
assert not refused, refused
"""
    )
    there = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path]),
    }
    done = python("-c", code, env=there, check=False)
    assert (done.stdout, done.stderr) == ("", "")


def test_starts_a_worker_without_posix_modules() -> None:
    code = """
import sys
for name in ("resource", "termios", "tty", "fcntl", "pwd", "grp"):
    sys.modules[name] = None
from plyscope_web import worker
worker.prepare()
print("ready")
"""
    done = python("-c", code, check=False)
    assert (done.stdout, done.stderr) == ("ready\n", "")


def test_stops_a_question_at_any_instant_and_no_other() -> None:
    draw = random.Random(16)
    outcomes: Counter[str] = Counter()
    with subprocess.Popen(
        module_command("plyscope_web.worker"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout.readline() == b"0 ready null\n"
        for number in range(1, 151):
            process.stdin.write(b'%d explain 0 {"position": "20,20,6,torus"}\n' % number)
            process.stdin.write(b"%d stop\n" % (number - 1))  # late: its question is answered
            is_stopped = draw.random() < 0.8
            if is_stopped:
                if moment := draw.randrange(5):  # or at once
                    process.stdin.flush()
                    answered = moment == 1  # or when the answer is there
                    select.select([process.stdout], [], [], 60 if answered else draw.random() / 25)
                process.stdin.write(b"%d stop\n" % number)
            process.stdin.flush()
            heard, kind, said = process.stdout.readline().split(b" ", 2)
            assert int(heard) == number
            outcomes[f"{kind.decode()} {is_stopped}"] += 1
            assert (
                (json.loads(said) == "stopped")
                if kind == b"error"
                else json.loads(said)["total"] == 0
            )
    assert process.returncode == 0
    assert set(outcomes) == {"found True", "found False", "error True"}, outcomes


def test_obeys_a_stop_after_the_destructor_that_it_met() -> None:
    code = """
import time
from plyscope_web import worker
from plyscope_web.endpoints import boards
made = worker._Worker.__init__
def make(self, *streams):
    global asked
    asked = self
    made(self, *streams)
worker._Worker.__init__ = make
class Slow:
    def __del__(self):
        while asked.stopped != 1:
            time.sleep(0.001)
        time.sleep(0.1)
        whole.append(True)
whole = []
def clear(asked, tell):
    tell({})
    Slow()
    assert whole
    time.sleep(600)
boards.show = clear
worker.main()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'1 show 0 {"position": "tictactoe"}\n')
        process.stdin.flush()
        assert [process.stdout.readline() for _ in range(2)] == [b"0 ready null\n", b"1 told {}\n"]
        process.stdin.write(b"1 stop\n")
        process.stdin.flush()
        assert process.stdout.readline() == b'1 error "stopped"\n'
        process.stdin.close()
        assert process.stderr.read() == b""


def test_loses_no_worker_and_no_answer_to_random_stops(
    server: str, caplog: pytest.LogCaptureFixture
) -> None:
    outcomes: Counter[str] = Counter()
    with caplog.at_level(logging.ERROR, "plyscope.page"):
        run(lambda: bench.stop_searches(server, random.Random(60), 60, outcomes))
    assert [key for key in +outcomes if key.startswith("BAD")] == []
    assert outcomes["stopped"] > 5
    assert caplog.messages == []


def test_answers_every_socket_request_once(server: str, caplog: pytest.LogCaptureFixture) -> None:
    outcomes: Counter[str] = Counter()
    with caplog.at_level(logging.ERROR, "plyscope.page"):
        run(lambda: bench.fuzz(server, random.Random(16), range(10, 310), outcomes))
    assert [key for key in +outcomes if key.startswith("BAD")] == []
    assert min(outcomes["found"], outcomes["one line of error"]) > 30
    assert caplog.messages == []


def test_reads_no_question_and_makes_no_board_in_the_server(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("read", "answer", "load_module"):
        monkeypatch.setattr(endpoints, name, None)
    for name in ("named_game", "parse", "read_text"):
        monkeypatch.setattr(inputs, name, None)
    monkeypatch.setattr("plyscope.rules.linegame.grid_lines", None)
    outcomes: Counter[str] = Counter()
    run(lambda: bench.fuzz(server, random.Random(3), range(10, 60), outcomes))
    assert outcomes["found"] > 5
    assert [key for key in +outcomes if key.startswith("BAD")] == []


def test_handles_any_message_in_a_few_milliseconds() -> None:
    texts = [
        '{"id": 1, "endpoint": "show", "arguments": [' + "[]," * 80_000 + "0]}",
        '{"id": 1, "endpoint": "show", "arguments": {' + '"1,2": 1, ' * 25_000 + '"a": 1}}',
        "[" * 250_000,
        '{"id": 1' + "0" * 250_000 + "}",
        '{"id": 1, "endpoint": "' + "\\u0001" * 40_000 + '"}',
    ]

    async def work() -> float:
        said: list[bytes] = []
        scheduler = Scheduler(1)
        scheduler.start = lambda: None  # type: ignore[method-assign]
        conversation = Conversation(scheduler, said.append)
        slowest = 0.0
        for text in texts:
            times = []
            for _ in range(5):
                began = time.thread_time()
                await conversation.hear(text)
                times.append(time.thread_time() - began)
            slowest = max(slowest, min(times))
        assert all(b"\n" not in text and len(text) < 1000 for text in said)
        return slowest

    assert run(work) < 0.01


def test_pages_take_turns() -> None:
    scheduler = Scheduler(1)
    tell = Heard()
    for number, page in enumerate("aaaabac"):
        scheduler.waiting["quick"].append(Job(number, "show", b"", tell, page))
    assert [job.number for job in scheduler.in_order("quick")] == [0, 4, 6, 1, 2, 3, 5]
    assert scheduler._begin(("quick",)).number == 0
    assert [job.page for job in scheduler.in_order("quick")] == ["b", "c", "a", "a", "a", "a"]


def test_addresses_take_turns_whatever_pages_they_open() -> None:
    scheduler, tell = Scheduler(1), Heard()
    for number in range(50):
        page = f"page {number % 10}"
        scheduler.waiting["long"].append(Job(number, "solve", b"", tell, page, "flood"))
    scheduler.waiting["long"] += [
        Job(50, "solve", b"", tell, "a", "one"),
        Job(51, "solve", b"", tell, "b", "two"),
        Job(52, "solve", b"", tell, "a", "one"),
    ]
    begun = [scheduler._begin(("long",)) for _ in range(8)]
    assert [job.address for job in begun[:5]] == ["flood", "one", "two", "flood", "one"]
    flood = [job.page for job in begun if job.address == "flood"]
    assert len(flood) == len(set(flood)) == 5


def test_drops_questions_of_the_address_that_fills_a_queue() -> None:
    async def work() -> tuple[Heard, Heard, str]:
        scheduler, flood, other = Scheduler(1), Heard(), Heard()
        scheduler.start = lambda: None  # type: ignore[method-assign]
        for _ in range(MAX_QUEUED):
            await scheduler.take("solve", b"{}", flood, address="flood")
        await scheduler.take("solve", b"{}", other, address="other")
        assert len(scheduler.waiting["long"]) == MAX_QUEUED
        with pytest.raises(QueueFull) as refused:
            await scheduler.take("solve", b"{}", flood, address="flood")
        return flood, other, str(refused.value)

    flood, other, refused = run(work)
    assert [said for kind, said in flood if kind == "error"] == [refused]
    assert {kind for kind, _ in other} == {"queue", "told"}


def test_shares_the_time_of_long_questions_by_address() -> None:
    scheduler, tell = Scheduler(2), Heard()
    for address in [*["flood"] * 100, "one", "two", "two"]:
        scheduler.waiting["long"].append(Job(1, "solve", b"", tell, None, address))
    assert scheduler._load(Job(1, "solve", b"", tell, None, "three")) == 3 / 2
    assert scheduler._load(Job(1, "solve", b"", tell, None, "one")) == 5 / 2
    assert scheduler._load(Job(1, "solve", b"", tell, None, "flood")) == 103 / 2


@pytest.mark.parametrize(
    ("endpoint", "position", "queue"),
    [
        ("play", ".../.X./...", "moves"),
        ("play", ".../.X./... o", "moves"),
        ("show", "connect4 444", "moves"),
        ("show", "connect6", "moves"),
        ("show", "connect6,torus", "quick"),
        ("play", "20,20,6,torus", "quick"),
        ("play", "nim.py:Nim", "quick"),
        ("show", "tictactoe " + " " * 3000, "quick"),
        ("explain", "tictactoe", "quick"),
        ("solve", "tictactoe", "long"),
    ],
)
def test_queues_moves_on_known_boards_separately(endpoint: str, position: str, queue: str) -> None:
    asked = json.dumps({"position": position}).encode()
    assert Job(1, endpoint, asked, Heard()).queue == queue
    position_of_the_page = json.dumps({"position": position}, separators=(",", ":")).encode()
    assert Job(1, endpoint, position_of_the_page, Heard()).queue == queue


def test_gives_an_address_at_most_half_of_the_places() -> None:
    places = _Places(4)
    with ExitStack() as held:
        taken = [held.enter_context(places.place(address)) for address in ("a", "a", "a", "b")]
        assert [bool(refusal) for refusal in taken] == [False, False, True, False]
        assert "your" in taken[2]
        last = [held.enter_context(places.place(address)) for address in ("c", "d")]
        assert last == ["", "4"]
    with places.place("d") as refusal:
        assert refusal == ""


def test_delays_quick_questions_of_a_page_and_rejects_none() -> None:
    async def work() -> list[dict[str, Any]]:
        said: list[bytes] = []
        scheduler = Scheduler(1)
        conversation = Conversation(scheduler, said.append)
        for number in range(5 * MAX_QUEUED_PER_PAGE):
            await conversation.hear(
                json.dumps(
                    {"id": number, "endpoint": "show", "arguments": {"position": "tictactoe"}}
                )
            )
            assert len(conversation.jobs) <= MAX_QUEUED_PER_PAGE
        await reached(lambda: len(said) >= 5 * MAX_QUEUED_PER_PAGE)
        await scheduler.stop()
        return [json.loads(item) for item in said]

    said = run(work)
    assert {item["id"] for item in said} == set(range(5 * MAX_QUEUED_PER_PAGE))
    assert all("found" in item for item in said)


def test_logs_a_question_that_killed_a_worker_and_repeats_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work(deaths: int) -> Heard:
        scheduler, heard = Scheduler(1), Heard()
        job = await scheduler.take("analyze", b'{"position": "connect4",\n "seconds": 2.0}', heard)
        try:
            for _ in range(deaths):
                await reached(heard.depth)
                assert not job.done.is_set()
                os.kill(job.worker.process.pid, signal.SIGSEGV)
                await job.worker.process.wait()
                heard.clear()
            await job.done.wait()
        finally:
            await scheduler.stop()
        return heard

    with caplog.at_level(logging.ERROR, "plyscope.page"):
        kind, said = run(lambda: work(1))[-1]
        assert (kind, said["algorithm"]) == ("found", "engine")
        request = """analyze b'{"position": "connect4",  "seconds": 2.0}'"""
        assert "signal 11 (Segmentation fault)" in caplog.messages[0]
        assert [request in text for text in caplog.messages] == [True]
        caplog.clear()
        kind, said = run(lambda: work(2))[-1]
        assert kind == "failed"
        assert said.startswith("analyze ended its process twice")
        assert [request in text for text in caplog.messages] == [True, True]


def test_replaces_a_worker_that_ended_by_the_spare_one_and_starts_another() -> None:
    asked = b'{"position": "connect4", "seconds": 0.1}'

    async def work() -> tuple[str, list[int], list[int]]:
        scheduler, heard = Scheduler(1), Heard()
        spare = scheduler.spare
        try:
            await (await scheduler.take("analyze", asked, heard)).done.wait()
            await reached(lambda: spare.process is not None)
            worker, before = scheduler.workers[-1], [spare.process.pid]
            os.kill(worker.process.pid, signal.SIGKILL)
            await worker.process.wait()
            await (await scheduler.take("analyze", asked, heard)).done.wait()
            after = [worker.process.pid]
            await reached(lambda: spare.process is not None)
            before.append(spare.process.pid)
        finally:
            await scheduler.stop()
        await reached(lambda: all(map(is_dead, before)))
        return heard[-1][0], before, after

    kind, (spare, next_spare), after = run(work)
    assert kind == "found"
    assert after == [spare]
    assert next_spare != spare


def test_reports_a_failing_worker_in_a_word_and_logs_it_once() -> None:
    code = """
import sys
from plyscope_web import worker
from plyscope_web.endpoints import boards
def fail(asked, tell): raise ZeroDivisionError("two\\nlines")
boards.show = fail
worker.main()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(
            b'1 show 0 {"position": "tictactoe"}\n2 play 0 {"position": "tictactoe", "move": "b2"}\n'
        )
        process.stdin.flush()
        said = [process.stdout.readline() for _ in range(3)]
        process.stdin.close()
        complaints = process.stderr.read()
    assert said[:2] == [b"0 ready null\n", b'1 failed "ZeroDivisionError"\n']
    assert said[2].startswith(b"2 found")
    assert complaints.count(b"ZeroDivisionError: two\n") == 1


FAILING = SOURCES["failing"]


@pytest.mark.parametrize("failures", [1, 2])
def test_replaces_a_failing_worker_and_repeats_its_question_once(
    failures: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    starts = tmp_path / "starts"
    starts.write_text("")
    code = FAILING.format(starts=str(starts), failures=failures)
    command = [sys.executable, "-c", code]
    monkeypatch.setattr("plyscope_web.process.module_command", lambda module: command)

    async def work() -> list[tuple[str, Any]]:
        worker, heard = WorkerProcess(), Heard()
        for number in (1, 2):
            job = Job(number, "show", b'{"position": "tictactoe"}', heard)
            await worker.answer(job, 0)
        await worker.end()
        return heard

    with caplog.at_level(logging.ERROR, "plyscope.page"):
        first, second = run(work)
    assert second[0] == "found"
    assert len(starts.read_text()) == failures + 1
    assert len(caplog.messages) == failures
    if failures == 1:
        assert first[0] == "found"
    else:
        assert first[0] == "failed"
        assert first[1].startswith("show failed twice (KeyError)")
        assert "Numba" not in first[1]


STOPPED_WHILE_IT_COMPILES = SOURCES["stopped_while_it_compiles"]


def test_answers_later_questions_after_a_stop_inside_numba(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED_WHILE_IT_COMPILES],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        env={**os.environ, "PLYSCOPE_CACHE": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        question = b'%d move 0 {"position": "tictactoe b2", "agent": "accumulating"}\n'
        process.stdin.write(question % 1 + question % 2)
        process.stdin.flush()
        last: dict[bytes, tuple[bytes, bytes]] = {}
        while last.get(b"2", (b"told",))[0] in (b"told", b"time"):
            number, kind, text = process.stdout.readline().split(b" ", 2)
            last[number] = kind, text
        _, complaints = process.communicate()
    assert complaints.startswith(b"in the midst\n")
    assert last[b"1"] == (b"error", b'"stopped"\n')
    assert last[b"2"][0] == b"found"


def test_answers_later_questions_after_random_stops_of_compiles(tmp_path: Path) -> None:
    """An exception inside Numba leaves its tables half written, for as long as the process lives."""
    stops = run(lambda: bench.stop_compiles(random.Random(1), 1, str(tmp_path), kinds=1))
    assert stops["stopped"] > 0
    assert [key for key in +stops if key.startswith("BAD")] == []


def test_stops_listening_to_a_page_that_does_not_read() -> None:
    class Deaf:
        said, client = 0, None

        async def accept(self) -> None:
            pass

        async def receive_text(self) -> str:
            await asyncio.sleep(0)
            self.said += 1
            return "no question"

        async def send_text(self, text: str) -> None:
            await asyncio.sleep(60)

    async def work() -> int:
        page = Deaf()
        talk = asyncio.create_task(_converse(Scheduler(1), page))  # type: ignore[arg-type]
        await reached(lambda: page.said >= MAX_UNREAD)
        for _ in range(1000):  # turns in which it could listen
            await asyncio.sleep(0)
        talk.cancel()
        await asyncio.gather(talk, return_exceptions=True)
        return page.said

    assert run(work) <= MAX_UNREAD + 2


def test_says_that_the_engine_is_starting_until_it_has() -> None:
    async def twice() -> tuple[Heard, Heard]:
        scheduler, asked = (
            Scheduler(1),
            b'{"position": "tictactoe a3 b2 a2 c3", "agent": "level-1"}',
        )
        cold, warm = Heard(), Heard()
        for heard in (cold, warm):
            await (await scheduler.take("move", asked, heard)).done.wait()
        await scheduler.stop()
        return cold, warm

    cold, warm = run(twice)
    starting = ("told", {"text": "the engine is starting"})
    assert starting in cold
    assert starting not in warm


def test_restarts_after_its_event_loop_has_ended_and_reports_losses(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A thread of a notebook's kernel ends with the page that its messages came from."""
    scheduler, lost, heard = Scheduler(1), Heard(), Heard()
    asked = b'{"position": "tictactoe b2"}'

    async def first() -> list[int]:
        await (await scheduler.take("show", asked, Heard())).done.wait()
        await scheduler.take("analyze", b'{"position": "connect4", "seconds": 30}', lost)
        await reached(lost.depth)
        return [worker.process.pid for worker in scheduler.workers if worker.process is not None]

    async def second() -> None:
        job = await scheduler.take("show", asked, heard)
        await job.done.wait()
        assert job.worker is None
        await scheduler.stop()

    async def clear_away() -> None:
        await reached(lambda: all(map(is_dead, processes)))
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.1)  # until the pipes are closed

    loop = asyncio.new_event_loop()
    with (
        closing(loop),
        ThreadPoolExecutor(1) as thread,
        caplog.at_level(logging.ERROR, "plyscope.page"),
    ):
        processes = thread.submit(loop.run_until_complete, first()).result()
        run(second)
        end = lost[-1]  # the loop that ended may hear more when it is cleared away
        thread.submit(loop.run_until_complete, clear_away()).result()
    assert heard[-1][0] == "found"
    assert (end[0], "does not answer" in end[1]) == ("error", True)
    # asyncio may tell of tasks that its loop never ended
    assert [each.name for each in caplog.records if each.name != "asyncio"] == ["plyscope.page"]


def is_dead(process: int) -> bool:
    """Return whether a process has ended, whoever has taken notice of it."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True)
    return done.stdout.strip()[:1] in ("", "Z")


def test_ends_the_questions_of_a_page_that_cannot_be_told() -> None:
    async def work() -> int:
        def tell(text: bytes) -> None:
            raise OSError("closed")

        scheduler = Scheduler(1)
        scheduler.start = lambda: None  # type: ignore[method-assign]
        conversation = Conversation(scheduler, tell)
        await conversation.hear(
            '{"id": 1, "endpoint": "solve", "arguments": {"position": "7,7,4"}}'
        )
        await asyncio.gather(*conversation.cancelling)
        return len(scheduler.waiting["long"])

    assert run(work) == 0
