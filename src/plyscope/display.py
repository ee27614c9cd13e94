"""Display of results: `_repr_html_ = drawn` for notebooks, `__str__ = printed` for text.

Other packages do not import `faces`. `plyscope/__init__` names the modules that draw and print;
each is loaded when a result is first shown, and registers its functions with `html` or `text`.
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
    """Return `shown` as HTML, by the function registered for its class."""
    raise TypeError(f"nothing draws a {type(shown).__name__}")


def drawn(shown: Any) -> str:
    """Return `shown` as HTML; notebooks call it as `_repr_html_`."""
    import_module(painter)
    return html(shown)


@singledispatch
def text(shown: Any) -> str:
    """Return `shown` as the text that the command line prints."""
    raise TypeError(f"nothing prints a {type(shown).__name__}")


def printed(shown: Any) -> str:
    """Return `shown` as text; `print` calls it as `__str__`."""
    import_module(printer)
    return text(shown)
