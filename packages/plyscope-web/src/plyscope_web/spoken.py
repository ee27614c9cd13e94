"""Informal names of games, translated to the texts of `rules.games`: `gomoku`, `torus 5,5,4`,
`misere tictactoe`, `3x3x3`, `connect four 8x7`."""

from __future__ import annotations

import re

from plyscope.rules.games import GAMES, MAX_TEXT_CHARS, spec_of
from plyscope.rules.words import WORDS, format_spec

NAMES = {
    r"tic[\s-]*tac[\s-]*toe|noughts[\s-]+(?:and|&)[\s-]+crosses": "tictactoe",
    r"connect[\s-]*(?:four|4)(?!-)|four[\s-]+in[\s-]+a[\s-]+row": "connect4",
    r"connect[\s-]*six": "connect6",
    r"gomoku[\s-]*(\d+)": r"\1x\1",
    r"gomoku(?!\d)|(?:five|5)[\s-]+in[\s-]+a[\s-]+row": "gomoku15",
}
"""Patterns of informal names, and the names of games that replace them. Gomoku is played on 15×15
cells if the name has no size."""
RULES = {
    r"mis[eè]re": "misere",
    r"toroidal|on a torus|wrapped": "torus",
    r"exact(?!ly)": "exactly",
    r"hex(?!agonal)": "hexagonal",
}
DEFAULT_K = 5
MAX_FULL_ROW_SIDE = 4
"""The side of the largest square board on which, without a k, a whole row is needed to win; on
larger boards DEFAULT_K cells win."""
SIZES = re.compile(r"\d+(?:x\d+)+")


def spoken_game(text: str) -> str | None:
    """Return the text of the game with an informal name, None if it is none or a text already.

    >>> spoken_game("misere tic-tac-toe"), spoken_game("5x5,4 torus"), spoken_game("connect4 44")
    ('3,3,3,misere', '5,5,4,torus', None)
    """
    text = text.strip().lower()
    if len(text) > MAX_TEXT_CHARS or text in GAMES or re.match(r"[^a-z\d]", text):
        return None
    for names in (NAMES, RULES):
        for pattern, name in names.items():
            text = re.sub(rf"\b(?:{pattern})\b", name, text)
    words = re.split(r"[,\s]+", re.sub(r"(?<=\d)\s*[x×]\s*(?=\d)", "x", text))
    numbers = [word for word in words if word.isdecimal()]
    sizes = [word for word in words if SIZES.fullmatch(word)]
    games = [word for word in words if word in GAMES]
    rules = [word for word in words if word.partition("=")[0] in WORDS]
    if len(words) != len(numbers) + len(sizes) + len(games) + len(rules) or not (sizes or rules):
        return games[0] if words == games[:1] else None
    return _text(games, sizes, list(map(int, numbers)), rules)


def _text(games: list[str], sizes: list[str], numbers: list[int], rules: list[str]) -> str | None:
    """Return the text of a named game, or of a board and k, with the rules added."""
    if len(games) > 1 or len(sizes) > 1 or (games and numbers):
        return None
    named = GAMES[games[0]] if games else None
    shape = tuple(map(int, sizes[0].split("x"))) if sizes else tuple(numbers[:2])
    last = numbers if sizes else numbers[2:]
    if named is not None:
        assert isinstance(named.given, int)  # k of its straight lines
        shape, last = shape or named.shape, [named.given]
    if len(shape) < 2 or len(last) > 1 or not all(shape):
        return None
    if not last and len(set(shape)) == 1:
        last = [shape[0] if shape[0] <= MAX_FULL_ROW_SIDE or len(shape) > 2 else DEFAULT_K]
    if not last:
        return None
    base = "" if named is None else spec_of(named).partition(",")[2]
    of_name = [word for word in base.split(",") if word.partition("=")[0] in WORDS]
    return ",".join([format_spec(shape, last[0]), *dict.fromkeys([*of_name, *rules])])
