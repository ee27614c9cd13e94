"""The files of the front-end, joined for those who load all of them, and its rooms."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

STATIC = Path(__file__).with_name("static")
ENTRY = "main.js"
"""The module that makes a page of all others."""
STYLE = "style.css"
"""The name by which a page asks for the one style sheet."""
FIRST_STYLES = ("styles/tokens.css", "styles/page.css")
"""What all others build on: type, colours and spacing, then elements and layout."""


def front_end(kind: str) -> dict[str, str]:
    """Return the texts of the files of a kind, such as `.js`, by their paths in the front-end."""
    return {
        path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(STATIC.rglob(f"*{kind}"))
    }


DRAWING = "styles/drawing.css"
"""What drawn boards look like, in files too, which have no page around them."""


def style_sheet() -> str:
    """Return the style sheets as one, which touches nothing but the page: in a notebook it stands
    beside others."""
    styles = front_end(".css")
    styles[DRAWING] = f":where(.plyscope) {{\n{styles[DRAWING]}}}\n"
    first = [styles.pop(name) for name in FIRST_STYLES]
    return "\n".join([*first, *styles.values()])


IMPORT = re.compile(r'^import ([^"]*) from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:class|const|function) (\w+)", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)


def scripts(entry: str) -> str:
    """Return a module and all that it imports, as one that a browser asks for once.

    Each of them stands in a function of its own, after those that it imports. They import nothing
    else, in no circle, and export classes, constants and functions.
    """
    sources = front_end(".js")
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in parts:
            return
        for _, path in IMPORT.findall(sources[name]):
            add(_imported(name, path))
        parts[name] = _scope(name, sources[name])

    add(entry)
    last = DEFAULT.search(sources[entry])
    export = f'export default modules["{entry}"].standard;\n' if last else ""
    return "\n".join(["const modules = {};", *parts.values(), export])


def _imported(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _scope(name: str, source: str) -> str:
    """Return a module as a function's body whose value is what it exports."""

    def bound(found: re.Match[str]) -> str:
        names, path = found.groups()
        module = f'modules["{_imported(name, path)}"]'
        if names.startswith("* as "):
            return f"const {names.removeprefix('* as ')} = {module};\n"
        if not names.startswith("{"):
            return f"const {{ standard: {names} }} = {module};\n"
        return f"const {names.replace(' as ', ': ')} = {module};\n"

    exported = EXPORT.findall(source)
    if DEFAULT.search(source):
        exported.append("standard")
    body = DEFAULT.sub("const standard = ", IMPORT.sub(bound, source))
    body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
    return f'modules["{name}"] = (() => {{\n{body}return {{ {", ".join(exported)} }};\n}})();'


def rooms() -> list[str]:
    """Return the names of the rooms: each has a folder, in which `room.js` puts it together."""
    return sorted(path.parent.name for path in STATIC.glob("rooms/*/room.js"))
