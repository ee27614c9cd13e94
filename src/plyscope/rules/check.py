"""`check_game`: play a user-defined game at random and report errors in its methods.

Every report is an observation: a fault comes with the position where it was seen and the moves that
lead there. A hint is something unusual that may be intended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from operator import index
from random import Random
from typing import Any

from plyscope.catalogue import checks_keywords
from plyscope.datafile import DataFrame, frame
from plyscope.display import times
from plyscope.jsonable import by_name
from plyscope.progress import Count
from plyscope.pythonfile import INTERRUPTS, in_one_line, text_of
from plyscope.rules.foreigngames import ForeignGame
from plyscope.rules.game import FIRST, MAX_REPETITIONS, SECOND, SIDES, Game, GameLike, state_of
from plyscope.rules.source import as_position, game_of

DEFAULT_GAMES = 100
MAX_PLIES = 2_000
"""A random game that is longer is abandoned."""
MAX_MOVES = 8
"""The number of moves checked in each position: played twice, and parsed back from their texts."""
MAX_POSITIONS = 50_000
"""The default limit of the count of reachable positions."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A fault of a user-defined game, or a hint, with the position in which it was found."""

    kind: str
    """The kind in one to three words; only the first fault of a kind is reported."""
    text: str
    """The description, without the position."""
    position: str
    moves: tuple[str, ...]
    """The moves from the start to `position`."""
    is_hint: bool = False
    """Whether plyscope works with the game in spite of the fault."""

    def __str__(self) -> str:
        way = f"after {' '.join(self.moves[-12:])}" if self.moves else "at the start"
        if len(self.moves) > 12:
            last = " ".join(self.moves[-4:])
            way = f"after {len(self.moves)} moves, the last of which are {last}"
        return f"{self.text}: on {self.position[:80]!r}, {way}"


