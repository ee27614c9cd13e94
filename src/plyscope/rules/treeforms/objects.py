"""Objects of other programs: JSON, XML, dicts of children, lists of nodes and edges."""

from __future__ import annotations

import re
from typing import Any

from plyscope import markup
from plyscope.errors import NotationError
from plyscope.rules.treeforms.graphs import Graph
from plyscope.rules.treeforms.lists import QUOTED_NAME, is_pair, of_list, refuse_unknown
from plyscope.rules.treeforms.words import (
    DECIMAL,
    KEYS,
    UNKNOWN,
    Found,
    all_lists,
    check_depth,
    is_list,
    label_of,
    meaning_of,
    number_in,
    number_or_self,
    side_of,
)

_NO_SIDES = (
    *("leaf", "terminal", "terminalnode", "leafnode", "end", "outcome"),
    *("inner", "internal", "root", "node", "decision"),
)
"""Words for the kind of a node that say nothing of its side."""


def is_object(data: dict[Any, Any]) -> bool:
    """Whether a dict is the object of a node rather than a dict of children."""
    meanings = {meaning_of(key) for key in data}
    return bool(meanings & {"children", "value", "arms"}) and (
        None not in meanings or "children" in data
    )


class _Objects:
    """Translates lists and dicts of other programs to nested objects."""

    def __init__(self) -> None:
        self.ignored: set[str] = set()

    def node(self, data: Any, depth: int = 0) -> Any:
        """Return the nested objects of a node."""
        check_depth(depth)
        if isinstance(data, dict):
            if data and not is_object(data) and depth and len(data) > 1:
                key = next((each for each in data if meaning_of(each) is None), min(map(str, data)))
                raise NotationError(
                    f"unknown key {str(key)[:40]!r} in an object of the tree; expected name, side, "
                    "value, children"
                )
            return self._of_object(data, depth)
        if isinstance(data, str) or not is_list(data):
            return of_list(data)
        head = data[0] if data else None
        if isinstance(head, str) and number_in(head) is None and head not in UNKNOWN:
            if any(isinstance(each, dict) for each in data[1:]):
                below = [self.node(each, depth + 1) for each in data[1:]]
                return {"name": head, "children": below}
            return of_list(data)
        return [self.node(each, depth + 1) for each in data]

    def _of_object(self, data: dict[Any, Any], depth: int) -> dict[str, Any]:
        node: dict[str, Any] = {}
        below: list[Any] = []
        arms: dict[str, Any] = {}
        for key, value in data.items():
            meaning = meaning_of(key)
            if meaning == "children":
                if isinstance(value, dict):
                    value = _named_children(value)
                below += value if is_list(value) else [] if value is None else [value]
            elif meaning == "arms":
                arms[re.sub(r"[\s_-]", "", str(key)).lower()] = value
            elif meaning == "name":
                self._name(node, str(key), value)
            elif meaning == "side":
                self._side(node, str(key), value)
            elif meaning in ("is_max", "is_min"):
                truth = str(value).strip().lower()
                if truth not in ("true", "false", "1", "0"):
                    raise NotationError(
                        f"{str(key)[:40]} {str(value)[:40]!r} in the tree; expected true or false"
                    )
                node["side"] = "max" if (truth in ("true", "1")) == (meaning == "is_max") else "min"
            elif meaning == "value":
                if value not in (None, *UNKNOWN):
                    node["value"] = number_or_self(value)
            elif meaning == "weights" or (meaning == "weight" and depth):
                node[meaning] = value
            elif meaning == "ignored":
                self.ignored.add(str(key))
            else:
                raise NotationError(
                    f"unknown key {str(key)[:40]!r} in {str(node.get('name', 'the tree'))[:40]}; "
                    "expected name, side, value, children"
                )
        below += [arms[arm] for arm in KEYS["arms"] if arms.get(arm) is not None]
        if below:
            node["children"] = [self.node(each, depth + 1) for each in below]
            self._weigh(node)
        elif "side" in node and "side" not in [str(k) for k in data if meaning_of(k) == "side"][:1]:
            del node["side"]
        return node

    def _name(self, node: dict[str, Any], key: str, value: Any) -> None:
        if value is None:
            return
        number = number_in(value)
        if key.lower() == "label" and number is not None:
            node.setdefault("value", number)
        elif key.lower() == "label" and isinstance(value, str) and "name" not in node:
            for word, found in label_of(value, "a label").items():
                node.setdefault(word, found)
        elif "name" in node and node["name"] != str(value):
            self.ignored.add(key)
        else:
            node["name"] = str(value) if isinstance(value, int) else value

    def _side(self, node: dict[str, Any], key: str, value: Any) -> None:
        word = re.sub(r"[\s_-]", "", str(value)).lower()
        if (side := side_of(str(value))) is not None:
            node["side"] = side
        elif value is not None and word not in _NO_SIDES:
            raise NotationError(
                f"{key} {str(value)[:40]!r} in {str(node.get('name', 'the tree'))[:40]}; "
                "expected max, min or chance"
            )

    def _weigh(self, node: dict[str, Any]) -> None:
        """Move the probabilities of the children to their parent."""
        below = node["children"]
        weights = [each.pop("weight", None) if isinstance(each, dict) else None for each in below]
        if any(weight is not None for weight in weights):
            node["weights"] = [number_or_self(weight) for weight in weights]

    def notes(self) -> tuple[str, ...]:
        """What of the objects is not in the tree."""
        return (f"without {', '.join(sorted(self.ignored)[:6])}",) if self.ignored else ()


