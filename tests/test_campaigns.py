"""The campaigns of `bench` work: each is tried on a little."""

from __future__ import annotations

import gzip
import json
import sys
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from plyscope import parse_game
from plyscope.journal import Journal
from plyscope_fast.solving import signplan
from plyscope_fast.solving.proof import proof_lines
from sentences import refuses
from sizes import sized

BENCH = Path(__file__).resolve().parents[1] / "bench"


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a script of `bench` as a module, under a name that no module of the tests has."""
    spec = spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    monkeypatch.setattr(sys, "path", [*sys.path])  # which scripts put their folders on
    spec.loader.exec_module(module)
    return module


def test_proves_hex_by_a_search_and_by_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = script("hex", monkeypatch)
    assert proof.main(["--size", "2", "--reference"]) == 0
    by_hand, compiled, reference = capsys.readouterr().out.splitlines()
    assert "value +1" in by_hand
    assert compiled.split()[1:5] == reference.split()[1:5]  # value and nodes


def test_proofs_of_tuning_withstand_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    attacks = script("attacks", monkeypatch)
    counts = attacks.attack_orderings(6)
    assert counts["families"] == 6
    assert counts["orderings"] > 6
    assert counts["never lose"] + counts["none never loses"] == 18
    assert counts["optima"] == 6
    assert attacks.attack_changed(6)["refused"] == 6
    # and a false proof is found
    monkeypatch.setattr(attacks, "is_beaten", lambda *asked: True)
    with pytest.raises(SystemExit, match="seed"):
        attacks.attack_orderings(6)


def test_proves_checks_and_writes_solved_games(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    solved = script("solved", monkeypatch)
    games = ("3,3,3", "4,3,3", "3,3,3,torus", "2x2x2,2,gravity")
    monkeypatch.setattr(solved, "DOCS", tmp_path)
    monkeypatch.setattr(solved, "GAMES", games[:2])
    monkeypatch.setattr(solved, "atlas", lambda: iter(games))
    for _ in range(2):  # the second run finds everything in the journal
        journal = Journal(tmp_path / "journal", solved.FORMAT, {"version": "1"})
        solved.compute(journal, 60.0, games[:3])
        monkeypatch.setattr(solved, "proof_lines", None)
    solved.write_pages(journal)
    pages = [(tmp_path / name).read_text() for name in ("solved.md", "atlas.md")]
    rows = [[line.split(" | ")[0] for line in page.splitlines() if ",3" in line] for page in pages]
    assert [[row[2:] for row in page if row[0] == "|"] for page in rows] == [
        ["3,3,3", "4,3,3"],
        ["3,3,3", "4,3,3", "3,3,3,torus"],
    ]
    assert "| 4,3,3 | 12 | X wins | 7 |" in pages[1]
    assert "1 more games of these sizes are left" in pages[1]
    assert "2x2x2,2,gravity" in pages[1]
    # the pages keep rows that a journal does not have
    solved.write_pages(Journal(tmp_path / "empty", solved.FORMAT, {"version": "1"}))
    assert [(tmp_path / name).read_text() for name in ("solved.md", "atlas.md")] == pages
    # and a value that differs from the published one ends the run
    monkeypatch.setitem(solved.PUBLISHED, "3,3,3,misere", (1, "nobody"))
    monkeypatch.setattr(solved, "proof_lines", proof_lines)
    with refuses(SystemExit):
        solved.compute(journal, 60.0, ("3,3,3,misere",))


def test_finds_true_and_consistent_claims_on_the_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentences = script("sentences", monkeypatch)
    monkeypatch.setattr(sentences, "ProcessPoolExecutor", SamePlace)
    monkeypatch.setattr(sentences, "LAB_GAMES", ("tictactoe",))
    monkeypatch.setattr(sentences, "LAB_HEURISTICS", ("null",))
    assert sentences.hold_reviews({"tictactoe": 2, "5,5,4": 1}, 3) == 0
    assert sentences.hold_screens(6, 3, 0.5) == 0
    assert "disagreements 0" in capsys.readouterr().out
    # and it finds what is false
    monkeypatch.setattr(sentences, "truth", lambda position: (1, 1))
    assert sentences.hold_reviews({"tictactoe": 1}, 3) > 0
    asked = sentences.ask
    lies = {
        "refute": {"proved": True, "best": 1, "value": 1, "text": "a1 wins; nothing is better"},
        "trace": {"text": "= 99"},
        "mark": {"points": -1},
        "wrong": {"share": 0.9},
    }

    def ask(verb: str, **words: Any) -> Any:
        return asked(verb, **words) | lies.get(verb, {})

    monkeypatch.setattr(sentences, "ask", ask)
    for screen in (
        sentences.look("tictactoe", ["b2"], 0.5),
        sentences.look_at_tree(parse_game("tictactoe").start(), 0),
        sentences.look_at_quiz(0),
        sentences.look_at_lab("tictactoe", "null"),
    ):
        assert screen.faults


class SamePlace(Executor):
    """Does what is submitted at once, in this process."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def submit(self, function: Any, /, *words: Any, **options: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(function(*words, **options))
        return done


