"""The server: who is let in, what a question may be, and that work stops when nobody waits for
it."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import signal
import socket as socket_module
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import plyscope as ps
from commands import python
from plyscope_web.answers import Answers
from plyscope_web.app import MAX_BODY_BYTES
from plyscope_web.endpoints import ENDPOINTS
from plyscope_web.frontend import front_end, scripts
from plyscope_web.openapi import description
from plyscope_web.server import READ_BYTES
from sentences import says
from waiting import PATIENCE_SECONDS, until

STARTING = {"text": "the engine is starting"}
httpx = pytest.importorskip("httpx", reason="needs the extra test-page")
schemathesis = pytest.importorskip("schemathesis", reason="needs the extra test-page")

TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def ask(server: str, endpoint: str, **asked: Any) -> Any:
    answer = httpx.post(f"{server}/api/{endpoint}", json=asked, timeout=60, verify=False)
    return answer.status_code, answer.json()


def socket_of(server: str, **options: Any) -> Any:
    return connect(server.replace("http", "ws") + "/socket", **{"origin": server, **options})


def send(socket: Any, number: int, endpoint: str, **arguments: Any) -> None:
    """Ask a question of this number."""
    socket.send(json.dumps({"id": number, "endpoint": endpoint, "arguments": arguments}))


def test_allows_no_foreign_scripts_or_frames_in_any_answer(server: str) -> None:
    for path in ("/", "/static/widget.js", "/api/openapi.json", "/nothing"):
        headers = httpx.get(server + path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_serves_a_page_without_other_hosts_and_inline_scripts(server: str) -> None:
    page = httpx.get(server).text
    assert "http" not in page
    assert page.count("<script") == page.count('<script type="module" src="/static/') == 1
    for name in ("style.css", *front_end(".js")):
        answer = httpx.get(f"{server}/static/{name}")
        text = answer.text.replace("http://www.w3.org/2000/svg", "")
        assert answer.status_code == 200
        assert "http://" not in text
        assert "https://" not in text


def test_serves_files_under_names_that_change_with_their_content(server: str) -> None:
    page = httpx.get(server)
    assert page.headers["cache-control"] == "no-cache"
    asked = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(asked) == 4
    for path in asked:
        kept = httpx.get(server + path)
        name = path.split("/", 3)[3]
        plain = httpx.get(f"{server}/static/{name}")
        assert kept.headers["cache-control"] == "max-age=31536000, immutable"
        assert plain.headers["cache-control"] == "no-cache"
        assert kept.text == (scripts(name) if name.endswith(".js") else plain.text)


def test_rejects_another_host_or_origin(server: str) -> None:
    assert httpx.get(server, headers={"Host": "evil.example"}).status_code == 403
    answer = httpx.post(
        f"{server}/api/catalogues", json={}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    says(answer.json()["error"])
    for origin in ("http://evil.example", None):
        with pytest.raises(Exception, match="403"), socket_of(server, origin=origin):
            pass


@pytest.mark.parametrize(
    ("accepted", "is_compressed"),
    [
        ("gzip, deflate, br", True),
        ("br, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip;q=0.0, br", False),
        ("br", False),
        ("x-gzipped", False),
        ("", False),
    ],
)
def test_sends_files_as_gzip_to_clients_that_accept_it(
    accepted: str, is_compressed: bool, server: str
) -> None:
    plain = httpx.get(f"{server}/", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    script = re.search(r'"(/static/[^"]+main.js)"', plain.text)
    whole = httpx.get(server + script[1], headers={"accept-encoding": "identity"})
    with httpx.stream("GET", server + script[1], headers={"accept-encoding": accepted}) as answered:
        sent = b"".join(answered.iter_raw())
    assert ("content-encoding" in answered.headers) == is_compressed
    assert len(sent) == int(answered.headers["content-length"])
    assert (len(sent) < 0.4 * len(whole.content)) == is_compressed
    assert (gzip.decompress(sent) if is_compressed else sent) == whole.content
    for header in ("cache-control", "content-type", "vary"):
        assert answered.headers[header] == whole.headers[header]


def test_serves_files_by_name_and_nothing_else(server: str) -> None:
    for path in (
        *("/static/../app.py", "/static/..%2fapp.py", "/static/%2fetc%2fpasswd"),
        *("/static/app.py", "/static/rooms/../../app.py", "/static/rooms/%2e%2e/%2e%2e/app.py"),
        *("/static/rooms", "/static/"),
    ):
        assert httpx.get(server + path).status_code == 404


def test_rejects_a_question_of_too_many_bytes(server: str) -> None:
    answer = httpx.post(f"{server}/api/show", content=b" " * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 413
    says(answer.json()["error"])
    with socket_of(server) as socket:
        socket.send(" " * (MAX_BODY_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("endpoint", "asked"),
    [
        ("show", {}),
        ("show", {"position": 3}),
        ("show", {"position": "tictactoe", "path": "/etc/passwd"}),
        ("show", {"position": "tictactoe z9"}),
        ("show", {"position": "30,30,5"}),
        ("show", {"position": "2x2x2x2x2,2"}),
        ("show", {"position": "2x2x2x2x2x2x2x2x2x2,2 a1a1a1a1a1"}),
        ("show", {"position": "2X2X2X2X2X2X2X2X2,2"}),
        ("show", {"position": "32X32,5"}),
        ("show", {"position": "3\r2,32,5"}),
        ("show", {"position": "4x4x5x5,1024,torus"}),
        ("show", {"position": "20,20,1024,torus"}),
        ("show", {"position": "4x4x5x5,3,torus"}),
        ("show", {"posi\ntion\0": "3,3,3"}),
        ("show", {"position": TREE}),
        ("play", {"position": "tictactoe b2", "move": "b2"}),
        ("explain", {"position": "tictactoe", "heuristic": "/etc/passwd.toml"}),
        ("explain", {"position": "tictactoe", "heuristic": "os.py:system"}),
        ("move", {"position": "tictactoe", "agent": "program command=ls"}),
        ("move", {"position": "tictactoe", "agent": "os.py:system"}),
        ("move", {"position": "XXX/OO./...", "agent": "random"}),
        ("analyze", {"position": "tictactoe", "seconds": 1000}),
        ("trace", {"position": TREE, "algorithm": "engine"}),
        ("trace", {"position": TREE, "algorithm": "minimax", "conventions": {"cut": "gt"}}),
        ("question", {"depth": 5, "branching": [4, 4]}),
        ("mark", {"question": {}, "answer": {"9.9": {}}}),
        ("nothing", {}),
    ],
)
def test_answers_bad_questions_in_one_line(
    server: str, endpoint: str, asked: dict[str, Any]
) -> None:
    status, said = ask(server, endpoint, **asked)
    assert status == 400
    says(said["error"])
    assert "\n" not in said["error"]


def test_answers_text_that_is_no_json_in_one_line(server: str) -> None:
    for content in (b"", b"{", b"[" * 100_000, b"\xff\xfe", b"nan", b"3", b"[1]"):
        answer = httpx.post(f"{server}/api/show", content=content)
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]
    with socket_of(server) as socket:
        for text in ("", "{", "[" * 100_000, "3", "[]", '{"id": "x"}', '{"id": true}', "null"):
            socket.send(text)
            assert "error" in json.loads(socket.recv(timeout=PATIENCE_SECONDS))


def test_reports_a_search_depth_by_depth(server: str) -> None:
    with socket_of(server) as socket:
        send(socket, 1, "analyze", position="connect4 444", algorithm="alphabeta", depth=4)
        said = [json.loads(socket.recv(timeout=60))]
        while "found" not in said[-1]:
            said.append(json.loads(socket.recv(timeout=60)))
    assert {message["id"] for message in said} == {1}
    told = [message["told"] for message in said if message.get("told", STARTING) != STARTING]
    assert [news["depth"] for news in told] == [1, 2, 3, 4]
    assert said[-1]["found"]["depth"] == 4


def wait_for_work(socket: Any) -> dict[str, Any]:
    """Receive until a question is worked on, which may wait for the engine to start."""
    said: dict[str, Any] = {}
    while said.get("told", STARTING) == STARTING:
        said = json.loads(socket.recv(timeout=PATIENCE_SECONDS))
        assert "error" not in said, said
    return said


def test_cancels_a_question_and_returns_its_partial_answer(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a busy machine may take longer to hear it than the page waits before it ends the worker
    monkeypatch.setattr("plyscope_web.process.STOP_SECONDS", PATIENCE_SECONDS)
    ps.solve("8,8,5", seconds=0.01)  # compiles the solver, where that is still to be done
    with socket_of(server) as socket:
        send(socket, 7, "solve", position="8,8,5", seconds=30)
        told = wait_for_work(socket)
        socket.send(json.dumps({"id": 7, "cancel": True}))
        while "found" not in told:
            told = json.loads(socket.recv(timeout=60))
            assert "error" not in told, told
        assert (told["found"]["value"], told["found"]["stopped"]) == (None, "interrupted")


def test_stops_work_when_its_page_closes(server: str) -> None:
    for _ in range(2):  # as many as there are workers for long questions
        with socket_of(server) as socket:
            send(socket, 1, "solve", position="8,8,5", seconds=30)
            wait_for_work(socket)
    began = time.perf_counter()
    status, found = ask(server, "solve", position="tictactoe")
    assert (status, found["value"]) == (200, 0)
    assert time.perf_counter() - began < 2 * 60  # the two would go on for 2 * 300 s


def test_limits_the_queued_questions_of_a_page(server: str) -> None:
    with socket_of(server) as socket:
        for number in range(9):
            send(socket, number, "solve", position="8,8,5", seconds=20)
        said = json.loads(socket.recv(timeout=60))
        while "error" not in said:
            said = json.loads(socket.recv(timeout=60))
        assert said["id"] == 8
        assert "8 in the queue" in said["error"]


def test_reports_the_place_in_the_queue(server: str) -> None:
    with socket_of(server) as socket:
        for number in range(5):
            send(socket, number, "solve", position="8,8,5", seconds=20)
        places: dict[int, list[int]] = {}
        while len(places.get(4, [])) < 1:
            said = json.loads(socket.recv(timeout=60))
            if "queue" in said:
                places.setdefault(said["id"], []).append(said["queue"])
        assert places[4][0] >= 3


QUICK = ("catalogues", "show", "play", "explain", "question", "mark", "trace", "differ")


ANSWERS = get_type_hints(Answers, include_extras=True)
INTERFACE = schemathesis.openapi.from_dict(description())
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["position", "move", "heuristic", "answer", "question", "x"]), inner
        )
    ),
    max_leaves=8,
)


def check(answer: httpx.Response) -> None:
    assert answer.status_code in (200, 400)
    body = answer.json()
    assert isinstance(body, dict)
    if answer.status_code == 200:
        msgspec.convert(body, ANSWERS[answer.url.path.removeprefix("/api/")])
    else:
        assert isinstance(body["error"], str)
        assert "Traceback" not in body["error"]
        assert "failed" not in body["error"]


@pytest.mark.parametrize("endpoint", QUICK)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data())
def test_answers_every_described_request(endpoint: str, data: st.DataObject, server: str) -> None:
    case = data.draw(INTERFACE[f"/api/{endpoint}"]["POST"].as_strategy())
    check(httpx.post(f"{server}/api/{endpoint}", json=case.body, timeout=60, verify=False))


@pytest.mark.parametrize("endpoint", sorted(ENDPOINTS))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(asked=ANYTHING)
def test_answers_every_other_request_in_one_line(endpoint: str, asked: Any, server: str) -> None:
    check(httpx.post(f"{server}/api/{endpoint}", json=asked, timeout=60, verify=False))


TEXTS = st.one_of(
    st.text(alphabet="[](),=ABxo.X/-0123456789 ", max_size=40),
    st.from_regex(r"(connect4|tictactoe|qubic|[1-9],[1-9],[1-5]) [1-7a-d]{0,12}", fullmatch=True),
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(position=TEXTS, endpoint=st.sampled_from(["show", "explain", "trace"]))
def test_answers_texts_that_look_like_positions(position: str, endpoint: str, server: str) -> None:
    check(
        httpx.post(
            f"{server}/api/{endpoint}", json={"position": position}, timeout=60, verify=False
        )
    )


def the_command(*words: str, port: str = "0") -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "plyscope",
        "web",
        "--no-browser",
        "--port",
        port,
        "--jobs",
        "1",
        *words,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextlib.contextmanager
def serving(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command, and kill it if a check fails: else the test would wait for its end."""
    with the_command(*words) as process:
        try:
            yield process
        finally:
            process.kill()