def _named_children(data: dict[Any, Any]) -> list[Any]:
    """Return the children of an object that holds them by name."""
    named = []
    for key, value in data.items():
        if isinstance(value, dict):
            named.append({"name": str(key)} | value)
        else:
            named.append({"name": str(key), "children" if is_list(value) else "value": value})
    return named


def of_objects(data: Any) -> Found:
    """Return the nested objects of JSON or of Python's lists and dicts."""
    if hasattr(data, "tolist"):
        data = data.tolist()
    if isinstance(data, dict) and not is_object(data):
        word = next((each for each in ("root", "tree", "gameTree") if each in data), None)
        wrapped = next(iter(data.values())) if len(data) == 1 else data.get(word)
        if isinstance(wrapped, dict) and (is_object(wrapped) or "nodes" in wrapped):
            found = of_objects(wrapped)
            rest = ", ".join(str(each) for each in data if data[each] is not wrapped)[:40]
            return found._replace(notes=(*found.notes, *([f"without {rest}"] if rest else [])))
        if "nodes" in data and ({"edges", "links"} & set(data)):
            return _of_nodes(data["nodes"], data.get("edges", data.get("links")), "nodes and edges")
        return of_children(data)
    if is_list(data) and data and all(map(is_edge, data)):
        graph = Graph("a list of edges")
        for parent, child in data:
            graph.add(str(parent), [child])
        return graph.found()
    if is_list(data) and data and all(isinstance(each, dict) and "parent" in each for each in data):
        return _of_nodes(data, (), "nodes with their parents")
    objects = _Objects()
    found = objects.node(data)
    if isinstance(data, dict):
        return Found(found, "nested objects", objects.notes())
    refuse_unknown(data)
    pairs = any(map(is_pair, all_lists(data)))
    form = "pairs of a name and a list of children" if pairs else "nested lists"
    return Found(found, form, objects.notes())


def is_edge(data: Any) -> bool:
    """Return whether data are two names."""
    are_texts = is_list(data) and len(data) == 2 and all(isinstance(each, str) for each in data)
    return are_texts and number_in(data[1]) is None


def of_children(
    children: dict[Any, Any], *values: dict[Any, Any], form: str = "a dict of children"
) -> Found:
    """Return the tree of a dict of children, `{'A': ['B', 'C'], 'B': [3, 5], 'C': [2, 9]}`, and of
    dicts of leaves' values."""
    graph = Graph(form)

    def enter(key: Any, below: Any) -> None:
        if isinstance(below, str) and number_in(below) is None and side_of(below) is None:
            raise NotationError(
                f"{below[:40]!r} under {str(key)[:40]!r} in {form}; expected a list of children, "
                "or a value"
            )
        if isinstance(below, dict):
            if below and is_object(below):
                rest = {k: v for k, v in below.items() if meaning_of(k) != "children"}
                for each in [key for key in below if key not in rest]:
                    graph.add(str(key), map(_child, below[each] or ()))
                node = _Objects().node(rest, 1)
                graph.add(str(key), node.pop("children", ()))
                graph.give(str(key), **node)
                return
            if len(below) == 1 and side_of(word := next(iter(below))) is not None:
                raise NotationError(
                    f"{word!r} under {str(key)[:40]!r} in {form} is a child or the side; expected "
                    f"{{'side': {side_of(word)!r}, 'children': [...]}}, or another name"
                )
            for child, inner in below.items():
                if inner != {}:
                    enter(child, inner)
            below = [str(child) for child in below]
        if is_list(below):
            graph.add(str(key), [_child(each) for each in below])
        elif below is not None:
            graph.give(str(key), value=number_or_self(below))

    for key, below in children.items():
        enter(key, below)
    for each in values:
        for key, value in each.items():
            if value is not None and value not in UNKNOWN:
                graph.give(str(key), value=number_or_self(value))
    for key in [key for key, below in graph.children.items() if not below]:
        del graph.children[key]
        graph.nodes.setdefault(key, {})
    return graph.found()


