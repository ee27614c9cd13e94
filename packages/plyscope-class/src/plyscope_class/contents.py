"""The files of a submissions folder, on disk or in zips: listed first, then read within limits.

Listing opens zips and reads only their directories. Reading limits the unpacked bytes themselves,
since the sizes in a zip's directory may be wrong.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from errno import EINVAL
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from unicodedata import normalize
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

IGNORED = ("__MACOSX", "__pycache__", ".git", ".ipynb_checkpoints", ".DS_Store", "node_modules")
EMPTY_NAME = "(nothing)"
"""The file name that represents an empty folder or zip."""
MAX_DEPTH, MAX_LISTED = 20, 100_000
"""The most names in a path, and the most files in a zip."""
MAX_NAME_CHARS = 60
"""The characters of a name in a message."""
UNZIPPED = (ZIP_STORED, ZIP_DEFLATED)
"""Compression methods that Python decompresses in bounded steps."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A submitted file that has not been read."""

    path: PurePosixPath
    """Path below the submissions folder, in Unicode NFC; a zip counts as a folder."""
    opened: Callable[[int], bytes] | None = None
    """A function that returns the content, up to the given number of bytes."""
    fault: str = ""
    """The reason why the file cannot be read, with its name; empty if it can."""
    is_zipped: bool = False
    """Whether the file is in a zip archive."""

    @classmethod
    def of(cls, place: Path, path: PurePosixPath) -> Item:
        """Return a file on disk, with the given path."""
        return cls(path=path, opened=partial(_on_disk, place))

    def read(self, most: int) -> bytes:
        """Return at most `most` bytes. Raises ValueError with the fault, naming the file."""
        if self.opened is None:
            raise ValueError(self.fault)
        try:
            return self.opened(most)
        except OSError as error:
            why = error.strerror or "cannot be read"
        except RuntimeError:  # zipfile's, for a file with a password
            why = "locked with a password"
        except Exception:  # any error that zipfile raises for damaged zips
            why = "damaged"
        raise ValueError(f"{self.path.name!r} cannot be read: {why}")


def items_of(folder: Path, stack: ExitStack, entry: str | None = None) -> Iterator[Item]:
    """Yield all files below a folder, or of one entry of it, and in the zips there, including
    unreadable ones with a `fault`.

    Zips stay open until `stack` is closed.
    """
    top = folder if entry is None else folder / entry
    places = sorted(top.rglob("*")) if top.is_dir() and not top.is_symlink() else []
    places += [] if entry is None else [top]
    paths = {place: composed(place.relative_to(folder).as_posix()) for place in places}
    paths = {place: path for place, path in paths.items() if not is_ignored(path)}
    holding = {place.parent for place in paths}
    for place, path in paths.items():
        if len(path.parts) > MAX_DEPTH:
            yield Item(path=_cut(path), fault=_too_deep(path))
        elif place.is_symlink():
            yield Item(path=path, fault=_link(path))
        elif place.is_dir():
            if place not in holding:
                yield Item(path=path / EMPTY_NAME, fault=f"an empty folder, {path.name!r}")
        elif not place.is_file():
            yield Item(path=path, fault=f"{path.name!r} is not a readable file")
        else:
            yield from items_of_file(place, path, stack)


def items_of_file(place: Path, path: PurePosixPath, stack: ExitStack) -> Iterator[Item]:
    """Yield a file on disk with the given path, or the files of a zip."""
    yield from opened_zip(Item.of(place, path), place, stack)


def opened_zip(item: Item, source: Path | BytesIO, stack: ExitStack) -> Iterator[Item]:
    """Yield the files of a zip, below its name; any other item itself."""
    if item.path.suffix.lower() != ".zip":
        yield item
        return
    name = item.path.name
    try:
        archive = stack.enter_context(ZipFile(source))
    except Exception:  # any error that zipfile raises for damaged zips
        fault = f"{name!r} cannot be opened as a zip: it is damaged, or its upload was interrupted"
        yield Item(path=item.path, fault=fault)
        return
    number = 0
    for info in sorted(archive.infolist(), key=lambda each: each.filename):
        path = composed(info.filename.replace("\\", "/"))
        is_out = path.is_absolute() or ".." in path.parts or not path.parts
        # First whether it has a name: is_dir() of Python 3.11 takes the last letter of it
        if is_out or info.is_dir() or is_ignored(item.path / path):
            continue
        number += 1
        if number > MAX_LISTED:
            raise ValueError(f"{name!r} has more than {MAX_LISTED:,} files")
        yield _member(archive, info, item.path / path)
    if not number:
        yield Item(path=item.path / EMPTY_NAME, fault=f"an empty zip, {name!r}", is_zipped=True)


def _member(archive: ZipFile, info: ZipInfo, path: PurePosixPath) -> Item:
    if len(path.parts) > MAX_DEPTH:
        return Item(path=_cut(path), fault=_too_deep(path), is_zipped=True)
    if stat.S_ISLNK(info.external_attr >> 16):
        return Item(path=path, fault=_link(path), is_zipped=True)
    opened = partial(_in_zip, archive, info) if info.compress_type in UNZIPPED else _not_deflated
    return Item(path=path, opened=opened, is_zipped=True)


def _not_deflated(most: int) -> bytes:
    raise OSError(EINVAL, "compressed by a method other than deflate")


def _on_disk(place: Path, most: int) -> bytes:
    with place.open("rb") as file:
        return file.read(most)


def _in_zip(archive: ZipFile, info: ZipInfo, most: int) -> bytes:
    with archive.open(info) as file:
        return file.read(most)


def _cut(path: PurePosixPath) -> PurePosixPath:
    """Return the beginning of a path that is too deep, as a file among the owner's files."""
    return PurePosixPath(*path.parts[:2], path.name[:MAX_NAME_CHARS])


def _too_deep(path: PurePosixPath) -> str:
    return (
        f"{path.name[:MAX_NAME_CHARS]!r} lies in {len(path.parts) - 1} folders; "
        f"expected at most {MAX_DEPTH - 1}"
    )


def _link(path: PurePosixPath) -> str:
    return f"{path.name!r} is a symbolic link, which is not followed"


def composed(path: str) -> PurePosixPath:
    """Return a path in Unicode NFC (macOS decomposes names), with invalid UTF-8 replaced."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return PurePosixPath(normalize("NFC", text))


def is_ignored(path: PurePosixPath) -> bool:
    """Return whether a file is a by-product of programs and not part of a submission."""
    is_left = path.suffix == ".pyc" and len(path.parts) > 1
    return is_left or any(part in IGNORED or part[0] == "." for part in path.parts)
