"""The card of a tuning, for the terminal, a page, a notebook and Markdown.

The card is made from the data of a `TuningResult`, which files of records store too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from plyscope.display import times
from plyscope.errors import PlyscopeError
from plyscope.evaluation.tablefile import table_data, table_of, toml_text
from plyscope.faces.findings.cards import COST
from plyscope.faces.findings.conflicts import LINES, conflict_section
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.report.charts import interval_chart, line_chart
from plyscope.faces.wording import CONFIDENCE, INTERVALS, elo, number, signed, standing
from plyscope.lab.judging.reportcard.budget import NEVER
from plyscope.lab.matches.ratings import Interval
from plyscope.rules.games import parse_game
from plyscope.rules.position import Position

if TYPE_CHECKING:
    from plyscope.tuning.result import TuningResult

Data = Mapping[str, Any]
MIN_GAIN = 0.01
"""The least decrease in wrong moves that is split by class in a sentence."""
MIN_PERCENT = 1
"""The least part of the gain that a sentence lists, in per cent."""
FILE = "The table's file"
LABELS = {"exact": "exact values"}
MIN_P = 0.001
MAX_P = 0.05
"""The largest p-value of a significant difference."""
MIN_DISTANCE = 1e-9
SMALL_PERCENT = 10
"""The per cent below which an exact share has two decimals."""
MAX_NUMBERS = 8
"""The most numbers of an optimum that a sentence lists."""
MAX_COMMAND_COLUMNS = 79
"""The longest line of a command."""

PHASES = {
    "label": "labelling positions",
    "families": "comparing families",
    "search": "searching to the depth of use",
    "learn": "fitting",
    "label test": "labelling fresh positions",
    "test": "checking",
    "openings": "looking for balanced openings",
    "never loses": "looking for numbers that never lose",
    "node cost": "measuring the cost of a node",
    "optimum": "proving the optimum",
}
"""The names of the phases as shown; other phases are shown by their own names."""


def progress_text(*news: Any) -> str:
    """Return a description of `tune`'s progress, from the arguments of its progress callback."""
    *family, phase, done, total = news
    name, _, number = phase.rpartition(" ")
    said = f"{PHASES[name]}, round {number}" if number.isdigit() and name in PHASES else phase
    told = ", ".join([*family, PHASES.get(phase, said)])
    return f"{told}: {done:,}" + (f" of {total:,}" if total else "")


def _rules(data: Data) -> Any:
    """Return the game of a card, None if it is unknown here."""
    try:
        return parse_game(data["game"])
    except PlyscopeError:
        return None


def tuning_title(data: Data) -> str:
    """Return the title of a card."""
    return f"{data['family']} on {data['game']}, tuned from {data['start']}"


def result_sections(result: TuningResult) -> Iterator[Section]:
    """Return the sections of a card, below its title."""
    data = result.as_dict()
    return tuning_sections(data, heading=tuning_title(data))


def tuning_sections(
    data: Data, file: str = "", heading: str = "Result", level: int = 1
) -> Iterator[Section]:
    """Yield the sections of a card: the result, then the evidence.

    `file` holds the tuned table, for the commands that analyze its positions.
    """
    yield Section(level, heading, (headline(data), *gain_sentence(data), learned(data)))
    level += 1
    if data["weights"] and not (data.get("unbeaten") and not data["unbeaten"]["weights"]):
        yield _weights(data, level)
    if data["errors"]:
        yield _errors(data, level)
        yield from _errors_by_class(data, level)
    if data["learning"]:
        yield _learning(data, level)
    if data["trials"]:
        words = tuple(trial_sentence(trial) for trial in data["trials"])
        if data.get("node_cost"):
            words = (cost_sentence(data), *words)
        yield Section(level, f"Games against {data['start']}", words)
    if data["optimum"]:
        words = (optimum_sentence(data), *beaten_sentence(data["optimum"]))
        yield Section(level, "The proven optimum", words)
        if conflict := data["optimum"].get("conflict"):
            depth = conflict.get("depth", 1)
            before = f"At depth {depth}, no numbers make every right move: "
            section = conflict_section(conflict, data["game"], _rules(data), before, level)
            yield replace(section, words=(LINES,) if depth > 1 else ())
    for kind in ("fixed", "regressed"):
        if data[kind]:
            yield _changed(data, kind, level, file)
    if set(data["candidate"]) - {"name"}:
        yield Section(level, FILE, drawing=toml_text(data["candidate"]).rstrip())


# Sentences


