"""Completion for bash, zsh and fish.

A script contains all words that are known when it is generated, so that completion does not start
Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from shlex import quote

from plyscope.faces.shells.described import Command, Given

BASH = """\
_plyscope() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local command="" words="" files="" at
    for ((at = 1; at < COMP_CWORD; at++)); do
        case "$command ${{COMP_WORDS[at]}}" in
            {paths}) command="$command ${{COMP_WORDS[at]}}" ;;
        esac
    done
    case "$command" in
{commands}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ -n $files ]]; then
        COMPREPLY+=($(compgen -f -- "$word"))
        compopt -o filenames 2>/dev/null
    fi
}}
complete -F _plyscope plyscope
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"
"""The line with which zsh loads completions written for bash."""
FISH = """\
function __plyscope_at
    set -l words (commandline -opc)[2..-1]
    set -l number (count $argv)
    test (count $words) -ge $number; and test "$words[1..$number]" = "$argv"
end
complete -c plyscope -f
"""


def bash(commands: Sequence[Command]) -> str:
    """Return the completion for bash."""
    paths = [quote(" " + " ".join(each.words)) for each in commands if each.words]
    cases = "\n".join(line for each in commands for line in _bash_command(each))
    return BASH.format(paths="|".join(paths), commands=cases)


def _bash_command(command: Command) -> Iterator[str]:
    """Yield the lines of a case: the values of an option, or else options and arguments."""
    yield f"        {quote(''.join(f' {word}' for word in command.words))})"
    yield '            case "$before" in'
    cases: dict[str, list[str]] = {}
    for option in command.options:
        if option.value:
            cases.setdefault(_bash_values([option]), []).extend(option.names)
    for values, names in cases.items():
        yield f"                {'|'.join(names)}) {values} ;;"
    options = " ".join(name for option in command.options for name in option.names)
    yield f"                *) if [[ $word == -* ]]; then words={quote(options)}"
    rest = f"words={quote(' '.join(command.commands))}"
    rest = rest if command.commands else _bash_values(command.arguments)
    yield f"                   else {rest}; fi ;;"
    yield "            esac ;;"


def _bash_values(given: Sequence[Given]) -> str:
    values = dict.fromkeys(value for each in given for value in each.values)
    files = " files=yes" if any(each.is_file for each in given) else ""
    return f"words={quote(' '.join(values))}{files}"


def zsh(commands: Sequence[Command]) -> str:
    """Return the completion for zsh."""
    return ZSH + bash(commands)


def fish(commands: Sequence[Command]) -> str:
    """Return the completion for fish."""
    return FISH + "".join(f"{line}\n" for each in commands for line in _fish_command(each))


def _fish_command(command: Command) -> Iterator[str]:
    is_here = f"complete -c plyscope -n {_fish(' '.join(('__plyscope_at', *command.words)))}"
    if command.words:
        *above, name = command.words
        at = " ".join(("__plyscope_at", *above)) if above else "__fish_use_subcommand"
        yield f"complete -c plyscope -n {_fish(at)} -a {name} -d {_fish(command.help)}"
    else:
        is_here = "complete -c plyscope -n __fish_use_subcommand"
    for option in command.options:
        names = (
            f"-l {name[2:]}" if name[:2] == "--" else f"-s {name[1:]}" for name in option.names
        )
        takes = "" if not option.value else " -r -F" if option.is_file else " -x"
        known = f" -a {_fish(' '.join(option.values))}" if option.values else ""
        yield f"{is_here} {' '.join(names)}{takes}{known} -d {_fish(option.help)}"
    values = dict.fromkeys(value for each in command.arguments for value in each.values)
    if values:
        yield f"{is_here} -a {_fish(' '.join(values))}"
    if any(each.is_file for each in command.arguments):
        yield f"{is_here} -F"


def _fish(text: str) -> str:
    """Return the text in quotes of fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: dict[str, Callable[[Sequence[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""The functions that make a script, by the name of the shell."""
