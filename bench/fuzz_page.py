"""Sends the page's server hostile questions through its sockets while another page plays.

    python bench/fuzz_page.py [--questions N] [--seed S] [--pages N] [--cancels N] [--posts N]
                              [--compiles N] [--heavy N] [--seconds S]

Every question must get one answer, a result or one line of error, without a worker dying, and the
moves of the other page must stay quick.

--cancels N   stops N searches at random moments; each page then sends a small question
--compiles N  stops N questions while they compile, and sends each again until it has an answer
--heavy N     measures the moves of one client without and with N clients, each at an address of its
              own, that send the most expensive questions: in turn, twice for --seconds
--posts N     posts N changed questions of every endpoint, and prints the longest time of each
              beside its limit, and the memory of the workers

Prints the questions, the answers and the times of the other page's moves. The exit status is 1
where one of these rules was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from http.client import HTTPConnection, HTTPException
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter

from fuzz_questions import questions
from websockets.asyncio.client import connect

from plyscope.errors import PlyscopeError
from plyscope_web.endpoints import ENDPOINTS, read
from plyscope_web.process import DEFAULT_SECONDS, Job, WorkerProcess

TIMEOUT_SECONDS = 120.0
IN_FLIGHT = 6
GAMES = (
    *(
        "tictactoe",
        "connect4",
        "qubic",
        "gomoku15",
        "cube",
        "4,4,4",
        "5,4,4,gravity",
        "3,3,3,torus,misere",
        "20,20,5",
        "20,20,6,torus",
    ),
    *(
        "4x4x5x5,1024,torus",
        "20,20,1024,torus",
        "32X32,5",
        "3\r2,32,5",
        "2X2X2X2X2X2X2X2X2,2",
        "2x2x2x2x2x2x2x2x2x2,2",
        "400,1,25",
    ),
    *(
        "4x4x5x5,3,torus",
        "7x7x8,56,torus",
        "1,1,1",
        "0,3,3",
        "9999999999,1,1",
        "52x2x2x2x2,2,gravity,misere",
        "x" * 300,
        "1x1x1x1,1",
    ),
)
LETTERS = 'abcdefgxoXO./-_[]{}(),=0123456789 \n\r\t\x00\u2028é∞🙂"\\'
SCRAPS = (
    "",
    "{",
    "[" * 5000,
    "null",
    "nan",
    "1e999",
    '"\\ud800"',
    "[]",
    '{"id":7}',
    '{"id":true}',
    '{"id":1,"endpoint":3}',
    '{"cancel":true}',
)
NAMES = {
    "heuristic": (
        "counted-lines",
        "open-lines",
        "random",
        "null",
        "/etc/passwd",
        "os.py:system",
        "\0x.py:f",
        "nothing",
    ),
    "agent": (
        "random",
        "greedy",
        "level-1",
        "level-5",
        "level-9",
        "perfect",
        "program command=ls",
        "a.py:b",
        "accumulating",
    ),
    "algorithm": (
        "alphabeta",
        "minimax",
        "pvs",
        "sss",
        "pn",
        "uct",
        "engine",
        "mtdf",
        "nothing",
        "../x",
    ),
    "side": ("x", "o", "z"),
}


def a_position(draw: Random) -> str:
    """Return the text of a position, or of nothing."""
    if draw.random() < 0.2:
        return "".join(draw.choices(LETTERS, k=draw.randint(0, 60)))
    if draw.random() < 0.1:
        return a_tree(draw, 4)
    if draw.random() < 0.5:
        text = draw.choice(
            (
                "tictactoe b2 a1 c3",
                "connect4 4443",
                "qubic a1a b2b",
                "15,15,5 h8 i9 g7",
                "XO./.X./..O",
                "20,20,5 k10",
                "4,4,4 a1",
            )
        )
    else:
        text = f"{draw.choice(GAMES)} {''.join(draw.choices('1234567 ', k=draw.randint(0, 9)))}"
    if draw.random() < 0.2:
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice(LETTERS) + text[at + 1 :]
    return text


def a_tree(draw: Random, depth: int) -> str:
    """Return an explicit tree."""
    if depth == 0 or draw.random() < 0.3:
        return str(draw.randint(-30, 30))
    return f"[{','.join(a_tree(draw, depth - 1) for _ in range(draw.randint(1, 3)))}]"


def anything(draw: Random) -> object:
    """Return a value of JSON that fits nowhere."""
    kinds = (
        None,
        True,
        -1,
        10**30,
        0.5,
        "x" * draw.randint(0, 200),
        [],
        [[]],
        {},
        {"a\nb": 1},
        "\u2028\x00",
        draw.random(),
    )
    return draw.choice(kinds)


def a_question(draw: Random) -> tuple[str, dict[str, object]]:
    """Return an endpoint and its arguments."""
    position = a_position(draw)
    endpoint, asked = draw.choice(
        [
            ("show", {"position": position}),
            ("show", {"position": position}),
            (
                "play",
                {"position": position, "move": draw.choice(("1", "4", "b2", "zz", "", "a1b2c3"))},
            ),
            (
                "explain",
                {
                    "position": position,
                    "heuristic": draw.choice(NAMES["heuristic"]),
                    "side": draw.choice(NAMES["side"]),
                },
            ),
            (
                "explain",
                {
                    "position": position,
                    "heuristic": {"values": {f"{draw.randint(0, 5)},0": draw.randint(-9, 9)}},
                },
            ),
            ("catalogues", {}),
            (
                "move",
                {
                    "position": position,
                    "agent": draw.choice(NAMES["agent"]),
                    "seed": draw.randint(-1, 99),
                },
            ),
            (
                "trace",
                {
                    "position": position,
                    "algorithm": draw.choice(NAMES["algorithm"]),
                    "depth": draw.randint(0, 4),
                },
            ),
            (
                "differ",
                {
                    "position": a_tree(draw, 3),
                    "second": {"algorithm": draw.choice(NAMES["algorithm"])},
                },
            ),
            ("question", {"seed": draw.randint(0, 99), "depth": draw.randint(1, 5)}),
            (
                "mark",
                {
                    "question": {"seed": 3},
                    "answer": {draw.choice(("", "0", "0.1", "x")): {"value": position[:20]}},
                },
            ),
            ("refute", {"position": position, "move": "4", "seconds": 0.05}),
            (
                "analyze",
                {
                    "position": position,
                    "algorithm": draw.choice(NAMES["algorithm"]),
                    "seconds": 0.05,
                    "depth": 5,
                },
            ),
            ("solve", {"position": position, "seconds": 0.05}),
            ("review", {"position": position, "moves": ["4", "b2"], "seconds": 0.02}),
        ]
    )
    if draw.random() < 0.15:
        asked[draw.choice((*asked, "other", "a\nb\x00", "é" * 50)) if asked else "x"] = anything(
            draw
        )
    return draw.choice(
        (endpoint, endpoint, endpoint, endpoint, endpoint, "nothing\n", "")
    ) if draw.random() < 0.1 else endpoint, asked


class Page:
    """A page that asks, and what it was answered."""

    def __init__(self, socket: object, outcomes: Counter) -> None:
        self.socket, self.outcomes = socket, outcomes
        self.open: dict[int, asyncio.Future] = {}
        self.scraps = 0

    async def ask(
        self, number: int, endpoint: str, asked: dict[str, object], timeout: float | None = None
    ) -> dict[str, object]:
        """Return the last word on a question, which is stopped after `timeout` seconds."""
        answered = self.open[number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": number, "endpoint": endpoint, "arguments": asked}))
        if timeout is not None:
            await asyncio.wait([answered], timeout=timeout)
            if not answered.done():
                await self.socket.send(json.dumps({"id": number, "cancel": True}))
        said = await asyncio.wait_for(answered, TIMEOUT_SECONDS)
        del self.open[number]
        return said

    async def listen(self) -> None:
        """Take answers, and hold each to what an answer may be."""
        async for text in self.socket:
            said = json.loads(text)
            if "queue" in said or "told" in said:
                continue
            error = said.get("error", "")
            if "found" in said:
                self.outcomes["found"] += 1
            elif error == "stopped":
                self.outcomes["stopped"] += 1
            elif (
                error
                and error.isprintable()
                and "failed" not in error
                and "Traceback" not in error
                and len(error) < 500
            ):
                self.outcomes[
                    "no answer in time" if error.startswith("no answer in") else "one line of error"
                ] += 1
            else:
                self.outcomes[f"BAD: {text[:200]!r}"] += 1
            waiting = self.open.get(said["id"])
            if waiting is None or waiting.done():
                self.outcomes[
                    "to a scrap"
                    if said["id"] is None or said["id"] < 10
                    else f"BAD: twice {text[:100]!r}"
                ] += 1
            else:
                waiting.set_result(said)


async def fuzz(url: str, draw: Random, numbers: range, outcomes: Counter) -> None:
    """Ask on one page: a few at a time."""
    async with connect(url.replace("http", "ws") + "/socket", origin=url, max_size=None) as socket:
        page = Page(socket, outcomes)
        listener = asyncio.create_task(page.listen())
        room = asyncio.Semaphore(IN_FLIGHT)

        async def one(number: int, endpoint: str, asked: dict[str, object], timeout: float) -> None:
            try:
                await page.ask(number, endpoint, asked, timeout)
            except TimeoutError:
                outcomes[f"BAD: no answer to {endpoint} {asked}"] += 1
            finally:
                room.release()

        tasks = set()
        for number in numbers:
            await room.acquire()
            if draw.random() < 0.05:
                await socket.send(draw.choice(SCRAPS))
                room.release()
                continue
            endpoint, asked = a_question(draw)
            task = asyncio.create_task(
                one(number, endpoint, asked, draw.choice((0.0, 0.01, 0.1, *[1.5] * 12)))
            )
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)
        listener.cancel()


async def somebody(
    url: str, seconds: list[float], is_done: asyncio.Event, most: float = inf
) -> None:
    """Play moves, as a person does, and note how long each takes."""
    async with connect(url.replace("http", "ws") + "/socket", origin=url, max_size=None) as socket:
        page = Page(socket, Counter())
        listener = asyncio.create_task(page.listen())
        number = 10
        while not is_done.is_set() and len(seconds) < most:
            number += 1
            began = perf_counter()
            said = await page.ask(
                number, "play", {"position": "connect4 444", "move": str(number % 7 + 1)}
            )
            assert "found" in said, said
            seconds.append(perf_counter() - began)
            await asyncio.sleep(0.1)
        listener.cancel()


def a_heavy_question(draw: Random) -> tuple[str, dict[str, object]]:
    """Return a question that costs much, each time on another position."""
    size, start = draw.randint(15, 20), draw.randint(1, 7)
    return draw.choice(
        [
            ("analyze", {"position": f"connect4 {start}4", "seconds": 5}),
            ("analyze", {"position": f"gomoku15 h{start}", "seconds": 5}),
            ("solve", {"position": f"7,7,4 a{start}", "seconds": 5}),
            ("trace", {"position": f"5,5,4 a{1 + start % 5}", "depth": 3, "most": 10_000}),
            ("move", {"position": f"connect4 {start}", "agent": "level-9"}),
            ("report", {"game": "5,5,4", "depths": 3, "samples": 200, "seconds": 5}),
            ("explain", {"position": f"20,{size},{draw.randint(3, 9)},torus"}),
            ("explain", {"position": f"20,{size},5,gravity", "heuristic": "open-lines"}),
            ("threats", {"position": f"20,{size},{draw.randint(4, 7)},torus"}),
            ("show", {"position": f"{size * 20},1,{draw.randint(5, 25)}"}),
            ("play", {"position": f"{size},20,{draw.randint(4, 9)},torus", "move": "a1"}),
            ("play", {"position": f"gomoku15 h{start}", "move": "a1"}),
            ("read", {"text": f"(;GM[4]SZ[15]{';B[aa];W[bb]' * 8_000})"}),
            ("read", {"text": "." * 90_000}),
        ]
    )


async def heavy(url: str, draw: Random, address: str, outcomes: Counter) -> None:
    """Ask heavy questions from an address, some at a time, until this is cancelled."""
    async with connect(
        url.replace("http", "ws") + "/socket",
        origin=url,
        max_size=None,
        local_addr=(address, 0),
    ) as socket:
        page = Page(socket, outcomes)
        listener = asyncio.create_task(page.listen())

        async def one(first: int) -> None:
            for number in count(first, IN_FLIGHT):
                await page.ask(number, *a_heavy_question(draw))

        try:
            await asyncio.gather(*(one(10 + number) for number in range(IN_FLIGHT)))
        finally:
            listener.cancel()


async def burden(url: str, clients: int, seconds: float, seed: int, rounds: int = 2) -> Counter:
    """Print what somebody's moves take without heavy clients and with them, in turn, each client
    at an address of its own; return what came of their questions."""
    outcomes: Counter = Counter()
    times: dict[str, list[float]] = {"without": [], "with": []}
    await somebody(url, [], asyncio.Event(), 1)  # the workers start
    for turn in range(2 * rounds):
        name = ("without", "with")[turn % 2]
        others = [
            asyncio.create_task(
                heavy(
                    url,
                    Random(f"{seed} {turn} {at}"),
                    f"127.0.{1 + at // 250}.{at % 250}",
                    outcomes,
                )
            )
            for at in range(clients if name == "with" else 0)
        ]
        await asyncio.sleep(2 if others else 0.5)
        is_done = asyncio.Event()
        moves = asyncio.create_task(somebody(url, times[name], is_done))
        await asyncio.wait([moves], timeout=seconds)
        is_done.set()
        await moves
        for other in others:
            other.cancel()
        for ended in await asyncio.gather(*others, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                outcomes[f"BAD: {ended!r}"] += 1
    late = {}
    for name, found in times.items():
        found.sort()
        late[name] = 1000 * found[int(0.95 * len(found))]
        print(
            f"a move {name} {clients} heavy clients: {len(found)} times, "
            f"median {1000 * found[len(found) // 2]:.1f} ms, p95 {late[name]:.1f}, "
            f"most {1000 * found[-1]:.1f}"
        )
    print(
        f"p95 with them is {late['with'] - late['without']:+.1f} ms; their answers:", dict(outcomes)
    )
    return outcomes


async def stop_searches(url: str, draw: Random, number: int, outcomes: Counter) -> None:
    """Stop searches at random moments, and see that what is asked next is answered rightly."""
    async with connect(url.replace("http", "ws") + "/socket", origin=url, max_size=None) as socket:
        page = Page(socket, Counter())
        listener = asyncio.create_task(page.listen())
        for at in range(number):
            endpoint, asked = draw.choice(
                [
                    ("analyze", {"position": "connect4 44", "seconds": 20}),
                    ("analyze", {"position": "5,5,4 b2", "algorithm": "alphabeta", "seconds": 20}),
                    ("solve", {"position": "7,7,4", "seconds": 20}),
                    ("solve", {"position": "connect4 4444", "seconds": 20}),
                    ("trace", {"position": "5,5,4", "depth": 2, "algorithm": "minimax"}),
                    ("refute", {"position": "connect4 44", "move": "4", "seconds": 10}),
                    ("review", {"position": "connect4", "moves": ["4"] * 6, "seconds": 1}),
                    ("move", {"position": "connect4 44", "agent": "level-10"}),
                    ("explain", {"position": "20,20,6,torus"}),
                ]
            )
            began = perf_counter()
            timeout = draw.random() ** 3 / 2  # the beginning is where most happens
            said = await page.ask(100 + 2 * at, endpoint, asked, timeout)
            late = perf_counter() - began - timeout
            outcomes[
                "stopped"
                if said.get("error") == "stopped"
                else "found"
                if "found" in said
                else f"BAD: {endpoint} {said}"
            ] += 1
            outcomes["heard after more than half a second"] += late > 0.5
            said = await page.ask(
                101 + 2 * at, "solve", {"position": "tictactoe b2 a3", "seconds": 5}
            )
            outcomes[f"BAD: then {said}"] += said.get("found", {}).get("value") != 0
        listener.cancel()


COMPILED = (
    ("move", {"position": "tictactoe b2", "agent": "accumulating"}),
    ("solve", {"position": "connect4-5x4 33", "seconds": 0.5}),
    ("solve", {"position": "5,5,4 c3 b2", "seconds": 0.5}),
    ("analyze", {"position": "tictactoe b2", "depth": 2}),
)
"""Questions that compile something each."""


async def stop_compiles(draw: Random, number: int, folder: str, kinds: int = 4) -> Counter:
    """Stop so many questions while they compile, in workers that begin with an empty cache below
    `folder`; each question is asked until it is answered, and all of them again in the end."""
    outcomes: Counter = Counter()
    before, asked = os.environ.get("PLYSCOPE_CACHE"), count(1)
    for run in count():
        if outcomes["stopped"] >= number:
            break
        os.environ["PLYSCOPE_CACHE"] = str(Path(folder) / f"cache{run}")
        worker = WorkerProcess()
        try:
            process = (await worker.started()).pid
            for question in draw.sample(COMPILED[:kinds], kinds):
                while await _stopped(worker, next(asked), question, draw.random() * 2, outcomes):
                    pass
            for question in COMPILED[:kinds]:
                await _stopped(worker, next(asked), question, None, outcomes)
            if worker.process is None or worker.process.pid != process:
                outcomes["BAD: the worker was replaced"] += 1
        finally:
            await worker.end()
            del os.environ["PLYSCOPE_CACHE"]
            if before is not None:
                os.environ["PLYSCOPE_CACHE"] = before
    return outcomes


async def _stopped(
    worker: WorkerProcess,
    number: int,
    question: tuple[str, dict[str, object]],
    timeout: float | None,
    outcomes: Counter,
) -> bool:
    """Ask a question, stop it after so many seconds of compiling, and return whether it was."""
    heard: list[tuple[str, bytes]] = []
    is_compiling, endpoint = asyncio.Event(), question[0]

    def tell(kind: str, said: bytes) -> None:
        heard.append((kind, said))
        if kind == "told" and b"compiling" in said:
            is_compiling.set()

    job = Job(number, endpoint, json.dumps(question[1]).encode(), tell)
    answering = asyncio.create_task(worker.answer(job, 0))
    compiling = asyncio.create_task(is_compiling.wait())
    await asyncio.wait([answering, compiling], return_when="FIRST_COMPLETED")
    compiling.cancel()
    if timeout is not None:
        await asyncio.wait([answering], timeout=timeout)
    if timeout is not None and not answering.done():
        job.is_cancelled = True
        await worker.interrupt(job)
    await answering
    kind, said = heard[-1]
    is_stopped = is_compiling.is_set() and said == b'"stopped"'
    outcomes[
        "stopped" if is_stopped else kind if kind == "found" else f"BAD: {endpoint} {said!r}"
    ] += 1
    return is_stopped


class Posts:
    """Posts questions, a few at a time, and holds each answer to what an answer may be."""

    def __init__(self, url: str, server: int) -> None:
        self.host, self.server = url.partition("//")[2], server
        self.outcomes: Counter = Counter()
        self.slowest: dict[str, tuple[float, float, str]] = {}
        """By endpoint, the seconds over what it may take, those it took, and the question."""
        self.errors: dict[str, str] = {}
        """Refusals by their first words, that none goes unread."""
        self.largest = 0

    def ask(self, seed: str, number: int) -> None:
        """Ask so many questions, one after the other."""
        draw = Random(seed)
        connection = HTTPConnection(self.host, timeout=TIMEOUT_SECONDS)
        for asked in range(number):
            endpoint, arguments = questions(draw)
            began = perf_counter()
            try:
                connection.request("POST", f"/api/{endpoint}", arguments)
                answered = connection.getresponse()
                status, said = answered.status, answered.read()
            except (OSError, HTTPException) as error:
                self._bad(f"{type(error).__name__} {error}", endpoint, arguments)
                connection.close()
                continue
            self._time(endpoint, arguments, perf_counter() - began)
            self._hold(status, said, endpoint, arguments)
            if asked % 100 == 0:
                self.largest = max(self.largest, *map(resident, children(self.server)), 0)

    def _time(self, endpoint: str, arguments: bytes, seconds: float) -> None:
        over = seconds - may_take(endpoint, arguments)
        shown = arguments[:300].decode("utf-8", "replace")
        self.slowest[endpoint] = max(
            self.slowest.get(endpoint, (-inf, 0.0, "")), (over, seconds, shown)
        )

    def _hold(self, status: int, said: bytes, endpoint: str, arguments: bytes) -> None:
        try:
            found = json.loads(said, parse_constant=lambda word: 1 / 0)
        except (ValueError, ZeroDivisionError):
            self._bad(f"no JSON {said[:80]!r}", endpoint, arguments)
            return
        error = found.get("error", "") if status != 200 else ""
        self.outcomes[status] += 1
        if status == 200:
            return
        is_one_line = error and error.isprintable() and len(error) < 500
        if status >= 500 or not is_one_line or "Traceback" in error:
            self._bad(f"{status} {error}", endpoint, arguments)
        self.errors.setdefault(f"{endpoint} {error[:24]}", error)

    def _bad(self, what: str, endpoint: str, arguments: bytes) -> None:
        self.outcomes[f"BAD: {what[:300]} of {endpoint} {arguments[:400]!r}"] += 1


def may_take(endpoint: str, arguments: bytes) -> float:
    """Return the seconds that a question may take, as its worker is told."""
    timeout = ENDPOINTS[endpoint].timeout
    try:
        return (
            DEFAULT_SECONDS[ENDPOINTS[endpoint].queue]
            if timeout is None
            else timeout(read(endpoint, arguments))
        )
    except PlyscopeError:
        return 1.0


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(number) for number in listed.split()]


def resident(process: int) -> int:
    """Return the megabytes of a process that are in memory."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 >> 20
    except OSError:
        return 0


