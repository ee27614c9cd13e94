"""`plyscope gomocup`: an agent for five-in-a-row tournament managers such as Piskvork, which speaks
the Gomocup protocol, with commands of Yixin, on stdin and stdout. GTP is spoken if the first
command is one of it."""

from __future__ import annotations

import _thread
import argparse
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import inf
from queue import SimpleQueue
from random import Random
from threading import Lock, Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from plyscope.errors import NotationError, OptionError, PlyscopeError
from plyscope.faces.cli.options import print_json, seed_row
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import DONE

if TYPE_CHECKING:
    from plyscope.lab.agents.agent import Agent
    from plyscope.rules.linegame import LineGame
    from plyscope.rules.position import Position
    from plyscope.rules.words import Variants
    from plyscope.searching.result import SearchResult

MIN_SIDE, MAX_SIDE = 5, 20
"""The least and greatest side of a board."""
RESERVE_SECONDS = 0.05
"""Seconds of a move's time limit that are kept in reserve."""
QUICK_SECONDS = 0.5
"""Seconds of a move's time limit that are kept for a search without the engine."""
MAX_SECONDS = 86_400.0
"""The greatest time limit in seconds."""
TABLE_MEGABYTES, PROCESS_MEGABYTES = 64, 112
"""The size of the engine's table without a limit, and the memory of the process without it."""
DEFAULT_SECONDS = 1.0
"""The time of a move if the manager gives no limit."""
UNLIMITED_MS = 2_147_483_647
"""The protocol's `time_left` without a limit."""
OWN, THEIRS, BLOCKED = "1", "2", "3"
STOPS = ("END", "YXSTOP")
"""Commands that end the search of a move."""
SWAP2_STONES = (0, 3, 5)
"""The stones on the board at each decision of the swap2 opening."""
SWAP2_TRIALS = 10
"""The number of openings of three stones among which the most balanced is chosen."""


HELP = "run an agent that speaks the Gomocup protocol or GTP on stdin and stdout"
OPTIONS = (
    Option("--agent AGENT = engine", "the agent (default: engine, within the manager's time)"),
    seed_row(),
    Option("--json", "print the agent, its board sizes and rules as JSON, and exit"),
)


def run(arguments: argparse.Namespace) -> int:
    """Respond to commands until END or the end of input."""
    from plyscope.lab.agents.catalogue import parse_agent
    from plyscope.rules.gamefiles.piskvork import RULES
    from plyscope_worlds.gtp import Gtp, is_gtp

    agent = parse_agent(arguments.agent)
    if arguments.json:
        print_json(
            {
                "agent": agent.name,
                "sides": [MIN_SIDE, MAX_SIDE],
                "rules": [*map(int, RULES)],
            }
        )
        return DONE
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a manager names its folders in any encoding
    lines = _Lines(sys.stdin)
    kind, *options = arguments.agent.split()
    has_limit = any(option.startswith(("seconds=", "nodes=", "depth=")) for option in options)
    brain = _Brain(agent, Random(arguments.seed), lines, kind == "engine" and not has_limit)
    gtp: Gtp | None = None
    is_decided = False
    for line in filter(str.strip, lines):
        if not is_decided and line.lstrip().startswith("#"):  # a comment of GTP
            continue
        if not is_decided and is_gtp(line):
            gtp = Gtp(brain)
        is_decided = True
        if gtp is not None:
            if answer := gtp.answer(line):
                print(answer, flush=True)
            if re.fullmatch(r"\d*\s*quit", line.strip()):
                break
            continue
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "END":
            break
        for answer in brain.execute(word.upper(), rest.strip(), lines):
            print(answer, flush=True)
    return DONE


_OF_BOARD = re.compile(r"\d+,\d|DONE$")
"""A line that only a board can contain."""
_ONE_VARIATION = "MESSAGE only the best variation is searched"


