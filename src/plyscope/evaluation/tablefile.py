"""Files of tables, TOML or JSON.

name = "mine"
mine = [0, 1, 3, 8]          # by stones on a line without stones of the opponent
theirs = [0, -1, -3, -8]     # −mine when left out
weights = { diagonal = 2 }   # by kind of line
clamp = 100                  # limits the sum
to_move = [0, 2, 5, 0]       # like mine, for the stones of the side to move, in its view
not_to_move = [0, -1, -2, 0] # like theirs, for its opponent; −to_move when left out
mobility = 1                 # a safe move
values = { "1,1" = 5 }       # single entries: mine, theirs
tempo = { "1,1" = 2 }        # single entries: to move, not to move
cells = { b2 = 3 }           # or the rows of the board from the top, of each level
[ends]                       # lines with stones of one side only, by stones
both = [0, 0, 4]             # both of the cells beyond the ends are empty
one = [0, 0, 1]
none = [0, 0, 0]
[threats]                    # cells that complete a line, by rows from the bottom
odd = 9
even = 4                     # x_odd, x_even, o_odd, o_even: for one side
[kinds.diagonal]             # added for lines of a kind: mine, theirs, values, to_move,
mine = [0, 0, 1, 3]          # not_to_move, tempo
[provenance]                 # how `tune` found the numbers; no effect on values
game = "connect4"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

from plyscope.datafile import read_data, write_file
from plyscope.errors import NotationError, OptionError
from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.linetable import WHOLE_NUMBER, KindTable, LineTable, Pairs, is_whole
from plyscope.evaluation.terms import EVEN, ODD
from plyscope.rules.cells import format_cell
from plyscope.rules.game import SIDES
from plyscope.rules.lines import LINE_KINDS

ENDS = ("none", "one", "both")
"""The keys of `ends`, by the number of empty ends."""
PATTERNS = ("closed", "open")
"""The keys of `patterns` and `pattern_tempo`."""
ROWS = {"odd": ODD, "even": EVEN}
PAIR_KEYS = ("mine", "theirs", "values"), ("to_move", "not_to_move", "tempo")
"""The keys of values by two counts: two lists, and single entries."""
KIND_KEYS = frozenset(key for keys in PAIR_KEYS for key in keys)
TERM_KEYS = frozenset(
    {
        *("to_move", "not_to_move", "tempo", "cells", "ends", "threats", "mobility", "kinds"),
        *("patterns", "pattern_tempo"),
    }
)
TABLE_KEYS = frozenset(
    {"clamp", "mine", "name", "provenance", "summary", "theirs", "values", "weights"}
)
METADATA_KEYS = ("name", "provenance", "summary")
"""Keys that do not change evaluations."""
MAX_CELLS = 1024
"""The largest board that `cells` can draw."""


def read_table(path: str | Path) -> LineTable:
    """Return the table of a TOML or JSON file; raise NotationError, which names the key."""
    path = Path(path)
    return table_of(read_data(path, "heuristic"), path)


def table_of(data: Any, path: str | Path) -> LineTable:
    """Return the table with this content of a file. `path` gives its default name, and errors quote
    it."""
    return _TableFile(data, Path(path)).table()


class _TableFile:
    """The content of a table file, checked key by key."""

    def __init__(self, data: Any, path: Path) -> None:
        self.path = path
        if not isinstance(data, dict) or not ({"mine", "theirs", "values"} | TERM_KEYS) & set(data):
            expected = "keys 'mine' (a list by stones) or 'values' ('mine,theirs' = value)"
            raise self._wrong("content", data, expected)
        if unknown := set(data) - TABLE_KEYS - TERM_KEYS:
            raise NotationError(
                f"unknown key {min(unknown)[:40]!r} in {str(path)!r}; "
                f"expected {', '.join(sorted(TABLE_KEYS | TERM_KEYS))}"
            )
        self.data = data

    def table(self) -> LineTable:
        """Return the table that the file describes."""
        clamp = self.data.get("clamp")
        return LineTable(
            str(self.data.get("name", self.path.stem)),
            self._pairs(self.data, *PAIR_KEYS[0]),
            self._weights(),
            None if clamp is None else abs(self._whole("clamp", clamp)),
            str(self.data.get("summary", f"the table of {self.path.name}")),
            provenance=self._named("provenance", "a table of what `tune` wrote"),
            tempo=self._pairs(self.data, *PAIR_KEYS[1]),
            ends=self._by_word("ends", ENDS, "both, one or none, the empty ends"),
            cells=self._cells(),
            threats=self._threats(),
            mobility=self._whole("mobility", self.data.get("mobility", 0)),
            kinds=self._kinds(),
            patterns=self._by_word("patterns", PATTERNS, "open or closed"),
            pattern_tempo=self._by_word("pattern_tempo", PATTERNS, "open or closed"),
        )

    def _pairs(
        self, data: Mapping[str, Any], own: str, other: str, single: str, of: str = ""
    ) -> dict[tuple[int, int], int]:
        """Return the values by pairs of stones, from two lists and single entries of `data`.

        `of` is a prefix of the keys in messages.
        """
        mine, theirs = self._by_stones(of + own, data.get(own, [])), data.get(other)
        theirs = (
            [-value for value in mine] if theirs is None else self._by_stones(of + other, theirs)
        )
        values = {(count, 0): value for count, value in enumerate(mine)}
        values |= {(0, count): value for count, value in enumerate(theirs)}
        if mine:
            values[0, 0] = mine[0]
        for pair, value in self._names(of + single, data.get(single, {})).items():
            match = re.fullmatch(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*", pair)
            if match is None:
                expected = f"'{own},{other}' such as '2,0'"
                raise self._wrong(f"key in {of}{single}", pair, expected)
            key = f"{of}{single}[{pair[:40]!r}]"
            values[int(match[1]), int(match[2])] = self._whole(key, value)
        return values

    def _weights(self) -> dict[str, int]:
        weights = self._named("weights")
        for kind, weight in weights.items():
            self._check_kind("weights", kind)
            self._whole(f"weights[{kind!r}]", weight)
        return dict(weights)

    def _check_kind(self, key: str, kind: str) -> None:
        if kind not in LINE_KINDS:
            raise self._wrong(f"kind in {key}", kind, f"one of {', '.join(LINE_KINDS)}")

    def _kinds(self) -> dict[str, KindTable]:
        kinds = {}
        for kind, given in self._named("kinds", "a table of tables by kind of line").items():
            self._check_kind("kinds", kind)
            own = self._names(f"kinds.{kind}", given)
            if unknown := set(own) - KIND_KEYS:
                expected = f"one of {', '.join(sorted(KIND_KEYS))}"
                raise self._wrong(f"key in kinds.{kind}", min(unknown), expected)
            values, tempo = (self._pairs(own, *keys, of=f"kinds.{kind}.") for keys in PAIR_KEYS)
            kinds[kind] = KindTable(values, tempo)
        return kinds

    def _by_word(
        self, key: str, words: tuple[str, ...], expected: str
    ) -> dict[tuple[int, int], int]:
        """Return the values by (stones, number of the word), given as a list by stones for each
        word."""
        values: dict[tuple[int, int], int] = {}
        for word, listed in self._named(key).items():
            if word not in words:
                raise self._wrong(f"key in {key}", word, expected)
            by_stones = self._by_stones(f"{key}.{word}", listed)
            if any(by_stones[:1]):
                raise self._wrong(f"{key}.{word}[0]", by_stones[0], "0: no stones")
            at = words.index(word)
            values |= {(stones, at): value for stones, value in enumerate(by_stones) if value}
        return values

    def _cells(self) -> dict[str, int]:
        cells = self.data.get("cells", {})
        if isinstance(cells, list):
            return self._drawn(cells)
        return {
            name.lower(): self._whole(f"cells[{name[:40]!r}]", value)
            for name, value in self._named("cells").items()
        }

    def _drawn(self, rows: list[Any]) -> dict[str, int]:
        """Return the values by cell from lists of rows from the top, or of levels of such rows."""
        shape: list[int] = []
        values = rows
        expected = "rows of equal length from the top, each a list of whole numbers"
        while values and all(isinstance(value, list) for value in values):
            if len({len(value) for value in values}) != 1:
                raise self._wrong("cells", rows, expected)
            shape.insert(0, len(values) // prod(shape))
            values = [value for row in values for value in row]
        shape.insert(0, len(values) // max(1, prod(shape)))
        if not values or len(shape) < 2 or len(values) > MAX_CELLS:
            raise self._wrong("cells", rows, expected)
        return {
            format_cell(tuple(shape), cell): self._whole(f"cells[{cell}]", value)
            for cell, value in enumerate(values)
        }

    def _threats(self) -> dict[tuple[int, int], int]:
        """Return the values by (side, row) from the table `threats`; a key for one side, such as
        `x_odd`, takes precedence over the key for both."""
        named = self._named("threats")
        values: dict[tuple[int, int], int] = {}
        of_one = {
            f"{letter}_{word}": (side, row)
            for side, letter in enumerate(SIDES)
            for word, row in ROWS.items()
        }
        for word, value in named.items():
            if word not in ROWS and word not in of_one:
                raise self._wrong("key in threats", word, f"one of {', '.join((*ROWS, *of_one))}")
            self._whole(f"threats.{word}", value)
        for word, row in ROWS.items():
            if word in named:
                values |= {(side, row): named[word] for side in range(2)}
        return values | {key: named[word] for word, key in of_one.items() if word in named}

    def _by_stones(self, key: str, listed: Any) -> list[int]:
        if not isinstance(listed, list):
            raise self._wrong(key, listed, "a list of whole numbers, by stones from 0")
        return [self._whole(f"{key}[{count}]", value) for count, value in enumerate(listed)]

    def _named(
        self, key: str, expected: str = "a table of names and whole numbers"
    ) -> dict[str, Any]:
        return self._names(key, self.data.get(key, {}), expected)

    def _names(
        self, key: str, named: Any, expected: str = "a table of names and whole numbers"
    ) -> dict[str, Any]:
        if not isinstance(named, dict):
            raise self._wrong(key, named, expected)
        return named

    def _whole(self, key: str, value: Any) -> int:
        if not is_whole(value) or isinstance(value, bool):
            raise self._wrong(key, value, f"{WHOLE_NUMBER} within ±{MAX_VALUE:,}")
        return int(value)

    def _wrong(self, key: str, value: object, expected: str) -> NotationError:
        return NotationError(
            f"{key} is {str(value)[:40]!r} in {str(self.path)!r}; expected {expected}"
        )


# Writing


def content_of(table: LineTable) -> dict[str, Any]:
    """Return the content of the table's file."""
    data: dict[str, Any] = {"name": table.name, "summary": table.summary}
    terms = _terms_of(table)
    if table.values or not terms:
        data |= _lists_of(table.values, *PAIR_KEYS[0])
    if table.weights:
        data["weights"] = dict(table.weights)
    if table.clamp is not None:
        data["clamp"] = table.clamp
    return data | terms | ({"provenance": dict(table.provenance)} if table.provenance else {})


