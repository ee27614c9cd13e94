"""The checks of a submission before grading; students run the same ones.

Each item is a statement about the submission. If it is false, the item has a finding, with a
position that shows the fault in a notation that every command reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from random import Random
from statistics import correlation
from typing import Any

from plyscope.errors import PlyscopeError
from plyscope.evaluation.diagnosis import Sample, Source, findings, first_difference
from plyscope.evaluation.habits import SIGNS
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on
from plyscope.evaluation.signatures import BOARD_SIGNATURES, SIGNATURES
from plyscope.jsonable import by_name
from plyscope.lab.people.apart import Forbidden, Raised
from plyscope.processes import AnswerLate, Failed
from plyscope.rules.game import move_text, one_line, random_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import orbit, with_colours_swapped
from plyscope_class.algorithm import Question, questions_of
from plyscope_class.assignment import SUFFIXES, Assignment
from plyscope_class.sheet import read_sheet
from plyscope_class.submission_process import Budget, NoMoreCalls, SubmissionProcess, table_of

MOST = 0.5
"""An item that is true for a greater share of the positions keeps this share of its points."""
MAX_FILE_BYTES = 500_000
"""Size limit of a submitted file."""
LISTED_NOTES = 10
"""The greatest number of unreadable cells of a sheet in a finding."""
SCALE, FRACTION = 1_000, "or a scale for fractions"
"""The factor for fractions, and the text of the error for them."""
MIN_PAIRS, CLEAR_TAU = 20, 0.3
"""Least number of values for a correlation, and the least correlation that counts."""
MAX_PLIES = 500
"""Ply limit of random games."""
SEEDS = ("0", "1", "0")
"""The seeds of the three runs of a submission. Another seed shows whether answers depend on random
numbers; the repeated seed shows whether anything else changes them."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One check of a submission."""

    name: str
    says: str
    """The statement that a good submission satisfies."""
    finding: str | None = None
    """The description of the failure, None if the statement is true."""
    position: str | None = None
    """A position that shows the finding."""
    share: float = 1.0
    """The share of the item's points: the share of positions for which the statement is true if
    these are most, else 0 with a finding."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """The result of checking a submission."""

    items: tuple[Item, ...]
    missing: tuple[str, ...]
    """Names of items that were not checked because an earlier one failed."""
    does_run: bool
    """Whether the file runs and returns at least one value or move."""
    can_be_judged: bool
    """Whether the file runs, and two runs with the same seed return the same values or moves."""
    forbidden: str | None
    """The use of a forbidden module, which ends the judgement; None without one."""
    has_chance: bool
    """Whether the values or moves depend on random numbers."""
    output: str
    """The output printed on import."""
    held: tuple[str, ...]
    """The parts of the sandbox that the kernel enforces."""
    scale: int = 0
    """The factor for values that are fractions; 0 for none."""
    microseconds: float | None = None
    """Mean time of an answer, including communication; late answers count their limit. None if
    nothing was called."""

    @property
    def findings(self) -> tuple[Item, ...]:
        """The items with a finding."""
        return tuple(item for item in self.items if item.finding is not None)

    @property
    def is_sound(self) -> bool:
        """Whether all items were checked and their statements are true."""
        return not self.findings and not self.missing

    @property
    def share(self) -> float:
        """The mean share of the items; 0 if the file does not run or uses a forbidden module."""
        if not self.does_run or self.forbidden is not None:
            return 0.0
        number = len(self.items) + len(self.missing)
        return fsum(item.share for item in self.items) / max(1, number)

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON-ready data."""
        return by_name(self, is_sound=self.is_sound)


def check_submission(
    files: Mapping[str, bytes],
    main: str,
    assignment: Assignment,
    budget: Budget | None = None,
) -> Check:
    """Check a submission, the file `main` among `files` (contents by name).

    The values of a function that returns fractions are taken times SCALE. The result depends on the
    clock only if a limit is reached.
    """
    budget = budget or Budget(assignment)
    found = _Checking(files, main, assignment, budget).check()
    if not budget.scale and any(FRACTION in (item.finding or "") for item in found.items):
        budget.scale = SCALE
        found = _Checking(files, main, assignment, budget).check()
    return found


class _Stop(Exception):
    """Raised when no further item can be checked."""


