"""Classes: the findings of a check, points, the feedback for a student, and the leaderboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from html import escape
from shlex import quote
from statistics import fmean, median
from typing import Any

from plyscope.display import times
from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.svg import tree_svg
from plyscope.faces.diagrams.values import CellValue, proved_value
from plyscope.faces.findings.cards import COST
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.report.charts import count_chart, interval_chart, share_chart
from plyscope.faces.sheets.trees import key_picture
from plyscope.faces.wording import elo, pruned_words
from plyscope.lab.judging.tactics import Tactic
from plyscope.rules.game import SIDES
from plyscope.rules.linegame import LineGame
from plyscope.rules.notation import parse
from plyscope.rules.source import as_position
from plyscope.rules.tree import parse_tree
from plyscope.searching.conventions import OPEN_WINDOW
from plyscope.searching.trace import trace
from plyscope_class.alike import groups, program_text
from plyscope_class.assignment import Assignment
from plyscope_class.check import Check, Item
from plyscope_class.grade import TITLES, Grade, Part
from plyscope_class.ladder import FULL_SCORE, MIN_SCORE
from plyscope_class.league import League
from plyscope_class.run import ClassResult, Graded
from plyscope_class.sheet import sheet_of
from plyscope_class.submission_process import Budget
from plyscope_class.submissions import Submission

WIDE_COLUMNS = 110
"""The least width with a column of reasons; `grades.csv` has them in full."""
REASON = "most points lost by"
SAME = "the same program", "the same sheet"
"""What submissions share that are the same: programs, or answers."""
MAX_NOTED = 5
"""The most groups of similar programs below the table of grades."""


def check_lines(file: str, assignment: Assignment, check: Check) -> Iterator[str]:
    """Yield a line for each item that passes, and a paragraph for each that fails."""
    game = "" if assignment.interface == "answers" else f" ({assignment.game})"
    due = f", due {assignment.due.at}" if assignment.due.at else ""
    yield f"{file}, checked for: {assignment.title}{game}{due}"
    for item in check.items:
        if item.finding is None:
            is_timed = item.name == "time" and check.microseconds is not None
            most = assignment.answer_seconds
            took = f": {check.microseconds:.1f} µs of {most:g} s" if is_timed else ""
            yield f"  ok       {item.says}{took}"
            continue
        yield f"  FINDING  {item.says}: {item.finding}"
        if command := _command(file, assignment, item):
            yield f"           {command}"
    if check.missing:
        yield f"not checked until this is fixed: {', '.join(check.missing)}"
    wrong = f"{len(check.findings)} of {len(check.items)} checks failed"
    yield "no problems found" if check.is_sound else wrong


def estimate_lines(grade: Grade, budget: Budget) -> Iterator[str]:
    """Yield the points of each part with the main reason for lost points, and the time used."""
    yield f"estimate: {grade.total:g} of {grade.of:g} points; the grader uses another seed"
    for part in grade.by_loss:
        lost = f": {part.reasons[0]}" if part.points < part.of and part.reasons else ""
        yield f"  {TITLES[part.name]} {part.points:g} of {part.of:g}{lost}"
    yield from grade.facts
    if budget.answers:
        took = f"{budget.spent:.3f} s of at most {budget.seconds:.3f} s"
        yield f"all {budget.answers:,} answers took {took}"


def _command(file: str, assignment: Assignment, item: Item) -> str:
    """Return the command that shows a finding's position, empty if its text cannot be parsed."""
    is_read = assignment.is_of_lines or hasattr(assignment.rules, "parse_position")
    if item.position is None or not is_read:
        return ""
    game = "" if assignment.is_of_lines else f" --game {quote(assignment.game)}"
    if assignment.interface == "agent":
        return f"plyscope play '{item.position}'{game}"
    if assignment.interface == "algorithm":
        depth = "" if item.position.startswith("[") else f" --depth {assignment.depth}"
        return f"plyscope tree '{item.position}'{game}{depth} -A {assignment.algorithm.kind}"
    name = "" if assignment.interface == "table" else f":{assignment.function}"
    return f"plyscope eval '{item.position}'{game} -H {quote(f'{file}{name}')}"


