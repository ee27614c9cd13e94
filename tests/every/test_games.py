"""What every game promises to whatever plays, searches, records or shows it."""

from __future__ import annotations

import pickle
import random
from functools import cache
from typing import Any

import pytest

import plyscope as ps
from listed import (
    EVERY_GAME,
    FILES,
    LINE_GAMES,
    OWN_GAMES,
    SMALL,
    Oracle,
    game_of,
    opinion,
    sign,
    some_game,
)
from plyscope.lab.matches.game import PLY_LIMIT, REPETITION, play_game
from plyscope.lab.matches.gametext import read_games, write_games
from plyscope.rules.game import GamePosition, as_game
from plyscope.rules.games import spec_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import as_position

every_game = pytest.mark.parametrize("spec", EVERY_GAME)
small = pytest.mark.parametrize("spec", SMALL)


@every_game
def test_follows_every_rule_of_the_game_protocol(spec: str) -> None:
    assert ps.check_game(game_of(spec), games=2, seed=1, max_positions=500).faults == ()


@every_game
def test_gives_positions_that_follow_the_rules_and_survive_pickling(spec: str) -> None:
    game, draw = game_of(spec), random.Random(spec)
    position = as_position(game)
    assert list(ps.perft(position, 1))[-1].sequences == len(game.moves(game.start()))
    for state, move in some_game(game, draw):
        assert (position.side, position.is_over, position.payoff) == (game.side(state), False, None)
        assert list(position.moves) == list(game.moves(state))
        before, after = str(position), position.play(move)
        assert (str(position), position.game.format_move(state, move) != "") == (before, True)
        position, end = after, game.play(state, move)
    assert (position.is_over, list(position.moves)) == (True, [])
    assert position.payoff == game.payoff(end)
    assert position.winner == {1: 0, 0: None, -1: 1}[sign(position.payoff)]
    if isinstance(game, LineGame):
        assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize("spec", LINE_GAMES)
def test_reads_back_the_texts_of_a_line_game(spec: str) -> None:
    game, draw = game_of(spec), random.Random(spec)
    start = game.start()
    assert spec == "fano" or ps.parse_game(spec_of(game)) == game
    for cell in start.moves:
        assert game.parse_move(start, game.format_cell(cell)) == cell
    for state, _ in list(some_game(game, draw))[::7]:
        assert ps.parse(str(state), game) == state


@every_game
def test_records_the_side_of_every_move(spec: str) -> None:
    game = game_of(spec)
    for seed in range(3):
        players = ps.parse_agent("random"), ps.parse_agent("level-1")
        record = play_game(players, as_position(game), random.Random(seed), max_plies=20)
        state, sides = game.start(), []
        for move in record.moves:
            sides.append(game.side(state))
            state = game.play(state, as_game(game).parse_move(state, move))
        assert [ply.side for ply in record.plies] == sides
        payoff = game.payoff(state)
        assert record.winner == {1: "x", -1: "o"}.get(sign(payoff or 0))
        is_unfinished = record.ending in (PLY_LIMIT, REPETITION)
        assert (is_unfinished, record.is_forfeit) == (payoff is None, False)


@pytest.mark.parametrize("spec", [*ps.GAMES, *(f"examples/{name}.py" for name in FILES)])
def test_reads_games_back_from_text(spec: str) -> None:
    named = ps.parse_game(
        spec if spec in ps.GAMES else f"{FILES[spec[9:-3]]}:{type(game_of(spec)).__name__}"
    )
    players = ps.parse_agent("random"), ps.parse_agent("random")
    played = [play_game(players, as_position(named), random.Random(seed)) for seed in range(2)]
    told = [(g.players, g.start, g.moves, g.end, g.winner, g.ending) for g in played]
    read = list(read_games("\n".join(write_games(played))))
    assert [(g.players, g.start, g.moves, g.end, g.winner, g.ending) for g in read] == told
    sides = [[ply.side for ply in g.plies] for g in played]
    assert [[ply.side for ply in g.plies] for g in read] == sides


# Small games: every line of play


@cache
def lines_of_play(spec: str) -> tuple[int, int, int, int]:
    """Return how many lines of play FIRST wins, draws and loses, and the length of a shortest loss,
    all moves of both sides tried."""
    game = game_of(spec)
    known: dict[Any, tuple[int, int, int, int]] = {}

    def below(state: Any) -> tuple[int, int, int, int]:
        payoff = game.payoff(state)
        if payoff is not None:
            return (payoff > 0, payoff == 0, payoff < 0, 0 if payoff < 0 else 99)
        if state not in known:
            rows = [below(game.play(state, move)) for move in game.moves(state)]
            sums = [sum(column) for column in zip(*rows, strict=True)]
            known[state] = (*sums[:3], 1 + min(row[3] for row in rows))
        return known[state]

    return below(game.start())


@small
def test_counts_every_line_of_play_in_a_certificate(spec: str) -> None:
    first, second = ps.certify("random", game_of(spec)).sides
    wins, draws, losses, shortest = lines_of_play(spec)
    assert (first.wins, first.draws, first.losses) == (wins, draws, losses)
    assert (second.wins, second.draws, second.losses) == (losses, draws, wins)
    assert (first.losing_line is None) == (losses == 0)
    assert first.losing_line is None or len(first.losing_line) == shortest


@small
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_gives_the_report_card_of_brute_force(spec: str, depth: int) -> None:
    """Every position that can be reached, its value, and what a search of each depth would choose."""
    game = game_of(spec)
    reached, waiting = {game.start()}, [game.start()]
    while waiting:
        state = waiting.pop()
        if game.payoff(state) is None:
            after = {game.play(state, move) for move in game.moves(state)} - reached
            reached |= after
            waiting += after
    truth, searched = Oracle(game), Oracle(_Unscored(game), opinion)
    choices, mistakes = 0, 0.0
    for state in reached:
        if game.payoff(state) is not None:
            continue
        view = -1 if game.side(state) else 1
        after = [game.play(state, move) for move in game.moves(state)]
        worth = [view * sign(truth.value(child)) for child in after]
        if len(set(worth)) > 1:
            choices += 1
            found = [view * searched.value(child, depth - 1) for child in after]
            chosen = [w for w, value in zip(worth, found, strict=True) if value == max(found)]
            mistakes += sum(w < max(worth) for w in chosen) / len(chosen)
    card = ps.report_card(opinion, game, depth=depth)
    assert (card.positions, card.choices) == (len(reached), choices)
    assert card.depths[-1].mistakes == pytest.approx(mistakes / max(1, choices))
    for item in card.worst:
        assert isinstance(item.position, GamePosition)
        view = -1 if item.position.side else 1
        chosen, better = (
            view * sign(truth.value(item.position.play(move).state))
            for move in (item.chosen, item.better)
        )
        assert better - chosen == item.lost > 0


class _Unscored:
    """The same game, won, drawn or lost."""

    def __init__(self, game: Any) -> None:
        self.side, self.moves, self.play = game.side, game.moves, game.play
        self.payoff, self.scored = game.payoff, False


def test_includes_games_with_double_moves_passes_and_scores() -> None:
    """What the tests of every game rest on."""
    seen = set()
    for spec in OWN_GAMES:
        game = game_of(spec)
        for state, move in some_game(game, random.Random(2)):
            after = game.play(state, move)
            seen.add("again" if game.side(after) == game.side(state) else "in turn")
            seen.add("pass" if move == -1 else "move")
        seen.add("score" if getattr(game, "scored", False) else "result")
    assert seen == {"again", "in turn", "pass", "move", "score", "result"}
