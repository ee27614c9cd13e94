"""The report of a file of records on the page, and the way from a card to Analyse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import refusal
from plyscope.lab.matches.records import Records
from plyscope_web.app import app
from tunings import sampled, whole
from waiting import until

from .conftest import a_listener, opened, serving

httpx = pytest.importorskip("httpx", reason="needs the extra test-page")


@pytest.fixture(scope="module")
def records_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("records") / "lab.db"
    with Records(file) as records:
        records.keep_tuning(sampled().as_dict())
        records.keep_tuning(whole().as_dict())
    listener = a_listener()
    name = f"127.0.0.1:{listener.getsockname()[1]}"
    with serving(app(frozenset({name}), 1, records=str(file)), listener):
        yield f"http://{name}"


def test_serves_the_report_of_records_without_scripts(records_server: str) -> None:
    assert 'href="/report"' in httpx.get(records_server).text
    answer = httpx.get(f"{records_server}/report")
    policies = answer.headers.get_list("content-security-policy")
    assert len(policies) == 1
    assert "default-src 'none'" in policies[0]
    assert "unsafe" not in policies[0]
    assert "<script" not in answer.text
    assert "tuned from counted-lines" in answer.text


def test_serves_no_report_and_no_link_without_records(server: str) -> None:
    assert 'href="/report"' not in httpx.get(server).text
    answer = httpx.get(f"{server}/report")
    assert (answer.status_code, "--records FILE" in answer.json()["error"]) == (404, True)


def test_rejects_a_file_without_records_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text("mine = [0, 1]\n")
    assert (
        refusal(capsys, "web", "--records", str(tmp_path / "mine.toml"), "--no-browser").count("\n")
        == 1
    )


def test_links_a_regressed_position_to_analyse_with_the_tuned_table(
    browser: Any, records_server: str
) -> None:
    with opened(browser, hears_console=True) as page:
        page.goto(records_server)
        page.get_by_text("Report of the records").click()
        until(lambda: page.evaluate("getComputedStyle(document.body).maxWidth"), "820px")
        page.get_by_text("analyse").first.click()
        evaluation = page.locator(".evaluation")
        evaluation.get_by_text("your table for O: −210").wait_for()
        page.reload()
        evaluation.get_by_text("your table for O: −210").wait_for()
        page.get_by_text("back to counted-lines").click()
        evaluation.get_by_text("counted-lines for O: ").wait_for()
        page.wait_for_url(lambda url: "table=" not in url)
