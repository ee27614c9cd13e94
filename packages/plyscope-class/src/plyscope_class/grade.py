"""Points of a judgement by the rubric, each with its reason in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from plyscope.jsonable import by_name
from plyscope.rules.game import SIDES
from plyscope_class.assignment import Assignment
from plyscope_class.ladder import FULL_SCORE, MIN_SCORE

PARTS = ("check", "report_card", "certificate", "ladder", "values", "visits", "nodes", "answers")
ALGORITHM = ("values", "visits", "nodes")
"""The parts that are judged of an algorithm."""
TITLES = {
    "check": "check",
    "report_card": "against exact values",
    "certificate": "never loses",
    "ladder": "against the baselines",
    "values": "values and moves",
    "visits": "nodes in order",
    "nodes": "few nodes",
    "answers": "answers on the sheet",
    "league": "league, extra",
    "manual": "by hand",
    "penalty": "handed in late",
}

Shared = tuple[float, list[str]]
"""The share of a part's points, and the reasons."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """The points of one part of the rubric."""

    name: str
    points: float
    of: float
    reasons: tuple[str, ...]
    """The reasons for the points, one sentence each."""


@dataclass(frozen=True, kw_only=True)
class Grade:
    """The points of a submission."""

    parts: tuple[Part, ...]
    facts: tuple[str, ...] = ()
    """What was found and costs no points: wins at hand that are taken late or given away."""

    @property
    def total(self) -> float:
        """The sum of the points."""
        return round(fsum(part.points for part in self.parts), 2)

    @property
    def of(self) -> float:
        """The maximum."""
        return sum(part.of for part in self.parts)

    @property
    def by_loss(self) -> tuple[Part, ...]:
        """The parts, those that lost most points first."""
        return tuple(sorted(self.parts, key=lambda part: part.points - part.of))

    @property
    def reason(self) -> str:
        """The first reason of the part that lost the most points, "" if no part lost any."""
        lost = [part for part in self.by_loss if part.points < part.of and part.reasons]
        return lost[0].reasons[0] if lost else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the grade as JSON-ready data."""
        return by_name(self, "parts", "total", "of", "reason", "facts")


def grade_of(judgement: dict[str, Any] | None, problem: str, assignment: Assignment) -> Grade:
    """Return the grade of a judgement, or of the `problem` that prevented one.

    A submission that uses a forbidden module or does not run gets 0 points.
    """
    if judgement is not None:
        problem = _no_points(judgement)
    parts = []
    for name in PARTS:
        of = float(getattr(assignment.rubric, name))
        if not of:
            continue
        if judgement is None or problem:
            share, reasons = 0.0, [problem]
        elif name == "check":
            share, reasons = _check(judgement["check"])
        else:
            found = judgement["algorithm" if name in ALGORITHM else name]
            missing = (0.0, [_stopper(judgement["check"])])
            share, reasons = missing if found is None else GRADERS[name](found)
            if name == "report_card" and share < 1:
                reasons = [*_views(judgement["check"]), *reasons]
        reasons = [_cut(reason) for reason in reasons]
        parts.append(Part(name=name, points=round(share * of, 2), of=of, reasons=tuple(reasons)))
    cause = ((judgement or {}).get("algorithm") or {}).get("cause")
    if cause and not problem:  # once, where most points are lost
        at = min(range(len(parts)), key=lambda at: _gain(parts[at]))
        parts[at] = replace(parts[at], reasons=(cause, *parts[at].reasons))
    taken = ((judgement or {}).get("wins_taken") or {}) if not problem else {}
    return Grade(parts=tuple(parts), facts=tuple(taken.get("said", ())))


def _cut(reason: str) -> str:
    """Return a reason without the rest of a long one, such as a number of 4,000 digits."""
    return reason if len(reason) <= MAX_REASON_CHARS else f"{reason[:MAX_REASON_CHARS]}…"


def _gain(part: Part) -> float:
    """Return the points, less those that are possible, in a part that shows a search's mistake."""
    return part.points - part.of if part.name in ("values", "visits") else 0.0