def headline(data: Data) -> str:
    """Return the result in a sentence."""
    at_use = at_depth_of_use(data)
    what = f"{data['family']} on {data['game']} at depth {data['depth']}"
    if data.get("objective", "moves") != "moves" and data["outcome"] != "interrupted":
        return _of_objective(data, what)
    if data["outcome"] == "interrupted":
        return f"interrupted: the best so far of {what}" + (
            f", {_beside(data, at_use)}" if at_use else f", not compared with {data['start']}"
        )
    is_better = data["outcome"] == "improved"
    if at_use and is_better:
        return f"tuned {what}: {_beside(data, at_use)}: better{_significance(data, at_use)}"
    if at_use:
        what += f" has {_beside(data, at_use)}{_significance(data, at_use)}"
    elif not data["trials"]:
        what += f" was not compared with {data['start']}"
    return f"no improvement shown: {what}; {data['start']} is unchanged"


def _of_objective(data: Data, what: str) -> str:
    """Return the result for an objective other than few wrong moves at the depth of use."""
    found: str | None = None
    if data["unbeaten"]:
        found = _unbeaten(data)
    elif data["objective"] == "depths" and data["errors"]:
        what = f"{data['family']} on {data['game']} at depths 1 to {data['depth']} together"
        errors = [each for each in data["errors"] if each["depth"] <= data["depth"]]
        before, after = (
            exact(100 * sum(each[key]["value"] for each in errors) / len(errors))
            for key in ("before", "after")
        )
        found = f"{after} % wrong moves on average, {data['start']} has {before}"
    beside = "" if found is None else f": {found}"
    if data["outcome"] == "improved":
        return f"tuned {what}{beside}: better"
    return f"no improvement shown: {what}{beside}; {data['start']} is unchanged"


def _unbeaten(data: Data) -> str:
    """Return whether some numbers never lose, and what START does."""
    unbeaten, count = data["unbeaten"], len(data["unbeaten"]["weights"] or data["weights"])
    sides = " and ".join(unbeaten["sides"].upper())
    if unbeaten["weights"] is None:
        end = ": proved" if unbeaten["is_proved"] else " are known; the time was over"
        return f"no {times(count, 'number')} of {unbeaten['family']} never lose as {sides}{end}"
    before, after = data["lost_games"] or (None, None)
    said = [_lost_text("it", after, unbeaten["sides"])]
    said.append(_lost_text(data["start"], before, unbeaten["sides"]))
    return "; ".join(said)


def _lost_text(name: str, lost: Sequence[Any] | None, sides: str) -> str:
    """Return as which sides a heuristic never loses, or the games that it loses."""
    if lost is None:
        return f"whether {name} can be beaten was not decided"
    if told := _beaten(lost, sides):
        return f"{name} can be beaten {told}"
    return f"{name} never loses as {' and '.join(sides.upper())}: no line of play beats it"


def _beaten(lost: Sequence[Any], sides: str = "xo") -> str:
    """Return as which sides a heuristic loses, and by which moves; empty if it never loses."""
    return " and ".join(
        f"as {side.upper()} ({' '.join(line)})"
        for side, line in zip("xo", lost, strict=True)
        if side in sides and line is not None
    )


def gain_sentence(data: Data) -> Iterator[str]:
    """Yield a sentence with the classes of positions that contribute to the gain, in per cent of
    it."""
    gains, reached = (
        {
            each["name"]: each["choices"] * (each["before"]["value"] - each["after"]["value"])
            for each in (at_depth_of_use(data) or {}).get(key, ())
        }
        for key in ("by_tactic", "by_reach")
    )
    total = sum(gains.values())
    if total < MIN_GAIN:
        return
    told = {name: 100 * gain / total for name, gain in gains.items()}
    order = sorted(told, key=lambda name: -told[name])
    won = [f"{told[name]:.0f} % {name}" for name in order if told[name] >= MIN_PERCENT]
    lost = [f"{-told[name]:.0f} % {name}" for name in order if told[name] <= -MIN_PERCENT]
    back = f"; increase: {', '.join(lost)}" if lost else ""
    never = ""
    if reached:
        share = 100 * reached.get(NEVER, 0.0) / total
        never = f" {share:.0f} % of it is in positions that the tuned table never reaches."
    yield f"Decrease in wrong moves by class of position: {', '.join(won)}{back}.{never}"


def _beside(data: Data, errors: Data) -> str:
    """Return the wrong moves after and before tuning."""
    before, after = errors["before"], errors["after"]
    return f"{percent(after)} wrong moves, {data['start']} has {percent(before, unit='')}"


