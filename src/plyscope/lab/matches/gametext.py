"""Games as text that can be read back: a few tags and the moves, similar to PGN in chess.

    [Game "connect4"]
    [X "two-ply"]
    [O "random"]
    [Result "1-0"]
    [Ending "line"]
    1. d1 d2 2. d3 c1

`[Start "..."]` is present if the game does not begin with the empty board, `[Sides "pie swapped"]`
if the players chose their sides by a rule. A user-defined game has the name `file.py:Name`, its
start is the list of moves that lead there, and commas separate moves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from plyscope.datafile import read_data
from plyscope.errors import NotationError, OptionError, PlyscopeError
from plyscope.lab.matches.game import GameRecord, ending_of, moves_text, name_of, replayed
from plyscope.lab.matches.sides import SEATINGS
from plyscope.rules.game import (
    GameLike,
    GamePosition,
    position_of,
    read_moves,
    side_text,
    state_of,
    winner_of,
)
from plyscope.rules.gamefile import SAVED_KEYS
from plyscope.rules.gamefiles import CHOICE, GameText, choice_of
from plyscope.rules.games import parse_game
from plyscope.rules.position import Position
from plyscope.rules.source import (
    as_position,
    game_of,
    is_of_records,
    own_game_in,
    read,
    text_of,
)
from plyscope.rules.tree import TreePosition

RESULTS = {"x": "1-0", "o": "0-1", None: "1/2-1/2"}
WINNERS = {result: winner for winner, result in RESULTS.items()}
TAGS = ("Game", "X", "O", "Start", "Result", "Ending", "Sides")
SAVED = ("game", "start", "moves", "x", "o")
"""The keys of a game saved by `plyscope play` or the page."""


def write_games(games: Iterable[GameRecord]) -> Iterator[str]:
    """Yield the text of each game, which ends with a newline."""
    for game in games:
        rules = game.start.game
        tags = {"Game": name_of(rules), "X": game.players[0], "O": game.players[1]}
        if state_of(game.start) != rules.start():
            tags["Start"] = str(game.start) if game.opening is None else game.opening
        tags |= {"Result": RESULTS[game.winner], "Ending": game.ending}
        if game.sides is not None:
            tags["Sides"] = game.sides
        lines = [
            f'[{tag} "{" ".join(text.split()).translate(_ESCAPES)}"]' for tag, text in tags.items()
        ]
        yield "\n".join([*lines, _moves_line(game)]) + "\n"


def _moves_line(game: GameRecord) -> str:
    """Return the moves as text, numbered in pairs in line games."""
    if not isinstance(game.start, Position):
        return moves_text(game)
    return " ".join(
        f"{at // 2 + 1}. {' '.join(game.moves[at : at + 2])}" for at in range(0, len(game.moves), 2)
    )


_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\"})


def read_games(text: str, name: str = "the text") -> Iterator[GameRecord]:
    """Yield the games of a text; the times of moves are unknown. Raises NotationError with the line
    number of an error."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    first = 1
    for number, line in enumerate([*text.splitlines(), '[Game ""]'], 1):
        tag = re.fullmatch(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]', line.strip())
        if tag is None:
            moves += [word for word in line.split() if not re.fullmatch(r"\d+\.", word)]
            continue
        if tag[1] not in TAGS:
            raise NotationError(
                f"{name}, line {number}: tag {tag[1][:40]!r}; expected {', '.join(TAGS)}"
            )
        if tag[1] == "Game" and tags:
            yield _game(tags, moves, f"{name}, game from line {first}")
            tags, moves, first = {}, [], number
        elif tag[1] == "Game" and moves:
            raise NotationError(
                f"{name}, line {first}: {' '.join(moves)[:40]!r} before any tag; "
                'expected [Game "..."]'
            )
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])


def read_game_text(text: str, game: GameLike | str | None = None) -> GameText:
    """Return the start and the moves of a game.

    `text` is a game and moves, the content of a file of a game, or the name of one: a game saved by
    `play` or the page, games of `write_games`, or a file of another program; `a.txt#2` is its
    second game. `game` is the game, if the text does not name it. The moves are empty for a board.
    Raises NotationError, and what `parse_game` and `as_position` raise.
    """
    if (saved := read_saved(text)) is not None:
        return _of_saved(saved, game)
    text = text_of(text)
    if is_of_records(text):
        chosen = CHOICE.search(text)
        games = list(read_games(text[: chosen.start()] if chosen else text))
        number = int(chosen[1]) if chosen else 1
        said = choice_of(number, len(games), "the text")
        record = games[number - 1]
        result = {"x": 1, "o": -1, None: 0}[record.winner]
        return GameText(record.start, record.moves, record.players, said, result)
    rules = None if game is None else game_of(game)
    if (own := own_game_in(text, rules)) is not None:
        start = position_of(own[0], own[0].start())
        return GameText(start, tuple(name for name, _ in read_moves(start, own[1])))
    reading = read(text, rules)
    if isinstance(reading.end, TreePosition):
        raise NotationError(f"{text[:80]!r} is a tree; expected a game and its moves")
    names = tuple(reading.names)
    return GameText(reading.start, names, reading.players, reading.said, reading.result)