@dataclass(frozen=True, kw_only=True)
class GameCheck:
    """The result of `check_game`: faults and hints, and the game in numbers.

    >>> import plyscope as ps
    >>> ps.check_game("tictactoe").faults
    ()
    """

    game: Game
    seed: int
    games: int
    """Random games played, including those that a fault ended."""
    faults: tuple[Fault, ...]
    """The first fault of each kind."""
    hints: tuple[Fault, ...]
    seen: int
    """Distinct positions in the random games."""
    most: int
    """The limit up to which reachable positions were counted."""
    positions: int | None
    """All positions that can be reached from the start, None if more than `most`."""
    transpositions: int
    """Positions in the random games that were reached by several move sequences."""
    branching: float
    """The mean number of legal moves."""
    most_moves: int
    """The greatest number of legal moves."""
    shortest: int
    """The plies of the shortest random game."""
    length: float
    """The mean plies of the random games that ended."""
    longest: int
    """The plies of the longest random game."""
    first_wins: int
    second_wins: int
    draws: int
    alternates: bool
    """Whether the side to move changed after every move of the random games."""
    is_interrupted: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON-ready data."""
        return by_name(self, game=self.game.name, is_sound=self.is_sound)

    def to_frame(self) -> DataFrame:
        """Return the faults and hints as a pandas DataFrame, a row for each."""
        return frame((*self.faults, *self.hints))

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """Yield the result line by line: the faults, the hints, then the game in numbers."""
        for fault in self.faults:
            yield f"breaks a rule: {fault}"
        for hint in self.hints:
            yield f"a hint: {hint}"
        ended = self.first_wins + self.second_wins + self.draws
        if not self.faults:
            yield f"{self.game.name}: no rule was broken in {times(self.games, 'random game')}"
        if ended:
            yield (
                f"{self.shortest} to {self.longest} plies, {self.length:.1f} on average; "
                f"{self.branching:.1f} moves, at most {self.most_moves}"
            )
            shares = (self.first_wins, self.second_wins, self.draws)
            x, o, draws = (f"{share / ended:.0%}" for share in shares)
            yield f"at random X wins {x}, O wins {o}, {draws} are drawn"
        ways = f"{times(self.transpositions, 'position')} reached in more than one way"
        yield f"the sides {'alternate' if self.alternates else 'do not always alternate'}; {ways}"
        if self.positions is not None:
            yield f"{times(self.positions, 'position')} in all: solve can find each value"
        elif not self.faults:
            yield f"more than {self.most:,} positions: solve may not visit them all"


@checks_keywords
def check_game(
    game: GameLike | type | str,
    *,
    games: int = DEFAULT_GAMES,
    seed: int = 0,
    max_positions: int = MAX_POSITIONS,
    progress: Count | None = None,
    keep_interrupted: bool = False,
) -> GameCheck:
    """Play `games` random games and return the faults that they show in the game's methods.

    `game` is a game, its class or its text; the same `seed` gives the same games. Up to
    `max_positions` reachable positions are counted. `progress` is called with the number of games
    played, then of positions counted. Ctrl-C raises KeyboardInterrupt; with `keep_interrupted` it
    returns the partial result. Raises OptionError or NotationError if `game` is no game.

    >>> check_game("tictactoe", games=10).is_sound
    True
    """
    at = _Findings(game_of(game))
    play = _RandomPlay(at, Random(seed))
    positions, is_interrupted = None, False
    try:
        for number in range(games):
            if progress is not None:
                progress(number)
            play.play_one()
        positions = _count_positions(at, max_positions, progress)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        is_interrupted = True
    _check_moves_as_text(play)
    at.state, at.way = next(iter(play.known), None), []
    _check_scored(play)
    _check_winners(play)
    signs = Counter[int]()
    for (payoff, _), count in play.payoffs.items():
        signs[(payoff > 0) - (payoff < 0)] += count
    lengths = play.lengths or [0]
    return GameCheck(
        game=at.game,
        seed=seed,
        games=play.games,
        faults=tuple(fault for fault in at.faults.values() if not fault.is_hint),
        hints=tuple(fault for fault in at.faults.values() if fault.is_hint),
        seen=len(play.known),
        most=max_positions,
        positions=positions,
        transpositions=len(play.transposed),
        branching=sum(play.widths) / max(1, len(play.widths)),
        most_moves=max(play.widths, default=0),
        shortest=min(lengths),
        length=sum(lengths) / len(lengths),
        longest=max(lengths),
        first_wins=signs[1],
        second_wins=signs[-1],
        draws=signs[0],
        alternates=play.alternates,
        is_interrupted=is_interrupted,
    )


class _Broken(Exception):
    """Raised when a random game cannot go on."""


class _Findings:
    """The faults found so far, and calls of the game's methods on the current `state`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: dict[str, Fault] = {}
        """The first fault of each kind, by its kind."""
        self.state: Any = None
        self.way: list[str] = []
        """The moves from the start to `state`."""
        self.answers: tuple[Any, ...] = ()
        """The payoff, the side to move and the set of moves of `state`."""

    def report(self, kind: str, text: str, is_hint: bool = False, state: Any = None) -> None:
        """Record a fault of the current position, or of `state`, unless a fault of this kind has
        been recorded already."""
        if kind not in self.faults:
            shown = self.text(self.state if state is None else state)
            self.faults[kind] = Fault(
                kind=kind, text=text, position=shown, moves=tuple(self.way), is_hint=is_hint
            )

    def broken(self, kind: str, text: str, state: Any = None) -> _Broken:
        """Record a fault, and return the exception that ends this random game."""
        self.report(kind, text, state=state)
        return _Broken()

    def text(self, state: Any) -> str:
        """Return the text of a state, even if the game's `format` fails."""
        try:
            return " / ".join(str(self.game.format(state)).splitlines())
        except INTERRUPTS:
            raise
        except BaseException:
            return text_of(state)

    def ask(self, name: str, *more: Any) -> Any:
        """Call a method of the game with the current state, and return its result."""
        try:
            return getattr(self.game, name)(self.state, *more)
        except INTERRUPTS:
            raise
        except BaseException as error:  # user code: reported by name, with the position
            of = f" of the move {text_of(more[0])[:40]!r}" if more else ""
            raise self.broken(f"{name} raises", f"{name}{of} raises {in_one_line(error)}") from None

    def require_hashable(self, state: Any) -> None:
        """Record a fault and end the game if a state cannot be hashed."""
        try:
            hash(state)
        except TypeError:
            raise self.broken(
                "unhashable state",
                f"the state, of {type(state).__name__!r}, is not hashable; "
                "expected a tuple, a named tuple, a frozen dataclass or the like",
                state,
            ) from None

    def require_equal(self, kind: str, what: str, one: Any, other: Any) -> None:
        """Record a fault and end the game if two results of one call differ, or their hashes do."""
        if one == other:
            if hash(one) != hash(other):
                raise self.broken("hash", f"{what} equal states that have different hashes")
            return
        if type(one).__eq__ is object.__eq__:  # type: ignore[comparison-overlap]
            raise self.broken(
                "no equality",
                f"{what} two states that are not equal, since {type(one).__name__!r} has no "
                "__eq__; expected a named tuple, a frozen dataclass or the like",
            )
        two = f"{self.text(one)[:40]!r} and {self.text(other)[:40]!r}"
        raise self.broken(kind, f"{what} different states when called twice: {two}")