def _significance(data: Data, errors: Data | None) -> str:
    """Return the p-value of McNemar's test, or that all positions of the game were tested."""
    if errors is None:
        return ""
    if data["is_whole"]:
        return f", on all {errors['choices']:,} critical positions"
    where = " on held-out positions" if data.get("is_held_out") else ""
    return f"{where}, p {_p(errors['p'], '= ')}"


def learned(data: Data) -> str:
    """Return the training set and the test set in a sentence."""
    ridge = "" if data["ridge"] is None else f", ridge {data['ridge']:.3g}"
    text = (
        f"Learned from the {data['choices']:,} critical positions among "
        f"{data['positions']:,} ({LABELS.get(data['labels'], data['labels'])}), "
        f"seed {data['seed']}{ridge}"
    )
    at_use = at_depth_of_use(data)
    if at_use and data.get("is_held_out"):
        text += (
            f"; these labels are not exact, so it was cross-validated on {at_use['choices']:,} "
            "held-out positions, mirror images counted once"
        )
    elif at_use and not data["is_whole"]:
        fresh = f"{at_use['choices']:,} fresh positions, seed {data['test_seed']}"
        text += f"; tested once on {fresh}"
    return f"{text}; {data['seconds']:.3f} s."


def trial_sentence(trial: Data) -> str:
    """Return the result of the games under one condition."""
    match = trial["match"]
    score = f"{match['a_wins']:,}–{match['draws']:,}–{match['b_wins']:,}"
    is_decided = match["verdict"] is not None
    when = " at the stop" if is_decided else ""
    unbiased = match.get("elo_unbiased")  # recorded matches may have none
    text = f"At {trial['condition']}: {_elo(match['elo'])} Elo{when}"
    text += "" if unbiased is None else f", {signed(unbiased)} median-unbiased,"
    text += f" in {times(match['games'], 'game')}"
    text += f" ({score} won–drawn–lost)"
    sprt = match["sprt"]
    if sprt is None:
        return f"{text}."
    question = f"the sequential test of {sprt['elo1']:g} against {sprt['elo0']:g} Elo"
    if not is_decided:
        return f"{text}: {question} was not decided."
    return f"{text}: {question} accepts {sprt[match['verdict']]:g}."


def cost_sentence(data: Data) -> str:
    """Return the cost of a node of the tuned heuristic."""
    forms = (("compiled", "compiled"), ("reference", "in the reference form"))
    known = [
        f"{data['node_cost'][key]:g} × {form}" for key, form in forms if data["node_cost"][key]
    ]
    return f"Cost per node relative to {data['start']}: {', '.join(known)}."


def optimum_sentence(data: Data) -> str:
    """Return the distance of the tuned numbers from the best of their family."""
    optimum = data["optimum"]
    count, least, bound = len(optimum["weights"]), optimum["least"], optimum["bound"]
    depth = optimum.get("depth", 1)
    here = (each["after"]["value"] for each in data["errors"] if each["depth"] == depth)
    tuned = next(here, None)
    of = f"on all {optimum['choices']:,} critical positions, in {optimum['nodes']:,} nodes"
    if optimum["is_proved"] and tuned is not None and tuned - least < MIN_DISTANCE:
        these = f"No {times(count, 'number')} have fewer wrong moves at depth {depth} than these"
        return f"{these}, {exact(100 * least)} %: proved, {of}."
    distance = "" if tuned is None else f"{exact(100 * max(0.0, tuned - least))} % from "
    kind = "possible" if optimum["is_proved"] else "known"
    numbers = "" if count > MAX_NUMBERS else f" ({', '.join(map(number, optimum['weights']))})"
    wrong = f"{exact(100 * least)} % wrong"
    best = f"the best {kind} {times(count, 'number')}{numbers}, which have {wrong}"
    proof = "proved" if optimum["is_proved"] else f"none have less than {exact(100 * bound)} %"
    return f"{distance}{best}: {proof}, at depth {depth}, {of}."


def beaten_sentence(optimum: Data) -> Iterator[str]:
    """Yield a sentence on whether the optimum's numbers can be beaten: fewest wrong moves do not
    imply that they never lose."""
    lost = optimum.get("lost")
    if lost is None:
        return
    deep = {1: "one ply"}.get(optimum.get("depth", 1), f"{optimum.get('depth')} plies")
    which = f"The best {times(len(optimum['weights']), 'number')} known, played {deep} deep,"
    if told := _beaten(lost):
        yield f"{which} can be beaten {told}, in spite of few wrong moves."
    else:
        yield f"{which} never lose: no line of play beats them."


