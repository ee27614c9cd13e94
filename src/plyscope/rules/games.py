"""The catalogue of games, and the text of any other: `7,7,5`, `4x4x4,4`, `5,4,4,gravity,misere`.

`m,n,k` is m columns and n rows, k in a line; a board of more dimensions is its sizes joined by `x`,
then k. What follows are words of `rules.words`: `9,9,5,exactly`, `19,19,6,stones=2`,
`6,5,4,torus=x`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from typing import Any

from plyscope.catalogue import Catalogue, nearest_name
from plyscope.errors import NotationError, OptionError
from plyscope.pythonfile import is_of_file, load_named, version_of_file
from plyscope.rules.game import GIVEN, Game, as_game, is_game
