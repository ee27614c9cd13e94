"""The page: its endpoints, scheduler and workers, the server, the front-end, and the widget.

`plyscope.houses` describes the dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

COMMANDS = {"web": "plyscope_web.command"}
__all__ = ["widget"]

if TYPE_CHECKING:  # the same name for type checkers
    from plyscope_web.widgets import widget as widget
else:

    def __getattr__(name: str) -> Any:
        """Import the widget when it is used: a command does not need it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from plyscope_web.widgets import widget

        return widget