# Tables and charts


def _weights(data: Data, level: int) -> Section:
    weights = data["weights"]
    droppable = [weight for weight in weights if weight["may_be_dropped"]]
    rows = tuple(
        (
            weight["name"],
            _amount(weight["before"]),
            _amount(weight["after"]),
            f"{_amount(weight['low'])} to {_amount(weight['high'])}",
            "may be dropped" if weight["may_be_dropped"] else "",
        )
        for weight in weights
    )
    words = ("None may be dropped.",)
    if data.get("unbeaten"):
        words = ("Numbers that are found by proof have no intervals.",)
    elif droppable:
        together = ""
        if (may_drop_all := data.get("may_drop_all")) is not None:
            together = f" All of them together may {'also' if may_drop_all else 'not'}."
        words = (
            f"{len(droppable)} of {len(weights)} may be dropped, one at a time: the interval "
            "contains 0, and dropping it adds at most one standard error of wrong moves."
            f"{together}",
        )
    head = ("weight", "before", "after", CONFIDENCE, "note")
    bars = [
        (each["name"], each["after"], each["low"], each["high"])
        for each in weights
        if None not in (each["low"], each["high"])
    ]
    hollow = [weight["name"] for weight in droppable]
    title = f"Weights with {INTERVALS}; hollow: may be dropped"
    chart = interval_chart(title, bars, hollow) if bars else ""
    return Section(level, "Weights", words, head, rows, chart, left=("note",))


def _before_and_after(errors: Data) -> tuple[str, ...]:
    """Return the shares of wrong moves before and after, and the moves fixed and made worse."""
    shares = (percent(errors[key], unit="") for key in ("before", "after"))
    return (*shares, f"{errors['fixed']:,}", f"{errors['regressed']:,}")


def _errors(data: Data, level: int) -> Section:
    errors, is_whole = data["errors"], data["is_whole"]
    of = asked_about(data, errors[0]["choices"])
    words = (
        f"In per cent of {of} critical positions"
        + ("." if is_whole else f" ({CONFIDENCE}); p by McNemar's test.")
        + f" The depth of use is {data['depth']}.",
        *_worse_elsewhere(data),
    )
    rows = tuple(
        (
            f"{each['depth']}",
            *_before_and_after(each),
            *(() if is_whole else (_p(each["p"]),)),
        )
        for each in errors
    )
    head = ("depth", "before", "after", "fixed", "worse", *(() if is_whole else ("p",)))
    series = [
        (label, [(each["depth"], *percents(each[key])) for each in errors])
        for label, key in ((data["start"], "before"), (f"tuned {data['family']}", "after"))
    ]
    title = f"Wrong moves by depth, in per cent, with {INTERVALS}"
    chart = line_chart(title, "depth", series)
    return Section(level, "Wrong moves by depth", words, head, rows, chart, names=0)


def _errors_by_class(data: Data, level: int) -> Iterator[Section]:
    """Yield the wrong moves at the depth of use by class of position."""
    at_use = at_depth_of_use(data)
    if not at_use or not at_use.get("by_tactic"):
        return
    rows: list[tuple[str, ...]] = []
    for key, form in (("by_tactic", "{}"), ("by_ply", "{} stones"), ("by_reach", "{}")):
        of_kind = at_use.get(key, ())
        rows += [()] if rows and of_kind else []
        rows += [
            (
                form.format(each["name"]),
                f"{each['choices']:,}",
                *_before_and_after(each),
            )
            for each in of_kind
        ]
    heading = "Wrong moves by class of position"
    words = [f"In per cent of the critical positions of each class, at depth {data['depth']}."]
    if at_use.get("by_reach"):
        words.append("Reached: by the tuned table, in games against random moves.")
    head = ("class", "positions", "before", "after", "fixed", "worse")
    yield Section(level, heading, tuple(words), head, tuple(rows))


def asked_about(data: Data, choices: int) -> str:
    """Return the number and kind of the test positions."""
    if data["is_whole"]:
        return f"all {choices:,}"
    return f"{choices:,} {'held-out' if data.get('is_held_out') else 'fresh'}"


def _worse_elsewhere(data: Data) -> Iterator[str]:
    """Yield a sentence on the depths at which it has more wrong moves."""
    worse = [
        f"{each['depth']}"
        for each in data["errors"]
        if each["after"]["value"] > each["before"]["value"]
        and (data["is_whole"] or each["p"] > 1 - MAX_P)
    ]
    if worse:
        yield f"More wrong moves than {data['start']} at depth {' and '.join(worse)}."


