"""The manual page, `man plyscope`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plyscope.faces.cli.groups import all_groups
from plyscope.faces.cli.statuses import __doc__ as STATUSES
from plyscope.faces.shells.described import Command, Given
from plyscope.version import __version__


def manual(commands: Sequence[Command]) -> str:
    """Return the page in the format of man (roff)."""
    whole, *each = commands
    lines = [
        f'.TH PLYSCOPE 1 "" "plyscope {__version__}"',
        ".SH NAME",
        r"plyscope \- a laboratory for heuristic game-tree search",
        ".SH SYNOPSIS",
        ".B plyscope",
        r"\fICOMMAND\fR ...",
        ".SH DESCRIPTION",
        _plain(whole.description),
        *_given(whole.options),
    ]
    for group in all_groups():
        lines += [f".SH {group.name.upper()}", _plain(f"{group.summary.capitalize()}.")]
        for command in each:
            if command.group == group.name:
                lines += _command(command)
    lines += [".SH EXIT STATUS", ".nf", *map(_plain, (STATUSES or "").splitlines()[2:]), ".fi"]
    return "\n".join(lines) + "\n"


def _command(command: Command) -> Iterator[str]:
    yield f".SS {_plain(' '.join(command.words))}"
    yield f".B {_plain(command.usage)}"
    yield ".PP"
    yield _plain(command.description)
    yield from _given(command.arguments)
    yield from _given(command.options)


def _given(given: Sequence[Given]) -> Iterator[str]:
    for each in given:
        yield ".TP"
        names = ", ".join(rf"\fB{_plain(name)}\fR" for name in each.names)
        value = rf"\fI{_plain(each.value)}\fR" if each.value else ""
        yield " ".join(filter(None, (names, value)))
        yield _plain(each.help)


def _plain(text: str) -> str:
    """Return a line with the special characters of man escaped."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    text = "".join(sign if sign.isascii() else rf"\[u{ord(sign):04X}]" for sign in text)
    return rf"\&{text}" if text.startswith((".", "'")) else text
