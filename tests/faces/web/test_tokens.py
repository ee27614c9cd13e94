"""The colours of the page's tokens are read on every ground, in light and in dark."""

from __future__ import annotations

import re

import pytest

from plyscope_web.frontend import front_end

TOKENS = front_end(".css")["styles/tokens.css"]
COLOURS = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", TOKENS)
GROUNDS = ("page", "raised", "mark")
READ = [
    "ink", "faint", "accent", "x", "o", "good", "bad", "differs", "win", "draw", "loss",
]  # fmt: skip


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rgb` or `#rrggbb`, as WCAG 2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_colour_stands_out_from_every_ground(theme: int) -> None:
    colours = {name: themes[theme] for name, *themes in COLOURS}
    grounds = [colours[name] for name in GROUNDS]
    low = {
        name: round(contrast(colours[name], ground), 2)
        for name in READ
        for ground in grounds
        if contrast(colours[name], ground) < 4.5
    }
    assert low == {}
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    assert min(contrast(colours["stroke"], colours[name]) for name in ("page", "raised")) >= 3


def test_every_colour_has_its_fallback_where_colours_are_forced() -> None:
    _, forced = TOKENS.split("forced-colors: active")
    assert set(re.findall(r"--([\w-]+):", forced)) == {name for name, *_ in COLOURS}