def _learning(data: Data, level: int) -> Section:
    points = data["learning"]
    rows = tuple(
        (
            f"{point['choices']:,}",
            percent(point["training"], unit=""),
            percent(point["validation"], unit=""),
        )
        for point in points
    )
    series = [
        (label, [(point["choices"], *percents(point[key])) for point in points])
        for label, key in (("learned from", "training"), ("held out", "validation"))
    ]
    words = (
        "Wrong moves in per cent, by the number of critical positions learned from, before "
        "rounding and fine-tuning; five-fold cross-validation.",
        *(["Positions of two folds may share a child."] * bool(data.get("is_held_out"))),
    )
    head = ("positions", "learned from", "held out")
    chart = line_chart("Learning curve", "positions learned from", series)
    return Section(level, "Learning curve", words, head, rows, chart, names=0)


def _changed(data: Data, kind: str, level: int, file: str) -> Section:
    wrong = "wrong" if kind == "fixed" else "right"
    words = (
        f"At least one position of each class in which {data['start']} is {wrong}; a position "
        "stands for all of its classes.",
    )
    if not data[kind][0].get("asks"):
        words = (f"Some of the positions in which {data['start']} is {wrong}.",)
    figures = tuple(_figure(data, item, file) for item in data[kind])
    heading = f"{'Fixed' if kind == 'fixed' else 'Regressed'} at depth {data['depth']}"
    return Section(level, heading, words, figures=figures)


def _figure(data: Data, item: Data, file: str) -> Figure:
    board = re.sub(r"\.+", lambda run: str(len(run[0])), item["position"])
    text = f"{data['game']} {board}"
    moves = f"{item['before']} before, {item['after']} now, right {', '.join(item['right'])}"
    classes = [item.get("asks"), item.get("stones") and f"{item['stones']} stones"]
    asked = [each for each in (*classes, item.get("reached")) if each]
    caption = "; ".join([f"{moves}: the wrong move costs {COST[item['lost']]}", *asked])
    begin, end = f"plyscope analyze '{text}'", f"-H {file} --depth {data['depth']}"
    between = " " if len(begin) + len(end) < MAX_COMMAND_COLUMNS else " \\\n  "
    command = f"{begin}{between}{end}"
    figure = Figure(text, caption, command=command if file else "", place=place(data, text))
    if isinstance(figure.drawn, Position):
        return figure._replace(caption=f"{standing(figure.drawn)}: {caption}")
    return figure


def place(data: Data, position: str) -> str:
    """Return the page's address for analyzing a position with the tuned table, empty without a
    table."""
    try:
        table = table_data(table_of(data["candidate"], "tuned.toml"))
    except PlyscopeError:
        return ""
    said = json.dumps({term: values for term, values in (table or {}).items() if values})
    return "#" + urlencode({"room": "analyze", "position": position, "table": said})


# Numbers


def at_depth_of_use(data: Data) -> Data | None:
    """Return the wrong moves at the depth of use, None if they were not counted."""
    found: Sequence[Data] = [each for each in data["errors"] if each["depth"] == data["depth"]]
    return found[0] if found else None


def percent(share: Data, unit: str = " %") -> str:
    """Return a share in per cent, with its interval for a sample."""
    value, low, high = percents(share)
    if low == high:
        return f"{exact(value)}{unit}"
    return f"{value:.1f}{unit} ({low:.1f} to {high:.1f})"


def exact(percents: float) -> str:
    """Return per cent of a whole population, with two decimals if it is small."""
    return f"{percents:.1f}" if percents >= SMALL_PERCENT else f"{percents:.2f}"


def percents(share: Data) -> tuple[float, float, float]:
    """Return a share and its interval, in per cent."""
    return 100 * share["value"], 100 * share["low"], 100 * share["high"]


def _p(value: float, equals: str = "") -> str:
    return f"< {MIN_P}" if value < MIN_P else f"{equals}{value:.3f}"


def _amount(value: float | None) -> str:
    """Return a weight as a whole number or with three digits, and a dash for a missing bound."""
    if value is None:
        return "–"
    if abs(value) >= 100 or value == round(value):
        return number(round(value))
    return f"{value:.3g}".replace("-", "−")


def _elo(interval: Data) -> str:
    """Return an Elo difference from JSON, where None means infinite."""
    low, high = interval["low"], interval["high"]
    return elo(
        Interval(
            interval["value"],
            float("-inf") if low is None else low,
            float("inf") if high is None else high,
        )
    )
