"""The pages for the lecture: every link leads to a place that the page knows, and ticks off."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from looking import expect
from plyscope_class.handout import READY, TEMPLATES, make_class, ready_assignment
from waiting import until

from .conftest import opened

STEPS = [
    (name, step["place"])
    for name in READY
    for step in tomllib.loads((TEMPLATES / name / "lecture.toml").read_text("utf-8"))["steps"]
]
TABS = {"play": "Play", "analyze": "Analyse", "trees": "Trees", "quiz": "Quiz", "lab": "Lab"}
SETTLE_MS = 500
"""Time for a room to say what it does not know."""


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with opened(browser) as page:
        yield page


@pytest.mark.parametrize(("name", "place"), STEPS)
def test_opens_the_room_of_each_step_without_a_complaint(
    page: Any, server: str, name: str, place: str
) -> None:
    room = dict(part.split("=", 1) for part in place.split("&"))["room"]
    page.goto(f"{server}/#{place}")
    tab = page.get_by_role("tab", name=TABS[room], exact=True)
    expect(tab).to_have_attribute("aria-selected", "true")
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_timeout(SETTLE_MS)
    told = page.locator(".offline")
    expect(told.filter(visible=True)).to_have_count(0)


def test_ticks_off_a_followed_link_for_good(page: Any, server: str, tmp_path: Path) -> None:
    make_class(tmp_path, ready_assignment("trees", None, 7), "trees")
    address = f"{(tmp_path / 'teacher' / 'lecture.html').as_uri()}?page={server}"
    page.goto(address)
    boxes = page.get_by_role("checkbox")
    expect(boxes).to_have_count(6)
    links = page.locator("li a")
    for at in range(6):
        expect(links.nth(at)).to_have_attribute("href", re.compile(f"^{re.escape(server)}/#room="))
    with page.expect_popup():
        links.nth(1).click()
    expect(boxes.nth(1)).to_be_checked()
    boxes.nth(3).check()
    page.goto(address)
    until(
        lambda: [boxes.nth(at).is_checked() for at in range(6)], [at in (1, 3) for at in range(6)]
    )
