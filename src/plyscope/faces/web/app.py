"""The server: one page, its files, and the verbs by POST and over a WebSocket.

What it trusts: nobody but pages it has served itself. Host and Origin have to be its own, so that
no page from elsewhere reaches it by a renamed address; bodies are bounded, in bytes and in time;
files are read once at the start and found by name in a dictionary; nothing that is asked reaches a
file name, a shell or `eval`. Questions and answers pass through unread: workers read them.
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
from plyscope.faces.web.conversation import Conversation
from plyscope.faces.web.desk import Desk, DeskFull
from plyscope.faces.web.frontend import ENTRY, STYLE, front_end, scripts, style_sheet
from plyscope.faces.web.openapi import description
from plyscope.faces.web.verbs import in_short

MOST_BYTES = 1 << 18
MOST_PAGES, MOST_POSTS = 400, 300
"""Sockets that may be open, and posted questions that may be in work, at a time."""
MOST_UNREAD = 64
"""Messages that a page may leave unread."""
BODY_SECONDS = 10.0
"""How long a question may take to come."""
READING_SECONDS = 30.0
"""How long a part of an answer may take to be read."""
LISTENING = 0.25
"""Seconds between two looks whether whoever asked is still there."""
ICON = '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
LATER = "expected another try later"
STATUS = {"found": 200, "error": 400, "failed": 500}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
LEAST_COMPRESSED = 1000
"""Bytes of a file that is worth compressing."""
GZIP = re.compile(r"(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))")
FOR_GOOD = {"cache-control": "max-age=31536000, immutable"}
"""What is asked for by its digest never changes."""
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
    records: str | None = None,
) -> ASGIApp:
    """Return the server for pages asked for by one of the `hosts`, such as `localhost:8765`.

    Where it `is_open`, they may ask by the address too at which their connection has come in.
    `game` is the text of a game of one's own that is played beside line games, `records` a file
    whose report the page shows.
    """
    desk = Desk(workers, game)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        desk.start()
        yield
        await desk.stop()

    static, described = _static(), JSONResponse(description())
    posts, pages = _Places(MOST_POSTS), _Places(MOST_PAGES)

    first = static["index.html"] if records is None else _with_report(static["index.html"])

    async def page(request: Request) -> Response:
        return first

    async def report(request: Request) -> Response:
        if records is None:
            return _error("no records; expected plyscope web --records FILE", 404)
        return await asyncio.to_thread(_report, records)

    async def file(request: Request) -> Response:
        return static.get(request.path_params["name"]) or _error("no such file", 404)

    async def openapi(request: Request) -> Response:
        return described

    async def ask(request: Request) -> Response:
        with posts.place(_client(request)) as refusal:
            if refusal:
                return _error(f"{refusal} questions are in work already; {LATER}", 429)
            return await _ask(desk, request)

    async def socket(websocket: WebSocket) -> None:
        with pages.place(_client(websocket)) as refusal:
            if refusal:
                await websocket.close(1013, f"{refusal} pages are open already; {LATER}")
            else:
                await _converse(desk, websocket)

    routes = [
        Route("/", page),
        Route("/report", report),
        Route("/static/{name:path}", file),
        Route("/api/openapi.json", openapi),
        Route("/api/{verb}", ask, methods=["POST"]),
        WebSocketRoute("/socket", socket),
    ]
    return _Guard(Starlette(routes=routes, lifespan=lifespan), hosts, is_open)


class _Places:
    """So many places, of which one address has no more than half."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.taken: Counter[str | None] = Counter()

    @contextlib.contextmanager
    def place(self, address: str | None) -> Iterator[str]:
        """Take a place; give why not, the beginning of a sentence, where there is none."""
        if self.taken.total() >= self.number:
            yield str(self.number)
        elif self.taken[address] >= self.number // 2:
            yield f"{self.number // 2} of your address's"
        else:
            self.taken[address] += 1
            try:
                yield ""
            finally:
                self.taken[address] -= 1
                self.taken += Counter()  # forget who has none


def _static() -> dict[str, _File]:
    """Return the front-end's files, by name, and what the page asks for: its style and its scripts,
    each joined, under a digest of all of them, so that a browser may keep them."""
    texts = {STYLE: style_sheet()}
    for kind in TYPES.keys() - {".css"}:
        texts |= front_end(kind)
    digest = sha256(repr(sorted(texts.items())).encode()).hexdigest()[:16]
    texts["index.html"] = texts["index.html"].replace("/static/", f"/static/{digest}/")
    kept = {ENTRY: scripts(ENTRY), STYLE: texts[STYLE], "icon.svg": texts["icon.svg"]}
    return {name: _file(name, text) for name, text in texts.items()} | {
        f"{digest}/{name}": _file(name, text, FOR_GOOD) for name, text in kept.items()
    }