class _Checking:
    def __init__(
        self,
        files: Mapping[str, bytes],
        main: str,
        assignment: Assignment,
        budget: Budget | None,
    ) -> None:
        self.files, self.main, self.assignment = files, main, assignment
        self.budget = budget or Budget(assignment)
        self.items: list[Item] = []
        self.is_repeatable, self.has_chance, self.answers_at_all = True, False, False
        self.output = ""
        self.held: tuple[str, ...] = ()
        self.microseconds: float | None = None

    def check(self) -> Check:
        """Check the items in order, as far as possible."""
        try:
            if self.assignment.interface == "answers":
                self._sheet()
            elif self.assignment.interface == "table":
                self._table()
            else:
                self._function()
        except _Stop:
            pass
        forbidden = self.budget.forbidden
        is_run = self.assignment.interface not in SUFFIXES
        if is_run and (self.answers_at_all or forbidden):
            expected = ", ".join(self.assignment.check.forbidden)
            self._report("imports", forbidden and f"{forbidden}; expected none of {expected}")
        found = {item.name: item for item in self.items}
        names = self._names()
        return Check(
            items=tuple(found[name] for name in names if name in found),
            missing=tuple(name for name in names if name not in found),
            does_run=self.answers_at_all,
            can_be_judged=self.answers_at_all and self.is_repeatable and not forbidden,
            forbidden=forbidden,
            has_chance=self.has_chance,
            output=self.output,
            held=self.held,
            scale=self.budget.scale,
            microseconds=self.microseconds,
        )

    def _names(self) -> list[str]:
        options, interface = self.assignment.check, self.assignment.interface
        if interface == "answers":
            return ["read", "filled"]
        names = ["imports", "runs", "function", "quiet", "answers", "time", "chance"]
        if interface == "table":
            names = ["runs", "answers"]
        if interface in ("heuristic", "table") and self.assignment.is_of_lines:
            names += ["sides"]
            names += ["symmetry"] * options.symmetry + ["colours"] * options.colours
        return names

    def _report(
        self, name: str, finding: str | None = None, position: Any = None, right: float = 0.0
    ) -> None:
        """Add an item; `right` is the share of positions for which its statement is true."""
        place = None if position is None else one_line(position)
        says = TITLES[name].format(
            function=self.assignment.function, positions=self.assignment.check.positions
        )
        if name == "answers" and self.assignment.interface == "algorithm":
            says = "it answers every question"
        share = 1.0 if finding is None else right if right > MOST else 0.0
        self.items.append(
            Item(name=name, says=says, finding=finding, position=place, share=round(share, 4))
        )

    # A sheet

    def _sheet(self) -> None:
        content = self.files[self.main]
        if (fault := _too_large(self.main, content)) is not None:
            self._report("read", fault)
            raise _Stop
        try:
            _, answers, notes = read_sheet(content, self.main, self.assignment)
        except Failed as failure:
            self._report("read", failure.reason)
            raise _Stop from None
        rows = sum(map(len, answers))
        listed = "; ".join(notes[:LISTED_NOTES])
        more = f"; and {len(notes) - LISTED_NOTES} more" * (len(notes) > LISTED_NOTES)
        self._report(
            "read", f"{listed}{more}" if notes else None, None, 1 - len(notes) / max(1, rows)
        )
        self.answers_at_all = True
        empty = [
            str(number)
            for number, answer in enumerate(answers, 1)
            if not any(any(cells.values()) for cells in answer.values())
        ]
        self._report("filled", f"question {', '.join(empty)} has no answer" if empty else None)

    # A table

    def _check_sizes(self) -> None:
        for name, content in self.files.items():
            if (fault := _too_large(name, content)) is not None:
                self._report("runs", fault)
                raise _Stop

    def _table(self) -> None:
        self._check_sizes()
        try:
            table = table_of(self.files, self.main)
        except Failed as failure:
            self._report("runs", failure.reason)
            raise _Stop from None
        notes = notes_on(table, self.assignment.rules)
        self._report("runs", "; ".join(notes) or None)
        self.answers_at_all = True
        positions = drawn_positions(self.assignment)
        try:
            answers = [table.evaluate(each, each.side) for each in positions]
        except PlyscopeError as error:
            self._report("answers", str(error))
            raise _Stop from None
        self._report("answers")
        self._values(positions, list(answers), table.evaluate, "")

    # A function

    def _function(self) -> None:
        self._check_sizes()
        with self._process(SEEDS[0]) as submission:
            self._start(submission)
            positions = drawn_positions(self.assignment)
            answers = self._answers(submission, positions)
            again = [
                None if answer is None else _answer(submission, position)
                for position, answer in zip(positions, answers, strict=True)
            ]
            self._chance(positions, answers, again)
            is_asked = self.assignment.interface == "heuristic" and self.assignment.is_of_lines
            if is_asked and not self.has_chance:
                self._values(
                    positions,
                    answers,
                    lambda *of: submission.values([of[0]], [of[1]])[0],
                    submission.form,
                )

    def _process(self, chance: str) -> SubmissionProcess:
        return SubmissionProcess(self.files, self.main, self.assignment, chance, self.budget)

    def _start(self, submission: SubmissionProcess) -> None:
        try:
            self.output = submission.start()
        except Forbidden:
            raise _Stop from None
        except Failed as failure:
            is_name = isinstance(failure, Raised) and not failure.reason.startswith("running it")
            if is_name:
                self._report("runs")
            self._report("function" if is_name else "runs", failure.reason)
            raise _Stop from None
        self.held = submission.held
        self._report("runs")
        self._report("function")
        printed = " ".join(self.output.split())[:60]
        self._report("quiet", f"printed {printed!r} when it was imported" if self.output else None)

    def _answers(self, submission: SubmissionProcess, positions: Sequence[Any]) -> list[Any]:
        """Return the answer to each position, None without one."""
        answers: list[Any] = []
        late: list[tuple[Any, Failed]] = []
        wrong: list[tuple[Any, Failed]] = []
        skipped = 0
        for position in positions:
            answer = None
            try:
                answer = _asked(submission, position)
            except NoMoreCalls:
                skipped += 1
            except AnswerLate as failure:
                late.append((position, failure))
            except Failed as failure:
                wrong.append((position, failure))
            answers.append(answer)
            if self.budget.forbidden is not None:
                raise _Stop
        asked = len(answers) - skipped
        self.microseconds = max(0.0, self.budget.spent) / max(1, asked) * 1e6
        self.answers_at_all = any(answer is not None for answer in answers)
        more = f", {skipped} not checked" if skipped else ""
        for name, those in (("answers", wrong), ("time", late)):
            if those:
                position, first = those[0]
                number = f"; {len(those)} of {asked} positions{more}" * (len(answers) > 1)
                told = f"{first.reason}{number}{self._cause(first.reason)}"
                right = 0.0 if skipped else 1 - len(those) / max(1, asked)
                self._report(name, told, position, right)
            elif not skipped and self.answers_at_all:
                self._report(name)
        if self.budget.scale and not wrong:
            self.items = [item for item in self.items if item.name != "answers"]
            self._report("answers", FRACTIONS.format(self.budget.scale), None, 1.0)
        if not self.answers_at_all:
            raise _Stop
        return answers

    def _cause(self, reason: str) -> str:
        """Return the likely cause of a missing answer, or an empty text."""
        text = self.files[self.main].decode("utf-8", "replace")
        symbols = Source.of_text(text, self.assignment.function).symbols
        is_none = "answered 'None'" in reason or "answered None" in reason
        if is_none or reason.startswith("returned None;"):
            if symbols and isinstance(self.assignment.rules, LineGame):
                listed = ", ".join(symbols[:3])
                return f"; it compares with {listed}, and cells of a board are 0, 1 and 2"
            return "; some path through the function has no return"
        if "raised PermissionError" in reason:
            return "; the sandbox refuses this"
        is_raised = "raised KeyError" in reason or "raised ValueError" in reason
        if is_raised and "'X'" in text + "".join(symbols):
            return "; cells of a board are 0, 1 and 2, not 'X' and 'O'"
        return ""

    def _chance(self, positions: Sequence[Any], answers: list[Any], again: list[Any]) -> None:
        """Compare the answers with those of a second call, and with those of new processes."""
        first = _difference(positions, answers, again)
        *others, repeats = (
            _difference(positions, answers, self._repeated(chance, positions))
            for chance in SEEDS[1 if first is None else 2 :]
        )
        self.is_repeatable = first is None and repeats is None
        self.has_chance = any((first, repeats, *others))
        if repeats is not None:  # without an example, since another run would find another one
            self._report("chance", NOT_REPEATABLE)
        elif first is not None:
            self._report(
                "chance", f"answers {self._both_answers(*first)} when asked again", first[0]
            )
        elif others[0] is not None:
            differ = f"answers {self._both_answers(*others[0])} with other random numbers"
            is_agent = self.assignment.interface == "agent"
            self._report("chance", None if is_agent else differ, None if is_agent else others[0][0])
        else:
            self._report("chance")

    def _both_answers(self, position: Any, one: Any, other: Any) -> str:
        if self.assignment.interface == "algorithm":
            return " and ".join(
                f"{value} after {len(visits)} nodes" for value, visits in (one, other)
            )
        if self.assignment.interface != "agent":
            return f"{one:,} and {other:,}"
        moves = tuple(position.moves)
        return f"{move_text(position, moves[one])} and {move_text(position, moves[other])}"

    def _repeated(self, chance: str, positions: Sequence[Any]) -> list[Any]:
        with self._process(chance) as submission:
            try:
                submission.start()
            except Failed:
                return [None] * len(positions)
            return [_answer(submission, position) for position in positions]

    # Values: sides, symmetry, colours

    def _values(
        self,
        positions: Sequence[Any],
        answers: Sequence[int | None],
        evaluate: Callable[[Position, int], int],
        form: str,
    ) -> None:
        """Check the values of line-game positions; `answers` are for the side to move."""
        known = {at: answer for at, answer in enumerate(answers) if answer is not None}
        others = {
            at: _value(evaluate, positions[at], 1 - _side(positions[at])) for at in known
        }  # for the opponent of the mover
        self._report("sides", *self._sense(positions, known, others, form))
        options = self.assignment.check
        if options.symmetry:
            self._symmetry(positions, known, evaluate)
        if options.colours:
            self._colours(positions, known, others, evaluate)

    def _sense(
        self,
        positions: Sequence[Any],
        known: Mapping[int, int],
        others: Mapping[int, int | None],
        form: str,
    ) -> tuple[str | None, Any]:
        """Return a finding on the meaning of the values, with its likely cause, and a position.

        Return None for both without a finding."""
        signature = next((each for each in SIGNATURES if each.text == form), None)
        text = self.files[self.main].decode("utf-8", "replace")
        source = Source.of_text(text, self.assignment.function, signature)
        both = [(known.get(at), others.get(at)) for at in range(len(positions))]
        by_side = [
            (opponent, mover) if _side(position) else (mover, opponent)
            for position, (mover, opponent) in zip(positions, both, strict=True)
        ]
        sample = Sample(tuple(positions), tuple(_steps(positions)))
        for finding in findings(sample, by_side, source):
            return finding.text, finding.positions[0]
        rules = self.assignment.rules
        signs = [each for each in source.symbols if each in map(repr, SIGNS)]
        if signs and isinstance(rules, LineGame) and signature in BOARD_SIGNATURES:
            listed = ", ".join(signs[:3])
            return f"compares with {listed}; the cells of {source.board!r} are 0, 1 and 2", None
        is_misere = isinstance(rules, LineGame) and rules.misere
        if signature is None or not signature.is_of_x or is_misere:
            return None, None
        usual = find_heuristic("counted-lines", rules)
        agree = [
            _correlation(
                [
                    (value, usual.evaluate(positions[at], side))
                    for at, value in known.items()
                    if _side(positions[at]) == side
                ]
            )
            for side in (0, 1)
        ]
        words = "returns values in X's view: more is better for X, whoever is to move"
        if max(agree) < -CLEAR_TAU:
            return f"seems to answer in O's view; a function {form} {words}", None
        if agree[0] < CLEAR_TAU or agree[1] > -CLEAR_TAU:
            return None, None
        return f"seems to answer for the player to move; a function {form} {words}", None

    def _symmetry(
        self,
        positions: Sequence[Any],
        known: Mapping[int, int],
        evaluate: Callable[[Position, int], int],
    ) -> None:
        different = []
        for at, answer in known.items():
            images = orbit(positions[at]) - {positions[at]}
            image = min(images, key=lambda each: (each.first, each.second), default=None)
            value = None if image is None else _value(evaluate, image, _side(image))
            if image is not None and value is not None and value != answer:
                different.append((positions[at], answer, value, image))
        if not different:
            self._report("symmetry")
            return
        position, answer, value, image = different[0]
        self._report(
            "symmetry",
            f"gives {answer:,} here and {value:,} on its mirror image '{one_line(image)}'; "
            f"{len(different)} of {len(positions)} positions",
            position,
            1 - len(different) / len(positions),
        )

    def _colours(
        self,
        positions: Sequence[Any],
        known: Mapping[int, int],
        others: Mapping[int, int | None],
        evaluate: Callable[[Position, int], int],
    ) -> None:
        """Check that both sides are valued by one rule.

        It holds if the values for X and for O have the same sum in every position, as with a
        heuristic that considers who is to move. Otherwise swapping colours must not change the
        value. Colours are swapped only if both sides have the same number of stones, so that the
        swapped position can occur in a game.
        """
        sums = {known[at] + other for at, other in others.items() if other is not None}
        different = []
        for at, answer in known.items() if len(sums) > 1 else ():
            position = positions[at]
            if position.is_over or position.side != 0:
                continue
            if position.first.bit_count() != position.second.bit_count():
                continue
            image = with_colours_swapped(position)
            value = _value(evaluate, image, 1)
            if value is not None and value != answer:
                different.append((position, answer, others[at], value, image))
        if not different:
            self._report("colours")
            return
        position, answer, other, value, image = different[0]
        self._report(
            "colours",
            f"gives {answer:,} for X and {other} for O here, and {value:,} for O with colours "
            f"swapped, on '{one_line(image)}'; expected {answer:,} there, or {-answer:,} for O "
            f"here; {len(different)} positions",
            position,
        )


