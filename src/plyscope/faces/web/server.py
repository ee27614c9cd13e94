"""How the server is run: by uvicorn, which waits for nobody for ever and reads small pieces."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from plyscope.faces.web.app import MOST_BYTES

REQUEST_SECONDS = 10.0
"""How long a connection may be open without a whole request."""
MOST_WITHOUT_REQUEST = 200
"""Such connections that may be open at a time; beyond that the oldest is closed."""
MOST_CONNECTIONS = 1000
PIECE = 1024
"""Bytes that are read at a time, between which others have their turn: a chunk or a frame may be a
few bytes, and each takes some microseconds."""


def server(application: ASGIApp, **options: Any) -> uvicorn.Server:
    """Return a server of the application; `options` are uvicorn's."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=type("Impatient", (_Impatient,), {"waiting": {}}),
            loop="asyncio",
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,  # answers may be megabytes
            limit_concurrency=MOST_CONNECTIONS,
            server_header=False,
            timeout_graceful_shutdown=1,
            # At Ctrl-C it would tell of every question that was left unanswered.
            **{"log_level": "critical", **options},
        )
    )


class _Impatient(H11Protocol):
    """A connection that is closed when no request comes, or only half of one."""

    waiting: dict[_Impatient, asyncio.TimerHandle]
    """Connections without a request, the oldest first, and what will close them."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport.max_size = PIECE  # type: ignore[attr-defined]
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Begin to wait for a request, or stop."""
        is_at_work = self.cycle is not None and not self.cycle.response_complete
        if is_at_work or self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._stop_waiting()
        elif self not in self.waiting:
            self.waiting[self] = self.loop.call_later(REQUEST_SECONDS, self._give_up)
            if len(self.waiting) > MOST_WITHOUT_REQUEST:
                next(iter(self.waiting))._give_up()

    def _give_up(self) -> None:
        self._stop_waiting()
        self.transport.abort()

    def _stop_waiting(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()