# The results of payoff, side and moves


def _payoff(at: _Findings) -> int | None:
    """Return the payoff of the current state; record a fault if it is no whole number or None."""
    payoff = at.ask("payoff")
    if payoff is None:
        return None
    if isinstance(payoff, bool):
        at.report(
            "payoff",
            f"payoff is {payoff}; expected 1 if FIRST has won, -1 if SECOND has, 0 for a draw",
        )
    try:
        return int(index(payoff))
    except INTERRUPTS:
        raise
    except BaseException:
        raise at.broken(
            "payoff",
            f"payoff is {text_of(payoff)[:40]!r}, of {type(payoff).__name__!r}; "
            "expected a whole number, or None while the game goes on",
        ) from None


def _side(at: _Findings) -> int:
    """Return the side to move in the current state; record a fault if it is neither FIRST nor
    SECOND."""
    side = at.ask("side")
    if side not in (FIRST, SECOND):
        raise at.broken("side", f"side is {text_of(side)[:40]!r}; expected {FIRST} or {SECOND}")
    return int(side)


def _moves(at: _Findings) -> Sequence[Any]:
    """Return the legal moves of the current state; record a fault if they are no sequence, empty,
    not hashable or not distinct."""
    moves = at.ask("moves")
    if not isinstance(moves, Sequence):
        kind = type(moves).__name__
        raise at.broken("moves", f"moves returns an object of {kind!r}; expected a list or a tuple")
    if not moves:
        raise at.broken(
            "no moves",
            "there is no move, and payoff is None; expected a payoff there, or a move that passes",
        )
    try:
        many = Counter(moves)
    except TypeError:
        raise at.broken(
            "unhashable moves",
            f"a move, of {type(moves[0]).__name__!r}, is not hashable; "
            "expected a number, a text, a tuple or the like",
        ) from None
    move, times = many.most_common(1)[0]
    if times > 1:
        at.report("move twice", f"moves has {text_of(move)[:40]!r} {times} times")
    return moves


# Checks of every position; `some` is a sample of its `moves`


def _check_text(at: _Findings, moves: Sequence[Any], some: Sequence[Any]) -> None:
    """Report a `format` that does not return a text."""
    text = at.ask("format")
    if not isinstance(text, str):
        at.report("format", f"format returns {type(text).__name__!r}; expected a text")


def _check_order(at: _Findings, moves: Sequence[Any], some: Sequence[Any]) -> None:
    """Report moves whose order changes between calls: equal searches would differ."""
    again = at.ask("moves") if moves else ()
    if list(again) != list(moves) and set(again) == set(moves):
        at.report(
            "order of moves",
            "moves returns the same moves in another order when called again; "
            "expected one order, such as that of a sorted list",
        )


def _check_move_texts(at: _Findings, moves: Sequence[Any], some: Sequence[Any]) -> None:
    """Report a move whose text is not one line, and two moves with the same text."""
    named: dict[str, Any] = {}
    for move in moves:
        text = at.ask("format_move", move)
        shown = text_of(move)[:40]
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            said = f"format_move of {shown!r} returns {text!r}; expected a text of one line"
            raise at.broken("move text", said)
        if named.setdefault(text, move) != move:
            two = f"{text_of(named[text])[:40]!r} and {shown!r}"
            at.report("same text", f"the moves {two} have the same text {text!r}")


def _check_parse_move(at: _Findings, moves: Sequence[Any], some: Sequence[Any]) -> None:
    """Report a `parse_move` that does not read what `format_move` writes."""
    for move in some:
        if "same text" in at.faults:
            return
        text = at.game.format_move(at.state, move)
        try:
            read = at.game.parse_move(at.state, text)
        except INTERRUPTS:
            raise
        except BaseException as error:
            said = f"raises {in_one_line(error)}"
        else:
            if read == move:
                continue
            said = f"returns {text_of(read)[:40]!r}"
        of = f"parse_move of {text!r}, the text of the move {text_of(move)[:40]!r}"
        at.report("parse_move", f"{of}, {said}")