class _Lines(Iterator[str]):
    """The lines of the manager, read in a thread of their own, which interrupts a search when the
    manager wants it to end."""

    def __init__(self, source: Iterable[str]) -> None:
        self._queue = SimpleQueue[str | None]()
        self._lock, self._is_thinking, self._is_stopped = Lock(), False, False
        Thread(target=self._read, args=(source,), daemon=True).start()

    def __next__(self) -> str:
        line = self._queue.get()
        if line is None:
            self._queue.put(None)  # for a reader after this one
            raise StopIteration
        return line

    def _read(self, source: Iterable[str]) -> None:
        try:
            for line in source:
                if line.strip().upper() in STOPS:
                    with self._lock:
                        if self._is_thinking and not self._is_stopped:
                            self._is_stopped = True
                            _thread.interrupt_main()
                self._queue.put(line)
        finally:
            self._queue.put(None)

    def interruptible(self, position: Position, **options: Any) -> SearchResult | None:
        """Return the engine's search of `position`, ended early by one of STOPS, or None if it was
        ended before it had begun. Raises KeyboardInterrupt on Ctrl-C."""
        from plyscope.searching.search import search

        found = None
        try:
            with self._lock:
                self._is_thinking, self._is_stopped = True, False
            found = search(position, "engine", keep_interrupted=True, **options)
            with self._lock:
                self._is_thinking = False
            sleep(0)  # an interrupt that came too late is raised here
        except KeyboardInterrupt:
            if not self._is_stopped:
                raise
        self._is_thinking = False
        if found is not None and found.stopped == "interrupted" and not self._is_stopped:
            raise KeyboardInterrupt
        return found


def _load(start: Position) -> None:
    """Compile or load the engine, and read the game."""
    from plyscope.searching.search import search

    search(start, "engine", nodes=1, megabytes=1)


