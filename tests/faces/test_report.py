"""Reports: the page and its Markdown twin tell what the records hold."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import plyscope
from commands import output, refusal
from plyscope import certify, explain, perft, play_match, report_card, search, solve
from plyscope.display import drawn as html_of
from plyscope.display import printed as shown_as_text
from plyscope.faces.cli import run
from plyscope.faces.findings import tuning
from plyscope.faces.findings.records import sections
from plyscope.faces.findings.results import SECTIONS, sections_of
from plyscope.faces.findings.section import Section
from plyscope.faces.report.charts import interval_chart, line_chart, share_chart
from plyscope.faces.report.write import report_html, report_markdown
from plyscope.faces.texts import card, finding, part, plain_text
from plyscope.lab.matches.findings import findings
from plyscope.lab.matches.records import Records
from plyscope.lab.matches.tournament import tournament
from plyscope_fast.solving import why
from plyscope_optima import conflict
from sentences import refuses, says
from tunings import whole


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "lab.db"
    with Records(file) as records:
        play_match(
            "alphabeta depth=2", "random", 20, "tictactoe", 1, opening_plies=1, records=records
        )
        play_match("two-ply", "random", 20, "tictactoe", 1, records=records)
        play_match(crash, "greedy", 4, "connect4", 1, records=records)
        records.keep_card(report_card("counted-lines"))
        records.keep_card(report_card("open-lines"))
        records.keep_tuning(whole().as_dict())
    return file


def crash(position: Any) -> Any:
    raise KeyError("<&>")


class Balanced(HTMLParser):
    """Holds the tags that are open, and fails on one that closes another."""

    VOID = ("meta", "br", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        asked = [value for key, value in attrs if key in ("src", "href")]
        (self.links if tag == "a" else self.loaded).extend(map(str, asked))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_writes_a_whole_page_that_loads_nothing(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["records", str(lab), "--report", "-o", str(tmp_path / "out.html")]) == 0
    page = (tmp_path / "out.html").read_text()
    reader = Balanced()
    reader.feed(page)
    assert reader.open == []
    assert reader.loaded == []
    (link,) = reader.links
    assert link.startswith("http://127.0.0.1:8765/#room=analyze&position=tictactoe")
    assert "<script" not in page
    assert "KeyError: '&lt;&amp;&gt;'" in page.replace("&#x27;", "'")
    for picture in re.findall(r'<svg class="chart".*?</svg>', page, re.S):
        ElementTree.fromstring(picture)
    assert page.count('class="chart"') >= 8


def test_writes_the_same_in_tables_of_markdown(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = output(capsys, "records", str(lab), "--report")
    for heading in (
        "## tictactoe",
        "### Ratings",
        "### Who beat whom",
        "### Moves to win",
        "### Nodes by ply",
        "### Wrong moves by depth",
        "### lines on tictactoe, tuned from counted-lines",
        "#### The proven optimum",
        "## connect4",
        "### Forfeits",
    ):
        assert heading in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_escapes_names_in_markdown() -> None:
    name = "<img src=x onerror=alert(1)>|[a](javascript:b)`c`\n# d &amp; *e*"
    text = report_markdown(name, [Section(1, name, (name,), ("", "player"), ((name, name),))])
    said = "\\<img src=x onerror=alert(1)>\\|\\[a\\](javascript:b)\\`c\\` # d \\&amp; \\*e\\*"
    assert (
        text
        == f"# {said}\n\n## {said}\n\n{said}\n\n|  | player |\n| --- | --: |\n| {said} | {said} |\n"
    )


@pytest.mark.parametrize(
    "result",
    [
        lambda: certify("accumulating"),
        lambda: explain(".X./O../X.O", "diagonal-lines"),
        lambda: perft("tictactoe", depth=3),
        lambda: play_match("two-ply", "random", 4, "tictactoe", 1),
        lambda: tournament(["two-ply", "random", "greedy"], 4, game="tictactoe"),
        lambda: report_card("counted-lines", depth=2),
        lambda: search(".X./O../X.O"),
        lambda: search("[[3,5],[6,9]]"),
        lambda: solve("XO./.X./..."),
        lambda: solve("4,4,4"),
    ],
)
def test_prints_all_words_and_numbers_of_a_result_in_every_format(result: Any) -> None:
    found = result()
    (section,) = sections_of(found)
    texts = [section.heading, *section.words, *section.notes, *section.head]
    texts += [cell for row in (*section.rows, *section.sums) for cell in row]
    markdown = report_markdown("", [section]).replace("\\", "")
    pages = [report_html("", [section]), html_of(found)]
    for printed in (plain_text(finding(section)), markdown, *map(unescape, pages)):
        printed = " ".join(re.sub(r"<[^>]*>", " ", printed).split())
        for text in texts:
            assert " ".join(text.split()) in printed


def test_prints_the_notes_of_one_of_several_sections_in_every_format() -> None:
    section = Section(2, "Heading", ("words",), notes=("measured on a sample",))
    printed = [plain_text([*part(section)]), plain_text(card([section, section]))]
    for text in printed:
        assert "measured on a sample" in text


def test_shows_the_notes_of_the_sections_of_a_tuning_in_a_notebook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted = [Section(1, "Tuned", ("better",)), Section(2, "Weights", notes=("may be dropped",))]
    monkeypatch.setattr(tuning, "result_sections", lambda result: noted)
    assert "may be dropped" in html_of(whole())


OTHERS = {"Conflicts": conflict, "Reason": why}
"""The classes that other packages have, which plyscope does not import."""


@pytest.mark.parametrize("name", SECTIONS)
def test_finds_the_sections_of_each_class_of_results(name: str) -> None:
    module, function = SECTIONS[name].split(".")
    made = vars(import_module(f"plyscope.faces.findings.{module}"))[function]
    (result, *options) = signature(made).parameters.values()
    assert result.annotation == name
    assert all(option.default is not option.empty for option in options)
    assert getattr(OTHERS.get(name, plyscope), name).__name__ == name


def test_gives_sections_to_each_public_class_that_prints_itself() -> None:
    public = [getattr(plyscope, name) for name in plyscope.__all__]
    printing = {each.__name__ for each in public if getattr(each, "__str__", None) is shown_as_text}
    printing |= OTHERS.keys()
    assert printing - {"Exam"} == SECTIONS.keys() - {"Verdict"}  # which has a text of its own
    assert str(solve("tictactoe")) == "a draw; all moves alike"


def test_refuses_to_show_an_object_without_sections() -> None:
    with refuses(TypeError):
        html_of({})


def test_reports_the_findings_of_the_matches(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Records(lab) as records:
        found = {item.game: item for item in findings(records)}
    direct = play_match("alphabeta depth=2", "random", 20, "tictactoe", 1, opening_plies=1)
    first = found["tictactoe"].matches[0]
    told = attrgetter("pairs", "a_wins", "draws", "distinct", "moves_to_win")
    assert told(first) == told(direct)
    assert first.nodes_a_move == direct.nodes_a_move
    wins = sum(count for side in found["tictactoe"].lengths.values() for count in side.values())
    assert wins == sum(match.a_wins + match.b_wins for match in found["tictactoe"].matches)
    assert sum(item.moves for item in found["tictactoe"].by_ply["random"]) > 40
    assert found["connect4"].lengths == {"x": {}, "o": {}}
    assert {
        item["game"]
        for item in json.loads(output(capsys, "records", str(lab), "--report", "--json"))["games"]
    } == {
        "tictactoe",
        "connect4",
    }


def test_prints_intervals_and_positions_of_cards_of_samples() -> None:
    card = report_card("open-lines", "connect4", 2, samples=60).as_dict()
    text = report_markdown("", sections([], [card]))
    first = card["depths"][0]
    shares = [f"{100 * first[key]:.1f}" for key in ("mistakes", "low", "high")]
    assert "{} ({} to {})".format(*shares) in text
    assert "measured on positions of quiet random games, in their second half" in text
    assert "### Plies short of best play" in text
    assert f"{first['delay']:.2f}" in text


def test_prints_cards_of_earlier_versions_without_the_missing_fields() -> None:
    card = report_card("open-lines", depth=2).as_dict()
    del card["about"], card["pacing"]
    for item in card["depths"]:
        del item["low"], item["high"], item["delay"], item["null_delay"]
    text = report_markdown("", sections([], [card]))
    assert "### Wrong moves by depth" in text
    assert "wasted" not in text


@pytest.mark.parametrize(
    "words",
    [
        ["nowhere.db", "--report"],
        ["{lab}", "-o", "out.pdf"],
        ["{lab}", "--report", "--csv"],
        ["{lab}", "-o", "out.md", "--text"],
        ["{lab}", "--plies", "--report"],
        ["{lab}", "-o", "/no/such/out.md"],
    ],
)
def test_rejects_an_impossible_report_in_one_line(
    lab: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    err = refusal(capsys, "records", *(word.format(lab=lab) for word in words))
    says(f"records {shlex.join(words)}", err.replace(str(lab), "{lab}"))
    assert err.count("\n") == 1


def test_places_values_in_charts_by_their_scale() -> None:
    root = ElementTree.fromstring(
        interval_chart("t", [("a", 100.0, 50.0, 150.0), ("b", -100.0, -200.0, float("inf"))])
    )
    xs = [float(dot.attrib["cx"]) for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert xs[0] > xs[1]
    root = ElementTree.fromstring(share_chart("t", [("a", 1, 2, 1), ("nobody", 0, 0, 0)]))
    widths = [float(bar.attrib["width"]) for bar in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    assert widths[3:] == [0, 0, 0]
    root = ElementTree.fromstring(
        line_chart("t", "ply", [("steep", [(1, 0.001), (2, 1.0), (3, 1000.0)])])
    )
    ys = [float(dot.attrib["cy"]) for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert ys[0] - ys[1] == pytest.approx(
        ys[1] - ys[2], abs=0.2
    )  # powers of ten at equal distances
    ElementTree.fromstring(line_chart("t", "ply", [("one point", [(1, 0.0)])]))