def grade_lines(grade: Grade) -> Iterator[str]:
    """Yield the points of a submission, with the reasons."""
    yield f"{grade.total:g} of {grade.of:g} points"
    for part in grade.by_loss:
        yield f"{TITLES[part.name]}: {_points(part)}"
        yield from (f"  {reason}" for reason in part.reasons)
    yield from grade.facts


def _points(part: Part) -> str:
    """Return the points of a part, with the greatest number if there is one."""
    return f"{part.points:g} of {part.of:g}" if part.of else f"{part.points:+g}"


def grades_section(result: ClassResult, width: int = WIDE_COLUMNS) -> Section:
    """Return the grades of a class, one row per submission; if `width` is below WIDE_COLUMNS, the
    reasons follow the table."""
    assignment, graded = result.assignment, result.graded
    names = [part.name for part in graded[0].grade.parts]
    is_wide = width >= WIDE_COLUMNS
    rows = []
    for each in graded:
        reason = [each.grade.reason] if is_wide else []
        rows.append((each.submission.key, *each.points(names), *reason))
    of = f"of {graded[0].grade.of:g}"
    reasons = [
        f"{each.submission.key}: {each.grade.reason}" for each in graded if each.grade.reason
    ]
    what = SAME[assignment.interface == "answers"]
    same = [f"{note}: {each.submission.key}" for each in graded for note in each.notes]
    same += [f"{what}: {', '.join(keys)}" for keys in _same(result)]
    alike = groups(result.similar)
    same += [_group_text(result, keys) for keys in alike[:MAX_NOTED]]
    if len(alike) > MAX_NOTED:
        same.append(f"{len(alike) - MAX_NOTED} more groups in class.html")
    return Section(
        1,
        "",
        (f"{assignment.title}: {times(len(graded), 'submission')}",),
        ("", *(TITLES[name] for name in names), of, *([REASON] if is_wide else [])),
        tuple(rows),
        left=(REASON,),
        cut=("", REASON),
        notes=(*([] if is_wide else reasons), *same),
    )


def feedback(graded: Graded, assignment: Assignment, shown_as: str = "") -> Iterator[Section]:
    """Yield the feedback page of a student; `shown_as` is the pseudonym on the leaderboard."""
    grade = graded.grade
    rows = tuple((TITLES[part.name], f"{part.points:g}", f"{part.of:g}") for part in grade.parts)
    words = [f"{grade.total:g} of {grade.of:g} points."]
    if graded.late is not None:
        words.append(f"It is late: {graded.late.words}.")
    words += [f"It was judged again: {reason}." for reason in graded.regraded]
    convention = ((graded.judgement or {}).get("algorithm") or {}).get("convention")
    if convention:
        words.append(f"The right search: {convention}.")
    if shown_as:
        words.append(f"On the leaderboard you are {shown_as}.")
    total = ("all", f"{grade.total:g}", f"{grade.of:g}")
    yield Section(1, "Points", tuple(words), ("", "points", "of"), (*rows, total))
    for part in grade.by_loss:
        yield Section(2, f"{TITLES[part.name]}: {_points(part)}".capitalize(), part.reasons)
    judgement = graded.judgement
    if judgement is None:
        return
    yield from _findings(judgement["check"], assignment)
    yield from _departures(judgement["algorithm"] or {}, assignment)
    yield from _wrong_answers(judgement["answers"] or {}, assignment)
    yield from _mistakes(judgement["report_card"] or {}, assignment)
    yield from _certificate(judgement["certificate"] or {}, assignment)
    yield from _wins_taken(judgement["wins_taken"] or {}, assignment)
    yield from _games(judgement["ladder"] or [], assignment)
    if judgement["check"]["output"]:
        printed = f"<pre>{escape(judgement['check']['output'][:2_000])}</pre>"
        yield Section(1, "Output printed on import", picture=printed)


