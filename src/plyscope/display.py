"""How results show themselves: `_repr_html_ = drawn` in a notebook, `__str__ = printed` in text.

No floor imports the faces. `plyscope/__init__`, which knows every floor, names the modules that
draw and print; each is loaded for the first thing shown, and registers what it does with `html` or
`text`.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module
from typing import Any

painter = ""
"""The module that registers drawings."""
printer = ""
"""The module that registers texts."""


@singledispatch
def html(shown: Any) -> str:
    """Return `shown` as HTML, by the drawing that is registered for its class."""
    raise TypeError(f"nothing draws a {type(shown).__name__}")


def drawn(shown: Any) -> str:
    """Return `shown` as HTML; a notebook asks for it by the name `_repr_html_`."""
    import_module(painter)
    return html(shown)


@singledispatch
def text(shown: Any) -> str:
    """Return `shown` as the text that the command line prints."""
    raise TypeError(f"nothing prints a {type(shown).__name__}")


def printed(shown: Any) -> str:
    """Return `shown` as text; `print` asks for it by the name `__str__`."""
    import_module(printer)
    return text(shown)
