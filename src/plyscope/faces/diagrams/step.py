"""The stepper: shows a search in the terminal, one event at a time, forward and back.

On a terminal a key is a command; otherwise each input line is one: n next, p previous, c next
cutoff, C previous cutoff, g start, G end, q quit.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.narration import narrate
from plyscope.faces.diagrams.text import tree_text
from plyscope.faces.printed import Text
from plyscope.faces.terminal import Terminal
from plyscope.searching.events import Cutoff
from plyscope.searching.trace import Trace

ACTIONS = {
    "next": ("n", " ", "", "\x1b[C", "\x1b[B", "next"),
    "previous": ("p", "b", "\x1b[D", "\x1b[A", "previous"),
    "cutoff": ("c",),
    "cutoff back": ("C",),
    "start": ("g", "\x1b[H", "\x1b[1~"),
    "end": ("G", "\x1b[F", "\x1b[4~"),
    "quit": ("q", "quit", "\x03", "\x04"),
}
KEYS = {key: action for action, keys in ACTIONS.items() for key in keys}
HELP = "n next · p previous · c next cutoff · C previous cutoff · g start · G end · q quit"


def step_through(trace: Trace, console: Terminal) -> None:
    """Step through the events until the user quits; restore the terminal."""
    draw_tree(trace)  # raises before anything is shown when the tree is too large
    cutoffs = [number for number, event in enumerate(trace.events, 1) if isinstance(event, Cutoff)]
    sentences = ["nothing has happened yet", *narrate(trace)]
    step = 0
    with _keys(console) as keys:
        _show(trace, step, sentences[step], console)
        for key in keys:
            action = KEYS.get(key)
            if action == "quit":
                return
            if action is None:
                console.print(f"unknown key {key[:20]!r}; {HELP}")
                continue
            step = move(action, step, len(trace.events), cutoffs)
            _show(trace, step, sentences[step], console)


def move(action: str, step: int, last: int, cutoffs: list[int]) -> int:
    """Return the step from 0 to `last` to which `action` leads; `cutoffs` are the steps with a
    cutoff."""
    if action == "cutoff":
        return next((number for number in cutoffs if number > step), last)
    if action == "cutoff back":
        return next((number for number in reversed(cutoffs) if number < step), 0)
    wanted = {"next": step + 1, "previous": step - 1, "start": 0, "end": last}[action]
    return max(0, min(last, wanted))


def _show(trace: Trace, step: int, event: str, console: Terminal) -> None:
    picture = draw_tree(trace, step)
    tree = tree_text(picture)
    if console.is_terminal:
        console.clear()
        console.print(_around_current(tree, console.height - 5))
    counts = f"step {step} of {len(trace.events)}: {picture.counts_text}"
    console.print(event, style="bold")
    console.print(f"{counts}   {HELP}" if console.is_terminal else counts, style="dim")


def _around_current(tree: Text, height: int) -> list[Text]:
    """Return the lines around the current node that fit into `height`."""
    lines = tree.lines()
    current = next((number for number, line in enumerate(lines) if "  ←" in line.plain), 0)
    begin = max(0, min(current - height // 2, len(lines) - height))
    return lines[begin : begin + max(1, height)]


@contextmanager
def _keys(console: Terminal) -> Iterator[Iterator[str]]:
    """Yield an iterator over the keys pressed on a terminal, or else over input lines; restore the
    terminal."""
    try:
        import termios
        import tty
    except ImportError:  # a system without single-key input
        is_by_key = False
    else:
        is_by_key = console.is_terminal and sys.stdin.isatty()
    if not is_by_key:
        yield (line.strip() for line in sys.stdin)
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        with console.screen():
            yield _pressed(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _pressed(descriptor: int) -> Iterator[str]:
    """Yield keys one by one; a key such as an arrow is its whole escape sequence."""
    while data := os.read(descriptor, 64):
        yield from re.findall(
            r"\x1b\[[\d;]*[A-Za-z~]|.",
            data.decode(errors="replace").replace("\x1bO", "\x1b[").replace("\n", " "),
        )
