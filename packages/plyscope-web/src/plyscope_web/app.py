"""The server: one page, its files, and the endpoints by POST and over a WebSocket.

It trusts only pages it has served itself. Host and Origin must be its own, which prevents DNS
rebinding. Bodies are limited in bytes and in time. Files are read once at the start and found by
name in a dictionary. No request reaches a file name, a shell or `eval`. Requests and responses
pass through undecoded; the workers decode them.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import re
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from functools import cached_property
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyscope.errors import PlyscopeError
from plyscope_web.conversation import Conversation
from plyscope_web.endpoints import in_short
from plyscope_web.endpoints.inputs import OwnHeuristic
from plyscope_web.frontend import (
    ENTRY,
    FONT,
    FONT_FACE,
    POLICY,
    STATIC,
    STYLE,
    front_end,
    scripts,
    style_sheet,
)
from plyscope_web.openapi import description
from plyscope_web.scheduler import QueueFull, Scheduler

MAX_BODY_BYTES = 1 << 18
MAX_PAGES, MAX_POSTS = 400, 300
"""The most open sockets, and the most POST requests at a time."""
MAX_UNREAD = 64
"""The most messages that a page may leave unread."""
BODY_SECONDS = 10.0
"""The time limit for receiving the body of a request."""
SEND_SECONDS = 30.0
"""The time limit for a client to read a part of a response."""
POLL_SECONDS = 0.25
"""The interval at which disconnected clients are noticed."""
ICON = '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
TRY_LATER = "try again later"
STATUS = {"found": 200, "error": 400, "failed": 500}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
MIN_COMPRESSED_BYTES = 1000
"""Smaller files are not compressed."""
GZIP = re.compile(r"(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))")
IMMUTABLE = {"cache-control": "max-age=31536000, immutable"}
"""For files whose name contains their digest."""
POLICY_HEADER = "content-security-policy"
HEADERS = (
    (POLICY_HEADER.encode(), POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
)


def app(
    hosts: frozenset[str],
    workers: int | None = None,
    is_open: bool = False,
    game: str | None = None,
    heuristics: tuple[OwnHeuristic, ...] = (),
    records: str | None = None,
    league: str | None = None,
) -> ASGIApp:
    """Return the application that serves pages at one of the `hosts`, such as `localhost:8765`.

    With `is_open`, the address at which a connection arrives is also accepted as a host. `game` is
    a user-defined game as `file.py:name`, and `heuristics` are the user's. `records` is a file
    whose report the page shows, and `league` the folder of a class whose leaderboard it shows.
    """
    scheduler = Scheduler(workers, game, heuristics)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        scheduler.start()
        yield
        await scheduler.stop()

    static, described = _static(), JSONResponse(description())
    posts, pages = _Places(MAX_POSTS), _Places(MAX_PAGES)

    links = {REPORT: records, LEADERBOARD: league}
    first = _with_links(static["index.html"], [link for link, shown in links.items() if shown])

    async def page(request: Request) -> Response:
        return first

    async def report(request: Request) -> Response:
        if records is None:
            return _error("no records; expected plyscope web --records FILE", 404)
        return await asyncio.to_thread(_report, records)

    async def leaderboard(request: Request) -> Response:
        if league is None:
            return _error("no leaderboard; expected plyscope web --leaderboard FOLDER", 404)
        return await asyncio.to_thread(_leaderboard, Path(league))

    async def file(request: Request) -> Response:
        return static.get(request.path_params["name"]) or _error("no such file", 404)

    async def openapi(request: Request) -> Response:
        return described

    async def ask(request: Request) -> Response:
        with posts.place(_client(request)) as refusal:
            if refusal:
                return _error(f"{refusal} requests are running; {TRY_LATER}", 429)
            return await _ask(scheduler, request)

    async def socket(websocket: WebSocket) -> None:
        with pages.place(_client(websocket)) as refusal:
            if refusal:
                await websocket.close(1013, f"{refusal} pages are open; {TRY_LATER}")
            else:
                await _converse(scheduler, websocket)

    routes = [
        Route("/", page),
        Route("/report", report),
        Route("/leaderboard", leaderboard),
        Route("/static/{name:path}", file),
        Route("/api/openapi.json", openapi),
        Route("/api/{endpoint}", ask, methods=["POST"]),
        WebSocketRoute("/socket", socket),
    ]
    return _Guard(Starlette(routes=routes, lifespan=lifespan), hosts, is_open)


class _Places:
    """A number of places, of which one address takes at most half."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.taken: Counter[str | None] = Counter()

    @contextlib.contextmanager
    def place(self, address: str | None) -> Iterator[str]:
        """Take a place for the block; yield the beginning of an error message if there is none."""
        if self.taken.total() >= self.number:
            yield str(self.number)
        elif self.taken[address] >= self.number // 2:
            yield f"{self.number // 2} of your"
        else:
            self.taken[address] += 1
            try:
                yield ""
            finally:
                self.taken[address] -= 1
                self.taken += Counter()  # removes addresses with none


