"""Runs compiled searches of user-defined games: compiles the game's methods, compares them with the
Python methods, and copies the results into the walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, cast

from plyscope.errors import PlyscopeError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.identity import identity_of
from plyscope.pythonfile import in_one_line
from plyscope.rules.foreigngames import ForeignGame
from plyscope.rules.game import given_of
from plyscope.searching.accelerator import CannotCompile
from plyscope.searching.limit import NO_LIMIT, Late, SearchStopped
from plyscope.searching.walk import Node, Walk
from plyscope_fast.machine.compiling import compiles
from plyscope_fast.machine.kernel import compile_alone, load_function
from plyscope_fast.machine.own import (
    MAX_NUMBERS,
    OwnGame,
    Shape,
    beginning_of,
    flattened,
    numbers_in,
    of_numbers,
    shape_of,
)
from plyscope_fast.machine.store import has_function
from plyscope_fast.machine.threads import ThreadRunner
from plyscope_fast.searching import walk as lines
from plyscope_fast.searching.own.table import OwnTable
from plyscope_fast.searching.own.walk import (
    RECORDS,
    CompiledWalk,
    TooDeep,
    Trial,
    Unfit,
    ask_methods,
)
from plyscope_fast.searching.results import take_over

if TYPE_CHECKING:
    from plyscope.searching.algorithm import SearchRequest

TEXTS = {name: text for name, text in lines.TEXTS.items() if name != "accumulating"}
"""The algorithms that are compiled from their reference form for any game, by name."""
TRIAL_POSITIONS, STORED_TRIAL_POSITIONS, TRIAL_SECONDS = 500, 30, 0.5
"""Limits of the test whether compiled methods return the same as in Python: the positions, the
positions for methods from disk (which passed the longer test when they were compiled), and the
seconds to generate the positions."""


# Whether a game can be compiled


def compiled_game(request: SearchRequest) -> OwnGame:
    """Return the game of the request with the algorithm compiled for it; raise CannotCompile with
    the reason in one line if that is impossible."""
    game, heuristic, name = request.game, request.heuristic, request.algorithm.name
    if why_never := never_compiled(request):
        raise CannotCompile(why_never)
    game = given_of(game)
    key = _key_of(game, heuristic)
    if key not in _known:
        try:
            _known[key] = _tested(game, heuristic, request.position)
        except CannotCompile as reason:
            if _key_of(game, heuristic) == key:  # else it was changed meanwhile
                _known[key] = reason
            raise
    found = _known[key]
    if isinstance(found, CannotCompile):
        raise found
    assert isinstance(heuristic, FunctionHeuristic)  # else `never_compiled`
    found = replace(found, game=game, evaluate=heuristic.function)  # equal ones, but these
    _compiled(found, TEXTS[name].function)
    return found


def never_compiled(request: SearchRequest) -> str:
    """Return the reason why the request cannot run compiled on any user-defined game; empty if it
    can."""
    heuristic, name = request.heuristic, request.algorithm.name
    if isinstance(request.game, ForeignGame):
        return f"its methods are in the form of {request.game.library}"
    if request.algorithm.compiled is None or name not in TEXTS:
        return f"{name!r} has no compiled form"
    if not isinstance(heuristic, FunctionHeuristic):
        return f"heuristic {heuristic.name!r} is no function"
    if heuristic.form:
        return f"{heuristic.name!r} has {heuristic.form}"
    return "" if heuristic.scale is None else f"the answers of {heuristic.name!r} are scaled"


def _key_of(game: Any, heuristic: Any) -> tuple[type, str]:
    """Return the key of the compiled form of a game and a heuristic as they are now; raise
    CannotCompile if there is none."""
    return type(game), _digest_of(game, heuristic)


def _digest_of(game: Any, heuristic: Any) -> str:
    """Return the digest of a game and a heuristic as they are now; raise CannotCompile if they have
    none, or if the object has methods of its own."""
    if not hasattr(heuristic.function, "__code__"):
        kind = type(heuristic.function).__name__
        raise CannotCompile(f"{kind!r} is an object that can be called; expected a function")
    for name, value in vars(game).items() if hasattr(game, "__dict__") else ():
        if callable(value) and hasattr(type(game), name):
            raise CannotCompile(f"{name!r} is set on the object; expected a method of its class")
    if not (digest := (identity := identity_of(game, heuristic.function)).digest):
        raise CannotCompile(f"it {identity.unknown} between searches")
    return digest


def state_of(request: SearchRequest) -> Literal["compiled", "unknown", "refused"]:
    """Return whether this process has compiled the game for the algorithm (`compiled`), could not
    (`refused`), or has not tried (`unknown`)."""
    if never_compiled(request):
        return "refused"
    try:
        found = _known.get(_key_of(given_of(request.game), request.heuristic))
    except CannotCompile:
        return "refused"
    if isinstance(found, CannotCompile):
        return "refused"
    text = TEXTS[request.algorithm.name]
    is_there = found is not None and (text.function, CompiledWalk) in found.forms
    return "compiled" if is_there else "unknown"


def is_stored(request: SearchRequest) -> bool:
    """Return whether machine code for the game is on disk."""
    try:
        digest = _digest_of(given_of(request.game), request.heuristic)
    except CannotCompile:
        return False
    text = TEXTS[request.algorithm.name]
    return has_function(beginning_of(digest, text.function, CompiledWalk))


_known: dict[tuple[type, str], OwnGame | CannotCompile] = {}
"""The compiled form of each game and heuristic, or the reason why there is none, by `_key_of`."""


def _compiled(own: OwnGame, text: Callable[..., Any]) -> Callable[..., int]:
    """Return the function `text(walk, ...)` compiled for a game whose compiled methods have passed
    the test; it takes the walk's address and numbers. Raises CannotCompile."""
    if (text, CompiledWalk) not in own.forms and not _is_read(own, text, CompiledWalk):
        _compile(own, text, CompiledWalk)()
    return cast(Callable[..., int], own.forms[text, CompiledWalk])


