"""The beginning of every SVG file here: its size, and a title for those who hear it."""

from __future__ import annotations

from html import escape


def svg_head(width: float, height: float, title: str, style: str = "", kind: str = "") -> str:
    """Return the opening tag with title and style; `kind` is the class of a drawing on a page."""
    name = escape(title)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    named = f'role="img" aria-label="{name}"><title>{name}</title>'
    styled = f"<style>{style}</style>" if style else ""
    classed = f'class="{kind}" ' if kind else ""
    return f'<svg {classed}xmlns="http://www.w3.org/2000/svg" {size} {named}{styled}'
