"""The leaderboard of a class on the page, which moves without a hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import refusal
from looking import expect
from plyscope.faces.report.write import report_html
from plyscope_class.findings import leaderboard
from plyscope_class.league import League, standings
from plyscope_web.app import app
from sentences import says
from waiting import until

from .conftest import a_listener, opened, serving

httpx = pytest.importorskip("httpx", reason="needs the extra test-page")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("class")


@pytest.fixture(scope="module")
def league_server(folder: Path) -> Iterator[str]:
    listener = a_listener()
    name = f"127.0.0.1:{listener.getsockname()[1]}"
    with serving(app(frozenset({name}), 1, league=str(folder)), listener):
        yield f"http://{name}"


def write(folder: Path, league: League) -> None:
    page = report_html("The league", [leaderboard(league, {})])
    (folder / "leaderboard.html").write_text(page, encoding="utf-8")


def test_serves_the_leaderboard_that_the_run_wrote_last(
    browser: Any, league_server: str, folder: Path
) -> None:
    with opened(browser, hears_console=True) as page:
        page.goto(league_server)
        page.get_by_text("Leaderboard").click()
        page.get_by_text("No match has been played yet").wait_for()
        played = {("ann", "<bob>"): [6, 0, 0, 6, 0, 0]}
        write(folder, standings(["ann", "<bob>"], played, 1))
        page.get_by_role("cell", name="ann").wait_for()  # nobody has reloaded the page
        expect(page.get_by_role("cell", name="<bob>")).to_have_count(1)
        until(lambda: page.evaluate("getComputedStyle(document.body).maxWidth"), "820px")
        write(folder, standings(["ann", "cy"], {("ann", "cy"): [6, 0, 0, 6, 0, 0]}, 1))
        page.get_by_role("cell", name="cy").wait_for()


def test_allows_no_scripts_on_the_leaderboard(league_server: str, folder: Path) -> None:
    (folder / "leaderboard.html").write_text("<style>p{}</style><script>alert(1)</script></head>")
    answer = httpx.get(f"{league_server}/leaderboard")
    assert answer.headers["refresh"].isdecimal()
    (policy,) = answer.headers.get_list("content-security-policy")
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    for place in ("leaderboard/../grades.csv", "leaderboard/grades.csv", "grades.csv"):
        assert httpx.get(f"{league_server}/{place}").status_code == 404


def test_serves_no_leaderboard_without_a_class(server: str) -> None:
    assert "/leaderboard" not in httpx.get(server).text
    answer = httpx.get(f"{server}/leaderboard")
    assert (answer.status_code, "--leaderboard FOLDER" in answer.json()["error"]) == (404, True)


def test_rejects_a_folder_without_an_assignment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says(refusal(capsys, "web", "--leaderboard", str(tmp_path), "--no-browser"))