def _is_read(own: OwnGame, text: Callable[..., Any], walk: type[CompiledWalk]) -> bool:
    """Read the machine code of `text` from disk, if it is there; return whether `own.forms` has
    it."""
    if found := load_function(own.name_of(text, walk)):
        own.forms[text, walk] = found.called
    return (text, walk) in own.forms


def _compile(
    own: OwnGame, text: Callable[..., Any], walk: type[CompiledWalk]
) -> Callable[[], None]:
    """Compile the function `text` into `own.forms`; raise CannotCompile, also if the game was
    changed meanwhile. Return a function that writes the machine code to disk."""

    def compiled() -> tuple[Any, ...]:
        from plyscope_fast.machine.own_types import compile_entry  # imports Numba

        with compiles(own.game.name):
            form, parts = compile_entry(own, text, walk, RECORDS)
        if identity_of(own.game, own.evaluate).digest != own.digest:
            raise CannotCompile("it was changed while it was compiled")
        own.forms[text, walk] = form
        return parts

    parts = compile_alone(compiled)

    def keep() -> None:
        from plyscope_fast.machine.python import stored

        stored.save(own.name_of(text, walk), *parts)

    return keep


def _tested(game: Any, heuristic: Any, root: Any) -> OwnGame:
    """Return the game with compiled methods that pass the test: they return the same as in Python
    on all samples. Raises CannotCompile if they do not. Only methods that pass are written to disk.
    If methods from disk fail, no machine code of the game is read from disk."""
    drawn = _samples(game, heuristic, root)
    samples = list(islice(drawn, STORED_TRIAL_POSITIONS))
    own = _own(game, heuristic, samples)
    is_trusted = True
    if _is_read(own, ask_methods, Trial):
        try:
            return _checked(own, samples)
        except CannotCompile:
            is_trusted = False
    samples += drawn
    own = _own(game, heuristic, samples, is_trusted)
    keep = _compile(own, ask_methods, Trial)
    _checked(own, samples)
    keep()
    return own


