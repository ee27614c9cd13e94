"""The page as a notebook's widget: the same front-end, the same verbs, the notebook's kernel in the
place of the server."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from functools import cache
from threading import Thread
from typing import Any

from plyscope.display import drawn
from plyscope.errors import OptionError
from plyscope.faces.web.conversation import Conversation
from plyscope.faces.web.desk import Desk
from plyscope.faces.web.frontend import rooms, scripts, style_sheet
from plyscope.faces.web.kerneldesk import KernelDesk
from plyscope.rules.game import GamePosition
from plyscope.rules.source import as_position
from plyscope.rules.tree import TreePosition


def widget(position: Any = "tictactoe", room: str | None = None) -> Any:
    """Return the page as a widget for Jupyter, at a position or an explicit tree, in the `room`
    home, play, analyze, trees, quiz or lab. `position` may be a game of one's own, for play and
    trees.

    Searches run in processes of their own, beside the kernel; those of a game of one's own in the
    kernel, where it was made. Raises OptionError, NotationError, and where anywidget is not
    installed.
    """
    asked = as_position(position)
    is_tree, is_own = isinstance(asked, TreePosition), isinstance(asked, GamePosition)
    if room is not None and room not in rooms():
        raise OptionError(f"room {room[:40]!r}; expected {', '.join(rooms())}")
    place = {
        "room": room or ("trees" if is_tree else "play" if is_own else "analyze"),
        "tree" if is_tree else "position": asked.game.name if is_own else str(asked),
    }
    if room == "quiz":
        still = "<p>A question about a position or a tree.</p>"  # without its answers
    else:
        still = drawn(asked.game if isinstance(asked, TreePosition) else asked)
    return _widget_class()(place=place, still=still, desk=KernelDesk(asked) if is_own else _desk())


STILL = """<div class="plyscope-still"><style>
.jp-OutputArea-child:has(.plyscope-still):has(+ .jp-OutputArea-child .plyscope),
.jp-OutputArea-child:has(.plyscope-still)
+ .jp-OutputArea-child:has(> .jupyter-widgets):not(:has(.plyscope)) {{ display: none; }}
</style>{drawn}<p style="margin:4px 0">Run this cell to play.</p></div>"""
"""What stands where no kernel has the widget: in a file that is opened again or exported. In
JupyterLab it hides itself where the next output has the page, and hides "model not found" there."""


@cache
def _desk() -> Desk:
    """Return the desk of this kernel: its workers start with the first question, and end with the
    kernel, however that ends."""
    return Desk()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop in which desks work, in a thread of its own.

    JupyterLab sends a widget's messages to the kernel's main thread and to those of subshells; a
    task that is woken from another thread than its loop's sleeps on.
    """
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="plyscope's desk", daemon=True).start()
    return loop


@cache
def _widget_class() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise OptionError(
            "a widget needs anywidget; expected `pip install 'plyscope[notebook]'`"
        ) from None

    class PlyscopeWidget(anywidget.AnyWidget):
        """The page in a notebook. `place` is where one is: the room, the position, the moves."""

        _esm = scripts("widget.js")
        _css = style_sheet()
        place = traitlets.Dict().tag(sync=True)

        def __init__(self, desk: Desk | KernelDesk, still: str, **options: Any) -> None:
            super().__init__(**options)
            self.still = STILL.format(drawn=still)
            self.conversation = Conversation(desk, lambda message: self.send(json.loads(message)))
            self.hearing: set[Future[None]] = set()
            self.on_msg(self._heard)

        def __repr__(self, **options: Any) -> str:
            """Return where it is."""
            return f"<plyscope at {', '.join(map(str, self.place.values()))}>"

        def _ipython_display_(self) -> None:
            """Show the position as an image for readers without a kernel, then the page."""
            from IPython.display import display

            show: Any = display
            show({"text/plain": repr(self), "text/html": self.still}, raw=True)
            data, metadata = self._repr_mimebundle_() or ({}, {})
            data.pop("text/plain", None)
            show(data, metadata=metadata, raw=True)

        def _heard(self, widget: Any, said: Any, buffers: Any) -> None:
            heard = self.conversation.hear(json.dumps(said))
            hearing = asyncio.run_coroutine_threadsafe(heard, _loop())
            self.hearing.add(hearing)
            hearing.add_done_callback(self.hearing.discard)

    return PlyscopeWidget