def _file(name: str, text: str, headers: dict[str, str] | None = None) -> _File:
    return _File(text, {"content-type": TYPES[Path(name).suffix], **(headers or {})})


class _File(Response):
    """A file, which is sent compressed to those who take it so; compressed once, when the first
    asks."""

    def __init__(self, text: str, headers: dict[str, str]) -> None:
        super().__init__(text, headers=headers | {"vary": "accept-encoding"})
        self.own_headers = headers

    @cached_property
    def compressed(self) -> Response:
        """The same as gzip."""
        more = {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(gzip.compress(self.body, mtime=0), headers=self.own_headers | more)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = Headers(scope=scope).get("accept-encoding", "")
        is_taken = len(self.body) > LEAST_COMPRESSED and GZIP.search(accepted)
        if is_taken:
            await self.compressed(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def _with_report(page: Response) -> Response:
    """Return the page with a way to the report of its records."""
    link = b'<nav class="records"><a href="/report">What the records tell</a></nav><main'
    text = bytes(page.body).replace(b"<main", link)
    return Response(text, headers={"content-type": TYPES[".html"]})


def _report(file: str) -> Response:
    """Return the report of a file of records, as it is now; its positions lead to the page."""
    from plyscope.faces.findings.records import sections
    from plyscope.faces.report.write import report_html
    from plyscope.lab.findings import findings
    from plyscope.lab.records import Records

    try:
        with Records(file, reading=True) as records:
            told = sections(findings(records), records.cards(), records.tunings())
            text = report_html(f"What {Path(file).name} tells", told, page="/")
            text = text.replace("</head>", f"{ICON}</head>", 1)
    except PlyscopeError as error:
        return _error(in_short(error), 500)
    styles = (b64encode(sha256(style.encode()).digest()).decode() for style in STYLES.findall(text))
    allowed = " ".join(f"'sha256-{digest}'" for digest in dict.fromkeys(styles))
    policy = POLICY.replace("style-src 'self'", f"style-src {allowed}")
    return Response(text, headers={"content-type": TYPES[".html"], POLICY_HEADER: policy})


class _Guard:
    """Turns away whoever asks for another host or from another page; puts headers on answers."""

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
            async with asyncio.timeout(READING_SECONDS):
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
    """Return where the connection came in as a Host header names it: no name can be bent to it."""
    host, port = scope["server"]
    at = ip_address(host.partition("%")[0])
    if isinstance(at, IPv6Address):
        at = at.ipv4_mapped or at
    shown = f"[{at}]" if isinstance(at, IPv6Address) else str(at)
    return shown if port == 80 else f"{shown}:{port}"


async def _ask(desk: Desk, request: Request) -> Response:
    """Answer one question by POST; stop working on it when whoever asked goes away."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    text = f"a question of more than {MOST_BYTES:,} bytes; expected fewer"
                    return _error(text, 413)
    except TimeoutError:
        late = f"a question that took more than {BODY_SECONDS:.0f} seconds to come"
        return _error(f"{late}; expected it sooner", 408)
    news: list[tuple[str, bytes]] = []
    verb = request.path_params["verb"]
    try:
        job = await desk.take(
            verb, bytes(body), lambda *item: news.append(item), address=_client(request)
        )
    except PlyscopeError as error:
        return _error(in_short(error), 429 if isinstance(error, DeskFull) else 400)
    while not job.done.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(job.done.wait(), LISTENING)
        if not job.done.is_set() and await request.is_disconnected():
            await desk.cancel(job)
    kind, message = news[-1]
    if kind != "found":
        message = b'{"error":%s}' % message
    return Response(message, STATUS[kind], media_type="application/json")


def _client(connection: HTTPConnection) -> str | None:
    """Return the address of whoever asks."""
    return None if connection.client is None else connection.client.host


def _error(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status)


async def _converse(desk: Desk, websocket: WebSocket) -> None:
    """Talk with a page until it goes away."""
    await websocket.accept()
    outgoing: asyncio.Queue[bytes] = asyncio.Queue()

    async def send() -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await websocket.send_text((await outgoing.get()).decode())

    conversation = Conversation(desk, outgoing.put_nowait, _client(websocket))
    sender = asyncio.create_task(send())
    try:
        while not sender.done():
            await conversation.hear(await websocket.receive_text())
            while outgoing.qsize() > MOST_UNREAD and not sender.done():
                await asyncio.sleep(LISTENING)  # whoever does not read is not listened to
    except (WebSocketDisconnect, KeyError):  # KeyError: the page sent bytes
        pass
    finally:
        sender.cancel()
        await conversation.end()
