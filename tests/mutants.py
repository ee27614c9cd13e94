"""Changes what a proof means and signs it anew, so that only a checker that understands it can
tell. Nothing of plyscope is imported."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import oracles

Draw = random.Random


@dataclass
class Proof:
    """A proof taken apart: its head as data, the answers under each claim as words."""

    head: dict[str, Any]
    sections: list[list[list[str]]]

    @classmethod
    def read(cls, text: str) -> Proof:
        first, *lines = text.splitlines()[:-1]
        sections: list[list[list[str]]] = []
        for line in lines:
            if line.startswith("claim"):
                sections.append([])
            else:
                sections[-1].append(line.split(" "))
        return cls(json.loads(first), sections)

    def copy(self) -> Proof:
        return Proof(
            json.loads(json.dumps(self.head)),
            [[list(words) for words in section] for section in self.sections],
        )

    def body(self) -> str:
        lines = [json.dumps(self.head)]
        for number, section in enumerate(self.sections):
            lines += [f"claim {number}", *(" ".join(words) for words in section)]
        return "".join(f"{line}\n" for line in lines)

    @property
    def cells(self) -> int:
        size = 1
        for length in self.head["game"]["shape"]:
            size *= length
        return size


def signed(body: str) -> str:
    """Return the lines with their digest."""
    return f"{body}digest {hashlib.sha256(body.encode()).hexdigest()}\n"


def stones(word: str) -> int:
    try:
        return max(0, int(word, 16))
    except ValueError:
        return 0


def other_stones(word: str, draw: Draw, cells: int) -> str:
    """Return a word with a stone added, taken away or moved."""
    changed = stones(word)
    for _ in range(draw.randint(1, 2)):
        changed ^= 1 << draw.randrange(cells)
    return f"{changed:x}"


def misspelt(word: str, draw: Draw) -> str:
    """Return a word that means the same, or something odd, to a lenient reader."""
    forms = (
        *("-{}", "+{}", "0{}", "0x{}", " {}", "{} ", "{}_0", "{}\t", "{}.0", "{}\u0661"),
        *("{}\uff11", "{}\r", "1e{}", "", "-0"),
    )
    return draw.choice(forms).format(word)


# The head: each takes the proof and changes it


def other_root(proof: Proof, draw: Draw) -> None:
    root = proof.head["root"]
    what = draw.randrange(5)
    if what == 0:
        root["to_move"] = "o" if root["to_move"] == "x" else "x"
    elif what == 1:
        root["x"], root["o"] = root["o"], root["x"]
    elif what == 2:
        side = draw.choice("xo")
        root[side] = draw.choice(
            [
                f"-{1 << proof.cells:x}",
                f"{1 << proof.cells:x}",
                f"-{root[side]}",
                misspelt(str(root[side]), draw),
            ]
        )
    else:
        side = draw.choice("xo")
        root[side] = other_stones(str(root[side]), draw, proof.cells)


def odd_word(proof: Proof, draw: Draw) -> None:
    """A value of another type, or a text that is nearly right."""
    where = draw.choice(
        [
            proof.head["root"],
            proof.head["game"],
            draw.choice(proof.head["claims"] or [{}]),
            proof.head,
        ]
    )
    if where:
        name = draw.choice(sorted(where))
        where[name] = draw.choice(
            [
                0,
                1,
                2,
                -1,
                True,
                False,
                None,
                0.0,
                1.0,
                "",
                "xo",
                "x",
                "o",
                "X",
                "0",
                "false",
                [],
                {},
                10**30,
                [[3, 3], [0, 1, 2]],
                float("nan"),
            ]
        )


def other_claim(proof: Proof, draw: Draw) -> None:
    claims = proof.head["claims"]
    what = draw.randrange(7)
    if what == 6 and claims:
        claim = draw.choice(claims)
        if claim.pop("by", None) is None:
            claim["by"] = draw.choice(["strategy stealing"] * 3 + ["", 0, True])
        if draw.random() < 0.5:
            proof.sections[draw.randrange(len(proof.sections))].clear()
    elif not claims or what == 0:
        claims.append({"side": draw.choice("xo"), "at_least": draw.randint(0, 1)})
        if draw.random() < 0.7:
            proof.sections.append(
                [list(words) for words in draw.choice(proof.sections)] if proof.sections else []
            )
    elif what == 1:
        claim = draw.choice(claims)
        claim["side"] = "o" if claim["side"] == "x" else "x"
    elif what in (2, 3):
        draw.choice(claims)["at_least"] = draw.choice([0, 1, 1, 1])
    elif what == 4:
        number = draw.randrange(len(claims))
        del claims[number]
        if draw.random() < 0.7 and number < len(proof.sections):
            del proof.sections[number]
    else:
        claims.reverse()
        if draw.random() < 0.5:
            proof.sections.reverse()


def other_rules(proof: Proof, draw: Draw) -> None:
    game = proof.head["game"]
    what = draw.randrange(5)
    if what < 2:
        flag = draw.choice(["torus", "gravity", "misere"])
        game[flag] = not game[flag]
    elif what == 2 and "k" in game:
        game["k"] += draw.choice([-2, -1, 1, 2, 10**9])
    else:
        shape = game["shape"]
        at = draw.randrange(len(shape))
        change = draw.randrange(5)
        if change < 2:
            shape[at] += draw.choice([-1, 1])
        elif change == 2:
            shape.reverse()
        elif change == 3:
            shape.insert(at, draw.choice([1, 1, 2, 0]))
        else:
            del shape[at]


def other_lines(proof: Proof, draw: Draw) -> None:
    """Tell the lines one by one, and change them."""
    game = proof.head["game"]
    if "lines" not in game:
        if (
            proof.cells > 64
            or not isinstance(game.get("k"), int)
            or game["k"] > 9
            or min(game["shape"], default=0) < 1
        ):
            return
        if LATER & set(game):
            found = oracles.lines_and_ends(
                tuple(game["shape"]), game["k"], game["torus"], game.get("holes", ())
            )
            game["lines"] = [line for line, _ in found]
            if "exactly" in game:
                game["ends"] = [ends for _, ends in found]
        else:
            game["lines"] = [
                sorted(line)
                for line in oracles.lines(tuple(game["shape"]), game["k"], game["torus"])
            ]
        game["torus"] = draw.random() < 0.05
        if draw.random() < 0.95:
            del game["k"]
    lines = game["lines"]
    for _ in range(draw.randint(0, 2)):
        what, at = draw.randrange(9), draw.randrange(len(lines) or 1)
        if what == 0 or not lines:
            lines.append(
                sorted(draw.sample(range(proof.cells), min(proof.cells, draw.randint(1, 4))))
            )
        elif what == 1:
            del lines[at]
        elif what == 2 and lines[at]:
            lines[at][draw.randrange(len(lines[at]))] = draw.randrange(proof.cells)
        elif what == 3 and lines[at]:
            lines[at][draw.randrange(len(lines[at]))] = draw.choice(
                [-1, proof.cells, 10**30, lines[at][0], 1.0, True]
            )
        elif what == 4 and lines[at]:
            lines[at].insert(draw.randrange(len(lines[at])), draw.choice(lines[at]))
        elif what == 5 and lines[at]:
            lines[at].pop()
        elif what == 6:
            lines.append(list(lines[at]))
        elif what == 7:
            draw.shuffle(lines)
        else:
            lines[at].sort(key=str)
    if "ends" in game and draw.random() < 0.9:
        ends = [*game["ends"], *([] for _ in lines)]
        game["ends"] = ends[: len(lines)]


LATER = {"holes", "exactly"}
"""The rules that a game names only where it has them."""


def other_later_rules(proof: Proof, draw: Draw) -> None:
    """A hole more, or fewer, or elsewhere; lines that have to be exact, or not; other ends."""
    game = proof.head["game"]
    what = draw.randrange(7)
    if what == 0:
        if game.pop("exactly", None) is None:
            game["exactly"] = True
        if "lines" in game and draw.random() < 0.9 and game.pop("ends", None) is None:
            game["ends"] = [[] for _ in game["lines"]]
    elif what == 1:
        game["exactly"] = draw.choice([False, None, 1, "true", []])
    elif what == 2 and game.get("ends"):
        ends = draw.choice(game["ends"])
        if ends and draw.random() < 0.5:
            ends.pop()
        else:
            ends.append(draw.randrange(proof.cells))
            ends.sort()
    elif what == 3:
        game["holes"] = draw.choice([[], [0, 0], [1, 0], [-1], [proof.cells], [True], None, "0"])
    else:
        holes = set(game.pop("holes", ()))
        for _ in range(draw.randint(1, 2)):
            holes ^= {draw.randrange(proof.cells)}
        if holes:
            game["holes"] = sorted(holes)


def other_symmetries(proof: Proof, draw: Draw) -> None:
    """Symmetries fewer, more, or others, with the answers as they are."""
    listed, what = proof.head.setdefault("symmetries", []), draw.randrange(9)
    cells = list(range(proof.cells))
    if what == 0 or (what < 5 and not listed):
        some = list(cells)
        draw.shuffle(some)
        listed.append(draw.choice([some, cells, cells[::-1]]))
    elif what == 1:
        del listed[draw.randrange(len(listed))]
    elif what == 2:
        image = draw.choice(listed)
        one, other = draw.choice(cells), draw.choice(cells)
        image[one], image[other] = image[other], image[one]
    elif what == 3:
        image = draw.choice(listed)
        image[draw.choice(cells)] = draw.choice([0, -1, proof.cells, True, 1.0, "1", None])
    elif what == 4:
        image = draw.choice(listed)
        draw.choice([image.pop, lambda: image.append(proof.cells), lambda: image.append(0)])()
    elif what == 5:
        proof.head["symmetries"] = draw.choice([None, [], {}, 1, True, "0", [[]], [None]])
    else:
        del proof.head["symmetries"]


def other_names(proof: Proof, draw: Draw) -> None:
    where = draw.choice([proof.head, proof.head["game"], proof.head["root"]])
    what = draw.randrange(3)
    if what == 0:
        where["overlines"] = True
    elif what == 1 and where:
        del where[draw.choice(sorted(where))]
    else:
        proof.head["name"] = draw.choice(["tictactoe", "\u202e\x1b[2J", "\ud800", "", 3])


# The answers


def some_answer(proof: Proof, draw: Draw) -> list[str] | None:
    sections = [section for section in proof.sections if section]
    return draw.choice(draw.choice(sections)) if sections else None


def without_answers(proof: Proof, draw: Draw) -> None:
    for section in proof.sections:
        for _ in range(draw.randint(0, 2)):
            if section:
                del section[draw.randrange(len(section))]


def other_place(proof: Proof, draw: Draw) -> None:
    words = some_answer(proof, draw)
    if words is not None:
        what, at = draw.randrange(4), draw.randrange(2)
        if what == 0:
            words[0], words[1] = words[1], words[0]
        elif what == 1:
            words[at] = misspelt(words[at], draw)
        else:
            words[at] = other_stones(words[at], draw, proof.cells)


def numbers(words: list[str]) -> list[int]:
    return [
        int(cell)
        for cell in words[-1].replace("-", ",").split(",")
        if cell.isascii() and cell.isdigit()
    ]


def kind_of(words: list[str]) -> str:
    return "move" if words[2:] and words[2].isdigit() else words[2] if words[2:] else ""


def told(words: list[str], kind: str, cells: list[int]) -> None:
    """Tell an answer of a kind in these words."""
    if kind == "move":
        words[2:] = [str(cells[0] if cells else 0)]
    elif kind == "fours":
        words[2:] = ["fours", ",".join(map(str, cells))]
    elif kind == "signs":
        words[2:] = ["signs", "".join(str(cell % 7) for cell in cells) or "3"]
    elif kind == "follow" and not cells:
        words[2:] = ["follow"]
    else:
        words[2:] = [
            kind,
            ",".join(f"{one}-{other}" for one, other in zip(cells[::2], cells[1::2], strict=False)),
        ]


def other_steps(text: str, draw: Draw, cells: int) -> str:
    """The steps of a zone with another cell, fewer or more of them, or other pairs."""
    steps, what = text.split(","), draw.randrange(6)
    at = draw.randrange(len(steps))
    step, has_pairs, pairs = steps[at].partition("=")
    if what == 0:
        spot = draw.choice(list(re.finditer("[0-9]+", steps[at])))
        steps[at] = f"{steps[at][: spot.start()]}{draw.randrange(cells)}{steps[at][spot.end() :]}"
    elif what == 1:
        draw.shuffle(steps)
    elif what == 2 and len(steps) > 1:
        del steps[at]
    elif what == 3:
        steps[at] = step if has_pairs else f"{step}="
    elif what == 4:
        some = draw.sample(pairs.split("+"), draw.randint(0, pairs.count("+")))
        steps[at] = f"{step}{has_pairs}{'+'.join(some)}"
    else:
        more = "-".join(str(draw.randrange(cells)) for _ in range(2))
        steps[at] += f"+{more}" if pairs else f"={more}"
    return ",".join(steps)


def other_signs(text: str, draw: Draw) -> str:
    """The signs with another, one more or one fewer, or two of them exchanged."""
    signs, what = list(text), draw.randrange(6)
    at, other = draw.randrange(len(signs)), draw.randrange(len(signs))
    if what == 0:
        signs[at], signs[other] = signs[other], signs[at]
    elif what == 1:
        signs.insert(at, draw.choice("0123456"))
    elif what == 2:
        del signs[at]
    else:
        signs[at] = draw.choice("0123456" * 9 + "7-x")
    return "".join(signs)


def other_answer(proof: Proof, draw: Draw) -> None:
    """Other cells, fewer, more, in another order, or of another kind."""
    words = some_answer(proof, draw)
    if words is None:
        return
    kind, cells = kind_of(words), numbers(words)
    if kind == "zone" and draw.random() < 0.7:
        words[-1] = other_steps(words[-1], draw, proof.cells)
        return
    if kind == "signs" and draw.random() < 0.7:
        words[-1] = other_signs(words[-1], draw)
        return
    what, least = draw.randrange(9), 2 if kind in ("pairs", "zone", "follow") else 1
    if what < 3 and cells:
        cells[draw.randrange(len(cells))] = draw.randrange(proof.cells)
    elif what == 3:
        draw.shuffle(cells)
    elif what == 4 and len(cells) > least:
        at = draw.randrange(0, len(cells), least)
        del cells[at : at + least]
    elif what == 5:
        cells += [draw.randrange(proof.cells) for _ in range(least)]
    elif what == 6:
        kind = draw.choice(["move", "fours", "pairs", "zone", "follow", "signs"])
    elif what == 7:
        words[-1] = misspelt(words[-1], draw)
        return
    else:
        cells = [
            cell
            for cell in range(proof.cells)
            if not (stones(words[0]) | stones(words[1])) >> cell & 1
        ]
        cells = draw.sample(cells, min(len(cells), draw.randint(1, 6)))
    told(words, kind, cells)


def new_answer(proof: Proof, draw: Draw) -> None:
    """An answer twice, or in the other claim, or where none was."""
    words = some_answer(proof, draw)
    if words is not None:
        fresh = list(words)
        if draw.random() < 0.5:
            at = draw.randrange(2)
            fresh[at] = other_stones(fresh[at], draw, proof.cells)
        section = draw.choice(proof.sections)
        section.insert(draw.randint(0, len(section)), fresh)


def other_order(proof: Proof, draw: Draw) -> None:
    what = draw.randrange(3)
    if what == 0:
        proof.sections.reverse()
    elif what == 1:
        proof.sections.append([])
    else:
        for section in proof.sections:
            draw.shuffle(section)


def exchanged_answers(proof: Proof, draw: Draw) -> None:
    one, other = some_answer(proof, draw), some_answer(proof, draw)
    if one is not None and other is not None:
        one[2:], other[2:] = other[2:], one[2:]


# What is true again: changed as a whole


def exchanged_sides(proof: Proof, draw: Draw) -> None:
    root = proof.head["root"]
    root["x"], root["o"], root["to_move"] = (
        root["o"],
        root["x"],
        "o" if root["to_move"] == "x" else "x",
    )
    for claim in proof.head["claims"]:
        claim["side"] = "o" if claim["side"] == "x" else "x"
    for section in proof.sections:
        for words in section:
            words[0], words[1] = words[1], words[0]


def mirrored(proof: Proof, draw: Draw) -> None:
    """Columns from right to left, in all that is told."""
    width, cells = proof.head["game"]["shape"][0], proof.cells

    def image(cell: int) -> int:
        return cell - cell % width + width - 1 - cell % width

    def word(text: str) -> str:
        return f"{sum(1 << image(cell) for cell in range(cells) if stones(text) >> cell & 1):x}"

    root = proof.head["root"]
    root["x"], root["o"] = word(root["x"]), word(root["o"])
    game = proof.head["game"]
    for name in ("lines", "ends"):
        if name in game:
            game[name] = [sorted(map(image, cells)) for cells in game[name]]
    if "holes" in game:
        game["holes"] = sorted(map(image, game["holes"]))
    if "symmetries" in proof.head:
        proof.head["symmetries"] = [
            [image(one[image(cell)]) for cell in range(cells)] for one in proof.head["symmetries"]
        ]
    for section in proof.sections:
        for words in section:
            taken = stones(words[0]) | stones(words[1])
            empty = [cell for cell in range(cells) if not taken >> cell & 1]
            words[0], words[1] = word(words[0]), word(words[1])
            if kind_of(words) == "signs" and len(words[3]) == len(empty):
                moved = {image(cell): sign for cell, sign in zip(empty, words[3], strict=True)}
                words[3] = "".join(moved[cell] for cell in sorted(moved))
                continue
            words[2:] = [
                re.sub("[0-9]+", lambda cell: str(image(int(cell[0]))), text) for text in words[2:]
            ]


def further_on(proof: Proof, draw: Draw) -> None:
    """A root that the proof has an answer for."""
    words = some_answer(proof, draw)
    if words is not None:
        root = proof.head["root"]
        moved = (stones(words[0]) | stones(words[1])).bit_count() - (
            stones(root["x"]) | stones(root["o"])
        ).bit_count()
        root["x"], root["o"] = words[0], words[1]
        if moved % 2 or draw.random() < 0.1:
            root["to_move"] = "o" if root["to_move"] == "x" else "x"
        if len(proof.sections) > 1 and draw.random() < 0.7:
            number = next(at for at, section in enumerate(proof.sections) if words in section)
            proof.sections, proof.head["claims"] = (
                [proof.sections[number]],
                [proof.head["claims"][number]],
            )


Change = Callable[[Proof, Draw], None]
CHANGES: tuple[Change, ...] = (
    *(other_root, odd_word, other_claim, other_rules, other_lines, other_names),
    other_symmetries,
    *(
        without_answers,
        other_place,
        other_answer,
        other_answer,
        new_answer,
        other_order,
        exchanged_answers,
    ),
    *(exchanged_sides, mirrored, further_on, further_on),
)


def other_text(body: str, draw: Draw) -> str:
    """Change the text itself, where a lenient reader would read what was there."""
    lines = body.split("\n")
    at = draw.randrange(len(lines))
    what = draw.randrange(7)
    if what == 0:
        lines[at] += draw.choice([" ", "\r", "\t", "#"])
    elif what == 1:
        lines.insert(at, "")
    elif what == 2:
        lines[at] = lines[at].replace(" ", "  ", 1)
    elif what == 3:
        lines[at] = lines[at].upper()
    elif what == 4:
        lines[0] = lines[0].replace(
            '"k": ',
            draw.choice(
                ['"k": 3, "k": ', '"k": 0', '"k": -', '"\\u006b": ', '"k":', '"lines": [], "k": ']
            ),
            1,
        )
    elif what == 5:
        lines[at] = lines[at].replace(
            "claim ", draw.choice(["claim -", "claim 0", "claim +", "claim"])
        )
    else:
        lines[0] = " " + lines[0].replace(", ", ",").replace("true", draw.choice(["true", "1"]))
    return "\n".join(lines)


def mutant(proof: Proof, draw: Draw) -> str:
    """Return a proof that is changed in one to three ways, with a digest that is right."""
    changed = proof.copy()
    changes = CHANGES + 4 * (other_later_rules,) * bool(LATER & set(proof.head["game"]))
    changes += 2 * (other_symmetries,) * ("symmetries" in proof.head)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        change = draw.choice(changes)
        try:
            change(changed, draw)
        except (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError):
            continue  # what was changed before is beyond this change
    body = changed.body()
    if draw.random() < 0.06:
        body = other_text(body, draw)
    return signed(body)


# The truth

MOST_EMPTY = 16
"""With more empty cells brute force is not tried."""
KNOWN: dict[str, bool | None] = {}


def is_true(head: dict[str, Any], claim: dict[str, Any], most: int) -> bool | None:
    """Return whether a claim of a head is true, by brute force; None where that takes more than so
    many positions."""
    game, root = head["game"], head["root"]
    key = json.dumps([game, root, claim, most], sort_keys=True)
    if key not in KNOWN:
        shape = game["shape"]
        cells, width, height = 1, shape[0], shape[1] if len(shape) > 1 else 1
        for length in shape:
            cells *= length
        holes, ends = game.get("holes", []), game.get("ends", [])
        if "lines" in game:
            lines = [frozenset(line) for line in game["lines"]]
        elif LATER & set(game):
            found = oracles.lines_and_ends(tuple(shape), game["k"], game["torus"], holes)
            lines = [frozenset(line) for line, _ in found]
            ends = [beyond for _, beyond in found] if "exactly" in game else []
        else:
            lines = oracles.lines(tuple(shape), game["k"], game["torus"])
        under = {
            cell: cell + width
            for cell in range(cells)
            if game["gravity"] and cell // width % height < height - 1 and cell + width not in holes
        }
        forced = oracles.Forced(
            *(cells, lines, claim["side"].upper(), claim["at_least"], under, game["misere"], most),
            *(holes, ends),
        )
        x, o = int(root["x"], 16), int(root["o"], 16)
        KNOWN[key] = None
        if cells - len(holes) - (x | o).bit_count() <= MOST_EMPTY:
            with suppress(oracles.TooLarge):
                KNOWN[key] = forced.holds(x, o, root["to_move"].upper())
    return KNOWN[key]