def _terms_of(table: LineTable) -> dict[str, Any]:
    """Return the content of the file for all terms but lines."""
    data = _lists_of(table.tempo, *PAIR_KEYS[1]) if table.tempo else {}
    if table.cells:
        data["cells"] = dict(table.cells)
    by_word = {
        "ends": (table.ends, ENDS),
        "patterns": (table.patterns, PATTERNS),
        "pattern_tempo": (table.pattern_tempo, PATTERNS),
    }
    for key, (values, words) in by_word.items():
        if values:
            data[key] = {
                word: [values.get((stones, at), 0) for stones in range(1 + max(of_word))]
                for at, word in enumerate(words)
                if (of_word := [stones for stones, number in values if number == at])
            }
    if table.threats:
        data["threats"] = {
            f"{SIDES[side]}_{word}": table.threats[side, row]
            for side in range(2)
            for word, row in ROWS.items()
            if (side, row) in table.threats
        }
    if table.kinds:
        data["kinds"] = {
            kind: {
                key: value
                for pairs, keys in zip((own.values, own.tempo), PAIR_KEYS, strict=True)
                for key, value in (_lists_of(pairs, *keys) if pairs else {}).items()
            }
            for kind, own in table.kinds.items()
        }
    if table.mobility:
        data["mobility"] = table.mobility
    return data


