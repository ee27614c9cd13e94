"""How strong the levels are: Elo on three games, by matches of neighbours, beside random.

    python bench/levels.py [GAME ...] [--games N] [--record FILE]

Neighbours and those two apart play N games in pairs from all openings of two plies, on 15×15 of one
ply; fewer if all openings have been played and neither moves at random, and a tenth, at least 8, if
level 10 thinks for its three seconds. Ratings are fitted to all games of a board at once, random is
0. Prints the table of the documents.
"""

from __future__ import annotations

import argparse

from plyscope import play_match
from plyscope.lab.matches.ratings import fit_ratings
from plyscope.lab.matches.records import Records
from plyscope.rules.games import line_game

GAMES = ("tictactoe", "connect4", "gomoku15")
PLAYERS = ("random", *(f"level-{number}" for number in range(1, 11)))


def outcomes(game: str, games: int, records: Records | None) -> list[tuple[str, str, str, int]]:
    """Return the results of all matches on a board."""
    found = []
    pairs = [(at, at + step) for step in (1, 2) for at in range(len(PLAYERS) - step)]
    is_quick = line_game(game).gravity  # level 10 hardly ever thinks for its three seconds
    for low, high in pairs:
        result = play_match(
            PLAYERS[high],
            PLAYERS[low],
            games if high < len(PLAYERS) - 1 or is_quick else max(8, games // 10),
            game,
            opening_plies=1 if game == "gomoku15" else 2,
            records=records,
        )
        print(
            f"{game}: {result.a} {result.a_wins} {result.draws} {result.b_wins} {result.b}",
            flush=True,
        )
        found += result.outcomes
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="*", default=GAMES)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--record")
    arguments = parser.parse_args()
    records = None if arguments.record is None else Records(arguments.record)
    for game in arguments.boards:
        ratings = fit_ratings(outcomes(game, arguments.games, records))
        for player in PLAYERS:
            interval = ratings.difference(player, "random")
            spread = f"({interval.low:+.0f} to {interval.high:+.0f})"
            print(f"{game:10} {player:9} {interval.value:+6.0f} {spread}")


if __name__ == "__main__":
    main()