class _Brain:
    """The current game, and the settings that the manager has sent."""

    def __init__(self, agent: Agent, random: Random, lines: _Lines, is_clocked: bool) -> None:
        from plyscope.lab.agents.searches import SearchAgent
        from plyscope.searching.accelerator import accelerator

        self.agent, self.random, self.lines = agent, random, lines
        self.clocked: dict[str, Any] | None = None
        """The search options of an engine that plays within the manager's time limits; None for any
        other agent."""
        if is_clocked and isinstance(agent, SearchAgent):
            options = dict(agent.options)
            self.megabytes = options.get("megabytes", TABLE_MEGABYTES)
            table = accelerator().table(self.megabytes)
            self.clocked = {**options, "table": table}
            self.clocked.pop("seconds", None)
        self.preparing: Thread | None = None
        self.game: LineGame | None = None
        self.stones: list[int] = []
        self.own: set[int] = set()
        self.blocked: set[int] = set()
        self.lost = ""
        """The line of a board that was not understood: no move is made before the next board."""
        self.turn: float | None = None
        self.left: float | None = None
        self.rule: Variants = {}

    def execute(self, word: str, rest: str, lines: Iterator[str]) -> list[str]:
        """Return the responses to a command; `lines` are the lines of input after it."""
        try:
            if word in ("START", "RECTSTART"):
                return self._start(rest)
            if word == "INFO":
                return self._learn(*rest.partition(" ")[::2])
            if word == "ABOUT":
                from plyscope.version import __version__

                return [f'name="plyscope", version="{__version__}"']
            if not word:
                return []
            if self.game is None:
                return [f"ERROR {word[:40]!r} before START; expected START size"]
            if word in ("BOARD", "YXBOARD"):
                self._read_board(lines, self._place)
                return self._move() if word == "BOARD" else []
            if word == "RESTART":
                self._set([], set())
                return ["OK"]
            if word == "SWAP2BOARD":
                return self._swap2(lines)
            if word in ("YXSTOP", "YXSHOWINFO"):  # the move has been sent
                return []
            if word == "YXHASHCLEAR":
                self._clear_table()
                return []
            if word == "YXSHOWFORBID":
                return [f"FORBID {''.join(self._forbidden())}."]
            if self.lost and word in ("BEGIN", "TURN", "PLAY", "TAKEBACK", "YXNBEST"):
                return [f"ERROR {word} after {self.lost!r}; expected START, RESTART or BOARD"]
            if word == "YXNBEST":  # a move for the side to move, whose stones may be named 2
                if 2 * len(self.own) > len(self.stones):
                    self.own = {*self.stones} - self.own
                return [*([] if rest == "1" else [_ONE_VARIATION]), *self._move()]
            if word in ("BEGIN", "TURN", "PLAY", "TAKEBACK"):
                return getattr(self, f"_{word.lower()}")(rest)  # type: ignore[no-any-return]
        except PlyscopeError as error:
            return [f"ERROR {error}"]
        if _OF_BOARD.match(word):  # of a command that is not known here, and its stones are missing
            self.lost = self.lost or word[:40]
        known = "START, BEGIN, TURN, PLAY, BOARD, SWAP2BOARD, INFO, RESTART, TAKEBACK, ABOUT or END"
        return [f"UNKNOWN {word[:40]!r}; expected {known}"]

    def _start(self, size: str) -> list[str]:
        """Begin a game on a board of n×n, `15`, or of w×h, `15,12`; Yixin writes `15 15`."""
        sides = [
            int(side) if side.isdecimal() and len(side) < 6 else 0
            for side in re.split(r"\s*,\s*|\s+", size)
        ]
        sides = sides * 2 if len(sides) == 1 else sides
        if len(sides) != 2 or not all(0 < side <= MAX_SIDE for side in sides):
            return [f"ERROR board {size[:20]!r}; expected sides of at most {MAX_SIDE}"]
        self.game = self._five_in_a_row(*sides)
        self._set([], set())
        self._prepare()
        return ["OK"]

    def _prepare(self) -> None:
        """Load the engine and read the game, which do not count against the time of a move. What
        has to be compiled is begun here, and only a move waits for it. Raises OptionError."""
        from plyscope.lab.agents.players import LevelAgent
        from plyscope.lab.agents.searches import SearchAgent, prepare_search
        from plyscope.searching.accelerator import accelerator
        from plyscope.searching.request import make_request

        if self.game is None:
            return
        if self.clocked is None:
            agent = self.agent
            if isinstance(agent, LevelAgent):
                agent = agent.searcher(self.game.start())
            if isinstance(agent, SearchAgent) and not agent.calls_user_function:
                self._begin_to_prepare(prepare_search, agent.algorithm, agent.options)
            return
        request = make_request(self.game.start(), "engine", nodes=1)
        if why_not := accelerator().refuses(request):
            raise OptionError(why_not)
        preparing = self._begin_to_prepare(_load)
        if accelerator().readiness(request).state != "missing":
            preparing.join()

    def _begin_to_prepare(self, work: Callable[..., None], *options: Any) -> Thread:
        """Call `work` with the options and the game in a thread, after the thread that prepares
        something already."""
        assert self.game is not None
        before, start = self.preparing, self.game.start()

        def prepare() -> None:
            if before is not None:
                before.join()
            with suppress(PlyscopeError):  # which the search of a move raises again
                work(*options, start)

        self.preparing = Thread(target=prepare, daemon=True)
        self.preparing.start()
        return self.preparing

    def _five_in_a_row(self, width: int, height: int) -> LineGame:
        from plyscope.rules.linegame import LineGame

        return LineGame.grid(width, height, k=min(5, max(width, height)), **self.rule)

    def _learn(self, key: str, value: str) -> list[str]:
        from plyscope.rules.gamefiles.piskvork import RULES
        from plyscope.rules.games import line_game
        from plyscope.searching.accelerator import accelerator

        value = value.strip()
        number = float(value) / 1000 if value.removeprefix("-").isdecimal() else 0.0
        seconds = max(0.0, min(MAX_SECONDS, number))
        if key == "timeout_turn":
            self.turn = seconds
        elif key == "time_left":
            self.left = None if number >= UNLIMITED_MS / 1000 else seconds
        elif key == "max_memory" and self.clocked is not None:
            limit = number * 1000 / (1 << 20) or inf  # 0 is no limit
            megabytes = min(self.megabytes, limit - PROCESS_MEGABYTES)
            self.clocked["table"] = accelerator().table(megabytes)
        elif key == "rule":
            self.rule = RULES.get(value, {})
            if self.game is not None:
                self.game = self._five_in_a_row(*self.game.shape)
                self._prepare()
            if value not in (*RULES, ""):
                known = "0 (five or more win), 1 (exactly five), 4 (Renju), 8 and 9 (Caro) are"
                return [f"MESSAGE rule {value[:20]!r} is not known here; {known}; playing 0"]
        elif key == "game" and self.game is not None:
            game = line_game(value)
            if game.shape == self.game.shape:
                self.game = game
                self._prepare()
        return []

    def _set(self, stones: list[int], own: set[int]) -> None:
        self.stones, self.own, self.blocked, self.lost = stones, own, set(), ""

    def _clear_table(self) -> None:
        from plyscope.searching.accelerator import accelerator

        if self.clocked is not None:
            self.clocked["table"] = accelerator().table(self.megabytes)

    def _forbidden(self) -> Iterator[str]:
        """Yield the cells that Renju forbids black, each as two digits of x and two of y."""
        from plyscope.rules.lines import bits

        assert self.game is not None
        if not self.game.renju:
            return
        position = self._position()
        black = self.game.position(position.first, position.second, 0)
        empty = ~(position.first | position.second) & (1 << self.game.size) - 1
        legal = sum(1 << move for move in black.moves)
        for cell in bits(empty & ~legal if not black.is_over else 0):
            row, column = divmod(cell, self.game.width)
            yield f"{column:02}{row:02}"

    def cell(self, text: str, is_taken: bool = False) -> int:
        """Return the empty cell of a text `x,y`, or a taken one; raise NotationError."""
        assert self.game is not None
        x, _, y = (part.strip() for part in text.partition(","))
        if not (x.isdecimal() and y.isdecimal() and len(text) < 20):
            raise NotationError(f"cell {text[:40]!r}; expected x,y")
        column, row = int(x), int(y)
        cell = row * self.game.width + column
        if (
            column >= self.game.width
            or row >= self.game.height
            or (cell in self.stones) != is_taken
            or cell in self.blocked
        ):
            wanted = (
                "a stone to take back"
                if is_taken
                else f"an empty one of the {self.game.width}×{self.game.height} board"
            )
            raise NotationError(f"cell {text[:40]!r}; expected {wanted}")
        return cell

    def _read_board(self, lines: Iterator[str], place: Callable[[str], None]) -> None:
        """Clear the board, and let `place` put a stone for each line up to DONE.

        If a line is wrong, read the others, clear the board again, and raise NotationError. No
        move is made then before the next board.
        """
        self._set([], set())
        wrong: NotationError | None = None
        for line in lines:
            if line.strip().upper() == "DONE":
                break
            try:
                place(line.strip())
            except NotationError as error:
                wrong = wrong or error
        if wrong is not None:
            self._set([], set())
            self.lost = "a board that was refused"
            raise wrong

    def _place(self, line: str) -> None:
        """Put the stone of a line of BOARD."""
        place, _, whose = line.rpartition(",")
        cell = self.cell(place)
        if whose not in (OWN, THEIRS, BLOCKED):
            raise NotationError(
                f"stone {line[:40]!r}; expected x,y,1 or x,y,2, or x,y,3 for a cell that is blocked"
            )
        if whose == BLOCKED:
            if self.game is not None and not self.game.renju:  # which knows its forbidden moves
                self.blocked.add(cell)
            return
        self.stones.append(cell)
        if whose == OWN:
            self.own.add(cell)

    def _begin(self, rest: str) -> list[str]:
        return self._move()

    def _turn(self, rest: str) -> list[str]:
        self.stones.append(self.cell(rest))
        return self._move()

    def _play(self, rest: str) -> list[str]:
        return self._played(self.cell(rest))

    def _takeback(self, rest: str) -> list[str]:
        cell = self.cell(rest, is_taken=True)
        self.stones.remove(cell)
        self.own.discard(cell)
        return ["OK"]

    def _move(self) -> list[str]:
        from plyscope.lab.agents.agent import ask

        assert self.game is not None
        position = self._position()
        if position.is_over:
            return ["ERROR the game is over"]
        if self.clocked is None:
            choice, _ = ask(self.agent, position, self.random)
            return self._played(choice.move, choice.value, choice.depth, choice.nodes)
        centre = self.game.size // 2 + (self.game.width // 2 if self.game.height % 2 == 0 else 0)
        if not self.stones and not self.blocked and self.game.alternates and not self.game.gravity:
            return self._played(centre)
        found = self._search(position, self._seconds(position))
        if found is None or found.best_move is None:
            return self._played(self.random.choice(position.moves))
        return self._played(found.best_move, found.value, found.depth, found.nodes)

    def _played(
        self,
        cell: int,
        value: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> list[str]:
        """Put the stone of a move; return the response, after a message if the value is known."""
        self.stones.append(cell)
        self.own.add(cell)
        if value is None:
            return [self._text(cell)]
        return [f"MESSAGE value {value:g} depth {depth} nodes {nodes}", self._text(cell)]

    def _text(self, cell: int) -> str:
        assert self.game is not None
        row, column = divmod(cell, self.game.width)
        return f"{column},{row}"

    def _position(self) -> Position:
        """Return the position with the agent to move; the agent is X if it is the first side."""
        assert self.game is not None
        game = self.game
        if self.blocked:
            game = replace(game, holes=game.holes | sum(1 << cell for cell in self.blocked))
        own, theirs = (
            sum(1 << cell for cell in self.stones if (cell in self.own) == mine)
            for mine in (True, False)
        )
        is_first = own.bit_count() == theirs.bit_count()
        if not game.alternates:
            is_first = game.turn_at(len(self.stones)) == 0
        return game.position(*((own, theirs, 0) if is_first else (theirs, own, 1)))

    def _search(self, position: Position, seconds: float) -> SearchResult | None:
        """Return the engine's search. While the engine is compiled, wait as long as the manager's
        limits allow, then search one ply in the reference form."""
        from plyscope.searching.search import search

        assert self.clocked is not None
        assert self.preparing is not None
        began, is_limited = perf_counter(), self.turn is not None or self.left is not None
        self.preparing.join(max(0.0, seconds - QUICK_SECONDS) if is_limited else None)
        if self.preparing.is_alive():
            print("MESSAGE the engine is being compiled; one ply is searched", flush=True)
            return search(position, heuristic="patterns", depth=1, form="reference")
        seconds = max(RESERVE_SECONDS, seconds - (perf_counter() - began) * is_limited)
        return self.lines.interruptible(position, seconds=seconds, **self.clocked)

    def _seconds(self, position: Position) -> float:
        """Return the time for a move within the manager's limits."""
        from plyscope.searching.limit import share_of

        limits = [] if self.turn is None else [self.turn]
        if self.left is not None:
            limits.append(share_of(self.left, position))
        return max(RESERVE_SECONDS, min(limits) - RESERVE_SECONDS) if limits else DEFAULT_SECONDS

    # The opening by swap2

    def _swap2(self, lines: Iterator[str]) -> list[str]:
        """Return the choice of the swap2 opening: three stones, a colour, or a move."""
        assert self.game is not None
        self._read_board(lines, lambda line: self.stones.append(self.cell(line)))
        count, shape = len(self.stones), self.game.shape
        if count not in SWAP2_STONES or self.clocked is None or min(shape) < MIN_SIDE:
            self._set([], set())
            self.lost = "a board that was refused"
            raise NotationError(
                f"SWAP2BOARD with {count} stones on {shape[0]}×{shape[1]} cells; expected 0, 3 or "
                f"5, sides of at least {MIN_SIDE}, and the engine"
            )
        if not self.stones:
            return [" ".join(map(self._text, self._balanced()))]
        # the side to move is white; keep it if its position is better
        self.own = {*self.stones[1::2]}
        position = self._position()
        found = self._search(position, self._seconds(position))
        if found is None or found.best_move is None or found.value < 0:
            return ["SWAP"]
        return [self._text(found.best_move)]

    def _balanced(self) -> list[int]:
        """Return the most balanced of SWAP2_TRIALS random openings of three stones, by short
        searches."""
        assert self.game is not None
        assert self.clocked is not None
        width, height = self.game.width, self.game.height
        seconds = self._seconds(self.game.start()) / (2 * SWAP2_TRIALS)
        best: tuple[float, list[int]] = (float("inf"), [])
        for _ in range(SWAP2_TRIALS):
            cells = self.random.sample(range(width * height), 3)
            found = self._search(self.game.start().play(*cells), seconds)
            value = float("inf") if found is None else abs(found.value)
            best = min(best, (value, cells))
        return best[1]