def test_reads_or_rejects_any_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz = script("fuzz", monkeypatch)
    monkeypatch.chdir(tmp_path)
    rows = {target.name: fuzz.fuzz(target, 30, 0) for target in fuzz.targets(tmp_path)}
    assert len(rows) > 20
    assert {name: row.kinds for name, row in rows.items() if row.bad} == {}
    assert all(row.inputs == 30 and row.taken > 0 for row in rows.values()), rows


def test_finds_faults_by_the_fuzzer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that fails in every way that is looked for."""
    fuzz = script("fuzz", monkeypatch)
    monkeypatch.setattr(fuzz, "GIVEN_UP", 0.2)
    from plyscope.errors import NotationError

    def reads(given: str) -> None:
        if given == "hangs":
            while True:
                pass
        if given == "raises":
            raise KeyError(given)
        if given != "right":
            raise NotationError(
                {"long": "x" * 2000, "odd": "a\x1b[2J", "refused": "expected better"}[given]
            )

    target = fuzz.Target("some", lambda draw: "", reads)
    assert fuzz.fault(target, "right") == (None, True)
    assert fuzz.fault(target, "refused") == (None, False)
    for given, said in (
        ("hangs", "no end"),
        ("raises", "KeyError"),
        ("long", "more than 1,000"),
        ("odd", "a message with '\\x1b'"),
    ):
        kind, is_taken = fuzz.fault(target, given)
        assert kind is not None
        assert said in kind
        assert not is_taken


def test_compares_both_forms(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twins = script("twins", monkeypatch)
    assert twins.main(["--positions", "22", "--seed", "4"]) == 0
    words = capsys.readouterr().out.splitlines()[-1].split()
    assert (words[0], words[1], words[3]) == ("all", "22", "0")
    monkeypatch.setattr(twins, "assert_twins", lambda *words, **options: 1 / 0)
    assert twins.main(["--positions", "2"]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_answers_gomocup_commands_in_any_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fuzz = script("gomocup", monkeypatch)
    for name in ("RESERVE_SECONDS", "DEFAULT_SECONDS", "TABLE_MEGABYTES"):
        monkeypatch.setattr(fuzz.gomocup, name, getattr(fuzz.gomocup, name))  # which main changes
    assert fuzz.main(["--sessions", str(sized(240, 4_000)), "--seed", "3"]) == 0
    count = dict(part.rsplit(" ", 1) for part in capsys.readouterr().out.strip().split(", "))
    assert int(count["sessions of engine"]) >= 30
    assert int(count["moves"].replace(",", "")) > 200
    monkeypatch.setattr(fuzz, "_wrong_move", lambda *words: "a lie")
    assert fuzz.main(["--sessions", "20"]) == 1


def test_times_whole_games_of_gomocup(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = script("gomocup", monkeypatch)
    monkeypatch.setattr(times, "TOLERANCE_MS", -1000)  # so that every move is late
    assert times.main(["--moves", "4", "--move-ms", "20"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    moves = int(first.split()[0])
    assert moves >= 4
    assert first.endswith(f"lost on time {moves}")
    assert second.startswith("ready after ")


def test_plays_two_source_trees_against_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = str(BENCH.parent)
    words = [tree, tree, "--game", "6,6,4", "--games", "2", "--other", "depth=1"]
    assert script("player", monkeypatch).main(words) == 0
    assert capsys.readouterr().out.startswith("2 games")


def test_compares_solvers_with_brute_force(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = script("small_games", monkeypatch)
    monkeypatch.setattr(small, "MOST_EMPTY", 7)
    monkeypatch.setattr(small, "WHOLE", 4)
    assert small.main(["--games", "5", "--seed", "3"]) == 0
    rows = {
        line[:22].strip(): line[22:].split() for line in capsys.readouterr().out.splitlines()[1:]
    }
    assert {
        "tablebase",
        "search",
        "lines",
        "lines, weak",
        "lines, in jobs",
        "threats",
        "engine",
    } <= set(rows)
    assert all(row[2] == "0" for row in rows.values())
    monkeypatch.setattr(small.Judge, "faults", lambda judge, b, verdict: ["a lie"])
    assert small.main(["--games", "1"]) == 1


def test_resumes_a_killed_solve(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kills = script("kills", monkeypatch)
    words = ["--checkpoint", "kept", "--megabytes", "2", "--value-only", "--json"]
    monkeypatch.setattr(kills, "SOLVES", (["solve", "5,5,4", *words],))
    monkeypatch.setattr(kills, "PAUSE", 0.3)
    monkeypatch.setattr(kills, "WAIT", (0.1, 0.2))
    assert kills.kill_solves(1, 5)
    assert "1 kills, 1 solves: 0 wrong, 0 processes left" in capsys.readouterr().out
    monkeypatch.setattr(kills, "SOLVES", (["solve", "X.O/.X./O..", "--json"],))
    assert not kills.kill_solves(0, 5)  # which is no draw


# Tables of the documents


def test_makes_the_tables_of_tuning_from_the_data_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tuning = script("tuning", monkeypatch)
    page = (tuning.DOCS / "tuning.md").read_text(encoding="utf-8")
    known = json.loads(tuning.DATA.read_text(encoding="utf-8"))
    assert {"tictactoe", "5,5,4", "connect4"} <= set(known) <= set(tuning.GAMES)
    for game, found in known.items():
        assert f"<!-- {game} -->\n{tuning.table(found)}\n<!-- end -->" in page
        if not found["is_whole"]:
            section = page.split(f"<!-- {game} -->")[0].split("\n### ")[-1]
            assert f"{found['learned']:,} " in section
            assert f"{found['choices']:,} fresh" in " ".join(section.split())


@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_finds_again_the_data_of_the_tables_of_tuning(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change of this kind `python bench/tuning.py families` makes the tables again."""
    tuning = script("tuning", monkeypatch)
    known = json.loads(tuning.DATA.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(tuning.trace(game))) == known[game]["trace"]


