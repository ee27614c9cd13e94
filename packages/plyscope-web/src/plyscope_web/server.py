"""The uvicorn server: idle connections are closed, and data is read in small pieces."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from plyscope_web.app import MAX_BODY_BYTES

REQUEST_SECONDS = 10.0
"""The time limit for a connection without a complete request."""
MAX_IDLE_CONNECTIONS = 200
"""The most connections without a complete request; beyond that the oldest is closed."""
MAX_CONNECTIONS = 1000
READ_BYTES = 1024
"""Bytes read at a time. Other connections have their turn in between, since each chunk or frame
takes microseconds and may be a few bytes."""


def server(application: ASGIApp, **options: Any) -> uvicorn.Server:
    """Return a server of the application; `options` are uvicorn's."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=type("TimedConnection", (_TimedConnection,), {"waiting": {}}),
            loop="asyncio",
            ws_max_size=MAX_BODY_BYTES,
            ws_per_message_deflate=False,  # answers may be megabytes
            limit_concurrency=MAX_CONNECTIONS,
            server_header=False,
            timeout_graceful_shutdown=1,
            # On Ctrl-C, uvicorn would log every unanswered request.
            **{"log_level": "critical", **options},
        )
    )


class _TimedConnection(H11Protocol):
    """A connection that is closed when no complete request arrives in time."""

    waiting: dict[_TimedConnection, asyncio.TimerHandle]
    """Connections without a request, the oldest first, each with the timer that will close it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport.max_size = READ_BYTES  # type: ignore[attr-defined]
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
        """Start or stop the timer, depending on whether a request is being answered."""
        is_at_work = self.cycle is not None and not self.cycle.response_complete
        if is_at_work or self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._stop_waiting()
        elif self not in self.waiting:
            self.waiting[self] = self.loop.call_later(REQUEST_SECONDS, self._give_up)
            if len(self.waiting) > MAX_IDLE_CONNECTIONS:
                next(iter(self.waiting))._give_up()

    def _give_up(self) -> None:
        self._stop_waiting()
        self.transport.abort()

    def _stop_waiting(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()