def _findings(check: dict[str, Any], assignment: Assignment) -> Iterator[Section]:
    figures = [
        _figure(item["position"], item["finding"], assignment)
        for item in check["items"]
        if item["finding"] is not None and item["position"] is not None
    ]
    if figures:
        yield Section(1, "Findings of the check", figures=tuple(figures))


def _departures(found: dict[str, Any], assignment: Assignment) -> Iterator[Section]:
    """Yield the first departures from the right search, each drawn at the step before it."""
    wrong = [each for each in found.get("questions", ()) if each["departure"]]
    for each in sorted(wrong, key=lambda each: int(each["expected_nodes"]))[:MAX_DRAWN_TREES]:
        options = dict(each["drawing"])
        step = options.pop("events")
        algorithm, heuristic = options.pop("algorithm"), options.pop("heuristic")
        window = options.pop("window")
        if algorithm == "alphabeta":
            ends = zip(window, OPEN_WINDOW, strict=True)
            low, high = (usual if end is None else int(end) for end, usual in ends)
            options["window"] = low, high
        else:
            del options["cut"], options["bound"]
        if each["pruned"]:  # a tree, whose lists may look like a board
            start = parse_tree(each["position"]).start()
        else:
            start = as_position(each["position"], assignment.game)
        searched = trace(start, algorithm, heuristic, **options)
        told = each["pruned"] or f"{each['nodes']} nodes and {each['cutoffs']} cutoffs"
        expected = (
            each["expected_pruned"] or f"{each['expected_nodes']} and {each['expected_cutoffs']}"
        )
        words = (
            f"{each['call']} {each['departure']}.",
            f"It visits {', '.join(each['visits'])}: {told}.",
            f"Expected: {expected}.",
            "The drawing is the right search until then.",
        )
        is_drawn = each["expected_nodes"] <= MAX_TREE_NODES
        picture = _scrolled(tree_svg(draw_tree(searched, step))) if is_drawn else ""
        yield Section(2, f"The first difference: {each['name']}", words, picture=picture)


def _wrong_answers(found: dict[str, Any], assignment: Assignment) -> Iterator[Section]:
    """Yield each question of a sheet that has a wrong item, the one that lost most first: what is
    wrong, the likely cause, the right search, and the command that repeats it."""
    asked = [each for each in found.get("questions", ()) if each["wrong"]]
    questions = sheet_of(assignment, found["student"]) if asked else ()
    for each in sorted(asked, key=lambda each: float(each["points"]) - each["possible"]):
        question = questions[each["number"] - 1]
        rows = tuple(
            (item["node"], item["item"], item["given"] or "–", item["expected"], item["verdict"])
            for item in each["wrong"]
        )
        words = [f"{each['points']:g} of {each['possible']} points."]
        if each["diagnosis"]:
            words.append(f"It looks as if {each['diagnosis']}.")
        words.append(pruned_words(question.trace.result))
        flags = {"cut": assignment.algorithm.cut, "bound": assignment.algorithm.bound}
        said = "".join(f" --{name} {value}" for name, value in flags.items())
        command = f"plyscope tree '{each['tree']}' -A {each['algorithm']}"
        command += said if each["algorithm"] != "minimax" else ""
        words.append(f"The drawing is the right search; step by step: {command}")
        yield Section(
            2,
            f"Question {each['number']}",
            tuple(words),
            ("node", "item", "given", "expected", "mark"),
            rows,
            _scrolled(tree_svg(key_picture(question))),
            names=5,
        )


def _scrolled(drawing: str) -> str:
    """Return a drawing that scrolls where it is wider than the page."""
    return f'<div class="scroll">{drawing}</div>'


MAX_DRAWN_TREES, MAX_TREE_NODES = 3, 60
"""Trees drawn in a feedback, and the nodes of each."""