def _own(game: Any, heuristic: Any, samples: list[Sample], is_trusted: bool = True) -> OwnGame:
    """Return the game with the shapes that its positions and moves have in the samples."""
    position = _one_shape([sample.position for sample in samples], "position")
    move = _one_shape([move for sample in samples for move in sample.moves], "move")
    digest = identity_of(game, heuristic.function).digest
    return OwnGame(game, position, move, heuristic.function, digest=digest, is_trusted=is_trusted)


class Sample:
    """A position of a random game, and the results of the methods in Python."""

    def __init__(self, game: Any, heuristic: Any, position: Any) -> None:
        self.position, self.payoff = position, game.payoff(position)
        self.side, self.moves = game.side(position), list(game.moves(position))
        self.evaluation = heuristic.evaluate(position, 0)
        self.after = [game.play(position, move) for move in self.moves]

    @property
    def words(self) -> list[int]:
        """The results as numbers, in the order in which `ask_methods` writes them."""
        is_over = self.payoff is not None
        head = [is_over, self.payoff if is_over else 0, self.side, self.evaluation, len(self.moves)]
        pairs = zip(self.moves, self.after, strict=True)
        return [*head, *(word for pair in pairs for word in flattened(pair))]


def _samples(game: Any, heuristic: Any, root: Any) -> Iterator[Sample]:
    """Yield positions of random games, which begin in turn at the root and at the game's start."""
    draw, began = Random(1), perf_counter()
    position, number = root, 0
    for _ in range(TRIAL_POSITIONS):
        try:
            sample = Sample(game, heuristic, position)
        except PlyscopeError as error:
            raise CannotCompile(str(error)) from None
        except Exception as error:
            raise CannotCompile(f"it raised {in_one_line(error)} on {str(position)[:40]}") from None
        yield sample
        if perf_counter() - began > TRIAL_SECONDS:
            return
        if sample.payoff is None and sample.after:
            position = draw.choice(sample.after)
        else:
            number += 1
            position = root if number % 2 == 0 else game.start()


def _one_shape(values: list[Any], what: str) -> Shape:
    """Return the common shape of all positions, or of all moves; raise CannotCompile if they have
    none."""
    shapes: dict[Shape, Any] = {}
    for value in values:
        try:
            shapes.setdefault(shape_of(value), value)
        except CannotCompile as reason:
            raise CannotCompile(
                f"{what} {str(value)[:40]}: {reason}; expected whole numbers of 64 bits, "
                "or tuples of them"
            ) from None
    if len(shapes) != 1:
        first, other = list(shapes.values())[:2]
        raise CannotCompile(
            f"{what}s {str(first)[:40]} and {str(other)[:40]}: expected tuples of one length"
        )
    (shape,) = shapes
    if numbers_in(shape) > MAX_NUMBERS:
        raise CannotCompile(
            f"a {what} has {numbers_in(shape)} numbers; expected at most {MAX_NUMBERS}"
        )
    return shape


def _checked(own: OwnGame, samples: list[Sample]) -> OwnGame:
    """Return the game if its compiled methods return the same as in Python on all samples; raise
    CannotCompile if they do not."""
    for sample in samples:
        _check_sample(own, own.forms[ask_methods, Trial], sample)
    return own


def _check_sample(own: OwnGame, ask: Callable[..., int], sample: Sample) -> None:
    """Raise CannotCompile if a compiled method does not return the same as in Python."""
    expected = sample.words
    trial = Trial(own, sample.position, len(expected))
    try:
        count = ask(trial.address, len(sample.moves))
    except Exception as error:
        raise CannotCompile(
            f"the compiled game raises {in_one_line(error)} on {str(sample.position)[:40]}"
        ) from None
    begin = (trial.answers.address - trial.address) // 8
    found = list(trial.words[begin : begin + count])
    if found == expected:
        return
    said = f"the compiled method returns another result on {str(sample.position)[:40]}"
    wrong = next(i for i, word in enumerate(expected) if found[i : i + 1] != [word])
    for index, name in enumerate(("payoff", "payoff", "side", "heuristic", "moves")):
        if wrong == index:
            raise CannotCompile(f"{name}: {said}, {found[wrong]} and not {expected[wrong]}")
    size = numbers_in(own.move) + numbers_in(own.position)
    number, offset = divmod(wrong - 5, size)
    move = sample.moves[number]
    if offset < numbers_in(own.move):
        raise CannotCompile(f"moves: {said}, move {number + 1} not {move}")
    rest = found[5 + number * size + numbers_in(own.move) :]
    raise CannotCompile(
        f"play: {said}, {of_numbers(own.position, rest)} after {move} and not "
        f"{sample.after[number]}"
    )


