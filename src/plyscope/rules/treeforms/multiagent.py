"""The trees of Berkeley's multi-agent search project: the text of a `.test` file.

    class: "GraphGameTreeTest"       num_agents: "2"        successors: \"\"\"
    alg: "AlphaBetaAgent"            start_state: "a"       a Left b
    depth: "2"                       win_states: "c d"      b Down c
                                     lose_states: ""        ...\"\"\"

with the `evaluation` of states, a line for each. The agents move in turn from agent 0, who is MAX;
the others are MIN, or chance for the ExpectimaxAgent. A search reaches its horizon after `depth`
moves of every agent, where a state has its evaluation; what follows is not in the tree. Source:
ai.berkeley.edu, multiagentTestClasses.py.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from plyscope.errors import NotationError
from plyscope.rules.treeforms.words import Found, number_in
from plyscope.rules.treetext import MAX_DEPTH, MAX_NODES

CLASS = "GraphGameTreeTest"
SIDES_OF = {"MinimaxAgent": "min", "AlphaBetaAgent": "min", "ExpectimaxAgent": "chance"}
"""The side of all agents but the first, by the program under test."""
FIELDS = ("start_state", "successors", "evaluation", "num_agents", "win_states", "lose_states")
_FIELD = re.compile(r'^(\w+):[ \t]*(?:"""(.*?)"""|"([^"\n]*)")', re.MULTILINE | re.DOTALL)


def may_be_test(text: str) -> Any:
    """Return whether a text may be a test file."""
    return re.search(r'^(class:[ \t]*"\w*GameTreeTest"|num_agents:)', text, re.MULTILINE)


def read_test(text: str) -> Found:
    """Read the text of a test file; raise NotationError, which names the field."""
    fields = {match[1]: match[2] or match[3] or "" for match in _FIELD.finditer(text)}
    if fields.get("class", CLASS) != CLASS:
        raise NotationError(
            f"class {fields['class'][:40]!r} in the test file; expected {CLASS}, whose tree is in "
            "the file"
        )
    if missing := [name for name in FIELDS if name not in fields]:
        raise NotationError(f"no field {missing[0]!r} in the test file; expected {missing[0]}: ...")
    agents, depth = _whole(fields, "num_agents"), _whole(fields, "depth")
    program = fields.get("alg", "MinimaxAgent")
    if program not in SIDES_OF:
        raise NotationError(
            f"alg {program[:40]!r} in the test file; expected {', '.join(SIDES_OF)}"
        )
    graph = _Graph(fields, agents, depth * agents, SIDES_OF[program])
    data = graph.node(fields["start_state"].strip(), 0)
    said = f"a test of {program}, {agents} agents, depth {depth}"
    notes = [f"cut at the horizon after {depth * agents} plies"] if graph.cut else []
    return Found(data, said, tuple(notes))


def _whole(fields: dict[str, str], name: str) -> int:
    text = fields.get(name, "").strip()
    if not re.fullmatch(r"[1-9]\d?", text):
        raise NotationError(
            f"{name} {text[:24]!r} in the test file; expected a number from 1 to 99"
        )
    return int(text)


def _lines(fields: dict[str, str], name: str, words: int) -> list[list[str]]:
    """Return the words of the lines of a field, `words` in each."""
    lines = [line.split() for line in fields[name].splitlines() if line.split("#")[0].strip()]
    for line in lines:
        if len(line) != words:
            expected = "a state, an action and a state" if words == 3 else "a state and its value"
            raise NotationError(
                f"{' '.join(line)[:40]!r} in {name} of the test file; expected {expected}"
            )
    return lines


class _Graph:
    """The states of a test file."""

    def __init__(self, fields: dict[str, str], agents: int, horizon: int, others: str) -> None:
        self.agents, self.horizon, self.others = agents, horizon, others
        self.ends = {*fields["win_states"].split(), *fields["lose_states"].split()}
        self.children: dict[str, list[str]] = {}
        for state, _, after in _lines(fields, "successors", 3):
            self.children.setdefault(state, []).append(after)
        self.values: dict[str, int | Fraction] = {}
        for state, text in _lines(fields, "evaluation", 2):
            value = number_in(text)
            if value is None:
                raise NotationError(
                    f"value {text[:24]!r} of {state[:24]!r} in the test file; expected a number"
                )
            self.values[state] = value
        self.nodes = 0
        self.cut = False
        """Whether a state at the horizon has successors."""

    def node(self, state: str, ply: int) -> dict[str, Any]:
        """Return the nested objects of a state that is reached after `ply` moves."""
        self.nodes += 1
        if self.nodes > MAX_NODES or ply > MAX_DEPTH:
            raise NotationError(
                f"tree has more than {MAX_DEPTH} levels or {MAX_NODES:,} nodes; expected fewer"
            )
        below = [] if state in self.ends else self.children.get(state, [])
        self.cut |= bool(below) and ply == self.horizon
        data: dict[str, Any] = {"name": state, "value": self.values.get(state)}
        if below and ply < self.horizon:
            data["side"] = self.others if ply % self.agents else "max"
            data["children"] = [self.node(each, ply + 1) for each in below]
        elif data["value"] is None:
            raise NotationError(
                f"no value of {state[:24]!r} in evaluation of the test file; expected one, since "
                "a search ends there"
            )
        return data