def _mistakes(card: dict[str, Any], assignment: Assignment) -> Iterator[Section]:
    worst = card.get("worst")
    if not worst:
        return
    figures = []
    for item in worst:
        words = f"play {item['better']}, not {item['chosen']}, which costs {COST[item['lost']]}"
        if why := item.get("why"):
            words += f". {why.removesuffix('.')}"
        elif REASONS[item["asks"]]:
            words += f": {REASONS[item['asks']]}"
        line = item.get("line") or ()
        if len(line) > 1:
            words += f". With best play {' '.join(line)}"
        figure = _figure(item["position"], words, assignment, "analyze")
        figures.append(figure._replace(values=_move_values(item)))
    told = f"The worst wrong moves in the {card['choices']:,} critical positions."
    yield Section(1, "The worst mistakes", (told,), figures=tuple(figures))


def _move_values(item: dict[str, Any]) -> dict[int, CellValue]:
    """Return the exact values of a wrong and a right move on a line game's board, by cell."""
    if not item["values"]:
        return {}
    position = parse(item["position"])
    parsed = {position.game.parse_move(position, name): name for name in item["values"]}
    return {move: proved_value(item["values"][name], None) for move, name in parsed.items()}


REASONS: dict[Tactic, str] = {
    "win at hand": "a move wins at once",
    "forced block": "the other side threatens to win",
    "lets the opponent win": "some moves let the other side win at once",
    "makes a double threat": "a move makes two threats",
    "prevents a double threat": "some moves let the other side make two threats",
    "zugzwang": "whoever is to move would rather pass",
    "none of these": "",
}
"""What a position asks of the side to move, in sentences."""


def _certificate(certificate: dict[str, Any], assignment: Assignment) -> Iterator[Section]:
    figures = []
    for side in SIDES:
        line = certificate.get(side, {}).get("losing_line")
        rules = assignment.rules
        if line is not None and isinstance(rules, LineGame):
            words = f"as {side.upper()} it loses by {' '.join(line)}"
            figures.append(_figure(str(rules.start().play(*line)), words, assignment))
    if figures:
        yield Section(1, "Games that it loses", figures=tuple(figures))


def _wins_taken(found: dict[str, Any], assignment: Assignment) -> Iterator[Section]:
    """Yield the sentences about wins at hand, with the positions that they name."""
    if found:
        worse = [item for name in ("first", "first_unblocked") if (item := found[name])]
        figures = tuple(
            _figure(item["position"], f"it plays {item['move']}", assignment, "solve")
            for item in worse
        )
        yield Section(1, "Wins at hand", tuple(found["said"]), figures=figures)


def _games(rungs: list[dict[str, Any]], assignment: Assignment) -> Iterator[Section]:
    if not rungs:
        return
    shares = [(rung["baseline"], rung["wins"], rung["draws"], rung["losses"]) for rung in rungs]
    rows = tuple(
        (
            rung["baseline"],
            "–".join(str(rung[key]) for key in ("wins", "draws", "losses")),
            "–".join(str(rung[key]) for key in ("pairs_won", "pairs_even", "pairs_lost")),
            f"{100 * rung['score']:.0f} %",
            f"{100 * rung['share']:.0f} %",
        )
        for rung in rungs
    )
    words = (
        "Games and pairs are listed as won–drawn–lost. Each opening is played from both sides; "
        "pairs that repeat another move by move count once. The score is the share of points in "
        "those games; a draw is half a point. "
        f"A score of {100 * FULL_SCORE:.0f} % or more earns all points of the rung, "
        f"one below {100 * MIN_SCORE:.0f} % none, 50 % half of them. "
        "A submission without wrong moves earns all points, since no player could force more.",
    )
    head = ("baseline", "games", "pairs", "score", "of the rung")
    chart = share_chart("Games against the baselines, won, drawn and lost", shares)
    yield Section(1, "Games against the baselines", words, head, rows, chart)
    figures = []
    for rung in rungs:
        lost = rung["lost_game"]
        if lost is not None:
            words_below = (
                f"lost as {lost['side'].upper()} against {rung['baseline']}, from "
                f"{lost['start'] or 'the start'}: {' '.join(lost['moves'])}"
            )
            if lost["is_lost"]:
                words_below += f"; this opening is lost for {lost['side'].upper()} by force"
            figures.append(_figure(lost["end"], words_below, assignment))
    if figures:
        yield Section(1, "Its shortest lost games", figures=tuple(figures))


