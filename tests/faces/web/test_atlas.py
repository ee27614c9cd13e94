"""The page of the atlas in the documents: a click on a heading sorts its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ATLAS = Path(__file__).parents[3] / "docs" / "atlas.md"


def test_sorts_the_atlas_by_a_click_on_a_heading(browser: Any) -> None:
    markdown = pytest.importorskip("markdown", reason="needs the extra docs")
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(markdown.markdown(ATLAS.read_text(encoding="utf-8"), extensions=["tables"]))

    def column(at: int) -> list[str]:
        cells = page.locator(f"tbody tr td:nth-child({at})").all_text_contents()
        return [str(text).strip() for text in cells]

    heads, rows = page.locator("thead th").all_text_contents(), sorted(column(1))
    assert len(rows) >= 300
    for name in ("positions", "bytes", "cells"):
        at = heads.index(name)
        for is_reversed in (False, True):
            page.locator("thead th").nth(at).click()
            numbers = [int(text.replace(",", "")) for text in column(at + 1)]
            assert numbers == sorted(numbers, reverse=is_reversed)
            assert sorted(column(1)) == rows
    page.locator("thead th").nth(heads.index("value")).click()
    values = column(heads.index("value") + 1)
    assert values == sorted(values, key=str.casefold)
    assert not errors
    page.close()
