"""The tree of a proof-number search: each node with its proof and its disproof number.

Events do not contain the numbers, so they are recomputed as in the algorithm: a new node has 1 and
1, a leaf is an answer, and an inner node combines its children.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyscope.faces.diagrams.picture import Path, PictureNode, TreeBuilder, path_name
from plyscope.faces.wording import bounded
from plyscope.searching.events import Cutoff, Enter, Event, Iteration, Leaf, Return
from plyscope.searching.reference.pn import INFINITE
from plyscope.searching.result import SearchResult
from plyscope.searching.score import format_score


class Numbers(NamedTuple):
    """The proof number and the disproof number of a node."""

    proof: int = 1
    disproof: int = 1

    def __str__(self) -> str:
        proof, disproof = ("∞" if number >= INFINITE else f"{number:,}" for number in self)
        return f"pn {proof}, dn {disproof}"


def combine(is_max: bool, children: list[Numbers]) -> Numbers:
    """Return the numbers of a node with these children."""
    proofs = [child.proof for child in children]
    disproofs = [child.disproof for child in children]
    if is_max:
        return Numbers(min(proofs), min(INFINITE, sum(disproofs)))
    return Numbers(min(INFINITE, sum(proofs)), min(disproofs))


class ProofTree(TreeBuilder):
    """A builder for proof-number search, which has a new tree for each question whether the value
    is at least `test`."""

    has_windows = False

    def __init__(self, result: SearchResult) -> None:
        super().__init__(result)
        self.numbers: dict[Path, Numbers] = {}
        self.test = 0

    def follow(self, event: Event) -> list[PictureNode]:
        """Update the tree after an event, and return the changed nodes."""
        changed = {node.path: node for node in super().follow(event)}
        for path in self.count(event):
            node = self.by_path[path]
            node.note = str(self.numbers[path])
            changed[path] = node
        return list(changed.values())

    def count(self, event: Event) -> list[Path]:
        """Update the numbers after an event, and return the nodes whose numbers changed."""
        path = event.path
        if isinstance(event, Iteration):
            self.numbers.clear()
        elif isinstance(event, Enter):
            self.test, self.numbers[path] = event.beta, Numbers()
            is_leaf = event.depth == 0 or self.game.payoff(self.positions[path]) is not None
            return [path] if is_leaf else [path, *self.combined_above(path)]
        elif isinstance(event, Leaf):
            self.numbers[path] = self.answer(event)
            return [path, *self.combined_above(path)]
        elif isinstance(event, Cutoff):
            return self.combined_from(path)
        return []

    def answer(self, leaf: Leaf) -> Numbers:
        """Return the numbers of a leaf."""
        return Numbers(0, INFINITE) if leaf.score >= self.test else Numbers(INFINITE, 0)

    def which(self, event: Event) -> str:
        """Return the answer of a leaf."""
        is_yes = isinstance(event, Leaf) and event.score >= self.test
        return "yes" if is_yes else "no"

    def describe(self, event: Event) -> str:
        """Return a sentence on a new node's numbers, or on a node's answer."""
        node, name = self.node(event.path), path_name(self.result, event.path)
        if isinstance(event, Enter):
            kind = "MAX" if node.is_max else "MIN"
            return f"{name} ({kind}) {self.joins} with {self.numbers[event.path]}"
        scoring = self.result.conventions.scoring
        if isinstance(event, Leaf):
            score, test = (format_score(each, scoring) for each in (event.score, self.test))
            answer = f"at least {test}" if event.score >= self.test else f"below {test}"
            return f"{name} is worth {score}, {answer}: {self.numbers[event.path]}"
        if isinstance(event, Return):
            value = bounded(event.score, event.bound, scoring)
            return f"{name} is answered: its value is {value}"
        return ""

    joins = "joins the tree"

    def combined_above(self, path: Path) -> list[Path]:
        """Combine the nodes above a node that completes its siblings."""
        if not path:
            return []
        above = path[:-1]
        moves = self.game.moves(self.positions[above])
        is_last = all((*above, move) in self.numbers for move in moves)
        return self.combined_from(above) if is_last else []

    def combined_from(self, path: Path) -> list[Path]:
        """Combine a node's children, then those of the nodes above it; return these nodes."""
        way = [path[:end] for end in range(len(path), -1, -1)]
        for each in way:
            below = (child.path for child in self.by_path[each].children)
            known = [self.numbers[child] for child in below if child in self.numbers]
            self.numbers[each] = combine(self.by_path[each].is_max, known)
        return way


class TableProofTree(ProofTree):
    """A builder for df-pn, whose table stores the numbers of a node when the search leaves it."""

    joins = "is called"

    def __init__(self, result: SearchResult) -> None:
        super().__init__(result)
        self.table: dict[Any, Numbers] = {}
        self.open: list[Path] = []

    def count(self, event: Event) -> list[Path]:
        """Update the numbers after an event, and return the nodes whose numbers changed."""
        path = event.path
        if isinstance(event, Iteration):
            self.numbers.clear()
            self.table.clear()
            self.open.clear()
            return []
        if isinstance(event, Enter):
            changed = []
            while self.open and self.open[-1] != path[:-1]:
                changed.append(self.leave(self.open.pop()))
            if self.open:
                changed.append(self.combined(path[:-1]))
            self.test, self.numbers[path] = event.beta, self.known(path)
            self.open.append(path)
            return [*changed, path]
        if isinstance(event, Leaf):
            self.numbers[path] = self.table[self.key(path)] = self.answer(event)
            self.open.pop()
            return [path]
        if isinstance(event, Return):
            changed = []
            while self.open and self.open[-1] != path:
                changed.append(self.leave(self.open.pop()))
            return [*changed, self.leave(self.open.pop())]
        return []

    def key(self, path: Path) -> Any:
        """Return the table key of a node: its position and ply."""
        return self.positions[path], len(path)

    def known(self, path: Path) -> Numbers:
        """Return the numbers of a node in the table."""
        return self.table.get(self.key(path), Numbers())

    def combined(self, path: Path) -> Path:
        """Return the numbers of a node, combined from those of its children in the table."""
        position = self.positions[path]
        below = (
            (self.game.play(position, move), len(path) + 1) for move in self.game.moves(position)
        )
        children = [self.table.get(key, Numbers()) for key in below]
        self.numbers[path] = combine(self.by_path[path].is_max, children)
        return path

    def leave(self, path: Path) -> Path:
        """Combine a node that the search leaves, and store its numbers in the table."""
        self.table[self.key(path)] = self.numbers[self.combined(path)]
        return path
