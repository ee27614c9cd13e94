"""Five tasks of a person who has not seen the page: each from the first screen by visible labels.

`pytest tests/faces/web/test_tasks.py -s` prints the clicks, keys and seconds of each task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import pytest

from looking import expect
from waiting import until

from .conftest import opened

VISIBLE = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { width, height } = range.getBoundingClientRect();
  return element.innerText.trim() !== "" && width > 8 && height > 8;
}"""


class Person:
    """Somebody who presses what has a label to be read, and counts it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.actions = 0
        self.began = perf_counter()

    def press(self, role: str, name: str) -> None:
        target = self.page.get_by_role(role, name=name, exact=True).filter(visible=True).first
        target.wait_for()
        until(lambda: target.evaluate(VISIBLE))
        target.click()
        self.actions += 1

    def choose(self, cell: str) -> None:
        self.page.get_by_role("gridcell", name=re.compile(f"^{cell}\\b")).first.click()
        self.actions += 1

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).first.fill(text)
        self.actions += 1 + len(text)  # a click into the field, and its keys

    def see(self, selector: str, text: str) -> None:
        self.page.locator(selector, has_text=re.compile(text)).first.wait_for()

    def told(self, task: str) -> int:
        seconds = perf_counter() - self.began
        print(f"{task}: {self.actions} clicks and keys, {seconds:.1f} s")
        return self.actions


@pytest.fixture
def person(browser: Any, server: str) -> Iterator[Person]:
    with opened(browser) as page:
        page.goto(server)
        page.get_by_role("button", name="Analyse this position").wait_for()
        yield Person(page)


def test_makes_a_first_move_in_two_clicks(person: Person) -> None:
    person.press("button", "Tic-tac-toe three in a line on 3×3")
    person.choose("b2")
    person.page.locator(".taken").first.wait_for()
    assert person.told("first move") <= 2


def test_explains_a_bad_move_in_three_clicks(person: Person) -> None:
    person.press("button", "Analyse this position")
    person.page.locator(".value-mark.proved").first.wait_for()
    person.press("button", "Why not …")
    person.choose("a2")
    person.see(".why", "^1 loses")
    assert person.told("why is this move bad") <= 3


def test_steps_to_a_cut_in_two_clicks(person: Person) -> None:
    person.press("tab", "Trees")
    person.page.get_by_role("treeitem").first.wait_for()
    expect(person.page.locator(".ticks path")).to_have_attribute("d", re.compile("^M"))
    person.press("button", "Next cutoff")
    person.see(".trees .status", "cut|≥|≤")
    person.page.locator(".edge.cut").first.wait_for()
    assert person.told("step to a cut") <= 2


def test_shows_the_effect_of_a_changed_heuristic_after_one_number(person: Person) -> None:
    person.press("tab", "Lab")
    person.see(".wrong-count", "of 3,191 positions")
    person.type("2 theirs, as a number", "-9")
    person.see(".wrong-count", "186 → .* of 3,191 positions")
    assert person.told("change a heuristic") <= 4


def test_shares_a_link_by_one_click(person: Person) -> None:
    person.press("tab", "Lab")
    person.see(".wrong-count", "of 3,191 positions")
    person.actions, person.began = 0, perf_counter()
    person.page.evaluate("navigator.clipboard.writeText = async (text) => (window.copied = text)")
    person.press("button", "Share")
    person.see(".told", "copied")
    until(lambda: person.page.evaluate("window.copied"), person.page.url)
    assert person.told("share it") <= 1
