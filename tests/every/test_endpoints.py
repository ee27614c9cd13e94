"""What every endpoint of the page's server promises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from listed import FILES, OWN_GAMES, game_of
from plyscope.errors import OptionError, PlyscopeError
from plyscope.rules.source import as_position
from plyscope_web.answers import Answers
from plyscope_web.endpoints import ENDPOINTS, answer, read
from plyscope_web.endpoints.inputs import own_start, text_reader
from plyscope_web.endpoints.writing import written_heuristic

QUESTION = {"algorithm": "alphabeta", "seed": 1, "depth": 2, "asked": ["values"]}
FIELDS: dict[str, Any] = {
    "position": "tictactoe b2 a1",
    "move": "c3",
    "moves": ["b2", "a1", "c3"],
    "text": "tictactoe b2 a1",
    "table": {"values": {"1,0": 1, "0,1": -1}},
    "agent": "two-ply",
    "a": "two-ply",
    "b": "random",
    "games": 4,
    "depth": 2,
    "depths": 1,
    "seconds": 30,
    "game": "tictactoe",
    "form": "svg",
    "step": 1,
    "second": {"algorithm": "minimax"},
    "question": QUESTION,
    "answer": {},
    "with_key": True,
}
"""What a field of this name is asked with, in any endpoint."""
BEGUN = "3,2,3,gravity a1"
SIGNS = {"position": BEGUN, "side": "o", "at_least": 0, "signs": "11100"}
OTHERWISE: dict[str, dict[str, Any]] = {
    "grade": {"question": {"seed": 1}},
    "review": {"position": "tictactoe"},
    "copy": {"position": "tictactoe b2 a1 c3", "moves": []},
    "paste": {"text": "values = {'1,0' = 1}"},
    "define": {"text": "def mine(board):\n    return board[0][0]\n"},
    "puzzle": {"position": "..O/X../..X"},
    "why": {"game": "3,2,3", "depth": 1},
    "follow": {"position": BEGUN, "signs": SIGNS},
}
"""The endpoints in which it means something else."""
DOTS = "dots 1×2"
TYPES = get_type_hints(Answers, include_extras=True)
BAD: tuple[Any, ...] = (
    *(None, True, -(10**12), 2.5, 1e300, "x" * 201_000, "", [], [[]], {}, {"a": 0}),
)
every_endpoint = pytest.mark.parametrize("endpoint", ENDPOINTS)


def question(endpoint: str, **changed: Any) -> bytes:
    """A question of an endpoint, by its fields."""
    known = {**FIELDS, **OTHERWISE.get(endpoint, {}), **changed}
    fields = msgspec.structs.fields(ENDPOINTS[endpoint].request)
    return json.dumps(
        {each.name: known[each.name] for each in fields if each.name in known}
    ).encode()


def ask(endpoint: str, **changed: Any) -> Any:
    before = text_reader.set(written_heuristic)  # as in a browser
    try:
        return answer(endpoint, read(endpoint, question(endpoint, **changed)), lambda told: None)
    finally:
        text_reader.reset(before)


def without_times(data: Any) -> Any:
    """The answer without seconds, and texts without theirs."""
    if isinstance(data, str):
        return re.sub(r"[\d.,]+ (s|ms|µs)\b", "a time", data)
    if isinstance(data, dict):
        kept = {key: without_times(value) for key, value in data.items()}
        return {key: value for key, value in kept.items() if "seconds" not in key}
    return [without_times(item) for item in data] if isinstance(data, list | tuple) else data


@contextmanager
def opened_with(spec: str) -> Iterator[Any]:
    """The page of a game of one's own."""
    start = as_position(game_of(spec))
    before = own_start.set(start)
    try:
        yield start.game
    finally:
        own_start.reset(before)


@every_endpoint
def test_answers_as_described_and_the_same_when_asked_again(endpoint: str) -> None:
    found = [json.loads(json.dumps(ask(endpoint), allow_nan=False)) for _ in range(2)]
    assert found[0]
    assert without_times(found[0]) == without_times(found[1])
    described = msgspec.convert(found[0], TYPES[endpoint])
    assert json.loads(msgspec.json.encode(described)) == found[0], "a key that is not described"


