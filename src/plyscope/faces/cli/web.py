"""`plyscope web`: the page: play, analyse, step through searches, be quizzed.

It is served to this machine alone unless --host says otherwise, and works without a network.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import sys
import threading
import webbrowser
from typing import Any

from plyscope.faces.cli.options import whole
from plyscope.faces.cli.statuses import DONE

__all__ = ["add", "run"]

LOOPBACK = "127.0.0.1"
PORT = 8765


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("web", help="the page: play, analyse, see searches step by step, quiz", description=__doc__)
    parser.add_argument("--host", default=LOOPBACK, metavar="ADDRESS", help=f"the address to listen at (default: {LOOPBACK})")
    parser.add_argument("--port", type=whole(0, 65_535), default=PORT, metavar="N", help=f"0 takes a free one (default: {PORT})")
    parser.add_argument("--name", action="append", default=[], metavar="HOST", help="another name by which pages may ask for it")
    parser.add_argument("--workers", type=whole(1, 256), metavar="N", help="processes that search (default: one for each core)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    import uvicorn

    from plyscope.errors import OptionError
    from plyscope.faces.web.app import MOST_BYTES, app

    family = socket.AF_INET6 if ":" in arguments.host else socket.AF_INET
    # asyncio sends small answers at once (TCP_NODELAY) on sockets that say they are TCP, and else 40 ms later
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((arguments.host, arguments.port))
        listener.listen()
    except OSError as error:
        raise OptionError(
            f"cannot listen at {arguments.host!r}, port {arguments.port}: {error.strerror}; expected a free port of this machine"
        ) from None
    port = listener.getsockname()[1]
    shown = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    names = {shown, "localhost", LOOPBACK, *arguments.name}
    hosts = frozenset({f"{name}:{port}".lower() for name in names} | ({name.lower() for name in names} if port == 80 else set()))
    url = f"http://{shown}:{port}/"
    print(f"plyscope is at {url} (Ctrl-C stops)", flush=True)
    if not arguments.no_browser:
        threading.Timer(0.5, webbrowser.open, [url]).start()
    server = uvicorn.Server(
        uvicorn.Config(
            app(hosts, arguments.workers),
            log_level="critical",  # at Ctrl-C it would tell of every question that was left unanswered
            ws_max_size=MOST_BYTES,
            limit_concurrency=1000,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    print("\nstopped", file=sys.stderr)
    return DONE
