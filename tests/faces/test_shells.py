"""Completion for shells and the manual page say what the help says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import answer
from plyscope.faces.cli import parser
from plyscope.faces.shells.described import Command, commands_of
from plyscope.faces.shells.manual import manual
from plyscope.faces.shells.scripts import bash, fish, zsh

COMMANDS = commands_of(parser())


def of(*words: str) -> Command:
    (found,) = (each for each in COMMANDS if each.words == words)
    return found


def offered(script: Path, *words: str) -> set[str]:
    """Return what bash offers for the last of the words after `plyscope`."""
    code = '''source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plyscope
printf "%s\\n" "${COMPREPLY[@]}"'''
    done = subprocess.run(
        ["bash", "-uc", code, "bash", str(script), "plyscope", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=script.parent,
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completes_commands_options_values_and_files_in_bash(tmp_path: Path) -> None:
    script = tmp_path / "plyscope.bash"
    script.write_text(bash(COMMANDS))
    (tmp_path / "mine.toml").touch()
    for command in COMMANDS:
        names = {name for option in command.options for name in option.names}
        assert offered(script, *command.words, "-") == names
    assert offered(script, "an") == {"analyze"}
    assert offered(script, "") >= {"play", "match", "list"}
    assert offered(script, "class", "ch") == {"check"}
    assert offered(script, "analyze", "-g", "conn") == {"connect4", "connect4-5x4", "connect6"}
    assert offered(script, "play", "cu") == {"cube"}
    assert offered(script, "analyze", "tictactoe", "--form", "") == {
        "auto",
        "reference",
        "compiled",
    }
    assert offered(script, "analyze", "-H", "m") == {"mine.toml"}
    assert offered(script, "match", "co") >= {"counted-lines"}
    assert offered(script, "match", "two-ply", "m") == {"mine.toml"}
    assert offered(script, "solve", "-t", "") == set()
    assert offered(script, "list", "") == {"games", "heuristics", "algorithms", "agents"}


@pytest.mark.parametrize(("shell", "write"), [("zsh", zsh), ("fish", fish)])
def test_completes_every_command_and_option_in_other_shells(
    shell: str, write: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, script, err = answer(capsys, "completion", shell)
    assert (status, err) == (0, "")
    for command in COMMANDS:
        for option in command.options:
            name = option.names[-1]
            at = f"__plyscope_at {' '.join(command.words)}" if command.words else "use_subcommand"
            wanted = f"{re.escape(at)}'? .*-l {name[2:]} " if shell == "fish" else f"{name}\\b"
            assert re.search(wanted, script), (command.words, name)
    if shutil.which(shell) is not None:
        (tmp_path / "script").write_text(script)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)


def test_writes_all_of_the_help_into_the_manual_page(tmp_path: Path) -> None:
    page = manual(COMMANDS)
    macros = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert macros == {".TH", ".SH", ".SS", ".B", ".PP", ".TP", ".nf", ".fi"}
    assert page.isascii()
    said = page.replace(r"\-", "-").replace(r"\(aq", "'").replace(r"\(ga", "`")
    for command in COMMANDS:
        assert command.usage in said or not command.words
        for given in (*command.options, *command.arguments):
            assert given.help.replace("\u2013", r"\[u2013]") in said
    assert "POSITION is a board such as '.X./O../X.O', or a game and moves" in said
    assert of("analyze").group == "learn"
    assert said.index(".SH LEARN") < said.index(".SS analyze") < said.index(".SH PLAY")
    if shutil.which("groff") is not None:
        (tmp_path / "plyscope.1").write_text(page)
        done = subprocess.run(
            ["groff", "-ww", "-man", "-Tutf8", str(tmp_path / "plyscope.1")],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