def _child(data: Any) -> Any:
    """Return a child in a dict of children: its name, its value, or nested objects."""
    if isinstance(data, str):
        return str(data)
    if data is None:
        return {}
    if is_list(data) and len(data) == 2 and isinstance(data[0], str) and is_list(data[1]):
        return of_list(data)
    return _Objects().node(data, 1)


def _of_nodes(nodes: Any, edges: Any, form: str) -> Found:
    """Return the tree of a list of nodes and a list of edges; without edges, nodes name their
    parents."""
    graph = Graph(form)
    objects = _Objects()
    if not isinstance(nodes, dict | list | tuple) or not is_list(edges):
        raise NotationError("nodes or edges that are no list; expected a list of each")
    for number, node in nodes.items() if isinstance(nodes, dict) else enumerate(nodes):
        if not isinstance(node, dict):
            graph.nodes.setdefault(str(node), {})
            continue
        key = next((str(node[word]) for word in ("id", "key", "name") if word in node), str(number))
        known = ("id",) if edges else ("id", "parent")
        graph.give(key, **objects.node({k: v for k, v in node.items() if k not in known}, 1))
        if not edges and node.get("parent") is not None:
            graph.add(str(node["parent"]), [key])
    for edge in edges:
        ends = list(edge) if is_list(edge) else []
        if isinstance(edge, dict):
            for words in (("from", "source", "parent", "start"), ("to", "target", "child", "end")):
                ends += [edge[word] for word in words if word in edge][:1]
        if len(ends) < 2:
            raise NotationError(f"edge {str(edge)[:40]!r}; expected a parent and a child")
        graph.add(str(ends[0]), [str(ends[1])])
    return graph.found()._replace(notes=objects.notes())


def read_json(text: str) -> Found:
    """Read JSON; a key that occurs twice in an object is an error."""

    import json

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise NotationError(f"key {twice[:40]!r} is twice in an object; expected it once")
        return found

    def exact(number: str) -> Any:
        return number_in(number) if re.fullmatch(DECIMAL, number) else float(number)

    try:
        data = json.loads(text, object_pairs_hook=unique, parse_float=exact, parse_int=exact)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the tree as JSON: {str(error)[:120]}; "
            "expected nested lists or objects with name, side, value, children"
        ) from None
    return of_objects(data)


def may_be_json(text: str) -> Any:
    """Return whether a text has the quotes of JSON."""
    starts = text[:1] in "[{" and '"' in text and not re.search(r"'|\bNone\b", text)
    return starts and not QUOTED_NAME.search(text)


def read_xml(text: str) -> Found:
    """Read the elements of XML as objects; entities and external files are refused."""
    top: dict[str, Any] = {"children": []}
    stack = [top]

    def begin(tag: str, attributes: dict[str, str]) -> None:
        check_depth(len(stack) // 2)
        if taken := {"children", "tag", "text"} & set(attributes):
            raise NotationError(f"attribute {min(taken)!r} of <{tag[:20]}>; expected an element")
        element: dict[str, Any] = {"tag": tag, "children": [], "text": "", **attributes}
        stack[-1]["children"].append(element)
        stack.append(element)

    def end(tag: str, text: str) -> None:
        stack.pop()["text"] = text.strip()

    markup.read_xml(text, begin, end)
    root = top["children"][0]
    notes: tuple[str, ...] = ()
    wrapper = root["tag"].lower()
    if (
        len(root["children"]) == 1
        and set(root) == {"tag", "children", "text"}
        and wrapper in ("tree", "gametree", "game-tree", "game", "root", "document")
        and root["children"][0]["tag"].lower() != wrapper
    ):
        root, notes = root["children"][0], (f"<{root['tag']}> is not a node",)
    objects = _Objects()
    found = objects.node(_of_element(root))
    return Found(found, "XML", (*notes, *objects.notes()))


def _of_element(element: dict[str, Any]) -> dict[str, Any]:
    """Return the object of an XML element."""
    tag, text = element.pop("tag"), element.pop("text")
    below: list[dict[str, Any]] = []
    node: dict[str, Any] = {}
    for child in element.pop("children"):
        meaning = meaning_of(child["tag"])
        inner, is_bare = child["children"], len(child) == 3  # without attributes
        is_text = is_bare and not inner and child["text"] and child["tag"] not in ("node", "state")
        if is_text and meaning in ("name", "value", "side", "weight"):
            node[child["tag"]] = child["text"]
        elif is_bare and inner and meaning == "children" and child["tag"] != "child":
            below += map(_of_element, inner)
        elif is_bare and len(inner) == 1 and meaning == "arms":
            below.append(_of_element(inner[0]))
        else:
            below.append(_of_element(child))
    node |= element
    if (side := side_of(tag)) is not None and below:
        node.setdefault("side", side)
    if text:
        node["name" if number_in(text) is None else "value"] = number_or_self(text)
    return node | ({"children": below} if below else {})