def _lists_of(values: Pairs, own: str, other: str, single: str) -> dict[str, Any]:
    """Return the pairs as two lists without gaps, and the rest as single entries."""
    rest = dict(values)
    mine: list[int] = []
    theirs: list[int] = []
    while (len(mine), 0) in values:
        mine.append(rest.pop((len(mine), 0)))
    while mine and (0, len(theirs)) in values:
        theirs.append(values[0, len(theirs)])
        rest.pop((0, len(theirs) - 1), None)
    data: dict[str, Any] = {own: mine} if mine else {}
    if theirs != [-value for value in mine]:
        data[other] = theirs
    if rest or not data:
        data[single] = {f"{one},{two}": value for (one, two), value in rest.items()}
    return data


def with_provenance(table: LineTable, provenance: Mapping[str, Any]) -> LineTable:
    """Return the table with its provenance, to which the digest of its numbers is added."""
    return replace(table, provenance={**provenance, "numbers": numbers_digest(table)})


def numbers_digest(table: LineTable) -> str:
    """Return the SHA-256 of the table's numbers: of its content without METADATA_KEYS."""
    content = content_of(table)
    numbers = {
        key: value for key, value in content.items() if key not in METADATA_KEYS and value != {}
    }
    if not TERM_KEYS & set(numbers):
        numbers["mobility"] = 0  # kept so that digests of older tables stay valid
    import json
    from hashlib import sha256

    return sha256(json.dumps(numbers, sort_keys=True).encode()).hexdigest()


