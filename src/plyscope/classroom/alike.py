"""Identical submissions: the same program apart from comments, docstrings and names."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import PurePosixPath

from plyscope.classroom.assignment import SUFFIXES
from plyscope.classroom.submissions import Submission
from plyscope.evaluation.diagnosis import MAX_PARSED_CHARS
from plyscope.evaluation.tablefile import METADATA_KEYS


def same_as(submissions: Iterable[Submission]) -> dict[str, tuple[str, ...]]:
    """Return, by key, the keys of the other submissions that are the same program.

    Files with syntax errors, and files beyond the first MAX_PARSED_CHARS bytes, are compared byte
    by byte. Unreadable submissions match nothing.
    """
    alike: dict[str, list[str]] = {}
    for each in submissions:
        if each.main and not each.main.endswith(SUFFIXES["answers"]):  # right answers are equal
            alike.setdefault(fingerprint(each.files, each.main), []).append(each.key)
    return {
        key: tuple(other for other in keys if other != key)
        for keys in alike.values()
        for key in keys
    }


def fingerprint(files: Mapping[str, bytes], main: str) -> str:
    """Return a digest of a program: its syntax tree with numbered names, the submitted modules that
    it imports, and the data files named in its strings."""
    return _digest(_normal_text(files, main, set()))


def _normal_text(files: Mapping[str, bytes], name: str, seen: set[str]) -> str:
    """Return the normalized text of a file and its imported modules that are not yet `seen`."""
    seen.add(name)
    content = files[name]
    if sum(len(files[each]) for each in seen) > MAX_PARSED_CHARS:
        return _digest(repr(content))
    try:
        if name.endswith(".toml"):
            table = tomllib.loads(content.decode())
            return repr(sorted(each for each in table.items() if each[0] not in METADATA_KEYS))
        tree = ast.parse(content)
        _without_names(tree)
        words = [ast.dump(tree)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _digest(repr(content))
    for module in _imported_modules(tree, files, name):
        if module not in seen:
            words.append(_normal_text(files, module, seen))
    words += [_digest(repr(files[data])) for data in _data_named(tree, files)]
    return "\n".join(words)


def _digest(text: str) -> str:
    return sha256(text.encode(errors="backslashreplace")).hexdigest()


def _without_names(tree: ast.Module) -> None:
    """Replace the names that a program defines by numbers and remove its docstrings, in place."""
    numbers: dict[str, str] = {}
    attributes: dict[str, str] = {}
    for node in ast.walk(tree):
        for name in _chosen(node):
            numbers.setdefault(name, f"_{len(numbers)}")
        for name in _chosen_attributes(node):
            attributes.setdefault(name, f"_{len(attributes)}")
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in numbers:
            for keyword in node.keywords:  # of one of its own functions
                keyword.arg = numbers.get(keyword.arg or "", keyword.arg)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            node.attr = attributes.get(node.attr, node.attr)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [numbers.get(name, name) for name in node.names]
        elif isinstance(node, NAMING_NODES):
            for field in ("id", "arg", "name", "asname"):
                bound = getattr(node, field, None)
                if isinstance(bound, str) and not (field == "name" and hasattr(node, "asname")):
                    setattr(node, field, numbers.get(bound, bound))


FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
NAMING_NODES = (
    ast.Name | FUNCTION | ast.ClassDef | ast.arg | ast.alias | ast.ExceptHandler
    | ast.MatchAs | ast.MatchStar
)  # fmt: skip


def _chosen(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,) if isinstance(node.ctx, ast.Store) else ()
    if isinstance(node, ast.arg):
        return (node.arg,)
    if isinstance(node, NAMING_NODES):
        name = node.asname if isinstance(node, ast.alias) else getattr(node, "name", None)
        return (name,) if name else ()
    return ()


def _chosen_attributes(node: ast.AST) -> tuple[str, ...]:
    """Return the names of the attributes and methods that a syntax node defines."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return (node.attr,)
    if isinstance(node, ast.ClassDef):
        return tuple(each.name for each in node.body if isinstance(each, FUNCTION))
    return ()


def _is_text(node: object) -> bool:
    """Return whether a statement is only a string, such as a docstring."""
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_constant and isinstance(node.value.value, str)  # type: ignore[attr-defined]


def _imported_modules(tree: ast.Module, files: Mapping[str, bytes], name: str) -> list[str]:
    """Return the submitted files that a program imports, in the order of its imports."""
    folder, found = PurePosixPath(name).parent, list[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for module in names:
            path = folder.joinpath(*module.split("."))
            places = (f"{path}.py", f"{path}/__init__.py")
            found += [place for place in places if place in files and place not in found]
    return found


def _data_named(tree: ast.Module, files: Mapping[str, bytes]) -> list[str]:
    """Return the data files whose name, or a part of it, is in one of the program's strings."""
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 2
    }
    return [
        name
        for name in sorted(files)
        if not name.endswith(".py") and any(text in name or name in text for text in texts)
    ]
