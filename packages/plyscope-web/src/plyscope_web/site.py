"""Writes the page as a folder of files that any web server can serve: `plyscope web --static`.

There Python runs in the browser, in Pyodide (`browser.py`), so the folder has Pyodide, the decoder
msgspec, and the installed sources of plyscope, with the machine code for WebAssembly if there is
any. All addresses are relative. Names have a digest of the content, but for the page itself, its
manifest, its service worker, and `site.json`, which lists the files.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from plyscope import cache
from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.cli.examples import example_files
from plyscope.version import __version__
from plyscope.wholefile import write_whole
from plyscope_web.frontend import FONT, FONT_FACE, POLICY, STATIC, scripts, style_sheet

PYODIDE, MSGSPEC = "314.0.7", "0.22.0"
"""The versions of the npm package pyodide and of msgspec, whose wheel is for that Pyodide."""
PYTHON, PLATFORM = "3.14", "pyemscripten_2026_0_wasm32"
"""The Python of that Pyodide, and its platform for pip."""
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
WHEEL = f"msgspec-{MSGSPEC}-*{PLATFORM}.whl"
PACKAGES = ("plyscope", "plyscope_fast", "plyscope_web")
LIBRARY = "emscripten-wasm32"
LIBRARIES = "plyscope_fast/machine/libraries"
UNUSED = re.compile(r"__pycache__|plyscope_web/static/|/machine/libraries/")
"""Files of packages that a browser does not need; its machine code is added."""
NOTE = "site.json"
WORKER_POLICY = "worker-src 'self'; manifest-src 'self'; "
FETCH_SECONDS = 300
DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all files in archives, which are the same for the same content."""
SHOWN = re.compile(r'"((?:connect4|gomoku15|qubic|(?:torus-|misere-)?tictactoe) [a-z\d ]+)"')
"""A position that the first screen shows."""
FIRST = ("tictactoe", "connect4")
"""The positions that other rooms begin with."""


class Parts(NamedTuple):
    """Where what is not plyscope's own is found."""

    pyodide: Path
    wheel: Path


def write_site(
    folder: Path, parts: Path | None, say: Callable[[str], None], builds: bool = True
) -> dict[str, Any]:
    """Write the site, and return its files with their sizes in bytes; `say` gets lines of progress.

    `parts` is a folder with the files of Pyodide and the wheel of msgspec; by default they are
    searched in `node_modules` and the cache, and downloaded. With `builds`, a clone makes the
    machine code that it does not have. Raises OptionError.
    """
    before = _files_before(folder)
    found = _parts(parts, say)
    files = _Files()
    pyodide = _add_pyodide(files, found.pyodide)
    archive, library, has_code = _archive(found.wheel, say, builds)
    python = {
        "pyodide": pyodide,
        "library": files.add("msgspec.so", library[1]),
        "place": library[0],
        "archives": [files.add("plyscope.zip", archive)],
    }
    say("drawing the first screen")
    _add_page(files, python)
    sizes = files.write(folder, before)
    return {
        "folder": str(folder),
        "files": sizes,
        "bytes": sum(each["bytes"] for each in sizes),
        "compressed": sum(each["compressed"] for each in sizes),
        "machine_code": has_code,
    }


def _files_before(folder: Path) -> list[str]:
    """Return the files of the site in the folder; raise OptionError if it has something else."""
    try:
        if not folder.exists() or not any(folder.iterdir()):
            return []
        note = json.loads((folder / NOTE).read_bytes())
        return [str(name) for name in note["files"] if not _is_outside(str(name))]
    except (OSError, ValueError, KeyError, TypeError):
        raise OptionError(
            f"--static {str(folder)!r} is not an empty folder; "
            "expected a new one, or one that --static wrote"
        ) from None


def _is_outside(name: str) -> bool:
    path = Path(name)
    return path.is_absolute() or ".." in path.parts


