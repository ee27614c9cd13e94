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

import re
from collections.abc import Iterable, Iterator
from typing import Any

from plyscope.errors import NotationError, PlyscopeError
from plyscope.lab.matches.game import GameRecord, ending_of, moves_text, name_of, replayed
from plyscope.lab.matches.sides import SEATINGS
from plyscope.rules.game import GamePosition, side_text, state_of, winner_of
from plyscope.rules.games import parse_game
from plyscope.rules.position import Position
from plyscope.rules.source import as_position, read

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


def read_game_file(path: str) -> GameRecord:
    """Return the game of a file in SGF or PSQ format.

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
    return GameRecord(
        players=(players[0] or "X", players[1] or "O"),
        start=reading.start,
        plies=plies,
        end=end,
        winner=winner,
        ending=ending,
    )


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
