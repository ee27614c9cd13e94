"""The sections of conflicts: positions that no numbers of a family play right together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plyscope.display import times
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.wording import number, standing
from plyscope.rules.game import spoken
from plyscope.rules.position import Position

if TYPE_CHECKING:
    from plyscope_optima import Conflicts

Data = Mapping[str, Any]
SHOWN_MOVES = 4
"""The most wrong moves that a caption lists."""


def result_sections(result: Conflicts) -> Iterator[Section]:
    """Return the sections of a result: the answer, then each conflict."""
    return conflicts_sections(result.as_dict(), result.rules)


def conflicts_sections(data: Data, rules: Any) -> Iterator[Section]:
    """Yield the answer, each conflict with its proof, and the terms that resolve some."""
    count, found, best = len(data["parameters"]), data["conflicts"], data["optimum"]
    of, depth = f"{times(count, 'number')} of {data['family']}", data.get("depth", 1)
    fewest: tuple[str, ...] = ()
    if best:
        kind = "are possible" if best["is_proved"] and found else "are known"
        least = f"{100 * best['least']:.2f} % of {data['critical']:,} critical positions"
        fewest = (f"The fewest wrong moves that {kind}: {least}.",)
    if found:
        answer = f"At depth {depth}, no {of} make every right move on {data['game']}."
        words: tuple[str, ...] = (answer, *fewest, *([LINES] if depth > 1 else []), HOW)
    elif data["weights"] is not None:
        weights = ", ".join(map(number, data["weights"]))
        words = (f"At depth 1, these {of} make every right move on {data['game']}: {weights}.",)
    else:
        answer = f"No conflict of the {of} on {data['game']} at depth {depth} was found."
        words = (answer, *fewest)
    yield Section(1, f"Why {data['family']} plays wrong moves on {data['game']}", words)
    for at, conflict in enumerate(found, 1):
        yield conflict_section(conflict, data["game"], rules, f"Conflict {at}: ", 2)
    if data["additions"]:
        rows = tuple(
            (
                addition["terms"],
                number(addition["numbers"]),
                f"{addition['resolved']} of {len(found)}",
                *([_least(addition["optimum"])] if best else []),
            )
            for addition in data["additions"]
        )
        head = "terms", "numbers", "resolved", *(["fewest wrong moves"] if best else [])
        heading = f"Terms that resolve them, added to {data['family']}"
        yield Section(2, heading, head=head, rows=rows)
    elif found and data["tried"]:
        words = ("No terms of the library resolve any of these conflicts.",)
        yield Section(2, "Terms that resolve them", words)


HOW = (
    "A right move is played if numbers · (its features − those of a wrong move) is positive. "
    "In each proof, multiples of such differences add up to zero, so not all are positive."
)

LINES = (
    "A move is a line here: the search plays a right move if, for some own replies, all ends of "
    "its lines are rated above those of each wrong move, for some replies of the opponent to it."
)


def conflict_section(conflict: Data, game: str, rules: Any, before: str, level: int) -> Section:
    """Return the positions of a conflict side by side, and the sums that prove it.

    If `rules` is None, moves are shown by the names in the data."""
    figures = tuple(
        _figure(asked, chr(ord("A") + at), game, rules)
        for at, asked in enumerate(conflict["positions"])
    )
    cases = conflict["cases"]
    differences = [demand["difference"] for case in cases for demand in case["demands"]]
    shown = [at for at in range(len(differences[0])) if any(each[at] for each in differences)]
    names = [*conflict["parameters"], *(["not tuned"] if conflict["has_fixed"] else [])]
    rows: list[tuple[str, ...]] = []
    for case in cases:
        rows += [()] if rows else []
        for demand in case["demands"]:
            right = " or ".join(_name(rules, move) for move in demand["right"])
            wrong = _name(rules, demand["wrong"])
            words = f"{chr(ord('A') + demand['at'])}: {right} above {wrong}"
            numbers = (number(demand["difference"][at]) for at in shown)
            rows.append((words, number(demand["times"]), *numbers))
        rows.append(("sum", "", *(number(case["sum"][at]) for at in shown)))
    notes = []
    if conflict["is_smallest"] and len(conflict["positions"]) > 1:
        notes.append("No conflict has fewer positions.")
    if len(cases) > 1:
        notes.append(
            "There is a case for each choice of right moves. A case leaves open the moves that it "
            "does not name."
            if not any(" " in demand["wrong"] for case in cases for demand in case["demands"])
            else "There is a case for each choice of right moves and replies. A case leaves open "
            "what it does not name."
        )
    if conflict["has_fixed"] and any(case["sum"][-1] for case in cases):
        notes.append("The terms that are not tuned add up to less than zero, which does not help.")
    if not shown:
        return Section(level, before + said(conflict), figures=figures)
    return Section(
        level,
        before + said(conflict),
        head=("demand", "times", *(names[at] for at in shown)),
        rows=tuple(rows),
        figures=figures,
        notes=tuple(notes),
    )


def said(conflict: Data) -> str:
    """Return the conflict in a sentence."""
    positions, cases = conflict["positions"], conflict["cases"]
    differences = [demand["difference"] for case in cases for demand in case["demands"]]
    if not any(map(any, differences)):
        wrong = {demand["wrong"]: None for case in cases for demand in case["demands"]}
        return f"the right moves have the same features as a wrong one: {', '.join(wrong)}"
    if len(positions) == 1:
        return "the features of every right move lie between those of wrong ones"
    if len(positions) == 2 and len(cases) == 1 and len(differences) == 2:
        return "these two positions make opposite demands on the numbers"
    return f"no numbers play a right move in all {len(positions)} positions"


def _figure(asked: Data, letter: str, game: str, rules: Any) -> Figure:
    text = asked["position"]
    if rules is None or not text.startswith(f"{rules.name} "):
        text = f"{game} {text}"
    right, wrong = (_listed(rules, asked[kind]) for kind in ("right", "wrong"))
    figure = Figure(text, f"{letter}: right {right}; wrong {wrong}")
    if isinstance(figure.drawn, Position):
        caption = f"{letter}, {standing(figure.drawn)}: right {right}; wrong {wrong}"
        return figure._replace(caption=caption)
    return figure


def _listed(rules: Any, moves: Sequence[str]) -> str:
    names = [_name(rules, move) for move in moves]
    if len(names) > SHOWN_MOVES:
        return f"{', '.join(names[:SHOWN_MOVES])} and {len(names) - SHOWN_MOVES} more"
    return ", ".join(names)


def _name(rules: Any, move: str) -> str:
    """Return a move, or the moves of a line, as they are spoken of."""
    return move if rules is None else ", ".join(spoken(rules, each) for each in move.split())


def _least(best: Data) -> str:
    least = f"{100 * best['least']:.2f} %"
    return least if best["is_proved"] else f"{100 * best['bound']:.2f} to {least}"
