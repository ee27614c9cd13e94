"""`check_game`: plays a game at random and says what breaks the rules of being a game.

Whatever is said was seen: a fault comes with the position where it was, and the moves to it. What
may be meant, but is worth knowing, is a hint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from operator import index
from random import Random
from typing import Any

from plyscope.catalogue import checks_keywords
from plyscope.jsonable import by_name
from plyscope.progress import Count
from plyscope.pythonfile import OURS, in_one_line, text_of
from plyscope.rules.game import FIRST, SECOND, SIDES, Game, state_of
from plyscope.rules.source import as_position, game_of

GAMES = 100
MOST_PLIES = 2_000
"""A game that goes on longer is left."""
MOST_MOVES = 8
"""Moves of one position that are played, twice each, and read back from their texts."""
MOST_POSITIONS = 50_000
"""Positions that are counted."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something that was seen of a game, where, and how play came there."""

    kind: str
    """What it is, in a word or two."""
    text: str
    """The same in a sentence."""
    position: str
    moves: tuple[str, ...]
    """From the start."""
    is_hint: bool = False
    """Whether nothing here breaks by it."""

    def __str__(self) -> str:
        way = f"after {' '.join(self.moves[-12:])}" if self.moves else "at the start"
        if len(self.moves) > 12:
            way = (
                f"after {len(self.moves)} moves, the last of which are {' '.join(self.moves[-4:])}"
            )
        return f"{self.text}: on {self.position[:80]!r}, {way}"


@dataclass(frozen=True, kw_only=True)
class GameCheck:
    """What random play has shown of a game.

    >>> import plyscope as ps
    >>> ps.check_game("tictactoe").faults
    ()
    """

    game: Game
    seed: int
    games: int
    """Those played to their end, or to where a fault ended them."""
    faults: tuple[Fault, ...]
    """The first of each kind."""
    hints: tuple[Fault, ...]
    seen: int
    """Distinct positions met in play."""
    most: int
    """Positions up to which they were counted."""
    positions: int | None
    """All positions that play can reach, None where they are more than were counted."""
    transpositions: int
    """Positions met that play has come to in different ways."""
    branching: float
    """The mean number of moves."""
    most_moves: int
    shortest: int
    """Plies of the shortest game that ended."""
    length: float
    """Their mean."""
    longest: int
    first_wins: int
    second_wins: int
    draws: int
    alternates: bool
    """Whether the side to move changed with every move that was played."""
    is_interrupted: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether no fault was seen."""
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON-ready data."""
        return by_name(self, game=self.game.name, is_sound=self.is_sound)

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """Yield what was seen, a line each: the faults, the hints, then the game in numbers."""
        for fault in self.faults:
            yield f"breaks a rule: {fault}"
        for hint in self.hints:
            yield f"a hint: {hint}"
        ended = self.first_wins + self.second_wins + self.draws
        if not self.faults:
            yield f"{self.game.name}: no rule was broken in {_times(self.games, 'random game')}"
        if ended:
            yield (
                f"{self.shortest} to {self.longest} plies, {self.length:.1f} on average; "
                f"{self.branching:.1f} moves, at most {self.most_moves}"
            )
            shares = (self.first_wins, self.second_wins, self.draws)
            x, o, draws = (f"{share / ended:.0%}" for share in shares)
            yield f"at random X wins {x}, O wins {o}, {draws} are drawn"
        ways = f"{_times(self.transpositions, 'position')} met in more than one way"
        yield f"the sides {'alternate' if self.alternates else 'do not always alternate'}; {ways}"
        if self.positions is not None:
            yield f"{_times(self.positions, 'position')} in all: solve has the value of each"
        elif not self.faults:
            yield f"more than {self.most:,} positions: solve may not visit them all"


