"""How things show themselves in a notebook: a class says `_repr_html_ = drawn`, a face draws it.

No floor imports the faces. `plyscope/__init__`, which knows every floor, says which module is the
`painter`; that is loaded when the first thing is drawn, and registers its drawings with `html`.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module
from typing import Any

painter = ""
"""The module that registers drawings."""


@singledispatch
def html(shown: Any) -> str:
    """Return `shown` as HTML, by the drawing that is registered for its class."""
    raise TypeError(f"nothing draws a {type(shown).__name__}")


def drawn(shown: Any) -> str:
    """Return `shown` as HTML; a notebook asks for it by the name `_repr_html_`."""
    import_module(painter)
    return html(shown)
