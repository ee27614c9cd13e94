"""Identical and similar programs of a class.

Identical programs are the same apart from comments, docstrings, layout and names. Similar programs
share a large part of their *runs*: RUN_TOKENS successive tokens, with one sign for all names that
the program defines, one for all numbers and one for all texts. Runs of the hand-out and of the
model solution do not count. What many programs share counts, because many may have copied.

Source: Schleimer, Wilkerson and Aiken 2003 (MOSS). Their winnowing keeps a sample of the runs; here
all are kept, because a class is small.
"""

from __future__ import annotations

import ast
import keyword
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import TypeGuard

from plyscope.evaluation.diagnosis import MAX_PARSED_CHARS
from plyscope.evaluation.tablefile import METADATA_KEYS
from plyscope_class.assignment import HANDOUT_FOLDER, SUFFIXES, TEACHER_FOLDER, Assignment
from plyscope_class.notebook import NOTEBOOK, script_of_notebook
from plyscope_class.submissions import Submission

RUN_TOKENS = 12
"""The tokens of a run. Shorter runs are common in unrelated solutions of a task; longer ones are
broken by every small change."""
MIN_RUNS = 80
"""The fewest runs of its own with which a program is compared; shorter programs agree by chance."""
MIN_SHARE = 0.48
"""The least share of the smaller program's runs in the other one of a similar pair. In a class of
26 published solutions of the Pacman project's searches, one pair had more, 0.49, a copy of one of
the searches; all others had 0.31 or less."""


@dataclass(frozen=True, kw_only=True)
class Similar:
    """Two programs that are similar but not identical."""

    one: str
    other: str
    """The keys of the submissions."""
    share: float
    """The share of the smaller program's own runs that the other one has too."""
    lines: tuple[frozenset[int], frozenset[int]]
    """The numbers of the lines, from 1, that are mostly in shared runs, in the texts that
    `program_text` returns."""


def similar(submissions: Iterable[Submission], given: Iterable[str] = ()) -> tuple[Similar, ...]:
    """Return the pairs of similar programs, the most similar first.

    `given` are texts of programs that everybody has, such as the hand-out. Programs with syntax
    errors, tables and answers are not compared.
    """
    programs = [each for each in submissions if each.main.endswith(".py")]
    tokens = {each.key: _tokens(program_text(each)) for each in programs}
    runs = {key: set(_runs(found)) for key, found in tokens.items()}
    common = {run for text in given for run in _runs(_tokens(text))}
    own = {key: found - common for key, found in runs.items()}
    pairs = []
    for one, other in combinations([key for key in own if len(own[key]) >= MIN_RUNS], 2):
        shared = own[one] & own[other]
        share = len(shared) / min(len(own[one]), len(own[other]))
        if share >= MIN_SHARE:
            lines = _lines(tokens[one], shared), _lines(tokens[other], shared)
            pairs.append(Similar(one=one, other=other, share=share, lines=lines))
    return tuple(sorted(pairs, key=lambda pair: (-pair.share, pair.one, pair.other)))


def groups(pairs: Iterable[Similar]) -> list[tuple[str, ...]]:
    """Return the keys of the programs that pairs connect, by group, the largest group first."""
    found: dict[str, set[str]] = {}
    for pair in pairs:
        joined = found.get(pair.one, {pair.one}) | found.get(pair.other, {pair.other})
        found |= dict.fromkeys(joined, joined)
    return sorted(
        {tuple(sorted(each)) for each in found.values()}, key=lambda keys: (-len(keys), keys)
    )


def given_texts(folder: Path, assignment: Assignment) -> list[str]:
    """Return the programs in the hand-out and among the model solutions of a class's folder."""
    texts = []
    for place in (folder / HANDOUT_FOLDER, folder / TEACHER_FOLDER):
        for file in sorted(place.glob("*.py")):
            texts.append(file.read_text(encoding="utf-8", errors="replace"))
        for file in sorted(place.glob(f"*{NOTEBOOK}")):
            with suppress(ValueError):
                texts.append(script_of_notebook(file.read_bytes(), assignment.function))
    return texts


def program_text(submission: Submission) -> str:
    """Return the text of a program: its main file, then the submitted modules that it imports, each
    below a comment with its name."""
    files, main = submission.files, submission.main
    texts = {name: files[name].decode(errors="replace") for name in _modules(files, main)}
    own = [f"# {name}\n{text}" for name, text in texts.items() if name != main]
    return "\n".join([texts[main], *own])


