"""The front-end's files, joined into one script and one style sheet, and the names of its rooms."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from plyscope.faces.diagrams.board import STYLES

STATIC = Path(__file__).with_name("static")
ENTRY = "main.js"
"""The module that starts the page, and imports all others."""
STYLE = "style.css"
"""The name of the joined style sheet in requests."""
FONT = "fonts/inter.woff2"
FONT_FACE = f"""@font-face {{
  font-family: Inter; font-weight: 400 700; font-display: swap;
  src: url("{FONT}") format("woff2");
}}
"""
"""The page's own font; a notebook, which has no address for it, shows the system's."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
FIRST_STYLES = ("styles/tokens.css", "styles/page.css")
"""The style sheets that come first, as the others use them: type, colours and spacing, then
elements and layout."""


def front_end(kind: str) -> dict[str, str]:
    """Return the texts of the files of a kind, such as `.js`, by their paths in the front-end."""
    paths = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob(f"*{kind}")}
    paths |= {f"styles/{path.name}": path for path in STYLES.glob(f"*{kind}")}
    return {name: path.read_text(encoding="utf-8") for name, path in sorted(paths.items())}


DRAWING = "styles/drawing.css"
"""The style sheet of drawn boards, which exported files use without the page."""


def style_sheet() -> str:
    """Return all style sheets as one. Its rules apply only inside the page, since a notebook has
    other style sheets."""
    styles = front_end(".css")
    styles[DRAWING] = f":where(.plyscope) {{\n{styles[DRAWING]}}}\n"
    first = [styles.pop(name) for name in FIRST_STYLES]
    return "\n".join([*first, *styles.values()])


IMPORT = re.compile(r'^import (\{[^{}"]*\}|\* as \w+|\w+) from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?:(?:async )?function |class |const )(\w+)", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)
STATEMENT = re.compile(r"^[ \t]*(?:import|export)\b.*$", re.MULTILINE)
"""A line that begins an import or an export in any form."""
STANDARD = "standard"
"""The name of a joined module's default export."""


def scripts(entry: str) -> str:
    """Return a module and everything that it imports, joined into one module.

    Each module becomes a function, after the modules that it imports. Modules may import only from
    each other, without cycles, and export classes, constants and functions. Raises ValueError, with
    the file and the line, for an import or export of another form, for a name that is not exported,
    and for a cycle.
    """
    sources = front_end(".js")
    parts: dict[str, str] = {}

    def add(name: str, way: tuple[str, ...]) -> None:
        source = sources[name]
        for found in IMPORT.finditer(source):
            names, path = found.groups()
            other = _imported(name, path)
            if other in (*way, name):
                raise _fault(name, source, found, f"expected no import cycle through {other}")
            if other not in sources:
                raise _fault(name, source, found, f"expected a module that exists, not {other}")
            missing = _wanted(names) - {*_exported(sources[other])}
            if missing:
                said = f"expected what {other} exports, not {', '.join(sorted(missing))}"
                raise _fault(name, source, found, said)
            if other not in parts:
                add(other, (*way, name))
        parts[name] = _scope(name, source)

    add(entry, ())
    last = DEFAULT.search(sources[entry])
    export = f'export default modules["{entry}"].{STANDARD};\n' if last else ""
    return "\n".join(["const modules = {};", *parts.values(), export])


def _fault(name: str, source: str, found: re.Match[str], expected: str) -> ValueError:
    line = source.count("\n", 0, found.start()) + 1
    return ValueError(f"{name}:{line}: {found[0].strip()!r}; {expected}")


def _imported(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _wanted(names: str) -> set[str]:
    """Return the names that an import statement imports."""
    if names.startswith("*"):
        return set()
    if not names.startswith("{"):
        return {STANDARD}
    return {each.split(" as ")[0].strip() for each in names.strip("{}").split(",") if each.strip()}


def _exported(source: str) -> list[str]:
    return EXPORT.findall(source) + [STANDARD] * bool(DEFAULT.search(source))


def _scope(name: str, source: str) -> str:
    """Return a module as the call of a function that returns its exports."""
    known = {found.start() for form in (IMPORT, EXPORT, DEFAULT) for found in form.finditer(source)}
    for found in STATEMENT.finditer(source):
        if found.start() not in known:
            forms = "import names from another module, export const, function, class or default"
            raise _fault(name, source, found, f"expected {forms}")

    def bound(found: re.Match[str]) -> str:
        names, path = found.groups()
        module = f'modules["{_imported(name, path)}"]'
        if names.startswith("* as "):
            return f"const {names.removeprefix('* as ')} = {module};\n"
        if not names.startswith("{"):
            return f"const {{ {STANDARD}: {names} }} = {module};\n"
        return f"const {names.replace(' as ', ': ')} = {module};\n"

    exported = ", ".join(_exported(source))
    body = DEFAULT.sub(f"const {STANDARD} = ", IMPORT.sub(bound, source))
    body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
    return f'modules["{name}"] = (() => {{\n{body}return {{ {exported} }};\n}})();'


def rooms() -> list[str]:
    """Return the names of the rooms, which are the folders with a `room.js`."""
    return sorted(path.parent.name for path in STATIC.glob("rooms/*/room.js"))