async def post(url: str, arguments: argparse.Namespace, server: int) -> Posts:
    """Post questions, and print what came of them."""
    posts, began = Posts(url, server), perf_counter()
    each = arguments.posts // arguments.pages
    await asyncio.gather(
        *(
            asyncio.to_thread(posts.ask, f"{arguments.seed} {page}", each)
            for page in range(arguments.pages)
        )
    )
    seconds = perf_counter() - began
    print(f"{each * arguments.pages:,} questions posted in {seconds:.0f} s:", dict(posts.outcomes))
    print(f"the largest worker had {posts.largest:,} MB; the longest answers, and how much later")
    for endpoint, (over, seconds, shown) in sorted(
        posts.slowest.items(), key=lambda item: -item[1][0]
    ):
        print(f"    {endpoint:12}{seconds:7.2f} s {over:+8.2f}  {shown[:150]}")
    for error in sorted(posts.errors.values()) if arguments.errors else ():
        print(f"    {error}")
    return posts


async def measure(url: str, arguments: argparse.Namespace, server: int) -> bool:
    """Ask, print and return whether all was as it has to be."""
    outcomes: Counter = Counter()
    seconds: list[float] = []
    is_done = asyncio.Event()
    await somebody(url, [], is_done, 1)  # the workers start
    alone: list[float] = []
    await somebody(url, alone, is_done, 40)
    other = asyncio.create_task(somebody(url, [] if arguments.heavy else seconds, is_done))
    each, began = arguments.questions // arguments.pages, perf_counter()
    if each:
        await asyncio.gather(
            *(
                fuzz(
                    url,
                    Random(f"{arguments.seed} {page}"),
                    range(10 + page * each, 10 + (page + 1) * each),
                    outcomes,
                )
                for page in range(arguments.pages)
            )
        )
        print(
            f"{each * arguments.pages:,} questions of {arguments.pages} pages "
            f"in {perf_counter() - began:.0f} s:",
            dict(outcomes),
        )
    if arguments.posts:
        outcomes += (await post(url, arguments, server)).outcomes
    if arguments.heavy:
        outcomes += await burden(url, arguments.heavy, arguments.seconds, arguments.seed)
    cancels: Counter = Counter()
    if arguments.cancels:
        await stop_searches(url, Random(arguments.seed), arguments.cancels, cancels)
        print(f"{arguments.cancels} searches to be stopped: {dict(+cancels)}")
    is_done.set()
    await other
    for who, found in (("alone", alone), ("meanwhile", seconds)):
        if not found:
            continue
        found.sort()
        middle, late = found[len(found) // 2], found[int(0.95 * len(found))]
        print(
            f"a move {who}: {len(found)} times, median {1000 * middle:.1f} ms, "
            f"p95 {1000 * late:.1f}, most {1000 * found[-1]:.1f}"
        )
    return not any(str(key).startswith("BAD") for key in +outcomes + cancels)


def main() -> int:
    """Start a server, ask, and look what it has complained of."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cancels", type=int, default=0)
    parser.add_argument("--posts", type=int, default=0)
    parser.add_argument("--heavy", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--compiles", type=int, default=0)
    parser.add_argument("--errors", action="store_true", help="print each kind of refusal")
    parser.add_argument("--game", help="a game of one's own that the page plays too")
    arguments = parser.parse_args()
    if arguments.compiles:
        with tempfile.TemporaryDirectory() as folder:
            stops = asyncio.run(stop_compiles(Random(arguments.seed), arguments.compiles, folder))
        print(f"questions that were stopped as they compiled, and asked again: {dict(+stops)}")
        if any(key.startswith("BAD") for key in +stops):
            return 1
    with tempfile.TemporaryFile("w+") as complaints:
        command = [sys.executable, "-m", "plyscope", "web", "--port", "0", "--no-browser"]
        command += ["--game", arguments.game] if arguments.game else []
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True)
        try:
            assert server.stdout is not None
            is_right = asyncio.run(
                measure(server.stdout.readline().split()[3].rstrip("/"), arguments, server.pid)
            )
        finally:
            server.terminate()
            server.wait()
        complaints.seek(0)
        lines = complaints.read().splitlines()
        said = [line for line in lines if line not in ("", "stopped") and "compiling " not in line]
    print(f"the server complained {len(said)} times", *said[:5], sep="\n  ")
    return 0 if is_right and not said else 1


if __name__ == "__main__":
    sys.exit(main())