def _static() -> dict[str, _File]:
    """Return the front-end's files by name.

    The page loads its style and its scripts, each joined into one file, under a digest of all
    files, so that a browser may cache them.
    """
    files: dict[str, str | bytes] = {
        STYLE: FONT_FACE + style_sheet(),
        FONT: (STATIC / FONT).read_bytes(),
    }
    for kind in (".html", ".js", ".svg"):
        files |= front_end(kind)
    digest = sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    files["index.html"] = str(files["index.html"]).replace("/static/", f"/static/{digest}/")
    kept = {name: files[name] for name in (STYLE, FONT, "icon.svg")} | {ENTRY: scripts(ENTRY)}
    return {name: _file(name, content) for name, content in files.items()} | {
        f"{digest}/{name}": _file(name, content, IMMUTABLE) for name, content in kept.items()
    }


def _file(name: str, content: str | bytes, headers: dict[str, str] | None = None) -> _File:
    return _File(content, {"content-type": TYPES[Path(name).suffix], **(headers or {})})


class _File(Response):
    """A file, sent compressed to clients that accept gzip; it is compressed once, on first use."""

    def __init__(self, content: str | bytes, headers: dict[str, str]) -> None:
        super().__init__(content, headers=headers | {"vary": "accept-encoding"})
        self.own_headers = headers

    @cached_property
    def compressed(self) -> Response:
        """The same file as gzip."""
        more = {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(gzip.compress(self.body, mtime=0), headers=self.own_headers | more)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = Headers(scope=scope).get("accept-encoding", "")
        is_taken = len(self.body) > MIN_COMPRESSED_BYTES and GZIP.search(accepted)
        if is_taken:
            await self.compressed(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


REPORT = '<a href="/report">Report of the records</a>'
LEADERBOARD = '<a href="/leaderboard">Leaderboard</a>'
LEADERBOARD_SECONDS = 5
"""Seconds after which a browser reloads the leaderboard."""


def _with_links(page: Response, links: list[str]) -> Response:
    """Return the page with links to other pages of this server, if there are any."""
    if not links:
        return page
    text = bytes(page.body).decode()
    text = text.replace("<main", f'<nav class="records">{" ".join(links)}</nav><main', 1)
    return Response(text, headers={"content-type": TYPES[".html"]})


def _report(file: str) -> Response:
    """Return the current report of a file of records; its positions link to the page."""
    from plyscope.faces.findings.records import sections
    from plyscope.faces.report.write import report_html
    from plyscope.lab.matches.findings import findings
    from plyscope.lab.matches.records import Records

    try:
        with Records(file, reading=True) as records:
            told = sections(findings(records), records.cards(), records.tunings())
            text = report_html(f"Report of {Path(file).name}", told, page="/")
    except PlyscopeError as error:
        return _error(in_short(error), 500)
    return _styled(text)


def _leaderboard(folder: Path) -> Response:
    """Return the leaderboard that `class run` last wrote, which reloads itself."""
    from plyscope.faces.findings.section import Section
    from plyscope.faces.report.write import report_html

    try:
        text = (folder / "leaderboard.html").read_text(encoding="utf-8")
    except (OSError, ValueError):
        text = report_html("The league", [Section(1, "No match has been played yet")])
    shown = _styled(text)
    shown.headers["refresh"] = str(LEADERBOARD_SECONDS)
    return shown


def _styled(text: str) -> Response:
    """Return a report as a page whose own style the policy allows."""
    text = text.replace("</head>", f"{ICON}</head>", 1)
    styles = (b64encode(sha256(style.encode()).digest()).decode() for style in STYLES.findall(text))
    allowed = " ".join(f"'sha256-{digest}'" for digest in dict.fromkeys(styles))
    policy = POLICY.replace("style-src 'self'", f"style-src {allowed}")
    return Response(text, headers={"content-type": TYPES[".html"], POLICY_HEADER: policy})


class _Guard:
    """Rejects requests for another host or from another page; adds headers to responses."""

    def __init__(self, inner: ASGIApp, hosts: frozenset[str], is_open: bool) -> None:
        self.inner, self.hosts, self.is_open = inner, hosts, is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.inner(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = message.get("headers", ())
                names = {name for name, _ in own}
                message["headers"] = [*own, *(item for item in HEADERS if item[0] not in names)]
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        why = self._refusal(scope)
        if why is None:
            await self.inner(scope, receive, with_headers)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})
        else:
            await _error(why, 403)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        hosts = self.hosts | {_address(scope)} if self.is_open else self.hosts
        if host not in hosts:
            return f"host {host[:60]!r}; expected {', '.join(sorted(hosts))}"
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        own = {f"{kind}://{name}" for kind in ("http", "https") for name in hosts}
        if (origin or scope["type"] == "websocket") and origin not in own:
            return f"origin {origin[:60]!r}; expected this page's own"
        return None


def _address(scope: Scope) -> str:
    """Return the server's address of a connection, as a Host header writes it.

    It is an IP address, which DNS rebinding cannot imitate.
    """
    host, port = scope["server"]
    at = ip_address(host.partition("%")[0])
    if isinstance(at, IPv6Address):
        at = at.ipv4_mapped or at
    shown = f"[{at}]" if isinstance(at, IPv6Address) else str(at)
    return shown if port == 80 else f"{shown}:{port}"


async def _ask(scheduler: Scheduler, request: Request) -> Response:
    """Answer a POST request; cancel the job when the client disconnects."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY_BYTES:
                    text = f"a request of more than {MAX_BODY_BYTES:,} bytes; expected fewer"
                    return _error(text, 413)
    except TimeoutError:
        return _error(f"the request did not arrive within {BODY_SECONDS:.0f} seconds", 408)
    news: list[tuple[str, bytes]] = []
    endpoint = request.path_params["endpoint"]
    try:
        job = await scheduler.take(
            endpoint, bytes(body), lambda *item: news.append(item), address=_client(request)
        )
    except PlyscopeError as error:
        return _error(in_short(error), 429 if isinstance(error, QueueFull) else 400)
    while not job.done.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(job.done.wait(), POLL_SECONDS)
        if not job.done.is_set() and await request.is_disconnected():
            await scheduler.cancel(job)
    kind, message = news[-1]
    if kind != "found":
        message = b'{"error":%s}' % message
    return Response(message, STATUS[kind], media_type="application/json")


def _client(connection: HTTPConnection) -> str | None:
    """Return the client's address."""
    return None if connection.client is None else connection.client.host


def _error(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status)


async def _converse(scheduler: Scheduler, websocket: WebSocket) -> None:
    """Serve a page's WebSocket until it closes."""
    await websocket.accept()
    outgoing: asyncio.Queue[bytes] = asyncio.Queue()

    async def send() -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await websocket.send_text((await outgoing.get()).decode())

    conversation = Conversation(scheduler, outgoing.put_nowait, _client(websocket))
    sender = asyncio.create_task(send())
    try:
        while not sender.done():
            await conversation.hear(await websocket.receive_text())
            while outgoing.qsize() > MAX_UNREAD and not sender.done():
                await asyncio.sleep(POLL_SECONDS)  # read no more until the page has read
    except (WebSocketDisconnect, KeyError):  # KeyError: the page sent bytes
        pass
    finally:
        sender.cancel()
        await conversation.end()