def leaderboard(league: League, shown_as: dict[str, str]) -> Section:
    """Return the standings of the league; `shown_as` has the displayed name of each player."""
    standings = league.standings
    names = [shown_as.get(each.player, each.player) for each in standings]
    places = [each.place for each in standings]
    rows = tuple(
        (
            f"{each.place}{'=' if places.count(each.place) > 1 else ''}",
            name,
            elo(each.elo),
            f"{each.wins}–{each.draws}–{each.losses}",
        )
        for name, each in zip(names, standings, strict=True)
    )
    words = (
        f"{league.system.capitalize()}. A player's place is one "
        "more than the number of players shown to be better (95 %); players who share a place "
        "are tied (=).",
    )
    bars = [
        (name, each.elo.value, each.elo.low, each.elo.high)
        for name, each in zip(names, standings, strict=True)
    ]
    chart = interval_chart("Elo with 95 % intervals", bars)
    head = ("place", "player", "Elo (95 %)", "won–drawn–lost")
    return Section(1, "Standings", words, head, rows, chart)


# The page of a class, for the teacher

BINS = 10
"""The number of bars of the distribution of points."""
MAX_COMMON = 6
"""The greatest number of boards of common mistakes."""
MAX_SHOWN_LINES, MAX_LINE_CHARS = 150, 300
"""The most lines of a program that is shown next to that of another student, and their length."""
AROUND = 2
"""The lines shown before and after a marked line of a long program."""
MAX_PAIRS = 20
"""The most pairs listed in a group of similar programs."""


def class_page(result: ClassResult) -> Iterator[Section]:
    """Yield the teacher's page of a class: the points, the mistakes that several submissions make,
    with their boards, and submissions that are the same or similar programs, side by side."""
    graded, judged = result.graded, [each for each in result.graded if each.judgement is not None]
    totals = [each.grade.total for each in judged]
    words = [f"{times(len(graded), 'submission')}, of which {len(judged)} could be judged."]
    if judged:
        words.append(
            f"Median {median(totals):g}, mean {fmean(totals):.1f} of {judged[0].grade.of:g} points."
        )
    if late := [each.submission.key for each in graded if each.late is not None]:
        words.append(f"Late: {', '.join(late)}.")
    of = graded[0].grade.of
    ends = [of * number / BINS for number in range(BINS + 1)]
    bins = [0] * BINS
    for total in totals:
        bins[min(BINS - 1, max(0, int(BINS * total / of)))] += 1
    bars = [
        (f"{low:g} to {'' if number == BINS - 1 else 'below '}{high:g}", count)
        for number, (low, high, count) in enumerate(zip(ends, ends[1:], bins, strict=False))
    ]
    rows = []
    for at, part in enumerate(graded[0].grade.parts):
        points = [each.grade.parts[at].points for each in judged]
        full, none = sum(each >= part.of for each in points), sum(each <= 0 for each in points)
        mean = f"{fmean(points):.1f}" if points else ""
        rows.append((TITLES[part.name], f"{part.of:g}", mean, str(full), str(none)))
    yield Section(
        1,
        "Points",
        tuple(words),
        ("", "possible", "mean", "all points", "no points"),
        tuple(rows),
        count_chart("Submissions by points", bars[::-1]),
    )
    missing = [(each.submission.key, each.grade.reason) for each in result.not_judged]
    if missing:
        yield Section(1, "Not judged", (), ("", "reason"), tuple(missing), names=2)
    yield from _common_findings(judged, result.assignment)
    yield from _common_mistakes(judged, result.assignment)
    yield from _causes(judged)
    yield from _noted(result)
    yield from _same_programs(result)
    yield from _similar_programs(result)


