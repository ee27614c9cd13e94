"""The judgement of a submission: check, report card, certificate, ladder; without points.

A judgement does not depend on the author or on other submissions, and on the clock only if a limit
is reached. So it is the same on every machine and in every order, and can be cached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import fsum, inf
from random import Random
from typing import Any

import numpy as np

from plyscope.errors import AgentError, HeuristicError, OptionError, PlyscopeError
from plyscope.evaluation.function import WithoutLines
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.faces.reviews import wins_sentences
from plyscope.jsonable import by_name
from plyscope.lab.agents.agent import Agent
from plyscope.lab.judging.certify.every_line import EveryLine, TooMany
from plyscope.lab.judging.graph import Rated
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.populations import population_of
from plyscope.lab.judging.reportcard.measures import Ranked, first_of_each_class, worst_mistakes
from plyscope.lab.judging.reportcard.results import Mistake
from plyscope.lab.judging.review import solved_line
from plyscope.lab.judging.tactics import tactic_of
from plyscope.lab.judging.whole import WholeGame
from plyscope.lab.judging.why import reason_for
from plyscope.lab.judging.wins import plyless_scoring, wins_taken
from plyscope.processes import Failed
from plyscope.rules.game import FIRST, SECOND, SIDES, Game, position_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.result import line_text
from plyscope.solving.known import proof_of
from plyscope.solving.solve import solve
from plyscope_class.algorithm import judge_runs, questions_of
from plyscope_class.assignment import Assignment
from plyscope_class.check import MOST, Check, check_submission
from plyscope_class.ladder import climb, openings_of
from plyscope_class.sheet import judge_sheet, sheet_of
from plyscope_class.submission_process import (
    NAME,
    Budget,
    SubmissionAgent,
    SubmissionHeuristic,
    SubmissionProcess,
    player_of,
    table_of,
)

SHOWN_MISTAKES = 3
"""Wrong moves shown in the feedback."""
OPPOSITE_SHARE = 0.6
"""The opposite sign is a cause if it has at most this share of the wrong moves, at each depth."""
AGENT_POSITIONS = 200
"""The greatest number of critical positions in which a submitted agent has to choose a move."""
MAX_LINE_PLIES = 9
"""The most plies of the best play after a wrong move."""
SMALL_CELLS = 9
"""Cells up to which all positions of a line game are solved for the ladder."""
MAX_CERTIFIED = 20_000
"""Position limit of a certificate."""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The measurements of a submission, by part of the rubric; a part that failed has only a
    `reason`."""

    check: dict[str, Any]
    forbidden: str | None = None
    """The use of a forbidden module, which ends the judgement with 0 points."""
    is_stopped: bool = False
    """Whether the submission was stopped or used up its time."""
    report_card: dict[str, Any] | None = None
    certificate: dict[str, Any] | None = None
    wins_taken: dict[str, Any] | None = None
    """How it treats wins at hand (`WinsTaken`), and as `said` the sentences about it; it costs no
    points."""
    ladder: list[dict[str, Any]] | None = None
    algorithm: dict[str, Any] | None = None
    answers: dict[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the judgement as JSON-ready data."""
        return by_name(self)


def judge(
    files: Mapping[str, bytes],
    main: str,
    assignment: Assignment,
) -> Judgement:
    """Judge a submission, the file `main` among `files`."""
    budget = Budget(assignment)
    found = check_submission(files, main, assignment, budget)
    return judge_checked(files, main, assignment, found, budget)


def judge_checked(
    files: Mapping[str, bytes],
    main: str,
    assignment: Assignment,
    found: Check,
    budget: Budget,
) -> Judgement:
    """Judge a submission after its check, within the rest of its time budget."""
    if not found.can_be_judged:
        return Judgement(check=_comparable(found), forbidden=found.forbidden, is_stopped=True)
    if assignment.interface == "answers":
        return Judgement(check=_comparable(found), answers=judge_sheet(files, main, assignment))
    if assignment.interface == "table":
        return _parts(table_of(files, main), None, found, assignment)
    with SubmissionProcess(files, main, assignment, budget=budget) as submission:
        if assignment.interface == "algorithm":
            runs = [submission.run(each) for each in questions_of(assignment)]
            algorithm = judge_runs(runs, assignment)
            judgement = Judgement(check=_comparable(found), algorithm=algorithm)
        elif assignment.interface == "agent":
            agent = SubmissionAgent(submission, found.has_chance)
            judgement = _parts(None, agent, found, assignment)
        else:
            judgement = _parts(SubmissionHeuristic(submission), None, found, assignment)
        is_stopped = bool(submission.ended or budget.is_spent)
        return replace(judgement, forbidden=budget.forbidden, is_stopped=is_stopped)


def check_measurable(assignment: Assignment) -> None:
    """Raise OptionError if a part of the rubric cannot be measured on the assignment's game.

    So no submission loses points for it."""
    if assignment.interface == "algorithm":
        questions_of(assignment)
        return
    if assignment.interface == "answers":
        sheet_of(assignment)
        return
    if assignment.rubric.report_card:
        _reference_shares(assignment)
    if assignment.rubric.ladder or assignment.league.pairs:
        openings_of(assignment, 1, assignment.ladder.opening_plies, "ladder")


def _parts(
    heuristic: Heuristic | None,
    agent: Agent | None,
    found: Check,
    assignment: Assignment,
) -> Judgement:
    rubric = assignment.rubric
    player = agent or player_of(heuristic, assignment) if heuristic is not None else agent
    assert player is not None
    card = certificate = ladder = None
    played: dict[Any, Sequence[Any]] = {}
    if rubric.report_card:
        card = _or_reason(lambda: _card(heuristic, player, assignment, played))
    if rubric.certificate:
        certificate = _certificates(player, assignment, played)
    if rubric.ladder:
        whole = _whole(assignment)
        rungs = (climb(player, text, assignment, whole) for text in assignment.ladder.baselines)
        ladder = [rung.as_dict() for rung in rungs]
    return Judgement(
        check=_comparable(found),
        report_card=card,
        certificate=certificate,
        wins_taken=_wins_taken(played, player, assignment),
        ladder=ladder,
    )


def _wins_taken(
    played: Mapping[Any, Sequence[Any]], player: Agent, assignment: Assignment
) -> dict[str, Any] | None:
    """Return how a submission treats wins at hand where it was asked for moves, without a limit of
    time, so that the judgement is the same on every machine."""
    found = wins_taken(
        assignment.rules, played, plyless_scoring(player, assignment.rules), seconds=inf
    )
    return None if found is None else by_name(found) | {"said": list(wins_sentences(found))}


def _comparable(found: Check) -> dict[str, Any]:
    """Return the check's data without the fields that differ between machines."""
    data = found.as_dict()
    del data["held"], data["microseconds"]
    return data


def _or_reason(measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return measure()
    except (HeuristicError, AgentError) as error:
        return {"reason": str(error)}
    except Failed as failure:
        return {"reason": failure.reason}


# The report card


def _population(assignment: Assignment) -> Population:
    samples = assignment.report_card.samples
    return population_of(assignment.rules, samples or None, assignment.seed, None)


def _whole(assignment: Assignment) -> WholeGame | None:
    """Return all positions of the game with exact values; None if no part of the rubric uses
    them."""
    is_measured = assignment.rubric.report_card > 0 and not assignment.report_card.samples
    is_small = isinstance(assignment.rules, LineGame) and assignment.rules.size <= SMALL_CELLS
    if not is_measured and not is_small:
        return None
    found = population_of(assignment.rules, None, assignment.seed, None)
    return found if isinstance(found, WholeGame) else None


def _card(
    heuristic: Heuristic | None,
    player: Agent,
    assignment: Assignment,
    played: dict[Any, Sequence[Any]],
) -> dict[str, Any]:
    """Return the report card; the moves of an agent are added to `played`, by state."""
    if heuristic is None:
        return _card_of_agent(player, assignment, played)
    population, depths = _population(assignment), assignment.report_card.depths
    if isinstance(heuristic, SubmissionHeuristic):
        heuristic.is_lenient = True
        _prefetch(heuristic, population, depths, bool(assignment.report_card.samples))
    rated = Rated(heuristic, population)
    own = _shares(population, rated, depths)
    opposite = _shares(population, _Opposite(heuristic), depths)
    worst = worst_mistakes(population, rated, SHOWN_MISTAKES)
    answered, failure = 1.0, ""
    if isinstance(heuristic, SubmissionHeuristic):
        heuristic.is_lenient = False
        answered, failure = heuristic.answered, heuristic.failure
        if answered <= MOST:
            return {"reason": failure}
    null, full = _reference_shares(assignment)
    is_better = sum(opposite) < sum(null) and all(
        other <= OPPOSITE_SHARE * mistakes for other, mistakes in zip(opposite, own, strict=True)
    )
    return {
        "choices": len(population.critical),
        "depths": [
            {"depth": at + 1, "mistakes": own[at], "null": null[at], "full": full[at]}
            for at in range(depths)
        ],
        "opposite": opposite if is_better else None,
        "answered": answered,
        "failure": failure,
        "worst": [_shown(each) for each in worst],
    }


class _Opposite(WithoutLines):
    """A heuristic that returns minus the values of another one."""

    name, summary = NAME, "a submission with the opposite sign"

    def __init__(self, heuristic: Heuristic) -> None:
        self.heuristic = heuristic

    def evaluate(self, position: Any, side: int) -> int:
        """Return minus the value for `side`."""
        return -self.heuristic.evaluate(position, side)


def _prefetch(
    heuristic: SubmissionHeuristic, population: Population, depths: int, is_sampled: bool
) -> None:
    """Request in batches all values that the report card needs."""
    both = (FIRST, SECOND)
    heuristic.prefetch((state, side) for state in population.positions for side in both)
    for at in population.critical.at if is_sampled else ():
        for depth in range(2, depths + 1):
            position = position_of(population.game, population.positions[at])
            heuristic.prefetch_search(position, depth)


def _shares(population: Population, heuristic: Heuristic | Rated, depths: int) -> list[float]:
    """Return [depth − 1] the share of wrong moves in the critical positions."""
    critical = population.critical
    rated = heuristic if isinstance(heuristic, Rated) else Rated(heuristic, population)
    played = (critical.played(rated, depth) for depth in range(1, depths + 1))
    return [fsum(critical.wrong_by(each)) / max(1, len(critical)) for each in played]


def _reference_shares(assignment: Assignment) -> tuple[list[float], list[float]]:
    """Return [depth − 1] the shares of wrong moves that give no points and full points: with no
    heuristic, and with the assignment's `full` heuristic."""
    card = assignment.report_card
    key = assignment.rules, card.samples, assignment.seed, card.depths, card.full
    return _cached_shares(*key)


@lru_cache(maxsize=4)
def _cached_shares(
    game: Game, samples: int, seed: int, depths: int, full: str
) -> tuple[list[float], list[float]]:
    population = population_of(game, samples or None, seed, None)
    found = [
        _shares(population, find_heuristic(name, game), depths)
        for name in filter(None, ("null", full))
    ]
    return found[0], found[1] if full else [0.0] * depths


def _card_of_agent(
    player: Agent, assignment: Assignment, played: dict[Any, Sequence[Any]]
) -> dict[str, Any]:
    """Return the report card of an agent: its wrong moves in a sample of the critical positions."""
    population = _population(assignment)
    number = len(population.critical)
    drawn = sorted(Random(assignment.seed).sample(range(number), min(AGENT_POSITIONS, number)))
    asked = population.critical.only(np.array(drawn, np.int64))
    ranked: list[Ranked] = []
    failure, failed = "", 0
    for at, begin, end in zip(asked.at, asked.starts, asked.starts[1:], strict=False):
        position = position_of(population.game, population.positions[at])
        try:
            moves = player.choices(position)
        except AgentError as error:
            failure, failed = failure or str(error), failed + 1
            continue
        chosen = list(position.moves).index(moves[0])
        played[population.positions[at]] = tuple(moves)
        lost = asked.lost[begin:end].astype(np.int64).tolist()
        if lost[chosen]:
            ranked.append((-lost[chosen], 0, at, chosen, lost.index(0)))
    if drawn and failed >= (1 - MOST) * len(drawn):
        return {"reason": failure}
    by_chance = sum(asked.wrong_by(np.ones(len(asked.lost), np.bool_)).tolist())
    _, full = _reference_shares(assignment)
    depth = min(assignment.report_card.depths, assignment.depth or 1)
    shares = {
        "depth": depth,
        "mistakes": (len(ranked) + failed) / max(1, len(drawn)),
        "null": by_chance / max(1, len(drawn)),
        "full": full[depth - 1],
    }
    return {
        "choices": len(drawn),
        "depths": [shares],
        "failure": failure,
        "worst": [_shown(each) for each in first_of_each_class(population, ranked, SHOWN_MISTAKES)],
    }


def _shown(mistake: Mistake) -> dict[str, Any]:
    """Return a wrong move and a right one: what the position asks, their exact values where a short
    proof is found, and the best play after the wrong one, as far as it is proved."""
    position = mistake.position
    data = by_name(
        mistake, position=str(position), asks=tactic_of(position), line=None, values={}
    )  # fmt: skip
    if not isinstance(position, Position):
        return data
    for name in (mistake.better, mistake.chosen):
        move = position.game.parse_move(position, name)
        after = position.play(move)
        verdict = proof_of(after)
        if verdict is None or verdict.value is None:
            continue
        data["values"][name] = verdict.value if after.side == position.side else -verdict.value
        if name == mistake.chosen and verdict.value:  # a draw has no line to show
            line = (move, *solved_line(after, most=MAX_LINE_PLIES))
            data["line"] = line_text(position, line)
    reason = reason_for(position, position.game.parse_move(position, mistake.better))
    data["why"] = reason.sentence if reason is not None and reason.is_simple else None
    return data


# The certificate


def _certificates(
    player: Agent, assignment: Assignment, played: dict[Any, Sequence[Any]]
) -> dict[str, Any]:
    """Play every possible game against a submission, on each side, and add its moves to `played`,
    by state."""
    value = _value(assignment.rules)
    return {
        SIDES[side]: _certificate(player, side, assignment, played)
        for side in (FIRST, SECOND)
        if value is None or (value if side == FIRST else -value) >= 0
    }


@lru_cache(maxsize=4)
def _value(game: Game) -> int | None:
    """Return the exact value of a game for FIRST."""
    return solve(position_of(game, game.start()), with_moves=False).value


def _certificate(
    player: Agent, side: int, assignment: Assignment, played: dict[Any, Sequence[Any]]
) -> dict[str, Any]:
    lines = EveryLine(player, assignment.rules, side, MAX_CERTIFIED, inf, None)
    try:
        wins, draws, losses, loss = lines.play_out()
    except TooMany:
        return {"reason": f"not decided: there are more than {MAX_CERTIFIED:,} positions"}
    except (AgentError, HeuristicError) as error:
        return {"reason": f"was stopped: {error}"}
    except (OptionError, PlyscopeError) as error:
        return {"reason": str(error)}
    finally:
        played.update(lines.played)
    start = position_of(assignment.rules, assignment.rules.start())
    line = None if loss is None else line_text(start, loss)
    found = {"wins": wins, "draws": draws, "losses": losses, "losing_line": line}
    return found | {"doubt": lines.doubt or ""}