def test_makes_the_page_of_the_atlas_from_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    atlas = script("atlas", monkeypatch)
    data = json.loads(atlas.DATA.read_text(encoding="utf-8"))
    page = atlas.PAGE.read_text(encoding="utf-8")
    assert atlas.tables(data) in page
    for name, _ in atlas.figures(data):
        assert (atlas.IMAGES / name).exists()
        assert f"images/{name}" in page


@pytest.mark.parametrize("game", ["tictactoe", "3,3,3,misere", "3,3,3,gravity"])
def test_plays_the_numbers_of_the_atlas_as_it_says(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    atlas = script("atlas", monkeypatch)
    data = json.loads(atlas.DATA.read_text(encoding="utf-8"))
    found = atlas.with_smaller({tuple(json.loads(key)): each for key, each in data.items()})
    results = [
        (rest, result) for (of, *rest), result in found.items() if of == game and rest[1] < 3
    ]
    for rest, result in Random(game).sample(results, sized(12, len(results))):
        atlas.check(game, *rest, result)
    wrong = dict(found[game, "lines", 1, "wrong"], least=0.5)
    with pytest.raises(SystemExit, match="on the board"):
        atlas.check(game, "lines", 1, "wrong", wrong)
    beaten = {"possible": True, "weights": [-1, -1] if "misere" not in game else [1, 1]}
    with pytest.raises(SystemExit, match="beaten"):
        atlas.check(game, "lines", 1, "xo", beaten)


@pytest.mark.parametrize("depth", [1, 2])
def test_weights_of_a_larger_family_rate_leaves_like_those_of_a_smaller_one(
    depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    atlas, found = script("atlas", monkeypatch), 0
    for game in ("tictactoe", "3,3,3,gravity"):
        population, names = atlas.whole(game), atlas.families(game)
        at = [at for at in population.asked if population.children[at]]
        positions = [population.positions[one] for one in at]
        sides = [(population.sides[one] + depth) % 2 for one in at]
        features = {name: atlas.family_of(name, game).features(positions, sides) for name in names}
        for smaller in names:
            for larger in names:
                matrix = atlas.expressed(smaller, larger, game, depth)
                if matrix is not None:
                    assert (features[larger] @ matrix == features[smaller]).all()
                    found += smaller != larger
        assert atlas.expressed("table", "kinds", game, depth) is not None
        assert atlas.expressed("to-move", "table", game, depth) is not None
        assert atlas.expressed("to-move-kinds", "kinds", game, depth) is not None
        assert atlas.expressed("kinds", "table", game, depth) is None
        assert atlas.expressed("cells", "table", game, depth) is None
    assert found > 20


def test_resumes_the_atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    atlas = script("atlas", monkeypatch)
    tasks = list(atlas.tasks(("3,3,3,torus",)))[:9]
    asked: list[Any] = []

    def heard(*task: Any) -> Any:
        asked.append(task[:4])
        if len(asked) == 7:
            raise KeyboardInterrupt
        return {"possible": True}

    monkeypatch.setattr(atlas, "answer", heard)
    monkeypatch.setattr(atlas, "tasks", lambda games: tasks)
    for stops in (True, False):
        journal = atlas.Journal(tmp_path / "j", atlas.FORMAT, {"version": "1"}, key_length=4)
        with pytest.raises(KeyboardInterrupt) if stops else nullcontext():
            atlas.compute(journal, 5.0, ("3,3,3,torus",))
    assert len(asked) == 7 + 3
    assert set(asked) == set(tasks)


def test_makes_the_keys_of_exams_of_other_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    exams = script("exams", monkeypatch)
    done, compared, wrong = exams.check(80, 3)
    assert wrong == {}
    assert len(done) >= 6
    assert all(compared[name] >= number for name, number in done.items())

    made = exams.sheet

    def falsified(words: list[str]) -> Any:
        questions = made(words)
        for question in questions:
            if "tree" in question:
                question["key"][""]["value"] += 1
        return questions

    monkeypatch.setattr(exams, "sheet", falsified)
    done, _, wrong = exams.check(40, 3)
    trees = {name: number for name, number in done.items() if not name.startswith("boards")}
    assert {name: len(said) for name, said in wrong.items()} == trees != {}


def test_begins_a_proof_with_a_graph_of_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The journal has moves and signs of the least image of each position, and no wrong signs."""
    weakc4 = script("weakc4", monkeypatch)
    game = parse_game("connect4")

    def field(number: int, *values: int) -> bytes:
        """Return a field of bytes."""
        return bytes((8 * number + 2, len(values), *values))

    def columns(text: str) -> bytes:
        played = [*map(int, text), 0][: len(text) + len(text) % 2]
        return field(
            4, *(8 * one + two for one, two in zip(played[::2], played[1::2], strict=True))
        )

    def node(name: int, *content: bytes) -> bytes:
        text = bytes((8, name)) + b"".join(content)
        return field(1, *text)

    def told(text: str) -> bytes:
        """Return signs and stones from the top: `.` claimeven, `|` claimodd, `!` 1, `@` 2."""
        cells = [
            {".": 0, "|": 3, "X": 1, "O": 2, "!": 4, "@": 6}[sign] for sign in text.replace("/", "")
        ]
        return field(2, *(16 * one + two for one, two in zip(cells[::2], cells[1::2], strict=True)))

    played = "212321121723542464614431666635"
    signs = "OX..|O!/OX.O.X./XOXX|O!/XXXO|X./OXOOOX@/OXOOXXO"
    mirrored = "".join(str(8 - int(column)) for column in played)
    graph = [
        node(1, told(signs), columns(played)),
        node(2, told(signs), columns(mirrored)),
        node(3, field(3, *field(1, 4)), columns("71")),
        node(4, field(3, *field(1, 1)), columns("716")),
    ]
    file, path = tmp_path / "graph.gz", tmp_path / "graph.journal"
    file.write_bytes(gzip.compress(b"".join(graph)))
    monkeypatch.setattr(sys, "argv", ["weakc4.py", str(file), str(path)])
    weakc4.main()
    assert capsys.readouterr().out == "4 positions, 2 with signs, of which 1 fail\n"
    question = {"rules": game.digest, "positions": signplan.SIGN_POSITIONS}
    known = Journal(path, signplan.FORMAT, question, key_length=5).known
    position = parse_game("connect4").start().play("a1", "g1")
    least = position.first, position.second
    assert known.pop(("chosen", 0, 1, *least)) == [36]  # b1
    [(key, [text])] = known.items()
    assert key[0] == "signs"
    assert text == "103300010032"
