"""The room Play in a real browser: games pasted and copied, mistakes learned from, puzzles, a pace."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import plyscope as ps
from looking import expect, hold, release
from plyscope.lab.judging.tactics import tactic_of
from plyscope.rules.game import move_text
from waiting import until

from .conftest import opened

SHEET = "(;FF[4]GM[4]SZ[15]PB[Ann];B[hh];W[ii](;B[gi])(;B[aa]))"
LOST = "room=play&position=tictactoe&moves=a3,b3,c1,a1,b2&x=level-1&o=human&shelf=review"
PUZZLE = "..O/X../..X"


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with opened(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        yield page


def go(page: Any, server: str, place: str) -> None:
    page.goto(f"{server}/#{place}")
    page.locator(".inside").wait_for()


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def tab(page: Any, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def copied(page: Any, kind: str) -> str:
    press(page, "Share")
    press(page, kind)
    page.locator(".told").get_by_text(re.compile(f"^{kind} copied", re.IGNORECASE)).wait_for()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


@pytest.mark.parametrize("players", ["o=level-5", "x=level-3&o=level-5"])
def test_shows_the_start_button_of_a_new_game(page: Any, server: str, players: str) -> None:
    go(page, server, f"room=play&{players}&shelf=new")
    page.get_by_text(re.compile(r"level \d: looks \d pl.* ahead, \d+ % random moves")).wait_for()
    box = page.get_by_role("button", name="Start", exact=True).bounding_box()
    assert box["y"] + box["height"] <= 784, "it is cut off where the tools end"


def test_asks_for_opponent_strength_and_side_of_a_new_game(page: Any, server: str) -> None:
    go(page, server, "room=play&x=human&o=perfect&shelf=new")
    page.get_by_text("perfect, until you choose a level").wait_for()
    page.goto("about:blank")
    go(page, server, "room=play&x=human&o=human&shelf=new")
    players = page.get_by_role("group", name="players")
    expect(players).to_have_text(re.compile("^X Person ?O Person ?$"))
    page.get_by_label("the computer").check(force=True)
    page.get_by_label("Strength").fill("8")
    expect(page.get_by_label("Strength")).to_have_attribute(
        "aria-valuetext", "level 8: looks 6 plies ahead, no random moves"
    )
    page.get_by_label("O, second").check(force=True)
    page.get_by_role("button", name="Tic-tac-toe").click()
    assert "x=level" not in page.url  # nothing is begun yet
    press(page, "Start")
    page.get_by_text(re.compile("^X played .*O to move")).wait_for()
    page.wait_for_url(lambda url: "x=level-8" in url)
    expect(players).to_have_text(re.compile("^X Level 8 ?O You ?$"))
    expect(players.locator(".turn")).to_have_text(re.compile("^O You ?$"))
    tab(page, "New game")
    page.get_by_role("radio", name="a person").check(force=True)
    expect(page.get_by_text("O, second", exact=True)).to_be_hidden()
    expect(page.get_by_label("Strength")).to_be_hidden()
    page.locator(".games button", has_text="Qubic").click()
    press(page, "Start")
    page.get_by_role("grid", name="level d of qubic").wait_for()
    expect(players).to_have_text(re.compile("^X Person ?O Person ?$"))


def test_keeps_mistakes_of_reviewed_games_and_sets_them_again(page: Any, server: str) -> None:
    go(page, server, LOST)
    press(page, "Review the game")
    page.get_by_text("2 moves gave something away").wait_for()  # O's, since X is an agent
    tab(page, "Practise")
    page.get_by_text("Your mistakes in reviewed games").click()
    rows = page.locator(".shelf:visible tbody tr")
    said = "Of 1 game reviewed here, 2 moves are proved to give something away"
    page.get_by_text(said).wait_for()
    page.reload()
    page.get_by_text("Your mistakes in reviewed games").click()
    page.get_by_text(said).wait_for()
    kept = page.evaluate("JSON.parse(localStorage['plyscope-mistakes'])")
    ((one, other),) = [game["mistakes"] for game in kept]
    for mistake in (one, other):
        position = ps.parse(mistake["position"])
        verdict = ps.solve(position)
        assert mistake["asked"] == tactic_of(position)
        assert mistake["move"] not in [
            item.text for item in verdict.moves if item.value == verdict.value
        ]
    # what is stored is not believed: a move that loses nothing is not set
    fine = {"position": "tictactoe", "move": "b2", "asked": "a lie"}
    kept.append({"start": "tictactoe", "moves": ["b2"], "mistakes": [fine]})
    page.evaluate(
        "text => localStorage.setItem('plyscope-mistakes', text)", json.dumps([*kept, {"start": 3}])
    )
    page.reload()
    page.get_by_text("Your mistakes in reviewed games").click()
    expect(rows).to_have_count(len({one["asked"], other["asked"], "a lie"}))
    press(page, "Try them again")
    page.get_by_text("mistake 1 of 2: O ").wait_for()
    best = ps.solve(ps.parse(other["position"])).best_moves[0]  # the last one comes first
    name = move_text(ps.parse(other["position"]), best)
    page.get_by_role("gridcell", name=f"{name}, empty").click()
    page.locator(".outcome", has_text="Right: ").first.wait_for()
    kept = "JSON.parse(localStorage['plyscope-mistakes']).flatMap((game) => game.mistakes)"
    until(lambda: page.evaluate(f"{kept}.filter((at) => at.isFound).length"), 1)


def test_reads_and_copies_a_game_in_sgf(page: Any, server: str) -> None:
    go(page, server, "room=play&x=level-2&o=level-5&shelf=new")
    page.get_by_text("Other players, paste or open a game").click()
    page.get_by_label("A position or a game").fill(SHEET)
    press(page, "Open it")
    page.locator(".told", has_text="SGF of gomoku15, black as X").wait_for()
    page.get_by_role("gridcell", name=re.compile("^g7, X")).wait_for()
    tab(page, "Moves")
    page.get_by_text("X played g7. O to move").wait_for()  # whoever plays there
    expect(page.get_by_role("button", name=re.compile("^move "))).to_have_count(3)
    assert ps.parse(copied(page, "SGF")) == ps.parse(SHEET)
    assert copied(page, "Cells") == "h8i7g7"
    page.keyboard.press("Escape")


def test_saves_and_reopens_a_game_and_says_what_is_wrong(
    page: Any, server: str, tmp_path: Any
) -> None:
    go(page, server, "room=play&position=connect4&moves=d1,d2,d3&x=level-2&o=human")
    press(page, "Share")
    with page.expect_download() as download:
        press(page, "Game")
    saved = tmp_path / "game.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text())["moves"] == ["d1", "d2", "d3"]
    go(page, server, "room=play&o=human&shelf=new")
    page.get_by_text("Other players, paste or open a game").click()
    page.get_by_label("or a file").set_input_files(saved)
    page.get_by_role("gridcell", name=re.compile("^d3, X")).wait_for()
    page.wait_for_url(lambda url: "x=level-2" in url)
    page.get_by_label("A position or a game").fill("44488")
    press(page, "Open it")
    page.locator(".newgame form .error", has_text="column '8' at move 4 of '44488'").wait_for()


def test_lets_the_person_retry_mistakes(page: Any, server: str) -> None:
    go(page, server, LOST)
    press(page, "Review the game")
    page.get_by_text("2 moves gave something away").wait_for()  # O's, since X is an agent
    press(page, "Learn from the mistakes")
    page.get_by_text("O b3 gave something away: find a better move").wait_for()
    page.get_by_role("gridcell", name="a1, empty").click()
    page.locator(
        ".outcome", has_text=re.compile("a1 loses, answered by .*: O gives a draw away")
    ).wait_for()
    expect(page.locator(".taken")).to_have_count(1)  # a try is no move
    page.get_by_role("gridcell", name="b2, empty").click()  # alone holds the draw
    page.locator(".outcome", has_text="Right: b2 draws: nothing is better.").wait_for()
    press(page, "Next")
    page.get_by_text("O a1 gave something away: find a better move").wait_for()
    page.get_by_role("gridcell", name="b2, empty").click()
    page.locator(".outcome", has_text="Right: b2 draws").wait_for()
    press(page, "Finish")
    page.get_by_text("1 of 2 found at the first try").wait_for()
    page.get_by_text("X wins with a3 b2 c1").wait_for()


def test_opens_a_puzzle_from_a_link_and_marks_the_tries(page: Any, server: str) -> None:
    position = ps.parse(PUZZLE)
    values = {
        position.game.format_cell(move): -(ps.solve(position.play(move)).value or 0)
        for move in position.moves
    }
    best = max(values.values())
    (right,) = (move for move, value in values.items() if value == best)
    wrong = next(move for move, value in values.items() if value < best)
    go(page, server, f"room=play&position={PUZZLE}&x=human&o=human&shelf=puzzles")
    page.get_by_text(re.compile(r"^Puzzle: [XO] to move, only one move")).wait_for()
    page.get_by_role("gridcell", name=f"{wrong}, empty").click()
    page.locator(".outcome", has_text="Try another move.").wait_for()
    page.get_by_role("gridcell", name=f"{right}, empty").click()
    page.locator(".outcome", has_text=f"Right: {right}").wait_for()
    expect(page.get_by_text("streak 0, best 0; 0 puzzles")).to_have_count(0)
    press(page, "Redo")
    expect(page.locator(".taken")).to_have_count(3 + 2)
    go(page, server, f"room=play&position={PUZZLE.replace('.', 'X', 1)}&shelf=puzzles")
    page.locator(".error", has_text="is not a puzzle").wait_for()


def test_offers_a_puzzle_at_once_and_the_same_after_a_reload(page: Any, server: str) -> None:
    go(page, server, "room=play&position=tictactoe&shelf=puzzles")
    task = page.locator(".stage .status", has_text="only one move")
    task.wait_for()
    page.wait_for_url(lambda url: "position=tictactoe&" not in url)
    asked = page.url
    page.reload()
    task.wait_for()
    page.wait_for_url(lambda url: url == asked)
    go(page, server, "room=play&position=gomoku15")
    tab(page, "Practise")
    task.wait_for()
    go(page, server, "room=play&position=tictactoe&moves=b2&o=human")
    tab(page, "Practise")
    page.wait_for_url(re.compile("shelf=puzzles"))
    expect(page.locator(".taken")).to_have_count(1)  # a game that has begun stays
    expect(page.locator(".error", has_text="puzzle")).to_have_count(0)


def test_names_no_winner_of_a_position_to_which_no_game_leads(page: Any, server: str) -> None:
    go(page, server, "room=play&position=XXX/XX./...&o=human")
    page.locator(".stage .status", has_text="No game leads here").wait_for()
    expect(page.locator(".stage .status")).not_to_contain_text("wins", use_inner_text=True)
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    tab(page, "Analyse")
    page.locator(".stage .status", has_text="No game leads here").wait_for()
    expect(page.locator(".evaluation-bar")).not_to_have_attribute("aria-label", re.compile("won"))


def test_keeps_the_name_of_the_picked_game_in_forced_colours(page: Any, server: str) -> None:
    page.emulate_media(forced_colors="active")
    go(page, server, "room=play&position=connect4&shelf=new")
    picked = page.locator(".games button[aria-pressed=true]", has_text="Connect Four")
    picked.wait_for()
    colours = (
        "button => [getComputedStyle(button).backgroundColor,"
        " getComputedStyle(button.querySelector('span:last-child')).color]"
    )
    until(
        lambda: picked.evaluate(colours),
        page.evaluate(
            """() => {
            const pair = document.body.appendChild(document.createElement("p"));
            pair.style = "forced-color-adjust: none; background: Highlight; color: HighlightText";
            const { backgroundColor, color } = getComputedStyle(pair);
            return [backgroundColor, color];
        }"""
        ),
    )


def test_counts_solved_puzzles_in_this_browser(page: Any, server: str) -> None:
    go(page, server, "room=play&position=connect4&shelf=moves")
    tab(page, "Practise")
    page.get_by_text(re.compile("^Puzzle: ")).wait_for()
    page.wait_for_url(lambda url: "position=connect4&" not in url)
    found = re.search(r"position=([^&]*)", page.url)
    verdict = ps.solve(ps.parse(page.evaluate("decodeURIComponent", found[1])))
    assert verdict.moves is not None
    (right,) = (item.move for item in verdict.moves if item.value == verdict.value)
    column = right % 7 + 1
    page.keyboard.press(str(column))
    page.get_by_text("streak 1, best 1; 1 puzzle solved in this browser").wait_for()
    press(page, "New puzzle")
    press(page, "Show it")
    page.get_by_text("streak 0, best 1; 1 puzzle solved in this browser").wait_for()


def test_paces_and_stops_agents(page: Any, server: str) -> None:
    go(page, server, "room=play&position=gomoku15&x=random&o=random&shelf=new")
    moves = "() => document.querySelectorAll('.board .taken').length"
    page.wait_for_function(f"{moves} >= 2")
    press(page, "Stop")
    page.get_by_text(re.compile(r"Stopped: [XO] \(random\) is to move")).wait_for()
    before = page.evaluate(moves)
    page.wait_for_timeout(1200)  # longer than a move of agents takes
    assert page.evaluate(moves) == before
    press(page, "Let it think")
    page.wait_for_function(f"{moves} >= {before + 2}")


def test_shows_a_hint_as_a_sentence_under_the_board(page: Any, server: str) -> None:
    go(page, server, "room=play&position=tictactoe&moves=b2,a2&o=human")
    press(page, "Hint")
    expected = (
        "Hint: a3 wins in 5 plies. It wins by 2 threats, each of which leaves O one reply at most: "
        "a3 c1 b3 c3 b1."
    )
    page.locator(".said", has_text=expected).wait_for()


def test_says_that_the_engine_is_starting_until_data_arrive(page: Any, server: str) -> None:
    hold(page, "catalogues")
    page.goto(f"{server}/#room=play&o=human")
    page.locator(".room > .status", has_text="plyscope is starting …").wait_for()
    release(page)
    page.locator(".stage .status", has_text="X to move").wait_for()
    expect(page.locator(".room > .status")).to_have_count(0)


CLICKS = """async cells => {
  for (const cell of cells) document.querySelector(`[aria-label^="${cell},"]`).click();
  await new Promise(requestAnimationFrame);
  return document.querySelectorAll(".cell.taken").length;
}"""


@pytest.mark.parametrize("room", ["play", "analyze"])
def test_plays_clicks_faster_than_the_answers_as_moves_of_one_game(
    page: Any, server: str, room: str
) -> None:
    hold(page, "play")
    go(page, server, f"room={room}&position=tictactoe&o=human")
    page.get_by_role("gridcell", name=re.compile("^a3, empty")).wait_for()
    assert page.evaluate(CLICKS, ["a3", "b2", "c1", "a1"]) == 4
    release(page)
    page.wait_for_url(re.compile("moves=a3,b2,c1,a1(&|$)"))
    page.get_by_role("gridcell", name=re.compile("^a1, O, last move")).wait_for()
    assert "variations" not in page.url


def test_shows_a_stone_at_once_and_lets_the_agent_answer_only_it(page: Any, server: str) -> None:
    hold(page, "play")
    go(page, server, "room=play&position=connect4&o=level-1")
    page.get_by_role("gridcell", name="d1, empty").wait_for()
    assert page.evaluate(CLICKS, ["d1", "e1"]) == 1  # it is the agent's turn
    release(page)
    page.locator(".stage .status", has_text=re.compile("^O played")).wait_for()
    expect(page.locator(".taken")).to_have_count(2)
    assert "variations" not in page.url


def test_offers_review_and_rematch_after_a_game(page: Any, server: str) -> None:
    go(page, server, "room=play&position=tictactoe&moves=a3,b3,c1,a1&x=human&o=level-1")
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    page.get_by_role("gridcell", name=re.compile("^b2, empty")).click()
    page.get_by_role("button", name="Rematch").wait_for()
    press(page, "Review the game")
    page.get_by_text("gave something away").first.wait_for()
    page.wait_for_url(lambda url: "shelf=review" in url)
    expect(page.get_by_role("button", name="Review the game")).to_have_count(1)  # its shelf's own
    press(page, "Rematch")
    page.get_by_text("X to move").or_(page.get_by_text("O to move")).first.wait_for()
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    page.wait_for_url(lambda url: "o=human" in url)
    page.wait_for_url(lambda url: "x=level-1" in url)
    expect(page.locator(".blunders li")).to_have_count(0)  # of the game before


def test_moves_no_agent_in_a_reviewed_game_until_asked(page: Any, server: str) -> None:
    go(page, server, "room=play&position=tictactoe&moves=b2,a1,c3,a3&x=human&o=level-8")
    page.locator(".stage .status", has_text="O played a3. X to move").wait_for()
    page.get_by_role("button", name="move 1, X b2").click()
    page.get_by_text("O (level-8) does not move: it has moved here before").wait_for()
    page.wait_for_timeout(700)
    expect(page.get_by_role("button", name=re.compile("^move "))).to_have_count(4)
    press(page, "Let it think")
    page.locator(".stage .status", has_text=re.compile("^O played .*X to move")).wait_for()


def test_redoes_an_undone_move_with_the_agents_answer(page: Any, server: str) -> None:
    go(page, server, "room=play&position=tictactoe&x=human&o=level-1")
    page.get_by_role("gridcell", name=re.compile("^b2, empty")).click()
    status = page.locator(".stage .status")
    status.get_by_text(re.compile("^O played .*X to move")).wait_for()
    answered = status.inner_text()
    press(page, "Undo")
    status.get_by_text("X to move", exact=True).wait_for()
    press(page, "Redo")
    expect(status).to_have_text(answered, use_inner_text=True)
    expect(page.get_by_role("button", name=re.compile("^move "))).to_have_count(2)


def test_names_columns_in_a_puzzle_of_columns(page: Any, server: str) -> None:
    go(page, server, "room=play&shelf=puzzles&position=connect4%2044")
    page.locator(".stage .status", has_text="only one move wins").wait_for()
    press(page, "Show it")
    answer = page.locator(".puzzles .outcome")
    answer.get_by_text(
        re.compile("^4 is the only move that wins. The line is 4( [1-7])*;")
    ).wait_for()
    page.locator(".stage .status", has_text="The answer is 4").wait_for()