class _Files:
    """The files of a site, by name."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}

    def add(self, name: str, content: str | bytes) -> str:
        """Add a file under its name with a digest, which is returned."""
        data = content.encode() if isinstance(content, str) else content
        stem, dot, ending = name.partition(".")
        named = f"{stem}.{_digest(data)}{dot}{ending}"
        self.contents[named] = data
        return named

    def write(self, folder: Path, before: list[str]) -> list[dict[str, Any]]:
        """Write the files, remove those of `before` that are left over, and return the sizes."""
        sizes = [
            {"name": name, "bytes": len(data), "compressed": len(gzip.compress(data, 6))}
            for name, data in sorted(self.contents.items())
        ]
        note = {"plyscope": __version__, "files": [each["name"] for each in sizes]}
        try:
            for name, data in self.contents.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                write_whole(folder / name, [data])
            write_whole(folder / NOTE, [json.dumps(note, indent=1).encode(), b"\n"])
            for name in {*before} - {*self.contents}:
                (folder / name).unlink(missing_ok=True)
                with suppress(OSError):  # not empty
                    (folder / name).parent.rmdir()
        except OSError as error:
            raise OptionError(f"cannot write {str(folder)!r}: {error.strerror}") from None
        return sizes


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


# Parts that are not plyscope's own


def _parts(given: Path | None, say: Callable[[str], None]) -> Parts:
    """Return the folder of Pyodide and the wheel of msgspec, downloaded if necessary."""
    kept = cache.home() / "browser"
    try:
        if given is None and kept.exists():
            cache.own_folder(kept)
    except OSError as error:
        raise OptionError(str(error)) from None
    if given is not None:
        folders = [given, given / "pyodide"]
    else:
        folders = [Path("node_modules", "pyodide"), kept / f"pyodide-{PYODIDE}" / "package"]
    pyodide = next(filter(_is_pyodide, folders), None)
    wheels = [wheel for place in (given or kept,) for wheel in sorted(place.glob(WHEEL))]
    if given is not None and (pyodide is None or not wheels):
        lacking = f"Pyodide {PYODIDE}" if pyodide is None else f"the wheel {WHEEL!r}"
        raise OptionError(
            f"no {lacking} in {str(given)!r}; expected the files of `npm pack pyodide@{PYODIDE}` "
            f"and of `{' '.join(_pip('.')[2:])}`"
        )
    if pyodide is None:
        pyodide = _fetched_pyodide(kept, say)
    wheel = wheels[0] if wheels else _fetched_wheel(kept, say)
    say(f"Pyodide {PYODIDE} of {str(pyodide)!r}")
    return Parts(pyodide, wheel)


def _is_pyodide(folder: Path) -> bool:
    """Return whether the folder has this version of Pyodide."""
    try:
        about = json.loads((folder / "package.json").read_bytes())
        return about["version"] == PYODIDE and all(
            map(Path.is_file, map(folder.joinpath, PYODIDE_FILES))
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _fetched_pyodide(kept: Path, say: Callable[[str], None]) -> Path:
    say(f"downloading Pyodide {PYODIDE} (npm)")
    what = f"pyodide@{PYODIDE}"
    npm = shutil.which("npm") or "npm"
    _fetch([npm, "pack", "--silent", "--pack-destination", ".", what], kept, f"Pyodide {PYODIDE}")
    folder = kept / f"pyodide-{PYODIDE}"
    with tarfile.open(kept / f"pyodide-{PYODIDE}.tgz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def _fetched_wheel(kept: Path, say: Callable[[str], None]) -> Path:
    say(f"downloading msgspec {MSGSPEC} for Pyodide (pip)")
    _fetch(_pip("."), kept, f"msgspec {MSGSPEC} for Pyodide")
    return next(iter(sorted(kept.glob(WHEEL))))


def _pip(place: str) -> list[str]:
    words = ["--only-binary=:all:", "--no-deps", "--platform", PLATFORM, "--python-version", PYTHON]
    words += ["--abi", "cp" + PYTHON.replace(".", ""), f"msgspec=={MSGSPEC}", "-d", place]
    return [sys.executable, "-m", "pip", "download", *words]


def _fetch(command: list[str], place: Path, what: str) -> None:
    """Run a command that downloads into a folder of the cache; raise OptionError if it fails."""
    try:
        cache.own_folder(place)
        subprocess.run(
            command, cwd=place, check=True, capture_output=True, text=True, timeout=FETCH_SECONDS
        )
    except (OSError, subprocess.SubprocessError) as error:
        lines = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        raise OptionError(
            f"cannot download {what}: {lines[-1][:200] if lines else 'no answer'}; "
            "expected a network, or --pyodide FOLDER"
        ) from None


def _add_pyodide(files: _Files, folder: Path) -> str:
    """Add the files of Pyodide under a folder with their digest; return the name of its module."""
    contents = {name: (folder / name).read_bytes() for name in PYODIDE_FILES}
    lock = json.loads((folder / LOCK).read_bytes())
    contents[LOCK] = json.dumps({**lock, "packages": {}}).encode()
    place = f"pyodide.{_digest(b''.join(contents.values()))}"
    files.contents |= {f"{place}/{name}": data for name, data in contents.items()}
    return f"{place}/{PYODIDE_FILES[0]}"


# plyscope's own packages


def _archive(
    wheel: Path, say: Callable[[str], None], builds: bool
) -> tuple[bytes, tuple[str, bytes], bool]:
    """Return the archive of plyscope's packages and msgspec, the library of msgspec, which is
    loaded before Python starts, with its name, and whether plyscope's machine code is there."""
    with ZipFile(wheel) as parts:
        contents = {name: parts.read(name) for name in parts.namelist()}
    library = next(name for name in contents if name.endswith(".so"))
    code_of_library, contents[library] = contents[library], b""
    for package in PACKAGES:
        if find_spec(package) is not None:
            contents |= dict(_sources(package))
    contents |= {f"plyscope/examples/{file.name}": file.read_bytes() for file in example_files()}
    code = dict(_machine_code(say, builds)) if "plyscope_fast/__init__.py" in contents else {}
    contents |= code
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(contents.items()):
            archive.writestr(ZipInfo(name, DATE), data, ZIP_DEFLATED, 9)
    return made.getvalue(), (library, code_of_library), bool(code)


