"""The page: its endpoints, scheduler and workers, the server, the front-end, and the widget.

`plyscope.houses` describes the dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.houses import public

COMMANDS = {"web": "plyscope_web.command"}
__all__ = ["widget"]

if TYPE_CHECKING:  # the same name for type checkers
    from plyscope_web.widgets import widget as widget
else:
    __getattr__ = public(__name__, {"widget": "widgets"})