def _noted(result: ClassResult) -> Iterator[Section]:
    """Yield the submissions that are the model solution, or similar to it."""
    rows = tuple(
        (each.submission.key, "; ".join(each.notes)) for each in result.graded if each.notes
    )
    words = (
        "Model solutions are public: they are part of plyscope. Short programs may agree by chance."
    )
    if rows:
        yield Section(1, "Model solutions", (words,), ("", "what"), rows, names=2)


def _common_findings(judged: list[Graded], assignment: Assignment) -> Iterator[Section]:
    """Yield how many submissions fail each item of the check, and one board of each."""
    failed: dict[str, list[tuple[Graded, dict[str, Any]]]] = {}
    for each in judged:
        for item in (each.judgement or {})["check"]["items"]:
            if item["finding"] is not None:
                failed.setdefault(item["says"], []).append((each, item))
    rows, figures = [], list[Figure]()
    for says, found in sorted(failed.items(), key=lambda pair: -len(pair[1])):
        who, item = found[0]
        rows.append((says, str(len(found)), f"{who.submission.key}: {item['finding']}"))
        shown = next((item for _, item in found if item["position"] is not None), None)
        if shown is not None and len(figures) < MAX_COMMON:
            words = f"{times(len(found), 'submission')}: {shown['finding']}"
            figures.append(_figure(shown["position"], words, assignment))
    if rows:
        head = ("expected", "failed by", "example")
        yield Section(
            1, "Findings of the check", (), head, tuple(rows), figures=tuple(figures), left=head[2:]
        )


def _common_mistakes(judged: list[Graded], assignment: Assignment) -> Iterator[Section]:
    """Yield the worst mistakes and lost lines that most submissions share."""
    rules, shared = assignment.rules, Counter[tuple[str, str, str]]()
    for each in judged:
        judgement = each.judgement or {}
        for item in (judgement["report_card"] or {}).get("worst") or ():
            words = f"prefer {item['chosen']} to {item['better']}, which costs {COST[item['lost']]}"
            shared[item["position"], words, "analyze"] += 1
        for side in SIDES:
            line = (judgement["certificate"] or {}).get(side, {}).get("losing_line")
            if line and isinstance(rules, LineGame):
                end = str(rules.start().play(*line))
                shared[end, f"lose as {side.upper()} by {' '.join(line)}", ""] += 1
        for question in (judgement["algorithm"] or {}).get("questions", ()):
            if question["fault"] or question["departure"]:
                shared[question["position"], f"fail question {question['name']}", ""] += 1
        for question in (judgement["answers"] or {}).get("questions", ()):
            for item in question["wrong"]:
                what = f"{item['item']} of {item['node']} in question {question['number']}"
                words = f"miss the {what}; expected {item['expected']}"
                shared[question["tree"], words, ""] += 1
    most = sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_COMMON]
    figures = [
        _figure(position, f"{count} of {len(judged)} {words}", assignment, command)
        for (position, words, command), count in most
        if count > 1
    ]
    if figures:
        yield Section(
            1, "Common mistakes", ("Discuss these in the lecture.",), figures=tuple(figures)
        )


def _causes(judged: list[Graded]) -> Iterator[Section]:
    """Yield the likely causes of wrong answers on sheets, and how many submissions have each."""
    number = Counter(
        cause
        for each in judged
        for cause in {
            question["diagnosis"]
            for question in ((each.judgement or {})["answers"] or {}).get("questions", ())
        }
        if cause
    )
    rows = tuple((cause, str(count)) for cause, count in number.most_common())
    if rows:
        yield Section(1, "Likely causes", (), ("it looks as if", "submissions"), rows)


