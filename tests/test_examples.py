"""The worked games in `examples`: their rules beside other people's, and published values."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from functools import reduce
from itertools import product
from operator import xor
from pathlib import Path
from typing import Any

import pytest

import games
import plyscope as ps
from bench.worked_games import lines_of_python
from examples.dots_and_boxes import DotsAndBoxes
from examples.hexapawn import Hexapawn
from examples.isolation import Isolation
from examples.kalah import Kalah
from examples.morris import Morris
from examples.nim import Nim
from examples.othello import Othello
from examples.ultimate import ANY, Ultimate
from games import BruteForce, sign
from plyscope import search, solve
from plyscope.evaluation.notes import notes_on
from plyscope.rules.check import check_game
from plyscope.rules.game import GamePosition, parse_moves

ROOT = Path(__file__).resolve().parent.parent
GAMES = 1000


def games_of(game: Any, seed: str, number: int = GAMES) -> Iterable[list[tuple[Any, Any]]]:
    """Random games: every running state with the move that is made there, and the last state."""
    draw = random.Random(seed)
    for _ in range(number):
        states, state = [], game.start()
        while game.payoff(state) is None:
            move = draw.choice(game.moves(state))
            states.append((state, move))
            state = game.play(state, move)
        assert game.moves(state) == []
        yield [*states, (state, None)]


# Beside other people's rules

SPIEL: dict[str, tuple[Any, Any]] = {
    "nim(is_misere=false,pile_sizes=3;4;5)": (
        Nim(3, 4, 5),
        lambda state, move: (3 * (move[1] - 1) + move[0],),
    ),
    "dots_and_boxes(num_rows=3,num_cols=2,utility_margin=true)": (DotsAndBoxes(2, 3), None),
    "mancala": (Kalah(6, 4), lambda state, move: (7 * state[-1] + move + 1,)),
    "othello": (Othello(8), None),
    "ultimate_tic_tac_toe": (
        Ultimate(),  # where the board is free, OpenSpiel's move is two: the board, then the cell
        lambda state, move: divmod(move, 9) if state[18] == ANY else (move % 9,),
    ),
}
"""Games of OpenSpiel, each with ours and its actions for a move."""


@pytest.mark.parametrize("spec", SPIEL)
def test_follows_the_rules_of_openspiel(spec: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs, (game, actions) = pyspiel.load_game(spec), SPIEL[spec]
    for states in games_of(game, spec):
        state = theirs.new_initial_state()
        for ours, move in states[:-1]:
            known = {at: actions(ours, at) if actions else (at,) for at in game.moves(ours)}
            assert state.current_player() == game.side(ours)
            assert state.legal_actions() == sorted({first for first, *_ in known.values()})
            for action in known[move]:
                state.apply_action(action)
        payoff = game.payoff(states[-1][0])
        assert state.is_terminal()
        assert state.returns()[0] == (payoff if "margin" in spec else sign(payoff))


def easy_hexapawn(easyai: Any) -> tuple[Any, Any]:
    """easyAI's pawns step on pawns of their own side too, which nobody else's do: these moves are
    left out."""
    from easyAI.games.Hexapawn import Hexapawn as Easy
    from easyAI.games.Hexapawn import to_string

    columns, rows = 4, 5

    class Theirs(Easy):  # type: ignore[misc]
        def possible_moves(self) -> list[str]:
            own = {to_string([at, at]).split()[0] for at in self.player.pawns}
            return [move for move in super().possible_moves() if move.split()[1] not in own]

    def text(move: int) -> str:
        return " ".join(
            f"{'ABCDE'[cell // columns]}{cell % columns + 1}"
            for cell in divmod(move, columns * rows)
        )

    return Hexapawn(columns, rows), (lambda: Theirs([easyai(), easyai()], (rows, columns)), text)


def easy_knights(easyai: Any) -> tuple[Any, Any]:
    from easyAI.games.Knights import Knights

    return Isolation(5, 5), (
        lambda: Knights([easyai(), easyai()], (5, 5)),
        lambda move: f"{'ABCDE'[move // 5]}{move % 5 + 1}",
    )


def easy_nim(easyai: Any) -> tuple[Any, Any]:
    from easyAI.games.Nim import Nim as Theirs

    return Nim(4, 2, 5), (
        lambda: Theirs([easyai(), easyai()], piles=(4, 2, 5)),
        lambda move: f"{move[0] + 1},{move[1]}",
    )


@pytest.mark.parametrize("build", [easy_nim, easy_hexapawn, easy_knights])
def test_follows_the_rules_of_easyai(build: Any) -> None:
    easyai = pytest.importorskip("easyAI")
    game, (start, text) = build(easyai.Human_Player)
    for states in games_of(game, build.__name__):
        theirs = start()
        for ours, move in states[:-1]:
            assert not theirs.is_over()
            assert theirs.current_player == game.side(ours) + 1
            assert sorted(theirs.possible_moves()) == sorted(map(text, game.moves(ours)))
            theirs.make_move(text(move))
            theirs.switch_player()
        assert theirs.is_over()


@pytest.mark.parametrize(
    ("game", "theirs"),
    [
        (DotsAndBoxes(3, 2), games.DotsAndBoxes(3, 2)),
        (Kalah(3, 4), games.Kalah(3, 4)),
        (Kalah(6, 4), games.Kalah(6, 4)),
        (Othello(4), games.Othello(4)),
    ],
    ids=lambda game: type(game).__name__,
)
def test_follows_independently_written_rules(game: Any, theirs: Any) -> None:
    """Beside the same games as the tests have them, which have not been looked at."""
    for states in games_of(game, "apart", 100):
        at = theirs.start()
        for ours, move in states[:-1]:
            texts = [game.format_move(ours, item) for item in game.moves(ours)]
            moves = [
                games.Othello.PASS if text == "pass" else item
                for text, item in zip(texts, game.moves(ours), strict=True)
            ]
            assert (game.side(ours), moves) == (theirs.side(at), list(theirs.moves(at)))
            at = theirs.play(at, moves[game.moves(ours).index(move)])
        assert game.payoff(states[-1][0]) == theirs.payoff(at)


# What is published


def test_nim_is_lost_where_the_heaps_add_up_to_zero_without_carrying() -> None:
    """Bouton 1901: of every position of up to three heaps of up to four."""
    game, brute = Nim(), BruteForce(Nim())
    for heaps in product(range(5), repeat=3):
        assert brute.value((heaps, 0)) == (1 if reduce(xor, heaps) else -1)
        if any(heaps):
            found = search((heaps, 1), "pvs", "null", game=game)
            assert sign(found.value) == (1 if reduce(xor, heaps) else -1)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (Hexapawn(3, 3), -1),  # Gardner 1962
        (Hexapawn(4, 4), 1),  # "octopawn": Wikipedia, "Hexapawn"
        (Othello(4), -8),  # 3 to 11 discs
        (DotsAndBoxes(1, 1), -1),  # Berlekamp, Conway & Guy, Winning Ways
        (DotsAndBoxes(1, 2), 0),
        (DotsAndBoxes(2, 2), 2),
    ],
    ids=lambda item: type(item).__name__,
)
def test_finds_published_values(game: Any, value: int) -> None:
    assert BruteForce(game).value(game.start()) == value


KALAH = {1: "DLWL", 2: "WLLL", 3: "DWWW", 4: "WW"}
"""Won, drawn or lost for who begins, by the houses, with 1, 2, ... seeds in each: Irving, Donkers &
Uiterwijk 2000."""


@pytest.mark.parametrize("houses", KALAH)
def test_finds_the_values_of_kalah_of_irving_donkers_and_uiterwijk(houses: int) -> None:
    for seeds, result in enumerate(KALAH[houses], 1):
        game = Kalah(houses, seeds)
        assert "LDW"[sign(BruteForce(game).value(game.start())) + 1] == result


EXAMPLES = [
    *(Nim(), Hexapawn(), Hexapawn(5, 4), Isolation(), DotsAndBoxes(), Kalah(), Morris()),
    *(Othello(), Othello(6), Ultimate()),
]


@pytest.mark.parametrize("game", EXAMPLES, ids=lambda game: game.name)
def test_writes_a_game_down_and_reads_it_back(game: Any) -> None:
    for states in games_of(game, "written", 20):
        texts = [game.format_move(state, move) for state, move in states[:-1]]
        assert parse_moves(game, " ".join(texts)) == GamePosition(game, states[-1][0])
        assert parse_moves(game, ", ".join(texts)).is_over


def test_draws_positions() -> None:
    def drawn(game: Any, *moves: str) -> str:
        return str(GamePosition(game, game.start()).play(*moves))

    assert drawn(Nim(), "b3") == "3 1 5"
    assert drawn(Hexapawn(), "b1b2", "c3b2") == "OO.\n.O.\nX.X"
    assert drawn(Isolation(4, 3), "c2") == "...O\n..X.\n#..."
    assert drawn(DotsAndBoxes(1, 1), "0", "2", "1", "3") == "+-+\n| |\n+-+ -1"
    assert drawn(Kalah(3, 2), "2") == "0 2 2 2\n2 0 3 1"
    assert drawn(Morris(), *["b2", "a1", "c2", "a2", "a3", "c1", "b2b3"]) == "XX.\nO.X\nO.O"
    assert drawn(Othello(), "b1") == ".X..\n.XX.\n.XO.\n...."
    assert drawn(Ultimate(), "5c3", "3b2").splitlines()[:4] == [
        "... ... ...",
        "... ... .O.",
        "... ... ...",
        "... ..X ...",
    ]


def test_documents_nim_as_it_stands() -> None:
    nim = (ROOT / "examples" / "nim.py").read_text(encoding="utf-8")
    assert f"```python\n{nim}```\n" in (ROOT / "docs" / "your-game.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", EXAMPLES, ids=lambda game: game.name)
def test_passes_the_check_of_a_game(game: Any) -> None:
    check = check_game(game, games=20)
    assert (check.faults, check.hints) == ((), ())


@pytest.mark.parametrize(
    ("game", "value", "distance", "best"),
    [
        (Nim(3, 4, 5), 1, None, "a2"),  # the one move after which 1, 4 and 5 add up to zero
        (Hexapawn(), -1, 6, "b1b2"),  # in three moves: Wikipedia, "Hexapawn"
        (Othello(), -1, None, "b1 a2 d3 c4"),  # all moves are alike
    ],
    ids=lambda item: getattr(item, "name", ""),
)
def test_solves_to_the_published_values(
    game: Any, value: int, distance: int | None, best: str
) -> None:
    verdict = solve(game)
    assert verdict.value == value
    assert distance in (None, verdict.distance)
    texts = [game.format_move(game.start(), move) for move in verdict.best_moves]
    assert sorted(texts) == sorted(best.split())


def test_documents_how_many_lines_each_takes() -> None:
    page = (ROOT / "docs" / "your-game.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\w+\.py)` \| [^|]* \| (\d+) \|", page, re.MULTILINE))
    files = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem != "mine"]
    assert told == {path.name: str(lines_of_python(path)) for path in files}


def test_keeps_the_table_tuned_for_connect_four() -> None:
    table = ps.TermSum.read(ROOT / "examples" / "connect4_depth4.toml")
    assert notes_on(table, ps.GAMES["connect4"]) == ()
    assert (table.provenance["depth"], table.provenance["outcome"]) == (4, "improved")
    assert table.threats[0, 1] > 2 * table.threats[0, 0]  # X waits for odd rows, O for even ones
    assert table.threats[1, 0] > 2 * table.threats[1, 1]
