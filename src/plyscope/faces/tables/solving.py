"""What is proved: `solve`, `certify`, `puzzles`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.tables import new_table
from plyscope.faces.wording import headed, number, standing
from plyscope.rules.game import spoken
from plyscope.rules.position import Position
from plyscope.rules.source import game_of

if TYPE_CHECKING:
    from plyscope.lab.certify import Certificate
    from plyscope.solving.puzzles import Puzzle
    from plyscope.solving.verdict import Verdict

ALIKE = 9
"""Equal moves that a table still lists."""
OUTCOMES = {1: "wins", 0: "draws", -1: "loses"}


def verdict_table(verdict: Verdict) -> RenderableType:
    """Return what a position is worth, and each of its moves."""
    position = verdict.position
    parts: list[RenderableType] = [Text(headed(position, "").strip())]
    if isinstance(position, Position):
        parts.append(draw_board(position))
    if position.game.scored and verdict.moves:
        parts.append(_scores_table(verdict))
        return Group(*parts, *_conclusion(verdict))
    values = {(item.value, item.distance) for item in verdict.moves or ()}
    if verdict.moves and (len(verdict.moves) <= ALIKE or len(values) > 1):
        table = new_table("", "move", "worth", "plies", left=("move", "worth"))
        ranked = sorted(
            verdict.moves, key=lambda item: (-item.value, (item.distance or 0) * item.value)
        )
        for item in ranked:
            style = "bold" if item.move in verdict.best_moves else ""
            move = spoken(position.game, item.text)
            table.add_row(move, OUTCOMES[item.value], number(item.distance), style=style)
        parts.append(table)
    return Group(*parts, *_conclusion(verdict))


def _scores_table(verdict: Verdict) -> RenderableType:
    """Return what each move of a scored game is worth."""
    table = new_table("", "move", "worth", "score", left=("move", "worth"))
    for item in sorted(verdict.moves or (), key=lambda item: -(item.score or 0)):
        style = "bold" if item.move in verdict.best_moves else ""
        move = spoken(verdict.position.game, item.text)
        table.add_row(move, OUTCOMES[item.value], number(item.score), style=style)
    return table


def _conclusion(verdict: Verdict) -> Iterator[Text]:
    """Yield the verdict in words, and how it was found."""
    yield Text(str(verdict), style="bold")
    nodes = f"{verdict.nodes:,} nodes, " if verdict.nodes else ""
    cost = f"{nodes}{verdict.seconds:.3f} s, {verdict.megabytes:.1f} MB"
    yield Text(f"{verdict.method}: {verdict.proof}; {cost}")


def certificate_table(certificate: Certificate) -> RenderableType:
    """Return the counts of every line of play, and the losing line where there is one."""
    against = "a search" if certificate.is_searched else "every line of play"
    title = f"{certificate.agent} on {certificate.game}, against {against}"
    columns = ("agent plays", "wins", "draws", "losses", "positions")
    table = new_table(title, *columns, left=("agent plays",))
    for side in certificate.sides:
        order = "first" if side.agent_side == "x" else "second"
        counts = (side.wins, side.draws, side.losses, side.positions)
        table.add_row(f"{side.agent_side.upper()} (moves {order})", *map(number, counts))
    return Group(table, Text(certificate_answer(certificate), style="bold"))


def certificate_answer(certificate: Certificate) -> str:
    """Return the answer in words, its moves as people say them."""
    answer = certificate.answer
    if certificate.losing_line is None:
        return answer
    game = game_of(certificate.game)
    line = " ".join(spoken(game, name) for name in certificate.losing_line)
    return answer.replace(" ".join(certificate.losing_line), line)


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
