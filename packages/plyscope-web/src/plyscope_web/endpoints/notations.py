"""Positions and games in the notations of other programs, read and written."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from plyscope.errors import NotationError, OptionError, PlyscopeError
from plyscope.lab.matches.gametext import check_saved, read_games
from plyscope.rules.drawings import draw
from plyscope.rules.game import move_text, read_move
from plyscope.rules.gamefiles import SHEET
from plyscope.rules.position import Position
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.inputs import Asked, asked_of, own_of, reading_of
from plyscope_web.gametexts import write_cells, write_columns, write_sgf
from plyscope_web.requests import MAX_CELLS, CopyRequest, ReadRequest

MAX_SGF_NODES, MAX_TEXT_CHARS = 4_000, 10_000


def read(request: ReadRequest, tell: Tell) -> dict[str, Any]:
    """Return a game's start position, moves and players, and the notation of the text."""
    text = request.text.strip("\n\r" + BOM_UTF8.decode())
    if text.lstrip().startswith("{"):
        return _saved(text)
    if re.match(r"\s*\[Game \"", text):
        return _of_games(text)
    _check_length(text)
    asked = own_of(text)
    if asked is not None:
        return _game_data(asked, [], "")
    reading = reading_of(text)
    if not isinstance(reading.start, Position):
        raise OptionError(f"{text[:60]!r} is a tree; expected a position such as 'connect4 444'")
    return _game_data(Asked(reading.start, str(reading.start)), reading.names, reading.said)


def _check_length(text: str) -> None:
    """Raise NotationError for a text that is too long for a game, before it is parsed."""
    if SHEET.search(text):
        nodes = text.count(";")
        if nodes > MAX_SGF_NODES:
            raise NotationError(
                f"SGF {text[:40]!r} of {nodes:,} nodes; expected at most {MAX_SGF_NODES:,}"
            )
    elif len(text) > MAX_TEXT_CHARS:
        raise NotationError(
            f"text {text[:40]!r} of {len(text):,} characters; "
            f"expected at most {MAX_TEXT_CHARS:,} for a position or a game"
        )


def _game_data(
    start: Asked, moves: Sequence[str], said: str, players: Sequence[str] = ("", "")
) -> dict[str, Any]:
    """Return a game as JSON-ready data; raise PlyscopeError if a move is not legal."""
    after = start
    for move in moves:
        after = after.after(read_move(after.position, move))
    return {
        "position": start.text,
        "game": start.position.game.name,
        "moves": list(moves),
        "said": said,
        **dict(zip("xo", players, strict=True)),
    }


def _saved(text: str) -> dict[str, Any]:
    """Return a game saved by `plyscope play` or by the page."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the saved game: {str(error)[:80]}; expected JSON as it was saved"
        ) from None
    check_saved(data, "the saved game")
    if len(data["moves"]) > MAX_CELLS:
        raise NotationError(
            f"{len(data['moves']):,} moves in the saved game; expected at most {MAX_CELLS}"
        )
    text = data["start"]
    if not text or not text.startswith(data["game"]):
        text = f"{data['game']} {text}"
    start = asked_of(text)
    return _game_data(start, data["moves"], "a saved game", (data["x"], data["o"]))


def _of_games(text: str) -> dict[str, Any]:
    """Return the first game of a text with several games."""
    for named in re.findall(r'\[(?:Game|Start) "((?:[^"\\]|\\.)*)"', text):
        asked_of(re.sub(r"\\(.)", r"\1", named))  # refuses a file name or too large a board
    game = next(read_games(text, "the text"))
    said = f"the first of several games, {game.players[0]} against {game.players[1]}"
    return _game_data(Asked(game.start, str(game.start)), game.moves, said, game.players)


def copy(request: CopyRequest, tell: Tell) -> dict[str, Any]:
    """Return the texts of a game, by the names of the notations that can express it."""
    start = asked_of(request.position)
    after, moves = start, []
    for word in request.moves:
        move = read_move(after.position, word)
        moves.append((move, move_text(after.position, move)))
        after = after.after(move)
    names = [name for _, name in moves]
    saved = {
        "game": start.position.game.name,
        "start": start.text,
        "moves": names,
        "x": request.x,
        "o": request.o,
        "seed": 0,
    }
    texts = {"position": after.text, "saved": json.dumps(saved, indent=2) + "\n"}
    if isinstance(start.position, Position):
        cells = [move for move, _ in moves]
        players = (request.x, request.o)
        writers: dict[str, Callable[[], str]] = {
            "moves": lambda: _moves(start.position, names),
            "cells": lambda: write_cells(start.position, cells),
            "columns": lambda: write_columns(start.position, cells),
            "sgf": lambda: write_sgf(start.position, cells, players) + "\n",
            "drawing": lambda: draw(after.position) + "\n",
        }
        for name, write in writers.items():
            with suppress(PlyscopeError):  # this notation cannot express the game
                texts[name] = write()
    return {name: text for name, text in texts.items() if text}


def _moves(start: Position, names: Sequence[str]) -> str:
    """Return the game's name and its moves; raise NotationError if `start` has stones on it."""
    if start != start.game.start():
        raise NotationError(f"moves from '{start}'; expected a game from its start")
    return " ".join([start.game.name, *names])