def _check_play(at: _Findings, moves: Sequence[Any], some: Sequence[Any]) -> None:
    """Report a `play` that returns different states, or changes its argument or the game."""
    kept = _copied(at.state) if moves else []
    for move in some:
        after = at.ask("play", move)
        at.require_hashable(after)
        name = text_of(move)[:40]
        if kept and at.state != kept[0]:
            raise at.broken(
                "changed state",
                f"play of {name!r} changes its argument, "
                f"from {at.text(kept[0])[:60]!r} to {at.text(at.state)[:60]!r}; "
                "expected a new state, and the old one unchanged",
                kept[0],
            )
        now = None, at.ask("side"), frozenset(at.ask("moves"))
        if at.ask("payoff") is not None or now != at.answers:
            raise at.broken(
                "changed game",
                f"after play of {name!r} the same state has another payoff, side or moves; "
                "expected play to change neither the state nor the game",
            )
        at.require_equal("play", f"play of {name!r} returns", after, at.ask("play", move))


def _check_same_answers(at: _Findings, before: tuple[Any, ...], way_before: Sequence[str]) -> None:
    """Report equal states whose payoffs, sides or moves differ."""
    if at.answers == before:
        return
    names = ("payoff", "side", "moves")
    differing = ["payoff"] * (at.answers[0] != before[0]) or [  # after the end, only payoff counts
        name for name, now, then in zip(names, at.answers, before, strict=True) if now != then
    ]
    is_same_way = at.way == list(way_before)
    way = " ".join(way_before[-12:]) or "no move"
    how = "when called again" if is_same_way else f"reached by {way}"
    at.report(
        "equal states",
        f"{' and '.join(differing)} differ from those of the equal state {how}; "
        "expected the state to hold everything that the rules depend on",
    )


CHECKS = (_check_text, _check_order, _check_move_texts, _check_parse_move, _check_play)


class _RandomPlay:
    """Plays random games, checks each position in them, and collects statistics."""

    def __init__(self, at: _Findings, random: Random) -> None:
        self.at, self.random = at, random
        self.known: dict[Any, tuple[tuple[Any, ...], tuple[str, ...]]] = {}
        """By state: its payoff, side and moves when it was first reached, and the moves to it."""
        self.transposed: set[Any] = set()
        self.games = 0
        self.lengths: list[int] = []
        self.widths: list[int] = []
        self.payoffs: Counter[tuple[int, int]] = Counter()
        """Games by payoff and the side that moved last, -1 if there was no move."""
        self.alternates = True

    def play_one(self) -> None:
        """Play one random game and check its positions."""
        self.games += 1
        with suppress(_Broken):
            self._play()

    def _play(self) -> None:
        """Play one random game to its end, to MAX_PLIES or to a fault that ends it."""
        at = self.at
        at.state, at.way = None, []
        at.state = self._start()
        on_way = Counter([at.state])
        last = -1
        while len(at.way) < MAX_PLIES:
            payoff, side, moves = self._look()
            if payoff is not None:
                self.lengths.append(len(at.way))
                self.payoffs[payoff, last] += 1
                return
            self.alternates &= last in (-1, 1 - side)
            last = side
            self.widths.append(len(moves))
            move = self.random.choice(moves)
            text, after = at.ask("format_move", move), at.ask("play", move)
            at.state, at.way = after, [*at.way, str(text)]
            at.require_hashable(after)
            on_way[after] += 1
            if on_way[after] > 1 and not at.game.draw_by_repetition:
                raise at.broken(
                    "cycle",
                    "the position repeats in the same game, which may never end "
                    "(expected a count of the moves in the state, another end, or "
                    "draw_by_repetition = True)",
                )
            if on_way[after] == MAX_REPETITIONS:
                self.lengths.append(len(at.way))
                self.payoffs[0, last] += 1
                return
        at.report("long", f"the game had not ended after {MAX_PLIES:,} plies", is_hint=True)

    def _start(self) -> Any:
        """Return the first state; record a fault if `start` raises or returns different states."""
        at = self.at
        try:
            state, again = at.game.start(), at.game.start()
        except INTERRUPTS:
            raise
        except BaseException as error:
            raise at.broken("start raises", f"start raises {in_one_line(error)}") from None
        at.state = state
        at.require_hashable(state)
        at.require_equal("start", "start returns", state, again)
        return state

    def _look(self) -> tuple[int | None, int, Sequence[Any]]:
        """Check the current position; return its payoff, side and moves."""
        at = self.at
        payoff = _payoff(at)
        side, moves = (FIRST, ()) if payoff is not None else (_side(at), _moves(at))
        at.answers = payoff, side, frozenset(moves)
        if at.state in self.known:
            before, way_before = self.known[at.state]
            if way_before != tuple(at.way):
                self.transposed.add(at.state)
            _check_same_answers(at, before, way_before)
        else:
            self.known[at.state] = at.answers, tuple(at.way)
            some = moves if len(moves) <= MAX_MOVES else self.random.sample(list(moves), MAX_MOVES)
            for check in CHECKS:
                check(at, moves, some)
        return payoff, side, moves


