"""The server: one page, its files, and the verbs by POST and over a WebSocket.

What it trusts: nobody but pages it has served itself. Host and Origin have to be its own, so that no page from elsewhere reaches it by a
renamed address; bodies are bounded; files are read once at the start and found by name in a dictionary; nothing that is asked reaches a
file name, a shell or `eval`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyscope.errors import PlyscopeError
from plyscope.faces.web.desk import Conversation, Desk, DeskFull
from plyscope.faces.web.openapi import description

__all__ = ["app"]

MOST_BYTES = 1 << 18
LISTENING = 0.25
"""Seconds between two looks whether whoever asked is still there."""
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
)


def app(hosts: frozenset[str], workers: int | None = None) -> ASGIApp:
    """Return the server for pages asked for by one of the `hosts`, names with their port such as `localhost:8765`."""
    desk = Desk(workers)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        desk.start()
        yield
        await desk.stop()

    static = _static()

    def page(request: Request) -> Response:
        return static["index.html"]

    def file(request: Request) -> Response:
        return static.get(request.path_params["name"]) or JSONResponse({"error": "no such file"}, 404)

    async def ask(request: Request) -> Response:
        return await _ask(desk, request)

    async def socket(websocket: WebSocket) -> None:
        await _converse(desk, websocket)

    routes = [
        Route("/", page),
        Route("/static/{name}", file),
        Route("/api/openapi.json", lambda request: JSONResponse(description())),
        Route("/api/{verb}", ask, methods=["POST"]),
        WebSocketRoute("/socket", socket),
    ]
    return _Guard(Starlette(routes=routes, lifespan=lifespan), hosts)


def _static() -> dict[str, Response]:
    """Return the front-end's files, by name."""
    folder = files("plyscope.faces.web") / "static"
    found = {}
    for item in folder.iterdir():
        kind = TYPES.get(f".{item.name.rpartition('.')[2]}")
        if kind is not None:
            found[item.name] = Response(item.read_bytes(), headers={"content-type": kind})
    return found


class _Guard:
    """Turns away whoever asks for another host or from another page, and puts the headers on every answer."""

    def __init__(self, inner: ASGIApp, hosts: frozenset[str]) -> None:
        self.inner, self.hosts = inner, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.inner(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        why = self._refusal(scope)
        if why is None:
            await self.inner(scope, receive, with_headers)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})
        else:
            await JSONResponse({"error": why}, 403)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self.hosts:
            return f"host {host[:60]!r}; expected {', '.join(sorted(self.hosts))}"
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if (origin or scope["type"] == "websocket") and origin not in {
            f"{kind}://{name}" for kind in ("http", "https") for name in self.hosts
        }:
            return f"origin {origin[:60]!r}; expected this page's own"
        return None


async def _ask(desk: Desk, request: Request) -> Response:
    """Answer one question by POST; stop working on it when whoever asked goes away."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return JSONResponse({"error": f"a question of more than {MOST_BYTES:,} bytes; expected fewer"}, 413)
    try:
        arguments = json.loads(bytes(body))
    except (ValueError, RecursionError) as error:
        return JSONResponse({"error": f"cannot read the question: {str(error)[:120]}; expected JSON"}, 400)
    said: list[dict[str, Any]] = []
    try:
        job = await desk.take(request.path_params["verb"], arguments, said.append)
    except PlyscopeError as error:
        return JSONResponse({"error": str(error)}, 429 if isinstance(error, DeskFull) else 400)
    while not job.done.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(job.done.wait(), LISTENING)
        if not job.done.is_set() and await request.is_disconnected():
            await desk.cancel(job)
    last = said[-1]
    return JSONResponse(last["found"] if "found" in last else {"error": last["error"]}, 200 if "found" in last else 400)


async def _converse(desk: Desk, websocket: WebSocket) -> None:
    """Talk with a page until it goes away."""
    await websocket.accept()
    outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def send() -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await websocket.send_text(json.dumps(await outgoing.get(), ensure_ascii=False))

    conversation = Conversation(desk, outgoing.put_nowait)
    sender = asyncio.create_task(send())
    try:
        while True:
            try:
                said = json.loads(await websocket.receive_text())
            except (ValueError, RecursionError):
                said = None
            await conversation.hear(said)
    except (WebSocketDisconnect, KeyError):  # KeyError: the page sent bytes
        pass
    finally:
        sender.cancel()
        await conversation.end()
