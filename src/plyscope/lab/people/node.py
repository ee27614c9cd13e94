"""The nodes of a game tree as a student's algorithm sees them, also as states of the Berkeley
projects.

A node contains no part of the tree: it calls `read` for its children and its value when they are
used. So the supplier of `read` knows the order in which an algorithm visits the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from numbers import Real
from typing import Any

from plyscope.errors import PlyscopeError

Described = tuple[int, str, bool, str]
"""A node in an answer to `read`: its number, name, `is_max` and key."""
Read = Callable[[int, str], Any]
"""A function of a node's number and "children" or "value"."""


class Node:
    """A node of a game tree. All four properties are read-only.

    children   a list of nodes, empty at the end of the game
    value      the value for MAX: of a leaf, or the estimate of an inner node (None without one)
    is_max     whether MAX moves
    name       a text; `key` is the same for nodes with the same position
    """

    __slots__ = ("_children", "_number", "_read", "_value", "is_max", "key", "name")

    def __init__(self, read: Read, number: int, name: str, is_max: bool, key: str) -> None:
        self._read, self._number = read, number
        self.name, self.is_max, self.key = name, is_max, key

    @property
    def children(self) -> list[Node]:
        """The children, a new list each time."""
        if not hasattr(self, "_children"):
            self._children = [
                Node(self._read, *each) for each in self._read(self._number, CHILDREN)
            ]
        return list(self._children)

    @property
    def value(self) -> int | None:
        """The value for MAX, None at an inner node without an estimate."""
        if not hasattr(self, "_value"):
            self._value: int | None = self._read(self._number, VALUE)
        return self._value

    def __repr__(self) -> str:
        return f"<node {self.name}, {'MAX' if self.is_max else 'MIN'} moves>"


CHILDREN, VALUE = "children", "value"


class State:
    """A node as a `GameState` of the Berkeley projects.

    Agent 0 moves at the root, agent 1 is the other one. An action is the name of a child.
    """

    def __init__(self, node: Node, is_max_first: bool) -> None:
        self.node, self.is_max_first = node, is_max_first

    def getNumAgents(self) -> int:
        """Return 2."""
        return 2

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """Return the actions, none at the end of the game."""
        return [child.name for child in self._children(agentIndex)]

    def generateSuccessor(self, agentIndex: int, action: str) -> State:
        """Return the state after an action of the agent to move."""
        for child in self._children(agentIndex):
            if child.name == action:
                return State(child, self.is_max_first)
        raise ValueError(f"action {str(action)[:40]!r} is not legal")

    def isWin(self) -> bool:
        """Return whether the game is over, and not lost for agent 0."""
        return not self.node.children and self.getScore() >= 0

    def isLose(self) -> bool:
        """Return whether the game is over and lost for agent 0."""
        return not self.node.children and self.getScore() < 0

    def getScore(self) -> int:
        """Return the value for agent 0."""
        value = self.node.value or 0
        return value if self.is_max_first else -value

    def _children(self, agent: int) -> list[Node]:
        children = self.node.children
        if children and agent != int(self.node.is_max != self.is_max_first):
            raise ValueError(f"agent {str(agent)[:40]} is not to move")
        return children


def run_algorithm(function: Any, node: Node, arguments: Sequence[Any]) -> dict[str, Any]:
    """Call an algorithm on a node, and return its value and move, each None if it gives none.

    `function` takes the node and the `arguments`, depth first, and returns a value or a pair
    (value, child); a class in Berkeley's style has `getAction(state)`, which returns an action.
    Raises PlyscopeError for anything else.
    """
    if isinstance(function, type):
        player: Any = function()
        player.index, player.depth = 0, (arguments[0] + 1) // 2
        player.evaluationFunction = State.getScore
        return {"value": None, "move": _name_of(player.getAction(State(node, node.is_max)))}
    answer = function(node, *arguments)
    if isinstance(answer, tuple | list) and len(answer) == 2:
        return {"value": _number(answer[0]), "move": _name_of(answer[1])}
    return {"value": _number(answer), "move": None}


def _number(answer: Any) -> int | float:
    if isinstance(answer, bool) or not isinstance(answer, Real) or not isfinite(answer):
        raise PlyscopeError(
            f"returned {repr(answer)[:40]}; expected a number, or a pair of a number and a child"
        )
    found = float(answer) if not isinstance(answer, int) else answer
    return int(found) if found == int(found) else found


def _name_of(move: Any) -> str | None:
    name = move.name if isinstance(move, Node) else move
    if name is None or isinstance(name, str):
        return name
    raise PlyscopeError(f"chose {repr(move)[:40]}; expected a child, or its name")