def write_table(table: LineTable, path: str | Path) -> None:
    """Write the table to a TOML or JSON file; raise OptionError if it cannot be written."""
    path, data = Path(path), content_of(table)
    if path.suffix not in (".toml", ".json"):
        raise OptionError(f"file {str(path)!r} for a table; expected a name in .toml or .json")
    import json

    text = json.dumps(data, indent=2) + "\n" if path.suffix == ".json" else toml_text(data)
    write_file("file", path, text)


def toml_text(data: Mapping[str, Any], of: str = "") -> str:
    """Return the TOML text of `data`: numbers, texts and lists first, then tables.

    `of` is the name of the table that holds `data`, followed by a full stop.
    """
    flat = [(key, value) for key, value in data.items() if not isinstance(value, dict)]
    text = "".join(f"{_toml_key(key)} = {_toml_value(value)}\n" for key, value in flat)
    for key, value in data.items():
        if isinstance(value, dict):
            name = of + _toml_key(key)
            has_name = not value or not all(isinstance(item, dict) for item in value.values())
            text += (f"\n[{name}]\n" if has_name else "") + toml_text(value, f"{name}.")
    return text


def _toml_value(value: Any) -> str:
    """Return a value as TOML, which is JSON here except for the character DEL."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml_value(name)


def table_data(table: Any) -> dict[str, Any] | None:
    """Return a line table as JSON-ready data, with the texts of its keys as in requests of the
    page; None for another heuristic."""
    if not isinstance(table, LineTable):
        return None

    def texts(pairs: Mapping[tuple[int, int], int]) -> dict[str, int]:
        return {f"{one},{other}": value for (one, other), value in sorted(pairs.items())}

    return {
        "values": texts(table.values),
        "weights": dict(table.weights),
        "tempo": texts(table.tempo),
        "ends": texts(table.ends),
        "cells": dict(table.cells),
        "threats": texts(table.threats),
        "mobility": {"safe": table.mobility},
        "patterns": texts(table.patterns),
        "pattern_tempo": texts(table.pattern_tempo),
        "clamp": table.clamp,
        "kinds": {
            f"{kind} {name} {stones}": value
            for kind, own in table.kinds.items()
            for name in ("values", "tempo")
            for stones, value in texts(getattr(own, name)).items()
        },
    }