def url_of(process: subprocess.Popen[str]) -> str:
    return process.stdout.readline().split()[3].rstrip("/")


def children(of: int) -> list[int]:
    """Return the processes that a process has started and that are alive."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [
        int(pid) for pid, parent, state in rows if int(parent) == of and not state.startswith("Z")
    ]


def alive(processes: list[int]) -> list[int]:
    """Return those of the processes that are alive."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    return [
        int(pid)
        for pid, state in map(str.split, listed.splitlines())
        if int(pid) in processes and not state.startswith("Z")
    ]


def test_prints_its_address_as_json() -> None:
    process = the_command("--json")
    said = json.loads(process.stdout.readline())
    assert ask(said["url"].rstrip("/"), "show", position="tictactoe")[0] == 200
    assert (said["is_open"], set(said["names"]) >= {"localhost", "127.0.0.1"}) == (False, True)
    process.send_signal(signal.SIGINT)
    assert (process.communicate(timeout=PATIENCE_SECONDS)[0], process.returncode) == ("", 0)


def test_serves_until_ctrl_c_and_leaves_nothing_behind() -> None:
    process = the_command()
    url = url_of(process)
    assert ask(url, "show", position="tictactoe")[0] == 200
    with socket_of(url) as socket:
        send(socket, 1, "analyze", position="connect4", seconds=30)
        wait_for_work(socket)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, out, err) == (0, "", "\nstopped\n")
    with socket_module.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        taken.listen()
        done = the_command(port=port)
        _, err = done.communicate(timeout=60)
    assert done.returncode == 2
    assert err.startswith(f"plyscope: cannot listen at '127.0.0.1', port {port}: ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ends_under_load_with_all_processes_it_has_started(number: signal.Signals) -> None:
    with serving() as process:
        url = url_of(process)
        assert ask(url, "solve", position="tictactoe")[0] == 200
        # four workers, the spare one, which starts last, and the guard
        until(lambda: len(children(process.pid)), 6)
        started = children(process.pid)
        with socket_of(url) as socket:
            for question in range(4):
                send(socket, question, "analyze", position="connect4", seconds=30)
            wait_for_work(socket)
            for question in range(10, 18):
                send(socket, question, "explain", position="20,20,6,torus")
            process.send_signal(number)
            process.wait(timeout=PATIENCE_SECONDS)
        until(lambda: alive(started), [])


def test_leaves_no_worker_of_a_killed_notebook() -> None:
    code = """
import asyncio, os, signal
from plyscope_web.scheduler import Scheduler

async def work():
    scheduler = Scheduler(1)
    job = await scheduler.take("show", b'{"position": "tictactoe"}', lambda *news: None)
    await job.done.wait()
    await asyncio.sleep(0.2)
    print(*(worker.process.pid for worker in scheduler.workers if worker.process), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(work())
"""
    done = python("-c", code, check=False)
    workers = [int(word) for word in done.stdout.split()]
    assert workers
    until(lambda: alive(workers), [])


def test_warns_as_an_open_server_and_answers_only_to_its_names() -> None:
    with serving("--host", "0.0.0.0", "--name", "plyscope.example") as process:
        url = url_of(process)
        port = url.rpartition(":")[2]
        said = process.stdout.readline()
        assert url == f"http://127.0.0.1:{port}"
        assert said.startswith(
            "anyone who can reach this machine can open it, without a password, as "
        )
        own = socket_module.gethostname()
        names = said.partition(" as ")[2].partition(" (")[0].split(", ")
        assert {"127.0.0.1", "localhost", "plyscope.example", own} <= set(names)

        def status(host: str, **headers: str) -> int:
            return httpx.post(
                f"{url}/api/nothing", content=b"{}", headers={"Host": host, **headers}
            ).status_code

        for host in (
            f"127.0.0.1:{port}",
            f"localhost:{port}",
            f"{own}:{port}",
            f"plyscope.example:{port}",
            "plyscope.example",
        ):
            assert status(host) == 400, host  # there is no such endpoint: it was let in
            assert status(host, Origin=f"http://{host}") == 400
        for host in (
            "evil.example",
            f"evil.example:{port}",
            f"0.0.0.0:{port}",
            f"127.0.0.9:{port}",
            "127.0.0.1",
            f"127.0.0.1:{port}0",
        ):
            assert status(host) == 403, host
        assert status(f"127.0.0.1:{port}", Origin=f"http://127.0.0.9:{port}") == 403
        for address in names:
            if address[0].isdigit() and httpx.get(f"http://{address}:{port}/").status_code != 200:
                raise AssertionError(address)
        process.send_signal(signal.SIGINT)


def test_prints_no_warning_for_a_local_server() -> None:
    with serving("--host", "localhost") as process:
        url_of(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE_SECONDS)
    assert out == ""


def test_closes_connections_without_a_request_and_serves_others(
    plain_server: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope_web.server.REQUEST_SECONDS", 1.0)
    resource = pytest.importorskip("resource")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192) if most > 0 else 8192, most))
    url = f"http://{plain_server[0]}:{plain_server[1]}"
    half = []
    with contextlib.ExitStack() as stack:
        for number in range(1100):
            half.append(stack.enter_context(socket_module.create_connection(plain_server)))
            half[-1].sendall(b"" if number % 2 else b"GET / HTTP/1.1\r\nHost: x\r\nA: ")
        for _ in range(20):
            assert httpx.get(url).text == "hello"
        slow = stack.enter_context(socket_module.create_connection(plain_server))
        with pytest.raises(ConnectionError):
            until(lambda: slow.sendall(b"G"))  # a byte now and then is no request either
        for socket in half:
            socket.settimeout(PATIENCE_SECONDS)
            with contextlib.suppress(ConnectionError):
                assert socket.recv(100) == b""


