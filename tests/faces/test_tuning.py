"""The card of a tuning: in the terminal, as a page, in Markdown and in a notebook."""

from __future__ import annotations

import io
import re
import shlex
import tomllib
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qs
from xml.etree import ElementTree

import pytest

from plyscope import parse, search
from plyscope.evaluation.tablefile import table_of
from plyscope.faces.boards import draw_board
from plyscope.faces.findings.tuning import (
    headline,
    optimum_sentence,
    place,
    trial_sentence,
    tuning_sections,
    tuning_title,
)
from plyscope.faces.report.charts import interval_chart, line_chart
from plyscope.faces.report.write import report_html, report_markdown
from plyscope.faces.terminal import Terminal
from plyscope.faces.texts import card
from plyscope.tuning.result import Optimum, TuningResult
from plyscope_web.endpoints import read
from plyscope_web.endpoints.inputs import heuristic_of
from plyscope_web.requests import AnalyzeRequest
from sentences import says
from tunings import CURED, TUNED, sampled, whole

SVG = "{http://www.w3.org/2000/svg}"


def printed(result: TuningResult, file: str = "", width: int = 80) -> str:
    """Return the card as a terminal of so many columns shows it."""
    out = io.StringIO()
    Terminal(out, width).print(card([*tuning_sections(result.as_dict(), file)]))
    return out.getvalue()


def test_says_the_outcome_in_the_headline() -> None:
    says(headline(sampled().as_dict()))
    says(headline(whole().as_dict()))
    says(headline(sampled(outcome="interrupted", errors=()).as_dict()))
    ended = headline(sampled(outcome="no improvement", errors=(), trials=()).as_dict())
    says(ended)


def test_prints_the_number_of_critical_positions() -> None:
    assert "3,127 critical positions among" in printed(sampled())


def test_prints_no_table_of_weights_without_weights() -> None:
    assert "Weights" in printed(sampled())
    assert "Weights" not in printed(sampled(weights=()))


def test_prints_the_card_in_80_columns_with_the_headline_first() -> None:
    card = printed(sampled(fixed=sampled().fixed * 5), "mine.toml")
    assert max(map(len, card.splitlines())) <= 80
    assert " ".join(card.split()).startswith(headline(sampled().as_dict()))
    rows = {line.split()[0]: line for line in card.splitlines() if line.strip()}
    assert "5,216" in rows["to_move[3]"]
    assert "may be dropped" in rows["not_to_move[1]"]
    assert "may be dropped" not in rows["to_move[1]"]
    assert re.search(
        r"1 +25\.5 \(23\.4 to 27\.7\) +19\.7 \(17\.8 to 21\.7\) +190 +97 +< 0\.001", card
    )


def test_prints_a_command_to_look_at_each_position() -> None:
    card = printed(sampled(), "mine.toml")
    commands = [shlex.split(line) for line in card.splitlines() if line.startswith("plyscope ")]
    assert [words[:2] for words in commands] == [["plyscope", "analyze"]] * 2
    assert parse(commands[0][2]) == parse(f"connect4 {CURED}")
    assert commands[0][3:] == ["-H", "mine.toml", "--depth", "1"]
    assert "plyscope" not in printed(sampled())


def test_breaks_a_long_command_into_two_lines() -> None:
    full = "XOXOXO./OXOXOX./XOXOXO./XOXOXO./OXOXOX./XOXOXO."
    changed = sampled().fixed[0]
    item = changed.__class__(**{**vars(changed), "position": parse(f"connect4 {full}")})
    card = printed(sampled(fixed=(item,), regressed=()), "somewhere/mine.toml")
    (words,) = re.findall(r"plyscope analyze (?:.|\n)*?--depth 1", card)
    assert shlex.split(words.replace("\\\n", ""))[2].startswith("connect4 XOXOXO1/")


def test_prints_a_sentence_each_about_games_and_the_optimum() -> None:
    match = sampled().as_dict()["trials"][0]["match"]
    sentence = trial_sentence({"condition": "depth 4", "match": match})
    says(sentence)
    says(trial_sentence({"condition": "depth 4", "match": {**match, "verdict": None}}))
    says(optimum_sentence(whole().as_dict()))
    optimum = whole().optimum
    assert optimum is not None
    reached = replace(optimum, least=390 / 3191, bound=390 / 3191)
    says(optimum_sentence(whole(optimum=reached).as_dict()))
    open_ = Optimum(
        family="lines", choices=3191, least=0.11, bound=0.09, weights=(1, 2), nodes=9, seconds=1
    )
    says(optimum_sentence(whole(optimum=open_).as_dict()))


