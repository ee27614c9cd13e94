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
) -> None:
    """Call `start(name, attributes)` and `end(name, text)` for the elements of an XML text in
    order.

    The text of an element is what stands directly in it. Raises NotationError for text that is not
    well formed, with the line, that declares or uses an entity, or of more than MAX_XML_CHARS
    characters.
    """
    from xml.parsers import expat

    if len(text) > MAX_XML_CHARS:
        raise NotationError(
            f"XML of {len(text):,} characters, {text[:20]!r}...; expected at most {MAX_XML_CHARS:,}"
        )
    text = text.lstrip("\ufeff \n\r\t").replace("\r\n", "\n").replace("\r", "\n")
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    texts: list[list[str]] = [[]]

    def opened(name: str, attributes: dict[str, str]) -> None:
        texts.append([])
        start(name, attributes)

    def refuse(name: object, *_: object) -> NoReturn:
        raise NotationError(
            f"the XML declares or uses the entity {str(name)[:40]!r} in line "
            f"{parser.CurrentLineNumber}; expected none"
        )

    parser.StartElementHandler = opened
    parser.EndElementHandler = lambda name: end(name, "".join(texts.pop()))
    parser.CharacterDataHandler = lambda found: texts[-1].append(found)
    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    parser.ExternalEntityRefHandler = parser.UnparsedEntityDeclHandler = refuse
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        line = text.split("\n", error.lineno)[error.lineno - 1]
        raise NotationError(
            f"line {error.lineno} of the XML, {line.strip()[:40]!r}: "
            f"{expat.ErrorString(error.code)}; expected well-formed XML"
        ) from None