def _modules(files: Mapping[str, bytes], main: str) -> list[str]:
    """Return the names of a program's files: the main one, and those that it imports."""
    names, size = [main], 0
    for name in names:
        size += len(files[name])
        if size <= MAX_PARSED_CHARS and name.endswith(".py"):
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                found = _imported_modules(ast.parse(files[name]), files, name)
                names += [each for each in found if each not in names]
    return names


Token = tuple[str, int]
"""A token without its name or number, and the number of its line."""


def _tokens(text: str) -> list[Token]:
    """Return the tokens of a program that its author cannot change by other names, numbers, texts,
    comments or layout; none for a text that is not Python."""
    if len(text) > MAX_PARSED_CHARS:
        return []
    try:
        nodes = list(ast.walk(ast.parse(text)))
        read = list(tokenize.generate_tokens(StringIO(text).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return []
    own = {name for node in nodes for name in (*_chosen(node), *_chosen_attributes(node))}
    docstrings = {(node.lineno, node.col_offset) for node in nodes if _is_text(node)}
    return [
        (_sign(token, own), token.start[0])
        for token in read
        if token.type not in LAYOUT and token.start not in docstrings
    ]


LAYOUT = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
)  # fmt: skip


def _sign(token: tokenize.TokenInfo, own: set[str]) -> str:
    """Return what stands for a token in a run."""
    if token.type == tokenize.NAME and token.string in own and not keyword.iskeyword(token.string):
        return "name"
    if token.type == tokenize.NUMBER:
        return "number"
    return "text" if token.type in TEXTS else token.string


TEXTS = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))


def _runs(tokens: list[Token]) -> list[int]:
    """Return the digests of the runs, by the place of their first token."""
    signs = [sign for sign, _ in tokens]
    ends = range(RUN_TOKENS, len(signs) + 1)
    return [hash(tuple(signs[end - RUN_TOKENS : end])) for end in ends]


def _lines(tokens: list[Token], shared: set[int]) -> frozenset[int]:
    """Return the numbers of the lines of which at least half of the tokens are in shared runs."""
    covered = {
        at
        for begin, run in enumerate(_runs(tokens))
        if run in shared
        for at in range(begin, begin + RUN_TOKENS)
    }
    number = Counter(line for _, line in tokens)
    inside = Counter(tokens[at][1] for at in covered)
    return frozenset(line for line in inside if 2 * inside[line] >= number[line])


def same_as(submissions: Iterable[Submission]) -> dict[str, tuple[str, ...]]:
    """Return, by key, the keys of the other submissions that are the same program.

    Files with syntax errors, and files beyond the first MAX_PARSED_CHARS bytes, are compared byte
    by byte. Unreadable submissions match nothing.
    """
    alike: dict[str, list[str]] = {}
    for each in submissions:
        if each.main and not each.main.endswith(SUFFIXES["answers"]):  # right answers are equal
            alike.setdefault(fingerprint(each.files, each.main), []).append(each.key)
    return others_of(alike.values())


def others_of(groups: Iterable[Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return, by key, the other keys of its group."""
    return {key: tuple(other for other in keys if other != key) for keys in groups for key in keys}


def fingerprint(files: Mapping[str, bytes], main: str) -> str:
    """Return a digest of a program: its syntax tree with numbered names, the submitted modules that
    it imports, and the data files named in its strings."""
    words, size = [], 0
    for name in _modules(files, main):
        size += len(files[name])
        is_read = size <= MAX_PARSED_CHARS
        words.append(_normal_text(files, name) if is_read else _digest(repr(files[name])))
    return _digest("\n".join(words))


def _normal_text(files: Mapping[str, bytes], name: str) -> str:
    """Return the normalized text of a file, with the digests of the data files that it names."""
    content = files[name]
    try:
        if name.endswith(".toml"):
            table = tomllib.loads(content.decode())
            return repr(sorted(each for each in table.items() if each[0] not in METADATA_KEYS))
        tree = ast.parse(content)
        _without_names(tree)
        data = [_digest(repr(files[each])) for each in _data_named(tree, files)]
        return "\n".join([ast.dump(tree), *data])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _digest(repr(content))


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


def _is_text(node: object) -> TypeGuard[ast.Expr]:
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