@every_endpoint
def test_rejects_each_bad_field_by_name_with_what_was_expected(endpoint: str) -> None:
    refused = 0
    for field in msgspec.structs.fields(ENDPOINTS[endpoint].request):
        for value in BAD:
            try:
                read(endpoint, json.dumps({field.name: value}).encode())
            except PlyscopeError as error:
                said = str(error)
                assert not re.search(r"[`$]", said), said
                assert "; expected " in said, said
                refused += field.name in said
    assert refused > 0 or endpoint == "catalogues"


@every_endpoint
def test_rejects_an_unknown_field_in_one_line(endpoint: str) -> None:
    for name in ("a\nb", "a\r\n\x1b[31mb", "a\u2028b"):
        with pytest.raises(PlyscopeError, match="unknown field 'a") as caught:
            read(endpoint, json.dumps({**json.loads(question(endpoint)), name: 1}).encode())
        assert str(caught.value).isprintable()


@every_endpoint
def test_describes_its_purpose_here_and_in_the_documents(endpoint: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
    table = text.partition("| endpoint | for |")[2].partition("\n\n")[0]
    told = re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", table, re.MULTILINE)))
    assert told.count(endpoint) == 1
    assert len(told) == len(ENDPOINTS)
    assert ENDPOINTS[endpoint].summary.endswith(".")


TAKES_TEXT = [
    (endpoint, field.name)
    for endpoint in ENDPOINTS
    for field in msgspec.structs.fields(ENDPOINTS[endpoint].request)
    if field.name in ("position", "game", "heuristic", "agent", "a", "b", "before", "tree")
]


@pytest.mark.parametrize(("endpoint", "field"), TAKES_TEXT)
def test_runs_no_file_and_no_program_named_in_a_text(
    endpoint: str, field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('done', 'w')")
    (tmp_path / "evil.toml").write_text("columns = 3\nrows = 3\nk = 3")
    more = {"position": None} if field == "game" else {}  # a puzzle's, which goes before its game
    for text in ("evil.py:Evil", "evil.py:Evil 1", "evil.py", "x evil.py:Evil", "evil.toml"):
        with opened_with(DOTS), pytest.raises(PlyscopeError):
            ask(endpoint, **more, **{field: text})
    with pytest.raises(PlyscopeError):
        ask(endpoint, **more, **{field: "program command='touch done'"})
    assert not (tmp_path / "done").exists()


@pytest.mark.parametrize(
    "endpoint", [endpoint for endpoint, field in TAKES_TEXT if field == "position"]
)
def test_answers_for_a_user_defined_game_or_says_it_has_no_lines(
    endpoint: str,
) -> None:
    with opened_with(DOTS) as game:
        name = game.format_move(game.start(), game.moves(game.start())[0])
        more = {"algorithm": "alphabeta"} if endpoint in ("trace", "differ") else {}
        try:
            found = ask(endpoint, position=game.name, move=name, moves=[], agent="random", **more)
        except OptionError as refused:
            assert f"'{game.name}' is not a line game; expected" in str(refused)
        else:
            assert json.dumps(found, allow_nan=False)
    with pytest.raises(PlyscopeError):
        ask(endpoint, position=game.name)


@pytest.mark.parametrize("spec", [spec for spec in OWN_GAMES if spec != "written tree"])
def test_shows_and_plays_a_user_defined_game_by_its_texts(spec: str) -> None:
    with opened_with(spec) as game:
        state = game.start()
        shown = ask("show", position=game.name)
        while not shown["over"]:
            moves = list(game.moves(state))
            assert shown["side"] == "xo"[game.side(state)]
            assert shown["names"] == [game.format_move(state, move) for move in moves]
            assert shown["text"] == game.format(state).splitlines()
            number = shown["moves"][len(shown["text"]) * 7 % len(moves)]
            state = game.play(state, moves[number])
            played = ask("play", position=shown["position"], move=shown["names"][number])
            assert played["cell"] == number
            shown = ask("show", position=played["position"])
            assert shown == {key: value for key, value in played.items() if key in shown}
        payoff = game.payoff(state)
        if payoff is None:
            assert game.draw_by_repetition
            payoff = 0
        assert shown["winner"] == (None if payoff == 0 else "x" if payoff > 0 else "o")
        assert shown["margin"] == (abs(payoff) if getattr(game, "scored", False) else None)


def test_examples_are_user_defined_games() -> None:
    assert {f"examples/{name}.py" for name in FILES} <= set(OWN_GAMES)