# Checks of all games together


def _check_moves_as_text(play: _RandomPlay) -> None:
    """Report a game whose moves, joined to one text, are not parsed as the same game."""
    at = play.at
    if at.faults or getattr(at.game, "parse_position", None) is not None:
        return
    for state, (_, way) in list(play.known.items())[-20:]:
        try:
            read = state_of(as_position(" ".join(way), at.game)) if way else state
        except INTERRUPTS:
            raise
        except BaseException as error:
            said = f"cannot be read: {in_one_line(error)}"
        else:
            if read == state:
                continue
            said = f"are read as {at.text(read)[:40]!r}"
        at.state, at.way = state, list(way)
        at.report("moves as text", f"its moves, joined to one text, {said}", is_hint=True)


def _check_scored(play: _RandomPlay) -> None:
    """Report payoffs beyond ±1 in a game that is not `scored`."""
    values = {payoff for payoff, _ in play.payoffs}
    is_beyond = any(abs(value) > 1 for value in values)
    if isinstance(play.at.game, ForeignGame):  # libraries win by 100 as well as by 1
        is_beyond = len({abs(value) for value in values} - {0}) > 1
    if not play.at.game.scored and is_beyond:
        play.at.report(
            "scored",
            f"payoffs range from {min(values)} to {max(values)} and scored is False, "
            "so only their sign counts; expected scored = True if the margin counts",
            is_hint=True,
        )


def _check_winners(play: _RandomPlay) -> None:
    """Report payoffs that all have one sign: they may be in the view of the side to move."""
    winners, enders = set[int](), Counter[int]()
    for (payoff, last), count in play.payoffs.items():
        if payoff:
            winners.add(FIRST if payoff > 0 else SECOND)
            enders[last] += count
    if len(winners) == 1 and min(enders[FIRST], enders[SECOND]) >= 5:
        play.at.report(
            "one winner",
            f"{SIDES[winners.pop()].upper()} has won each of {enders.total()} decided games, "
            f"{enders[FIRST]} that X ended and {enders[SECOND]} that O did; "
            "expected payoffs in the view of FIRST, not of the side to move",
            is_hint=True,
        )


def _count_positions(at: _Findings, most: int, progress: Count | None) -> int | None:
    """Return the number of reachable positions, None if more than `most` or the game has faults."""
    if any(not fault.is_hint for fault in at.faults.values()):
        return None
    reached = {at.game.start()}
    stack = list(reached)
    try:
        while stack and len(reached) <= most:
            state = stack.pop()
            if progress is not None and len(reached) % 1024 == 0:
                progress(len(reached))
            if at.game.payoff(state) is not None:
                continue
            for move in at.game.moves(state):
                after = at.game.play(state, move)
                if after not in reached:
                    reached.add(after)
                    stack.append(after)
    except INTERRUPTS:
        raise
    except BaseException as error:
        at.state, at.way = state, []
        at.report("raises", f"the game raises {in_one_line(error)}")
        return None
    return None if len(reached) > most else len(reached)


def _copied(state: Any) -> list[Any]:
    """Return a list of one equal copy of a state, empty if it has none."""
    try:
        copy = deepcopy(state)
        return [copy] if copy == state and copy is not state else []
    except INTERRUPTS:
        raise
    except BaseException:  # user code
        return []
