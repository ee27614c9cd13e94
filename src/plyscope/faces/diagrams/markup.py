"""The opening tag of every SVG drawing, and drawings as images in HTML."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape

MARGIN_PX = 8
"""The margin of a card, in pixels."""
_DARK = re.compile(r"@media\(prefers-color-scheme:dark\)\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_SIZE = re.compile(r' width="(\d+)" height="(\d+)"')
_LABEL = re.compile(r' aria-label="([^"]*)"')


def svg_head(width: float, height: float, title: str, style: str = "", kind: str = "") -> str:
    """Return the opening tag with title and style; `kind` is the class of a drawing on a page."""
    name = escape(title)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    named = f'role="img" aria-label="{name}"><title>{name}</title>'
    styled = f"<style>{style}</style>" if style else ""
    classed = f'class="{kind}" ' if kind else ""
    return f'<svg {classed}xmlns="http://www.w3.org/2000/svg" {size} {named}{styled}'


def drawn_size(svg: str) -> tuple[int, int]:
    """Return the width and height of a drawing in pixels."""
    size = _SIZE.search(svg)
    return (int(size[1]), int(size[2])) if size else (0, 0)


def on_card(svg: str) -> str:
    """Return a drawing on a white card, in its light colours.

    An image cannot see the theme of the page around it: `prefers-color-scheme` is the system's.
    """
    width, height = (length + 2 * MARGIN_PX for length in drawn_size(svg))
    label = _LABEL.search(svg)
    named = f'role="img" aria-label="{label[1]}"' if label else ""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    drawn = _DARK.sub("", svg).strip()
    moved = drawn.replace("<svg ", f'<svg x="{MARGIN_PX}" y="{MARGIN_PX}" overflow="visible" ', 1)
    card = '<rect width="100%" height="100%" rx="6" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>{card}{moved}</svg>'


def image(svg: str, width: float | None = None, style: str = "max-width:100%;height:auto") -> str:
    """Return a drawing as an `<img>`, `width` pixels wide or as wide as it is.

    The sanitizers of notebooks remove `<svg>` but not `<img>`. The label of the drawing becomes the
    alternative text.
    """
    label = _LABEL.search(svg)
    data = b64encode(svg.encode()).decode()
    named = f'alt="{label[1] if label else ""}" width="{width or drawn_size(svg)[0]:.0f}"'
    return f'<img src="data:image/svg+xml;base64,{data}" {named} style="{style}"/>'