def _same_programs(result: ClassResult) -> Iterator[Section]:
    """Yield each group of submissions that are the same program, with their files side by side."""
    by_key = {each.submission.key: each.submission for each in result.graded}
    is_sheet = result.assignment.interface == "answers"
    for keys in _same(result):
        heading = f"{SAME[is_sheet].capitalize()}: {', '.join(keys)}"
        if is_sheet:
            yield Section(1, heading, ("These name the same student. Ask whose answers they are.",))
            continue
        words = (
            "The same program apart from comments, docstrings and names. Short programs may agree "
            "by chance."
        )
        shown = [_program(by_key[key]) for key in keys[:2]]
        yield Section(1, heading, (words,), picture=_beside(shown))


def _same(result: ClassResult) -> list[tuple[str, ...]]:
    """Return the keys of each group of submissions that are the same."""
    graded = (each for each in result.graded if each.same_as)
    return sorted({tuple(sorted((each.submission.key, *each.same_as))) for each in graded})


def _similar_programs(result: ClassResult) -> Iterator[Section]:
    """Yield each group of submissions with similar programs, the most similar two side by side."""
    by_key = {each.submission.key: each.submission for each in result.graded}
    for keys in groups(result.similar):
        pairs = [pair for pair in result.similar if pair.one in keys]
        first = pairs[0]
        words = (
            f"{first.one} and {first.other}: {100 * first.share:.0f} % of the shorter program is "
            "also in the other one, apart from names, numbers, texts, comments and order. The "
            "hand-out and the model solution are left out. Shared lines are marked. This proves "
            "nothing: compare them yourself."
        )
        shown = [
            _program(by_key[key], lines)
            for key, lines in zip((first.one, first.other), first.lines, strict=True)
        ]
        rows = tuple(
            (pair.one, pair.other, f"{100 * pair.share:.0f} %")
            for pair in (pairs if len(pairs) > 1 else ())[:MAX_PAIRS]
        )
        heading = _group_text(result, keys).replace("s", "S", 1)
        head = ("", "", "shared") if rows else ()
        yield Section(1, heading, (words,), head, rows, _beside(shown), names=2)


def _group_text(result: ClassResult, keys: tuple[str, ...]) -> str:
    """Return who has similar programs, and how much these share."""
    shares = [100 * pair.share for pair in result.similar if pair.one in keys]
    if len(keys) == 2:
        return f"similar programs: {', '.join(keys)} ({shares[0]:.0f} %)"
    return f"similar programs: {len(keys)} share {median(shares):.0f} %: {', '.join(keys)}"


def _program(submission: Submission, marked: Collection[int] = ()) -> str:
    """Return a program as a figure, with marked lines; of a long one only those and some around."""
    lines = program_text(submission).replace("\r\n", "\n").split("\n")
    kept = set(range(1, MAX_SHOWN_LINES + 1))
    if marked and len(lines) > MAX_SHOWN_LINES:
        near = range(-AROUND, AROUND + 1)
        kept = set(sorted({line + step for line in marked for step in near})[:MAX_SHOWN_LINES])
    shown, is_left_out = [], False
    for number, line in enumerate(lines, 1):
        if number in kept:
            text = escape(line[:MAX_LINE_CHARS])
            shown.append(f"<mark>{text}</mark>" if number in marked else text)
        elif not is_left_out:
            shown.append("…")
        is_left_out = number not in kept
    text = "\n".join(shown)
    return f"<figure><figcaption>{escape(submission.key)}</figcaption><pre>{text}</pre></figure>"


def _beside(figures: Iterable[str]) -> str:
    """Return figures side by side."""
    return f'<div class="beside">{"".join(figures)}</div>'


def _figure(position: str, words: str, assignment: Assignment, command: str = "") -> Figure:
    """Return a position with a caption and the command that examines it."""
    is_own = not assignment.is_of_lines
    told = f"plyscope {command} '{position}'" if command and not is_own else ""
    return Figure(position, words, is_own=is_own, command=told)
