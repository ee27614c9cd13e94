"""The page: its endpoints, scheduler and workers, the server, the front-end, and the widget.

`plyscope.houses` describes the dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

COMMANDS = {"web": "plyscope_web.command"}

if TYPE_CHECKING:  # the same name for type checkers
    from plyscope_web.widget import widget as widget
else:

    def __getattr__(name: str) -> Any:
        """Import the widget when it is used: a command does not need it."""
        if name != "widget":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from plyscope_web.widget import widget

        return widget
