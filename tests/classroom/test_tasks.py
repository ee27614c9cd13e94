"""Tasks that courses set today: each runs as an assignment, or gives the answer that they expect."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

import plyscope as ps
from oracles import alphabeta_by_node
from plyscope.errors import NotationError
from plyscope_class.algorithm import questions_of
from plyscope_class.assignment import Assignment, CheckOptions, Limits, Rubric
from plyscope_class.grade import grade_of
from plyscope_class.judge import judge
from plyscope_class.submission_process import SubmissionProcess
from sentences import refuses
from sources import sources

DOCUMENT = Path(__file__).parents[2] / "docs" / "tasks.md"


def named(random: Random, names: list[str], depth: int) -> object:
    """A tree as nested lists with names, whose nodes are named in preorder."""
    name = f"n{len(names)}"
    names.append(name)
    if depth == 0 or (depth < 3 and random.random() < 0.2):
        return (name, random.randint(-9, 9))
    return [name, *(named(random, names, depth - 1) for _ in range(random.randint(2, 3)))]


def plain(node: object) -> object:
    """The same tree without names."""
    assert isinstance(node, list | tuple)
    return node[1] if isinstance(node, tuple) else [plain(child) for child in node[1:]]


def names_at(node: object, path: tuple[int, ...]) -> str:
    for index in path:
        node = node[1 + index]  # type: ignore[index]
    return str(node[0])  # type: ignore[index]


def test_returns_the_names_of_a_named_list_in_the_order_of_visits() -> None:
    random = Random(34)
    for _ in range(100):
        names: list[str] = []
        tree = named(random, names, 3)
        assert ps.trace(tree, "minimax").visited == tuple(names)
        wanted = [
            names_at(tree, path) for path in sorted(alphabeta_by_node(plain(tree), False, False))
        ]
        assert list(ps.trace(tree, "alphabeta").visited) == wanted
        assert ps.trace(str(tree), "alphabeta").visited == tuple(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "['A', ['B', 3.5, []]]",
        "['A', ['B', '3 or 4']]",
        "['A']",
        "['A', [",
        "['A', f(3)]",
    ],
)
def test_quotes_a_named_list_that_is_no_tree(text: str) -> None:
    with refuses(NotationError):
        ps.parse_tree(text)


PACMAN = sources("tasks")["pacman"]


def test_judges_a_pacman_project_by_the_states_that_it_expands(tmp_path: Path) -> None:
    text = DOCUMENT.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    written = text.replace('I=6],J[K=14,L=5,M=2]]"]', 'I=6],J[K=14,L=5,M=2]]", "[[3,5],[3,9]]"]')
    (tmp_path / "assignment.toml").write_text(written)
    assignment = Assignment.read(tmp_path)
    assert len(questions_of(assignment)) == 2

    def shares(program: str) -> dict[str, float]:
        found = judge({"multiAgents.py": program.encode()}, "multiAgents.py", assignment)
        parts = grade_of(found.as_dict(), "", assignment).parts
        return {part.name: part.points / part.of for part in parts}

    assert shares(PACMAN.replace("CUT", ">")) == {"check": 1, "values": 1, "visits": 1}
    assert shares(PACMAN.replace("CUT", ">="))["visits"] == 0.5  # equal values are not cut there


def test_connect_four_wraps_around_its_edge() -> None:
    game = ps.parse_game("12,8,4,gravity,torus=x")
    assert len(game.lines) == 12 * 5 + 12 * 8 + 2 * 12 * 5  # columns, rows, diagonals
    random = Random(8)
    for _ in range(50):
        first = random.randrange(12)
        columns = [(first + each) % 12 + 1 for each in range(4)]
        random.shuffle(columns)
        others = [(first + 6) % 12 + 1, (first + 8) % 12 + 1]
        moves = [
            str(move) for pair in zip(columns, [*others, *others], strict=True) for move in pair
        ]
        position = ps.parse(f"12,8,4,gravity,torus=x {' '.join(moves[:7])}")
        assert position.winner == 0


def breakthrough(folder: Path) -> str:
    """Write the game of the document as a file, and return its name."""
    lines = DOCUMENT.read_text(encoding="utf-8").partition(">>> class Breakthrough")[2]
    body = f"    class Breakthrough{lines.partition('>>> ps.check_game')[0]}"
    text = "".join(f"{line[4:]}\n" for line in body.splitlines())
    file = folder / "breakthrough.py"
    file.write_text(f"import plyscope as ps\n\n\n{text}", encoding="utf-8")
    return f"{file}:Breakthrough"


def test_breakthrough_has_the_positions_that_its_rules_give(tmp_path: Path) -> None:
    game = ps.parse_game(breakthrough(tmp_path))
    counts = [1]
    level = {game.start(): 1}
    for _ in range(2):
        after: dict[object, int] = {}
        for state, number in level.items():
            for move in game.moves(state):
                reached = game.play(state, move)
                after[reached] = after.get(reached, 0) + number
        level = after
        counts.append(sum(level.values()))
    assert counts == [1, 16, 256]  # six pawns step ahead, five to each side


def test_reports_a_late_move_in_breakthrough_and_no_early_one(tmp_path: Path) -> None:
    assignment = Assignment(
        game=breakthrough(tmp_path), interface="agent",
        limits=Limits(call_seconds=0.3), check=CheckOptions(positions=6),
        rubric=Rubric(check=10, report_card=0, certificate=0, ladder=0),
    ).checked()  # fmt: skip

    def findings(body: str) -> set[str]:
        program = f"import time\ndef choose(position):\n    {body}\n    return position.moves[0]\n"
        found = judge({"agent.py": program.encode()}, "agent.py", assignment).as_dict()
        return {item["name"] for item in found["check"]["items"] if item["finding"] is not None}

    assert findings("pass") == set()
    assert findings("time.sleep(1)") == {"time"}


def test_plays_both_sides_of_a_trace_with_an_agent() -> None:
    text = dedent(
        """
        def choose(position):
            return position.moves[-1 if position.side == 0 else 0]
        """
    )
    assignment = Assignment(interface="agent").checked()
    with SubmissionProcess({"agent.py": text.encode()}, "agent.py", assignment) as submission:
        position, played = ps.parse("tictactoe b2 a1"), []
        while not position.is_over:
            move = submission.move(position, "")
            played.append(
                position.moves.index(move) == (position.side == 0) * (len(position.moves) - 1)
            )
            position = position.play(move)
    assert played
    assert all(played)
