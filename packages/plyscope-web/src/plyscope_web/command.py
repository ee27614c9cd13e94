"""`plyscope web`: open the page to play, analyse, step through searches, and practise.

Only this machine can reach it unless --host says otherwise, and it needs no network. A search is
compiled when it is first used, which takes some seconds; `plyscope warm` compiles all of them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import socket
import sys
import threading
import webbrowser
from ipaddress import ip_address
from pathlib import Path

from plyscope.errors import OptionError
from plyscope.extras import EXTRAS, missing, needs
from plyscope.faces.cli.options import whole
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8765


HELP = "open the page: play, analyse, step through searches, practise"
OPTIONS = (
    Option(
        "-g --game GAME",
        "also offer your own game, such as nim.py:Nim, in the rooms Play and Trees",
    ),
    Option(
        "-H --heuristic NAME",
        "also offer your own heuristic in every list, file.py:name or table.toml; may be repeated",
        default=[],
        is_list=True,
    ),
    Option(
        "--records FILE",
        "show the report of this file of records, with its cards and tunings",
    ),
    Option(
        "--leaderboard FOLDER",
        "show the league of a class, the folder of `class run`, at /leaderboard",
    ),
    Option("--host ADDRESS", f"the address to listen on (default: {LOOPBACK})", default=LOOPBACK),
    Option(
        "--port N",
        f"the port, 0 for a free one (default: {DEFAULT_PORT})",
        whole(0, 65_535),
        DEFAULT_PORT,
    ),
    Option("--name HOST", "another host name of this server", default=[], is_list=True),
    Option("-j --jobs N", "search in N processes (default: one for each core)", whole(1, 1024)),
    Option("--json", "print the address as JSON, on one line; with --static, the files"),
    Option("--no-browser", "do not open the page"),
    Option(
        "--static FOLDER",
        "serve nothing: write the page into this folder, for any web server; it needs no plyscope "
        "there, since Python runs in the browser",
    ),
    Option(
        "--pyodide FOLDER",
        "with --static: the files of Pyodide and the wheel of msgspec "
        "(default: of node_modules, or downloaded)",
    ),
)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    if lacking := missing(EXTRAS["web"]):
        raise needs("the page", lacking, "web")
    if arguments.static is not None:
        return _write(arguments)
    if arguments.pyodide is not None:
        raise OptionError("--pyodide without --static; expected both")
    from plyscope_web.app import app
    from plyscope_web.endpoints.inputs import OwnHeuristic
    from plyscope_web.server import server

    if arguments.game is not None:
        _require_own(arguments.game)
    heuristics = OwnHeuristic.named(arguments.heuristic)  # raises before a worker tries
    if arguments.records is not None:
        from plyscope.lab.matches.records import Records

        Records(arguments.records, reading=True).close()  # raises the error of any other file
    if arguments.leaderboard is not None:
        _require_class(arguments.leaderboard)
    listener = _listener(arguments.host, arguments.port)
    address, port = listener.getsockname()[:2]
    at = ip_address(address.partition("%")[0])
    shown = f"[{at}]" if at.version == 6 else str(at)
    names = {LOOPBACK, "localhost", *arguments.name} | ({"[::1]"} if at.version == 6 else set())
    if not at.is_loopback:
        names |= {socket.gethostname()}
    if not at.is_unspecified:
        names |= {shown}
    url = f"http://{LOOPBACK if at.is_unspecified else shown}:{port}/"
    reached = sorted(names | (_own_addresses() if at.is_unspecified else set()))
    if arguments.json:
        said = {"url": url, "names": reached, "is_open": not at.is_loopback}
        print(json.dumps(said), flush=True)
    else:
        print(f"plyscope is at {url} (Ctrl-C stops)", flush=True)
        if arguments.leaderboard is not None:
            print(f"the leaderboard is at {url}leaderboard", flush=True)
    if not (at.is_loopback or arguments.json):
        print(
            "anyone who can reach this machine can open it, without a password, "
            f"as {', '.join(reached)} (--name adds a name)",
            flush=True,
        )
    if not arguments.no_browser:
        opened = url if arguments.leaderboard is None else f"{url}leaderboard"
        threading.Timer(0.5, webbrowser.open, [opened]).start()
    hosts = {f"{name}:{port}".lower() for name in names}
    # a name may be that of a reverse proxy in front of this server
    without_port = names if port == 80 else arguments.name
    hosts |= {name.lower() for name in without_port}
    served = app(
        frozenset(hosts),
        arguments.jobs,
        is_open=at.is_unspecified,
        game=arguments.game,
        heuristics=heuristics,
        records=arguments.records,
        league=arguments.leaderboard,
    )
    with contextlib.suppress(KeyboardInterrupt):
        server(served).run(sockets=[listener])
    print("\nstopped", file=sys.stderr)
    return DONE


def _write(arguments: argparse.Namespace) -> int:
    """Write the page as a folder of files."""
    from plyscope_web.site import write_site

    for option in ("game", "heuristic", "records", "leaderboard"):
        if getattr(arguments, option):
            raise OptionError(
                f"--{option} with --static; expected one of them: that page has no server"
            )

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    folder, given = Path(arguments.static), arguments.pyodide
    found = write_site(folder, None if given is None else Path(given), say)
    if arguments.json:
        print(json.dumps(found))
        return DONE
    print(
        f"{arguments.static}: {len(found['files'])} files, {found['bytes'] / 1e6:.1f} MB, "
        f"{found['compressed'] / 1e6:.1f} MB when the server compresses them"
    )
    print(f"to look at it: python -m http.server --directory {shlex.quote(arguments.static)}")
    return DONE


def _require_class(folder: str) -> None:
    """Raise OptionError for a folder that `plyscope class new` has not made."""
    if not Path(folder, "assignment.toml").is_file():
        raise OptionError(
            f"no assignment.toml in {folder!r}; expected the folder of a class, "
            "which 'plyscope class new' makes"
        )


def _require_own(game: str) -> None:
    """Raise the error of a game that cannot be loaded, before a worker tries; raise OptionError for
    a line game that the page offers anyway."""
    from plyscope.rules.game import GamePosition
    from plyscope.rules.source import as_position

    own = as_position(game)
    if not (isinstance(own, GamePosition) or own.game.of_file):
        raise OptionError(
            f"--game {game!r}; expected a game of your own, such as 'nim.py:Nim' or 'mygame.toml'"
        )


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket bound to this address; raise OptionError if that is impossible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small responses at once (TCP_NODELAY) only if the socket's protocol is TCP;
    # otherwise they are delayed by 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except (OSError, ValueError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or type(error).__name__
        raise OptionError(
            f"cannot listen at {host!r}, port {port}: {why}; expected a free port of this machine"
        ) from None
    return listener


def _own_addresses() -> set[str]:
    """Return this machine's addresses in the network, if it has any."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        # nothing is sent: the system only selects a route and thus an address
        other.connect(("192.0.2.1", 9))
        return {other.getsockname()[0]}
    return set()