def _too_large(name: str, content: bytes) -> str | None:
    """Return a finding if a file is too large, else None."""
    if len(content) <= MAX_FILE_BYTES:
        return None
    return f"{name!r} has {len(content):,} bytes; expected at most {MAX_FILE_BYTES:,}"


FRACTIONS = (
    "returns fractions; its values are taken times {:,} and rounded, here and below, "
    "which costs no points"
)
NOT_REPEATABLE = (
    "gives different answers in two identical runs (does it use the clock or os.urandom?), so it "
    "cannot be judged; take random numbers from Python's random module"
)
TITLES = {
    "imports": "it imports nothing that the assignment forbids",
    "read": "the table can be read, and its nodes are those of the sheet",
    "filled": "each question has an answer",
    "runs": "the file runs",
    "function": "it has a function {function} with a known signature",
    "quiet": "it prints nothing when it is imported",
    "answers": "it answers on {positions} positions",
    "time": "it answers in time",
    "chance": "it gives the same answer each time",
    "sides": "its values depend on the position and the player",
    "symmetry": "a mirrored position has the same value",
    "colours": "both sides are valued by the same rule",
}
"""The statement of each item, by its name."""


def drawn_positions(assignment: Assignment) -> list[Any]:
    """Return the positions of the check, from random games, those of few plies first; an
    algorithm gets questions.

    So a finding is shown in a simple position. Agents only get unfinished games."""
    if assignment.interface == "algorithm":
        return list(questions_of(assignment))
    rules, random = assignment.rules, Random(f"{assignment.seed} check")
    is_agent = assignment.interface == "agent"
    found: dict[Any, int] = {}
    wanted, tries = assignment.check.positions, 0
    while len(found) < wanted and tries < 20 * wanted:
        tries += 1
        game = list(random_game(rules, random, MAX_PLIES))
        plies = random.randrange(len(game) - (is_agent and len(game) > 1))
        found.setdefault(game[plies], plies)
    return sorted(found, key=found.__getitem__)