def with_league(grade: Grade, extra: tuple[float, int, int] | None) -> Grade:
    """Return a grade with the extra points of a league: the points, the place, the players."""
    points, place, players = extra or (0.0, 0, 0)
    reason = f"place {place} of {players}" if place else "did not play in the league"
    part = Part(name="league", points=points, of=0.0, reasons=(reason,))
    return replace(grade, parts=(*grade.parts, part))


def _views(check: dict[str, Any]) -> list[str]:
    """Return the finding that the values are in another side's view, which explains wrong moves."""
    items = [item for item in check["items"] if item["name"] == "sides" and item["finding"]]
    return [f"{item['finding']} (expected: {item['says']})" for item in items]


def _no_points(judgement: dict[str, Any]) -> str:
    """Return why a judgement gets 0 points, or an empty text."""
    check = judgement["check"]
    if judgement["forbidden"] is not None:
        return f"check by hand: {judgement['forbidden']}, which is forbidden"
    if check["does_run"]:
        return ""
    findings = [item["finding"] for item in check["items"] if item["finding"] is not None]
    return f"does not work: {findings[0]}" if findings else "does not work"


def _stopper(check: dict[str, Any]) -> str:
    """Return the reason why a submission was checked but not judged."""
    findings = [item["finding"] for item in check["items"] if item["finding"] is not None]
    return f"not judged: {findings[-1]}" if findings else "not judged: it gives no answers"


def _check(check: dict[str, Any]) -> Shared:
    items, missing = check["items"], check["missing"]
    findings = [item for item in items if item["finding"] is not None]
    reasons = [f"{item['finding']} (expected: {item['says']})" for item in findings]
    reasons += [f"not checked: {', '.join(missing)}"] if missing else []
    number = len(items) + len(missing)
    share = fsum(item["share"] for item in items) / max(1, number)
    return share, reasons or [f"all {number} items hold"]


def _report_card(card: dict[str, Any]) -> Shared:
    """Return the share of points for the report card, and its reasons."""
    if "reason" in card:
        return 0.0, [card["reason"]]
    saved = fsum(max(0.0, each["null"] - each["mistakes"]) for each in card["depths"])
    most = fsum(each["null"] - each["full"] for each in card["depths"])
    is_full = all(each["mistakes"] <= each["full"] for each in card["depths"])
    share = saved / most if most > 0 else float(is_full)
    reasons = [
        f"plays a wrong move in {100 * each['mistakes']:.1f} % of the {card['choices']:,} "
        f"critical positions, at depth {each['depth']}; "
        f"full points at {100 * each['full']:.1f} %, none at {100 * each['null']:.1f} %"
        for each in card["depths"]
    ]
    if card.get("opposite"):
        other, own = 100 * card["opposite"][0], 100 * card["depths"][0]["mistakes"]
        reasons.insert(
            0,
            f"better with the opposite sign: {other:.1f} % wrong instead of {own:.1f} % at depth 1",
        )
    if card.get("failure"):
        left = 100 * (1 - card.get("answered", 1.0))
        told = f" in {left:.1f} % of the positions, which count as 0 and cost as much" * (left > 0)
        reasons.insert(0, f"gives no answer{told}: {card['failure']}")
    return min(1.0, max(0.0, share)) * card.get("answered", 1.0), reasons


def _certificate(certificate: dict[str, Any]) -> Shared:
    """Return the share of points for the certificate, and its reasons: no lost game as X and as O,
    wherever perfect play need not lose."""
    if "reason" in certificate:
        return 0.0, [certificate["reason"]]
    share, reasons = 0.0, list[str]()
    held = [side for side in SIDES if side in certificate]
    for side in held:
        found, name = certificate[side], side.upper()
        if "reason" in found:
            reasons.insert(0, f"as {name} {found['reason']}")
        elif found["losing_line"] is None:
            share += 1 / len(held)
            sample = f", a sample: {doubt}" if (doubt := found.get("doubt")) else ""
            games = found["wins"] + found["draws"]
            reasons.append(f"as {name} it lost none of {games:,} games{sample}")
        else:
            reasons.insert(0, f"as {name} it loses by {' '.join(found['losing_line'])}")
    return min(1.0, share), reasons