def test_reads_a_request_in_pieces_of_any_size(
    plain_server: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    take = H11Protocol.data_received
    monkeypatch.setattr(
        H11Protocol,
        "data_received",
        lambda protocol, data: [sizes.append(len(data)), take(protocol, data)],
    )
    with socket_module.create_connection(plain_server) as socket:
        socket.settimeout(PATIENCE_SECONDS)
        for _ in range(2):  # the second on the same connection
            head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            for at in range(len(head)):
                socket.sendall(head[at : at + 1])
            socket.sendall(b"1\r\nx\r\n" * 20_000 + b"0\r\n\r\n")
            said = b""
            while not said.endswith(b"hello"):
                said += socket.recv(1000)
            assert said.startswith(b"HTTP/1.1 200")
    assert max(sizes) == READ_BYTES


def test_gives_up_an_unfinished_question(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope_web.app.BODY_SECONDS", 0.3)
    name = server.removeprefix("http://")
    host, port = name.split(":")
    with socket_module.create_connection((host, int(port))) as socket:
        socket.settimeout(PATIENCE_SECONDS)
        socket.sendall(
            f"POST /api/show HTTP/1.1\r\nHost: {name}\r\nContent-Length: 100\r\n\r\n{{".encode()
        )
        assert b"408" in socket.recv(1000)