def _times(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


@checks_keywords
def check_game(
    game: Any,
    *,
    games: int = GAMES,
    seed: int = 0,
    most: int = MOST_POSITIONS,
    progress: Count | None = None,
    keep_interrupted: bool = False,
) -> GameCheck:
    """Play `games` at random, and return what was seen of the rules.

    `game` is a game, its class or its text. Up to `most` positions are counted. `progress` is
    called with the games played, then with the positions counted. Ctrl-C raises KeyboardInterrupt,
    or with `keep_interrupted` ends it with what it has. Raises OptionError and NotationError where
    there is no game to play.

    >>> check_game("tictactoe", games=10).is_sound
    True
    """
    check = _Check(game_of(game), seed, most)
    is_interrupted = False
    try:
        for number in range(games):
            if progress is not None:
                progress(number)
            check.play_one()
        check.count_positions(progress)
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
        is_interrupted = True
    check.look_back()
    return check.result(is_interrupted)


class _Broken(Exception):
    """Raised where a game cannot be played on."""


class _Check:
    """The games played so far, and what was seen in them."""

    def __init__(self, game: Game, seed: int, most: int) -> None:
        self.game, self.seed, self.random = game, seed, Random(seed)
        self.most = most
        self.found: dict[str, Fault] = {}
        self.known: dict[Any, tuple[Any, tuple[Any, ...], tuple[str, ...]]] = {}
        """By state: the same state as it was first met, what it was then, and the way to it."""
        self.transposed: set[Any] = set()
        self.games = 0
        self.lengths: list[int] = []
        self.widths: list[int] = []
        self.payoffs: Counter[tuple[int, int]] = Counter()
        """By payoff and the side that moved last."""
        self.alternates = True
        self.positions: int | None = None

    # What is seen

    def say(
        self, kind: str, text: str, state: Any, way: Sequence[str], is_hint: bool = False
    ) -> None:
        """Keep what was seen, unless its kind was seen before."""
        if kind not in self.found:
            self.found[kind] = Fault(
                kind=kind, text=text, position=self.text(state), moves=tuple(way), is_hint=is_hint
            )

    def stop(self, kind: str, text: str, state: Any, way: Sequence[str]) -> _Broken:
        """Keep what was seen, and return what ends this game."""
        self.say(kind, text, state, way)
        return _Broken()

    def text(self, state: Any) -> str:
        """Return the text of a state, whatever its game does when asked for it."""
        try:
            return " / ".join(str(self.game.format(state)).splitlines())
        except OURS:
            raise
        except BaseException:
            return text_of(state)

    def ask(self, name: str, state: Any, way: Sequence[str], *more: Any) -> Any:
        """Return what a method of the game answers about a state."""
        try:
            return getattr(self.game, name)(state, *more)
        except OURS:
            raise
        except BaseException as error:  # a stranger's game: reported by name, with the position
            of = f" of the move {text_of(more[0])[:40]!r}" if more else ""
            raise self.stop(
                f"{name} raises", f"{name}{of} raises {in_one_line(error)}", state, way
            ) from None

    # One game

    def play_one(self) -> None:
        """Play a game at random, and look at every position on its way."""
        self.games += 1
        way: list[str] = []
        try:
            state = self._start()
            on_way = {state}
            mover = last = None
            while len(way) < MOST_PLIES:
                payoff, moves, side = self._look(state, way)
                if payoff is not None:
                    self._ended(payoff, last, len(way))
                    return
                self.alternates &= mover is None or side == 1 - mover
                last = mover = side
                self.widths.append(len(moves))
                move = self.random.choice(moves)
                text = self.ask("format_move", state, way, move)
                state = self.ask("play", state, way, move)
                way.append(str(text))
                self._require_hashable(state, way)
                if state in on_way:
                    raise self.stop(
                        "cycle",
                        "the position comes again in the same game, which need not end "
                        "(a count of the moves in the state would end it)",
                        state,
                        way,
                    )
                on_way.add(state)
            self.say("long", f"the game had not ended after {MOST_PLIES:,} plies", state, way, True)
        except _Broken:
            return

    def _start(self) -> Any:
        try:
            state, again = self.game.start(), self.game.start()
        except OURS:
            raise
        except BaseException as error:
            raise self.stop(
                "start raises", f"start raises {in_one_line(error)}", None, ()
            ) from None
        self._require_hashable(state, ())
        self._require_equal("start", "start gives", state, again, state, ())
        return state

    def _require_hashable(self, state: Any, way: Sequence[str]) -> None:
        try:
            hash(state)
        except TypeError:
            raise self.stop(
                "unhashable state",
                f"the state, of {type(state).__name__!r}, is not hashable; "
                "expected a tuple, a named tuple, a frozen dataclass or their like",
                state,
                way,
            ) from None

    def _require_equal(
        self, kind: str, what: str, one: Any, other: Any, state: Any, way: Sequence[str]
    ) -> None:
        """Two answers to one question have to be equal, and then equally hashed."""
        if one == other:
            if hash(one) != hash(other):
                raise self.stop(
                    "hash", f"{what} equal states that have different hashes", state, way
                )
            return
        if type(one).__eq__ is object.__eq__:  # type: ignore[comparison-overlap]
            raise self.stop(
                "no equality",
                f"{what} two states that are not equal, since {type(one).__name__!r} has no "
                "__eq__; expected a named tuple, a frozen dataclass or their like",
                state,
                way,
            )
        raise self.stop(
            kind,
            f"{what} different states for the same question: {self._two(one, other)}",
            state,
            way,
        )

    def _two(self, one: Any, other: Any) -> str:
        return f"{self.text(one)[:40]!r} and {self.text(other)[:40]!r}"

    def _ended(self, payoff: int, last: int | None, plies: int) -> None:
        self.lengths.append(plies)
        self.payoffs[payoff, -1 if last is None else last] += 1

    # One position

    def _look(self, state: Any, way: list[str]) -> tuple[int | None, Sequence[Any], int]:
        """Hold a position to the rules; return its payoff, moves and side."""
        payoff = self._payoff(state, way)
        seen: tuple[Any, ...]
        moves: Sequence[Any]
        if payoff is not None:
            seen, moves, side = (payoff,), (), FIRST
        else:
            side, moves = self._side(state, way), self._moves(state, way)
            seen = (None, side, frozenset(moves))
        met = self.known.get(state)
        if met is None and payoff is None:
            self._require_one_order(moves, state, way)
        if met is None:
            self.known[state] = state, seen, tuple(way)
            self._study(state, moves, seen, way)
            return payoff, moves, side
        before, seen_before, way_before = met
        if way_before != tuple(way):
            self.transposed.add(state)
        self._compare(seen, seen_before, before, state, way, way_before)
        return payoff, moves, side

    def _payoff(self, state: Any, way: Sequence[str]) -> int | None:
        payoff = self.ask("payoff", state, way)
        if payoff is None:
            return None
        if isinstance(payoff, bool):
            self.say(
                "payoff",
                f"payoff is {payoff}; expected 1 where FIRST has won, -1 where SECOND has, "
                "0 for a draw",
                state,
                way,
            )
        try:
            return int(index(payoff))
        except OURS:
            raise
        except BaseException:
            raise self.stop(
                "payoff",
                f"payoff is {text_of(payoff)[:40]!r}, of {type(payoff).__name__!r}; "
                "expected a whole number, or None while the game goes on",
                state,
                way,
            ) from None

    def _side(self, state: Any, way: Sequence[str]) -> int:
        side = self.ask("side", state, way)
        if side not in (FIRST, SECOND):
            raise self.stop(
                "side", f"side is {text_of(side)[:40]!r}; expected {FIRST} or {SECOND}", state, way
            )
        return int(side)

    def _moves(self, state: Any, way: Sequence[str]) -> Sequence[Any]:
        moves = self.ask("moves", state, way)
        if not isinstance(moves, Sequence):
            raise self.stop(
                "moves",
                f"moves gives an object of {type(moves).__name__!r}; expected a list or a tuple",
                state,
                way,
            )
        if not moves:
            raise self.stop(
                "no moves",
                "there is no move, and payoff is None; "
                "expected a payoff there, or a move that passes",
                state,
                way,
            )
        try:
            many = Counter(moves)
        except TypeError:
            raise self.stop(
                "unhashable moves",
                f"a move, of {type(moves[0]).__name__!r}, is not hashable; "
                "expected a number, a text, a tuple or their like",
                state,
                way,
            ) from None
        move, times = many.most_common(1)[0]
        if times > 1:
            self.say("move twice", f"moves has {text_of(move)[:40]!r} {times} times", state, way)
        return moves

    def _require_one_order(self, moves: Sequence[Any], state: Any, way: Sequence[str]) -> None:
        """Asked again, a game has the same moves in the same order, or equal searches differ."""
        again = self.ask("moves", state, way)
        if list(again) != list(moves) and set(again) == set(moves):
            self.say(
                "order of moves",
                "moves gives the same moves in another order when it is asked again; "
                "expected one order, such as that of a sorted list",
                state,
                way,
            )

    def _compare(
        self,
        seen: tuple[Any, ...],
        before: tuple[Any, ...],
        first_met: Any,
        state: Any,
        way: Sequence[str],
        way_before: Sequence[str],
    ) -> None:
        """Equal states have the same future: the same payoff, side and moves."""
        if seen == before:
            return
        names = ("payoff", "side", "moves")
        differing = [
            name for name, now, then in zip(names, seen, before, strict=False) if now != then
        ] or ["payoff"]
        is_same_way = tuple(way) == tuple(way_before)
        how = "when it was asked again" if is_same_way else f"reached by {_way(way_before)}"
        self.say(
            "equal states",
            f"{' and '.join(differing)} are not those of the equal state {how}; "
            "expected all that the rules ask for to belong to the state",
            state,
            way,
        )

    def _study(
        self, state: Any, moves: Sequence[Any], seen: tuple[Any, ...], way: list[str]
    ) -> None:
        """Look at a position that was not met before: its texts, and what its moves lead to."""
        text = self.ask("format", state, way)
        if not isinstance(text, str):
            self.say("format", f"format gives {type(text).__name__!r}; expected a text", state, way)
        if not moves:
            return
        self._texts(state, moves, way)
        some = moves if len(moves) <= MOST_MOVES else self.random.sample(list(moves), MOST_MOVES)
        for move in some:
            self._read_back(state, move, way)
        kept = _copied(state)
        for move in some:
            after = self.ask("play", state, way, move)
            self._require_hashable(after, way)
            self._unchanged(state, kept, seen, move, way)
            again = self.ask("play", state, way, move)
            what = f"play of {text_of(move)[:40]!r} gives"
            self._require_equal("play", what, after, again, state, way)

    def _unchanged(
        self, state: Any, kept: list[Any], seen: tuple[Any, ...], move: Any, way: Sequence[str]
    ) -> None:
        """Play leaves the state as it was."""
        name = text_of(move)[:40]
        if kept and state != kept[0]:
            raise self.stop(
                "changed state",
                f"play of {name!r} changes the state it is given, "
                f"from {self.text(kept[0])[:60]!r} to {self.text(state)[:60]!r}; "
                "expected a new state, and the old one as it was",
                kept[0],
                way,
            )
        now = (None, self.ask("side", state, way), frozenset(self.ask("moves", state, way)))
        if self.ask("payoff", state, way) is not None or now != seen:
            raise self.stop(
                "changed game",
                f"after play of {name!r} the same state has another payoff, side or moves; "
                "expected play to change neither the state nor the game",
                state,
                way,
            )

    def _texts(self, state: Any, moves: Sequence[Any], way: Sequence[str]) -> None:
        """The texts of the moves tell them apart, and are read back."""
        named: dict[str, Any] = {}
        for move in moves:
            text = self.ask("format_move", state, way, move)
            shown = text_of(move)[:40]
            if not isinstance(text, str) or not text.strip() or "\n" in text:
                raise self.stop(
                    "move text",
                    f"format_move of {shown!r} gives {text!r}; expected a text of one line",
                    state,
                    way,
                )
            if text in named and named[text] != move:
                self.say(
                    "same text",
                    f"the moves {text_of(named[text])[:40]!r} and {shown!r} have "
                    f"the same text {text!r}",
                    state,
                    way,
                )
                continue
            named[text] = move

    def _read_back(self, state: Any, move: Any, way: Sequence[str]) -> None:
        if "same text" in self.found:
            return
        text = self.game.format_move(state, move)
        try:
            read = self.game.parse_move(state, text)
        except OURS:
            raise
        except BaseException as error:
            said = f"raises {in_one_line(error)}"
        else:
            if read == move:
                return
            said = f"gives {text_of(read)[:40]!r}"
        self.say(
            "parse_move",
            f"parse_move of {text!r}, the text of the move {text_of(move)[:40]!r}, {said}",
            state,
            way,
        )

    # What all games say together

    def look_back(self) -> None:
        """Say what is seen from all games together."""
        self._read_games()
        values = {payoff for payoff, _ in self.payoffs}
        start = self.known and next(iter(self.known))
        if not self.game.scored and any(abs(value) > 1 for value in values):
            self.say(
                "scored",
                f"payoffs reach from {min(values)} to {max(values)} and scored is False, "
                "so that only their sign counts; expected scored = True if the margin does",
                start,
                (),
                is_hint=True,
            )
        self._one_sided(start)

    def _one_sided(self, start: Any) -> None:
        """Payoffs in the view of whoever moves, or moved, have one sign whoever moved last."""
        decided = {(value > 0, last): 0 for value, last in self.payoffs if value}
        for (value, last), count in self.payoffs.items():
            if value:
                decided[value > 0, last] += count
        signs = {sign for sign, _ in decided}
        enders = {last: count for (_, last), count in decided.items()}
        if len(signs) == 1 and min(enders.get(FIRST, 0), enders.get(SECOND, 0)) >= 5:
            winner = SIDES[SECOND if False in signs else FIRST].upper()
            self.say(
                "one winner",
                f"{winner} has won each of {sum(enders.values())} decided games, "
                f"{enders[FIRST]} that X ended and {enders[SECOND]} that O did; "
                "expected payoffs in the view of FIRST, if they are in that of the side to move",
                start,
                (),
                is_hint=True,
            )

    def _read_games(self) -> None:
        """The moves of a game, as one text, are read as the same game."""
        if self.found or getattr(self.game, "parse_position", None) is not None:
            return
        for state, _, way in list(self.known.values())[-20:]:
            try:
                read = state_of(as_position(" ".join(way), self.game)) if way else state
            except OURS:
                raise
            except BaseException as error:
                said = f"cannot be read: {in_one_line(error)}"
            else:
                if read == state:
                    continue
                said = f"are read as {self.text(read)[:40]!r}"
            self.say(
                "moves as text", f"its moves, written one after the other, {said}", state, way, True
            )

    def count_positions(self, progress: Count | None) -> None:
        """Count what play can reach, unless something is broken or it is too much."""
        if any(not fault.is_hint for fault in self.found.values()):
            return
        reached = {self.game.start()}
        waiting = list(reached)
        try:
            while waiting and len(reached) <= self.most:
                state = waiting.pop()
                if progress is not None and len(reached) % 1024 == 0:
                    progress(len(reached))
                if self.game.payoff(state) is not None:
                    continue
                for move in self.game.moves(state):
                    after = self.game.play(state, move)
                    if after not in reached:
                        reached.add(after)
                        waiting.append(after)
        except OURS:
            raise
        except BaseException as error:
            self.say("raises", f"the game raises {in_one_line(error)}", state, ())
            return
        self.positions = None if len(reached) > self.most else len(reached)

    def result(self, is_interrupted: bool) -> GameCheck:
        """Return all that was seen."""
        faults = tuple(self.found.values())
        lengths = self.lengths or [0]
        signs = Counter[int]()
        for (payoff, _), count in self.payoffs.items():
            signs[(payoff > 0) - (payoff < 0)] += count
        return GameCheck(
            game=self.game,
            seed=self.seed,
            games=self.games,
            faults=tuple(fault for fault in faults if not fault.is_hint),
            hints=tuple(fault for fault in faults if fault.is_hint),
            seen=len(self.known),
            most=self.most,
            positions=self.positions,
            transpositions=len(self.transposed),
            branching=sum(self.widths) / max(1, len(self.widths)),
            most_moves=max(self.widths, default=0),
            shortest=min(lengths),
            length=sum(lengths) / len(lengths),
            longest=max(lengths),
            first_wins=signs[1],
            second_wins=signs[-1],
            draws=signs[0],
            alternates=self.alternates,
            is_interrupted=is_interrupted,
        )


def _way(way: Sequence[str]) -> str:
    return " ".join(way[-12:]) or "no move"


def _copied(state: Any) -> list[Any]:
    """Return a copy of a state, none where it has no equal copy."""
    try:
        copy = deepcopy(state)
        return [copy] if copy == state and copy is not state else []
    except OURS:
        raise
    except BaseException:  # a state may be anything
        return []