def read_saved(text: str) -> dict[str, Any] | None:
    """Return the data of a saved game, given as the name of a file ending in .json or as its
    content; None for any other text, and for the file of a game's rules.

    Raises NotationError for a file that cannot be read, and for data that are no game.
    """
    name = text.strip()
    if name.startswith("{"):
        try:
            data, place = json.loads(name), "the saved game"
        except (ValueError, RecursionError):
            return None
    elif name.endswith(".json") and "\n" not in name:
        data, place = read_data(Path(name), "game"), repr(name)
    else:
        return None
    if not isinstance(data, dict) or "moves" not in data:
        return None
    if "plyscope" in data and not set(data) >= SAVED_KEYS:
        return None  # another result
    if data.get("players") and "x" not in data:  # printed by `play --json`
        data |= dict(zip("xo", data["players"], strict=False))
    check_saved(data, place)
    return data


def _of_saved(data: dict[str, Any], game: GameLike | str | None) -> GameText:
    rules = game_of(data["game"])
    if game is not None and game_of(game) != rules:
        raise OptionError(
            f"game {game_of(game).name!r} with a saved game of {rules.name!r}; expected one game"
        )
    start = as_position(data["start"] or rules, rules)
    return GameText(start, tuple(data["moves"]), (data["x"], data["o"]), "a saved game")


def read_game_file(path: str) -> tuple[GameRecord, str]:
    """Return the game of a file of another program, and how it was read.

    The winner is that of the final board or, if the game stops before its end, the winner in the
    file. Raises NotationError.
    """
    reading = read(path)
    plies, end = replayed(reading.start, " ".join(reading.names))
    players, result = reading.players, reading.result
    if end.is_over:
        winner, ending = side_text(end.winner), ending_of(end)
    elif result is None:
        raise NotationError(
            f"game {path[:80]!r} is unfinished after {len(plies)} moves and has no result; "
            "expected a finished game"
        )
    else:
        winner, ending = side_text(winner_of(result)), "the result in the file"
    game = GameRecord(
        players=(players[0] or "X", players[1] or "O"),
        start=reading.start,
        plies=plies,
        end=end,
        winner=winner,
        ending=ending,
    )
    return game, reading.said


def check_saved(data: Any, name: str) -> None:
    """Raise NotationError unless JSON data are a saved game: texts, and a list of moves."""
    for key in SAVED:
        if not isinstance(data, dict) or key not in data:
            raise NotationError(f"no {key!r} in {name}; expected a saved game")
        items = data[key] if key == "moves" else [data[key]]
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise NotationError(f"values of {key!r} in {name} are not texts; expected a saved game")


def _game(tags: dict[str, str], moves: list[str], place: str) -> GameRecord:
    try:
        rules = parse_game(tags["Game"])
        start = as_position(tags.get("Start", rules), rules)
        plies, end = replayed(start, " ".join(moves))
        winner = WINNERS[tags["Result"]]
        players, ending = (tags["X"], tags["O"]), tags["Ending"]
        sides = tags.get("Sides")
        if sides is not None and sides not in SEATINGS:
            raise KeyError(f"Sides {sides[:20]!r}")
    except KeyError as error:
        raise NotationError(
            f"{place}: {str(error)[:40]} is missing or unknown; "
            f"expected the tags {', '.join(TAGS)}, and perhaps Start and Sides"
        ) from None
    except PlyscopeError as error:
        raise NotationError(f"{place}: {error}") from None
    is_end = end.is_over and winner == side_text(end.winner)
    if ending in ("line", "full board", "rules") and not is_end:
        raise NotationError(
            f"{place}: {tags['Result']!r} by {ending!r} on '{end}'; "
            "expected the result of the board, or another ending"
        )
    return GameRecord(
        players=players,
        start=start,
        plies=plies,
        end=end,
        winner=winner,
        ending=ending,
        opening=tags.get("Start", "") if isinstance(start, GamePosition) else None,
        sides=sides,
    )