def test_prints_intervals_for_a_sample_and_none_for_a_whole_game() -> None:
    assert "(23.4 to 27.7)" in printed(sampled())
    card = printed(whole())
    assert "to" not in re.findall(r"\n +1 +12\.0 .*", card)[0]
    assert "McNemar" not in card


def test_names_a_depth_at_which_it_is_worse() -> None:
    errors = sampled().errors
    worse = replace(errors[1], before=errors[1].after, after=errors[0].before, p=0.9999)
    assert "More wrong moves" not in printed(sampled())
    assert "More wrong moves than counted-lines at depth 2." in printed(
        sampled(errors=(errors[0], worse, errors[2]))
    )
    assert "More wrong moves than counted-lines at depth 1." in printed(whole())


@pytest.mark.parametrize("result", [sampled(), whole()], ids=["improved", "not improved"])
def test_writes_a_page_with_every_chart_that_loads_nothing(result: TuningResult) -> None:
    data = result.as_dict()
    page = report_html(tuning_title(data), tuning_sections(data, "mine.toml"))
    assert "<script" not in page
    assert not re.search(r"""(?:src=|@import|url\()""", page)
    charts = re.findall(r'<svg class="chart".*?</svg>', page, re.S)
    assert len(charts) == 2 + bool(data["learning"])
    for chart in charts:
        ElementTree.fromstring(chart)
    assert "style=" not in page
    text = report_markdown(tuning_title(data), tuning_sections(data))
    assert headline(data) in text.replace("\\<", "<")
    assert draw_board(result.regressed[0].position).plain in text
    (file,) = re.findall(r"<pre>(.*?)</pre>", page, re.S)
    assert table_of(tomllib.loads(unescape(file)), "tuned.toml") == result.candidate


def test_links_a_position_to_the_page_with_the_tuned_table() -> None:
    result = sampled()
    said = parse_qs(place(result.as_dict(), f"connect4 {CURED}").removeprefix("#"))
    assert said["room"] == ["analyze"]
    asked = f'{{"position": "{said["position"][0]}", "heuristic": {said["table"][0]}}}'
    request = read("analyze", asked.encode())
    assert isinstance(request, AnalyzeRequest)
    position = parse(request.position)
    table = heuristic_of(request.heuristic, position.game)
    found, wanted = (search(position, heuristic=each, depth=2).value for each in (table, TUNED))
    assert found == wanted


def test_writes_no_link_to_a_table_for_a_tuned_function() -> None:
    assert place(sampled(candidate="mine.py:f").as_dict(), f"connect4 {CURED}") == ""


def test_shows_the_card_in_a_notebook() -> None:
    shown = sampled()._repr_html_()
    assert headline(sampled().as_dict()) in unescape(shown)
    assert len(re.findall(r'<img [^>]*alt="(?:Weights|Wrong moves|Learning)', shown)) == 3
    assert "<h2" not in shown  # headings are as in all other faces


# Charts


def test_draws_intervals_around_points() -> None:
    chart = line_chart("t", "depth", [("a", [(1, 20.0, 15.0, 30.0), (2, 10.0, 10.0, 10.0)])])
    root = ElementTree.fromstring(chart)
    dots = [float(dot.attrib["cy"]) for dot in root.iter(f"{SVG}circle")]
    spans = re.findall(r'd="M[\d.]+ ([\d.]+)V([\d.]+)"', chart)
    ((low, high),) = [(float(low), float(high)) for low, high in spans]
    assert high < dots[0] < low
    assert (low - dots[0]) * 2 == pytest.approx(dots[0] - high, abs=0.3)


def test_draws_droppable_weights_hollow() -> None:
    rows = [("kept", 5.0, 4.0, 6.0), ("dropped", 0.0, -1.0, 1.0)]
    root = ElementTree.fromstring(interval_chart("t", rows, hollow=["dropped"]))
    kinds = [dot.attrib["class"] for dot in root.iter(f"{SVG}circle")]
    assert kinds == ["dot", "dot hollow"]
