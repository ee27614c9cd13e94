"""The table of `puzzles`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.wording import standing
from plyscope.rules.game import spoken

if TYPE_CHECKING:
    from plyscope.solving.puzzles import Puzzle


def puzzle_table(puzzle: Puzzle) -> RenderableType:
    """Return a puzzle, its answer below the board."""
    task = {
        "win": f"one move wins, in {puzzle.depth} plies",
        "draw": f"one move does not lose, the others within {puzzle.depth} plies",
    }[puzzle.goal]
    position = puzzle.position
    heading = f"{position.game.name} {position}\n{standing(position)}: {task}"
    fooled = f"; wrong at a glance: {', '.join(puzzle.fooled)}" if puzzle.fooled else ""
    answer = Text(f"{spoken(position.game, puzzle.move)}{fooled}\n")
    return Group(Text(heading, style="bold"), draw_board(position), answer)