def _sources(package: str) -> Iterator[tuple[str, bytes]]:
    folder = Path(str(import_module(package).__file__)).parent
    for path in sorted(folder.rglob("*")):
        name = f"{package}/{path.relative_to(folder).as_posix()}"
        if path.is_file() and not UNUSED.search(name):
            yield name, path.read_bytes()


def _machine_code(say: Callable[[str], None], builds: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the library for a browser and its note; nothing if there is none of these sources."""
    from plyscope_fast.machine.shipped import FOLDER, NOTE, sources_digest

    clone = Path(str(import_module("plyscope").__file__)).parents[2]
    builder, built = clone / "wheels" / "library.py", clone / "build" / "libraries"
    if builds and builder.is_file() and find_spec("ziglang") and find_spec("llvmlite"):
        say("making the machine code for a browser, a minute or two the first time")
        run = subprocess.run(
            [sys.executable, str(builder), str(built), LIBRARY], capture_output=True, text=True
        )
        if run.returncode:
            say(f"the machine code cannot be made: {run.stderr.strip()[-200:]}")
    for folder in (FOLDER, built):
        files = [folder / f"{LIBRARY}.so", folder / NOTE]
        with suppress(OSError, ValueError, KeyError):
            if json.loads(files[1].read_bytes())["sources"] == sources_digest():
                yield from ((f"{LIBRARIES}/{file.name}", file.read_bytes()) for file in files)
                return
    say(
        "no machine code for a browser here: the page searches in Python, some hundred times slower"
    )


# The page


def _add_page(files: _Files, python: dict[str, Any]) -> None:
    """Add the page with its scripts and styles, the manifest and the service worker."""
    icon = files.add("icon.svg", (STATIC / "icon.svg").read_bytes())
    font = files.add("inter.woff2", (STATIC / FONT).read_bytes())
    style = files.add("style.css", FONT_FACE.replace(FONT, font) + style_sheet())
    script = files.add("tab.js", scripts("tab.js"))
    worker = files.add("worker.js", (STATIC / "worker.js").read_bytes())
    editor = files.add("codemirror.mjs", (STATIC / "vendor" / "codemirror.mjs").read_bytes())
    needed = {"worker": worker, "python": python, "editor": editor, "first": first_answers()}
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    for name, named in (
        ("icon.svg", icon),
        (FONT, font),
        ("style.css", style),
        ("main.js", script),
    ):
        page = page.replace(f"/static/{name}", named)
    data = json.dumps(needed, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    policy = POLICY.partition(" frame-ancestors")[0] + f" {WORKER_POLICY}"
    head = (
        f'<meta http-equiv="content-security-policy" content="{policy}">\n'
        '<link rel="manifest" href="manifest.webmanifest">\n'
        f'<script type="application/json" id="files">{data}</script>\n'
    )
    page = page.replace("<title>", f"{head}<title>", 1)
    page = page.replace(", all of it served from this machine", "")
    files.contents["index.html"] = page.encode()
    manifest = {
        "name": "plyscope",
        "short_name": "plyscope",
        "start_url": ".",
        "scope": ".",
        "display": "standalone",
        "background_color": "#ffffff",
        "icons": [{"src": icon, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    files.contents["manifest.webmanifest"] = json.dumps(manifest, indent=1).encode()
    kept = [*files.contents]
    shell = [name for name in kept if name.endswith((".html", ".js", ".css", ".woff2", ".svg"))]
    version = _digest("".join(kept).encode() + page.encode())
    site = {"version": version, "files": kept, "shell": shell, "policies": [worker]}
    service = (STATIC / "service.js").read_text(encoding="utf-8")
    files.contents["service.js"] = f"const SITE = {json.dumps(site)};\n{service}".encode()


def first_answers() -> dict[str, Any]:
    """Return the answers that the first screen and the first boards need, by endpoint and request,
    as the page writes them."""
    from plyscope_web.endpoints import answer, read
    from plyscope_web.endpoints.inputs import text_reader
    from plyscope_web.endpoints.writing import written_heuristic

    before = text_reader.set(written_heuristic)
    home = (STATIC / "rooms" / "home" / "room.js").read_text(encoding="utf-8")
    positions = [*FIRST, *SHOWN.findall(home)]
    asked = [("catalogues", {}), *(("show", {"position": text}) for text in positions)]
    found = {}
    for endpoint, arguments in asked:
        text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
        with suppress(PlyscopeError):  # Python answers it later
            found[f"{endpoint} {text}"] = answer(
                endpoint, read(endpoint, text.encode()), lambda _: None
            )
    text_reader.reset(before)
    return found
