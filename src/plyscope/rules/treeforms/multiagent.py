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
from itertools import count
from typing import Any

from plyscope.errors import NotationError
from plyscope.rules.treeforms.words import Found, check_count, check_depth, number_in

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
    others, horizon = SIDES_OF[program], depth * agents
    ends = {*fields["win_states"].split(), *fields["lose_states"].split()}
    children: dict[str, list[str]] = {}
    for state, _, after in _lines(fields, "successors", 3):
        children.setdefault(state, []).append(after)
    values = {state: _number(state, text) for state, text in _lines(fields, "evaluation", 2)}
    nodes, notes = count(1), dict[str, None]()

    def node(state: str, ply: int) -> dict[str, Any]:
        """Return the nested objects of a state that is reached after `ply` moves."""
        check_depth(ply)
        check_count(next(nodes))
        below = [] if state in ends else children.get(state, [])
        data: dict[str, Any] = {"name": state, "value": values.get(state)}
        if below and ply < horizon:
            data["side"] = others if ply % agents else "max"
            data["children"] = [node(each, ply + 1) for each in below]
        elif data["value"] is None:
            raise NotationError(
                f"no value of {state[:24]!r} in evaluation of the test file; expected one, since "
                "a search ends there"
            )
        if below and ply == horizon:
            notes[f"cut at the horizon after {horizon} plies"] = None
        return data

    root = node(fields["start_state"].strip(), 0)
    return Found(root, f"a test of {program}, {agents} agents, depth {depth}", tuple(notes))


def _number(state: str, text: str) -> int | Fraction:
    value = number_in(text)
    if value is None:
        raise NotationError(
            f"value {text[:24]!r} of {state[:24]!r} in the test file; expected a number"
        )
    return value


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
