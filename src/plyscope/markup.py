"""XML, read without entities, files or the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from plyscope.errors import NotationError

MAX_XML_CHARS = 32_000_000
"""The longest text; the database of RenjuNet has some 7,000,000 characters."""


def read_xml(
    text: str,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str, str], None],
    between: Callable[[str], None] | None = None,
) -> None:
    """Call `start(name, attributes)` and `end(name, text)` for the elements of an XML text in
    order.

    The text of an element is what stands directly in it after its last child; `between` is called
    with what stands before each child. Raises
    NotationError, with the line, for text that is not well formed, that declares an entity, or of
    more than MAX_XML_CHARS characters.
    """
    from xml.parsers import expat

    if len(text) > MAX_XML_CHARS:
        raise NotationError(
            f"XML of {len(text):,} characters, {text[:20]!r}...; expected at most {MAX_XML_CHARS:,}"
        )
    text = text.lstrip("\ufeff \n\r\t").replace("\r\n", "\n").replace("\r", "\n")
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parts: list[str] = []

    def opened(name: str, attributes: dict[str, str]) -> None:
        if between is not None and parts:
            between("".join(parts))
        parts.clear()
        start(name, attributes)

    def closed(name: str) -> None:
        content = "".join(parts)
        parts.clear()
        end(name, content)

    def refuse(name: str, *_: object) -> NoReturn:
        raise NotationError(
            f"the XML declares the entity {name[:40]!r} in line {parser.CurrentLineNumber}; "
            "expected none"
        )

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = parts.append
    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        line = text.split("\n", error.lineno)[error.lineno - 1]
        raise NotationError(
            f"line {error.lineno} of the XML, {line.strip()[:40]!r}: "
            f"{expat.ErrorString(error.code)}; expected well-formed XML"
        ) from None