def _asked(submission: SubmissionProcess, position: Any) -> Any:
    """Return the answer to a position: the value for the side to move, or the index of a move. The
    answer to a question is the value or move, and the visits. Raises Failed."""
    if isinstance(position, Question):
        run = submission.run(position)
        if run.failure is not None:
            raise run.failure
        return run.move if run.value is None else run.value, run.visits
    if submission.assignment.interface == "agent":
        return list(position.moves).index(submission.move(position, ""))
    return submission.values([position], [_side(position)])[0]


def _answer(submission: SubmissionProcess, position: Any) -> Any:
    """Return the answer to a position, None on failure."""
    try:
        return _asked(submission, position)
    except Failed:
        return None


def _side(position: Any) -> int:
    """Return the side to evaluate a position for."""
    return 1 if position.side == 1 else 0


def _difference(
    positions: Sequence[Any], answers: Sequence[Any], others: Sequence[Any]
) -> tuple[Any, Any, Any] | None:
    """Return the first position with two different answers, and these."""
    at = first_difference(answers, others)
    return None if at is None else (positions[at], answers[at], others[at])


def _value(evaluate: Callable[[Position, int], int], position: Position, side: int) -> int | None:
    """Return the value for a side, None on failure."""
    try:
        return evaluate(position, side)
    except (Failed, PlyscopeError):
        return None


def _steps(positions: Sequence[Position]) -> Iterator[tuple[int, int, int]]:
    """For each child of a position that is also in the sample, yield both indices and the mover."""
    places = {position: at for at, position in enumerate(positions)}
    for position, at in places.items():
        for move in () if position.is_over else position.moves:
            after = places.get(position.play(move))
            if after is not None:
                yield at, after, position.side


def _correlation(pairs: Sequence[tuple[int, int]]) -> float:
    """Return Pearson's correlation, 0 if either sequence is constant or both are short."""
    columns = list(zip(*pairs, strict=True))
    if len(pairs) < MIN_PAIRS or any(len(set(column)) == 1 for column in columns):
        return 0.0
    return correlation(*columns)