# The search


def run(name: str, walk: Walk, own: OwnGame) -> float:
    """Run the search and return the value; write the other results to `walk`. Raises SearchStopped,
    KeyboardInterrupt, an error of the game or the heuristic, or CannotCompile if the compiled
    search fails, for instance in a game that is too long."""
    runner, text = Runner(walk, own), TEXTS[name]
    if text.has_table:
        walk.table = runner.compiled.table = walk.memory.of(OwnTable, own)
    return text.drive(walk, lambda walk, *numbers: runner.call(text.function, *numbers))


class Runner:
    """Calls compiled functions on one walk, in another thread."""

    def __init__(self, walk: Walk, own: OwnGame) -> None:
        self.walk, self.own, self.nodes_before = walk, own, walk.nodes
        limit = walk.limit.nodes
        left = NO_LIMIT if limit is None else limit - walk.nodes
        self.compiled = CompiledWalk(walk, own, left)
        self._thread_runner = ThreadRunner(self._stop)

    def _stop(self) -> None:
        self.compiled.stopped = True

    def call(self, text: Callable[..., Any], *numbers: int) -> int:
        """Return `text(walk, *numbers)`, and copy its counts and results into the walk."""
        form = _compiled(self.own, text)
        call = partial(self._ask, form, numbers)
        try:
            try:
                return int(self._thread_runner.run(call, self.walk.deadline))
            except Late:
                raise SearchStopped("seconds") from None
            except BaseException:
                self._thread_runner.end(0.0)
                raise
        except TooDeep:
            raise CannotCompile(f"it lasts more than {self.compiled.room - 2} plies") from None
        except Unfit:
            raise self._refusal() from None
        except SearchStopped:
            raise
        except Exception as error:  # of the game's methods
            raise CannotCompile(f"the compiled game raises {in_one_line(error)}") from None
        finally:
            try:
                self._take_over()
            except KeyboardInterrupt:
                self._take_over()
                raise

    def _ask(self, form: Callable[..., int], numbers: tuple[int, ...]) -> int:
        """Return the result of `form`. While an abandoned thread runs this method, its reference to
        the object keeps the memory of the walk and its table alive."""
        return form(self.compiled.address, *numbers)

    def _refusal(self) -> Exception:
        """Return the error that the reference form raises at the position where the compiled search
        failed."""
        compiled, own = self.compiled, self.own
        numbers = [compiled.failed[index] for index in range(numbers_in(own.position))]
        node = Node(of_numbers(own.position, numbers))
        try:
            self.walk.side(node.position)
            if self.walk.game.payoff(node.position) is None:
                self.walk.moves(node)
            self.walk.static(node)
        except PlyscopeError as error:
            return error
        return CannotCompile(f"the compiled game fails on {str(node.position)[:40]}")

    def _take_over(self) -> None:
        """Copy the counts and results into the walk."""
        walk, compiled = self.walk, self.compiled
        moves, rows = (
            walk.game.moves(walk.root.position),
            compiled.rows("root_moves", compiled.root_count),
        )
        roots = dict(zip(moves, rows, strict=False))  # the game may have changed since
        plies = compiled.rows("plies", compiled.deepest + 1)
        take_over(walk, compiled, self.nodes_before, roots, plies)
        walk.alternates = compiled.takes_turns
        pv, move = compiled.pv, self.own.move
        numbers = [pv[1 + index] for index in range(numbers_in(move) * pv[0])]
        walk.pv = tuple(of_numbers(move, numbers) for _ in range(pv[0]))