def _ladder(rungs: list[dict[str, Any]]) -> Shared:
    """Return the mean share of the rungs' points, and the reasons."""
    share = sum(rung["share"] for rung in rungs) / max(1, len(rungs))
    return share, [_rung(rung) for rung in sorted(rungs, key=lambda rung: float(rung["share"]))]


def _rung(rung: dict[str, Any]) -> str:
    games = f"{rung['wins']} games won, {rung['draws']} drawn, {rung['losses']} lost"
    said = f"{100 * rung['score']:.0f} % of the points against {rung['baseline']} ({games})"
    if rung["forfeits"]:
        said += f"; stopped in {rung['forfeits']} games: {rung['reason']}"
    if rung["share"] == 1:
        because = " because it made no wrong move" if rung["score"] < FULL_SCORE else ""
        return f"{said}; all points of this rung{because}"
    share = f"{100 * rung['share']:.0f} % of the points of this rung"
    return (
        f"{said}; {share} (all from {100 * FULL_SCORE:.0f} %, none below {100 * MIN_SCORE:.0f} %)"
    )


def _values(found: dict[str, Any]) -> Shared:
    """Return the share of questions with the right value and move."""
    return _faultless(found, "fault")


def _visits(found: dict[str, Any]) -> Shared:
    """Return the share of questions in which the right nodes are visited in the right order."""
    share, reasons = _faultless(found, "departure")
    if found["other"]:
        reasons.insert(
            0, f"right for {found['other']}; the assignment asks for {found['convention']}"
        )
    return share, reasons


def _nodes(found: dict[str, Any]) -> Shared:
    """Return the mean share of the nodes saved, from alpha-beta to the model solution."""
    asked = found["further"]
    reasons = [
        f"{each['call']}: " + (each["fault"] or f"visits {each['nodes']:,} nodes; full points for "
        f"{each['goal']:,}, none for {each['plain']:,}")
        for each in sorted(asked, key=lambda each: float(each["share"]))
    ]  # fmt: skip
    reasons = [found["table_cause"], *reasons] if found["table_cause"] else reasons
    return fsum(each["share"] for each in asked) / max(1, len(asked)), reasons


def _answers(found: dict[str, Any]) -> Shared:
    """Return the share of the points of a sheet, with a reason for each question."""
    asked = found["questions"]
    points, possible = (fsum(each[key] for each in asked) for key in ("points", "possible"))
    reasons = [
        f"question {each['number']}: {each['points']:g} of {each['possible']} points"
        + (f"; it looks as if {each['diagnosis']}" if each["diagnosis"] else "")
        for each in sorted(asked, key=lambda each: float(each["points"]) - each["possible"])
        if each["points"] < each["possible"]
    ]
    reasons = reasons or [f"right in all {len(asked)} questions"]
    reasons += [f"not read: {note}" for note in found["notes"][:MAX_NOTES]]
    if found["student"]:
        reasons.append(f"by the sheet of {found['student']}")
    return points / max(1, possible), reasons


def _faultless(found: dict[str, Any], kind: str) -> Shared:
    """Return the share of questions without a fault of a kind, and the first faults with their
    number, or the sentence that there are none."""
    asked = found["questions"]
    faults = [f"{each['call']}: {each[kind]}" for each in asked if each[kind]]
    if not faults:
        return 1.0, [f"right in all {len(asked)} questions"]
    left = len(faults) - MAX_REASONS
    number = f"wrong in {len(faults)} of {len(asked)} questions"
    kept = f", which keep {100 * found['kept']:.0f} % of their points" * (found["kept"] > 0)
    told = [*faults[:MAX_REASONS], number + kept + f", {left} not shown" * (left > 0)]
    return 1 - (1 - found["kept"]) * len(faults) / len(asked), told


MAX_REASON_CHARS = 1_200
MAX_NOTES = 10
"""The greatest number of unreadable cells that are given as reasons."""
MAX_REASONS = 5
"""The greatest number of questions whose faults are given as reasons."""
GRADERS: dict[str, Callable[[Any], Shared]] = {
    "report_card": _report_card,
    "certificate": _certificate,
    "ladder": _ladder,
    "values": _values,
    "visits": _visits,
    "nodes": _nodes,
    "answers": _answers,
}
"""For each part, the function that returns its share of points and its reasons."""
