"""The page as a Jupyter widget: the same front-end and endpoints, served by the kernel."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from plyscope.display import drawn
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.extras import load
from plyscope.rules.game import GamePosition, PositionLike
from plyscope.rules.source import as_position
from plyscope.rules.tree import TreePosition
from plyscope_web.frontend import rooms, scripts, style_sheet

if TYPE_CHECKING:
    from plyscope_web.endpoints.inputs import OwnHeuristic
    from plyscope_web.kernelscheduler import KernelScheduler
    from plyscope_web.scheduler import Scheduler


class Widget(Protocol):
    """The page in a notebook."""

    place: dict[str, str]
    """What it shows, by the keys of an address; set it to go there."""


def widget(
    position: PositionLike = "tictactoe",
    room: str | None = None,
    heuristics: Sequence[HeuristicLike] = (),
) -> Widget:
    """Return the page as a Jupyter widget that shows a position or an explicit tree.

    `room` is the room to open: home, play, analyze, trees, quiz or lab. `position` may be your own
    game, in the rooms play and trees. `heuristics` are your own, as functions, tables, or texts
    such as `"mine.py:f"`, and appear in every list of heuristics. Searches run in separate
    processes; with your own game, or with functions and tables, they run in the kernel. Raises
    OptionError, also if anywidget is not installed, and NotationError.
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
    make = _widget_class()
    from plyscope_web.endpoints.inputs import OwnHeuristic
    from plyscope_web.kernelscheduler import KernelScheduler

    named = OwnHeuristic.named(heuristics)
    scheduler: Scheduler | KernelScheduler
    if is_own or not all(isinstance(each.given, str) for each in named):
        scheduler = KernelScheduler(asked if is_own else None, named)
    else:
        scheduler = _scheduler(named)
    shown: Widget = make(place=place, still=still, scheduler=scheduler)
    return shown


STILL = """<div class="plyscope-still"><style>
.jp-OutputArea-child:has(.plyscope-still):has(+ .jp-OutputArea-child .plyscope),
.jp-OutputArea-child:has(.plyscope-still)
+ .jp-OutputArea-child:has(> .jupyter-widgets):not(:has(.plyscope)) {{ display: none; }}
</style>{drawn}<p style="margin:4px 0">Run this cell to play.</p></div>"""
"""The HTML shown without a kernel, in a saved or exported notebook. In JupyterLab it hides itself
when the next output contains the page, and otherwise hides the "model not found" there."""


@cache
def _scheduler(heuristics: tuple[OwnHeuristic, ...]) -> Scheduler:
    """Return the scheduler of this kernel; its workers start with the first request."""
    from plyscope_web.scheduler import Scheduler

    return Scheduler(heuristics=heuristics)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of the schedulers, which runs in its own thread.

    JupyterLab sends a widget's messages to the main thread or to a subshell's thread. A task that
    is woken from a thread other than its loop's would not wake up.
    """
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="plyscope's scheduler", daemon=True).start()
    return loop


@cache
def _widget_class() -> Any:
    for package in ("anywidget", "msgspec"):
        load(package, "a widget", "notebook")
    import anywidget
    import traitlets

    from plyscope_web.conversation import Conversation

    class PlyscopeWidget(anywidget.AnyWidget):
        """The page in a notebook. `place` holds the room, the position and the moves shown."""

        _esm = scripts("widget.js")
        _css = style_sheet()
        place = traitlets.Dict().tag(sync=True)

        def __init__(
            self, scheduler: Scheduler | KernelScheduler, still: str, **options: Any
        ) -> None:
            super().__init__(**options)
            self.still = STILL.format(drawn=still)
            self.conversation = Conversation(
                scheduler, lambda message: self.send(json.loads(message))
            )
            self.hearing: set[Future[None]] = set()
            self.on_msg(self._heard)

        def __repr__(self, **options: Any) -> str:
            return f"<plyscope at {', '.join(map(str, self.place.values()))}>"

        def _ipython_display_(self) -> None:
            """Show the position as an image, for readers without a kernel, then the page."""
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
