"""The sandbox refuses system calls by their raw numbers: what is not on its list, and what is, with
arguments that reach others."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from commands import answer, python, refusal
from plyscope import parse_agent, parse_game, play_match
from plyscope.errors import AgentError
from plyscope.lab.matches.records import Records
from plyscope.lab.people.sandbox import SANDBOX_PARTS, Sandbox
from plyscope.lab.people.syscalls import (
    ALLOWED,
    CLONE3,
    CONDITIONAL,
    EXECVE,
    MACHINES,
    filter_lines,
)
from sentences import says
from sources import sources

X86 = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() != "x86_64",
    reason="the numbers are those of Linux on x86_64",
)
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's sandbox")
SOURCES = sources("sandbox")
INSIDE = SOURCES["inside"]
"""What begins each program that runs inside; `call` returns the error's number, 0 for none."""


def inside(
    code: str, folder: Path, target: int = 0, file: Path | None = None, before: str = ""
) -> Any:
    """Run code in a sandbox and return what it prints, which is JSON."""
    held = ("processes",) if before else SANDBOX_PARTS
    begin = before + INSIDE.format(folder=str(folder), target=target, file=str(file), held=held)
    return printed(begin + code)


def printed(code: str) -> Any:
    """Run code in a process of its own and return what it prints, which is JSON."""
    done = python("-P", "-c", code, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture
def target() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user that a hostile program is told the number of."""
    process = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


@X86
def test_blocks_every_system_call_that_is_not_listed(tmp_path: Path) -> None:
    listed = {numbers[0] for numbers in (*ALLOWED.values(), *CONDITIONAL.values())}
    code = f"""
listed = {sorted(filter(lambda number: number is not None, listed))}
# 335 and 336 are the kernel's own (uprobes), which end the caller by a signal
others = [number for number in range(600) if number not in (*listed, 335, 336)]
x32 = [0x40000000 + number for number in (*range(0, 20), *range(512, 548))]
print(json.dumps({{number: call(number, 0, 0, 0, 0, 0, 0) for number in others + x32}}))
"""
    found = inside(code, tmp_path)
    assert found.pop(str(CLONE3)) == 38  # ENOSYS, upon which the C library calls clone
    assert len(found) > 450
    assert set(found.values()) == {1}  # EPERM


REACHING = SOURCES["reaching"]
"""Calls that reach others, by raw number, with arguments with which they would."""


@X86
def test_blocks_calls_that_reach_other_processes(
    tmp_path: Path, target: subprocess.Popen[bytes]
) -> None:
    folder, file = tmp_path / "own", tmp_path / "other.txt"
    folder.mkdir()
    file.write_text("text")
    os.chmod(file, 0o640)

    def state() -> tuple[object, ...]:
        seen = file.stat()
        return (
            sorted(os.listdir(tmp_path)),
            (seen.st_mode, seen.st_uid, seen.st_mtime_ns, seen.st_size, os.listxattr(file)),
            (target.poll(), os.getpriority(os.PRIO_PROCESS, target.pid)),
            [os.sched_getaffinity(pid) for pid in (target.pid, 0)],
            [os.sched_getscheduler(pid) for pid in (target.pid, 0)],
            Path(f"/proc/{target.pid}/stat").read_text().split()[2] in "TtZ",
        )

    calls = ", ".join(f"{name!r}: call({given})" for name, given in REACHING.items())
    before = state()
    found = inside(f"print(json.dumps({{{calls}}}))", folder, target.pid, file)
    assert {name: error for name, error in found.items() if error != 1} == {}
    assert state() == before


@LINUX
def test_opens_no_file_outside_by_any_call(tmp_path: Path) -> None:
    folder, other = tmp_path / "own", tmp_path / "other.txt"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    other.write_text("secret")
    code = f"""
def is_open(path, flags=0):
    return library.open(path.encode(), flags, 0o600) >= 0
os.chdir({str(folder)!r})
print(json.dumps({{path: is_open(path) for path in (
    "mine.txt", {str(other)!r}, "../other.txt", "/proc/self/root" + {str(other)!r},
    "/proc/self/cwd/../other.txt", f"/proc/{{parent}}/environ", f"/proc/{{parent}}/mem",
    "/etc/shadow", "/etc/passwd", "/dev/shm", "/tmp", "/", "/proc/self/net/tcp",
    "/proc/thread-self/net/tcp", f"/proc/self/task/{{own}}/net/tcp", "/proc/self/mountinfo",
    "/proc/self/mounts", "/proc/net/tcp", "/proc/self/environ", "/proc/self/fd",
)}} | {{f"write {{path}}": is_open(path, flags) for path, flags in (
    ("mine.txt", 1), ("new.txt", 0o102), ("/dev/null", 1), ("/proc/self/mem", 2),
    ("/proc/self/oom_score_adj", 1), (f"/proc/{{parent}}/oom_score_adj", 1),
    (f"/proc/{{parent}}/mem", 2), ("/dev/shm/x", 0o102),
)}}))
"""
    found = inside(code, folder)
    assert [path for path, opened in found.items() if opened] == ["mine.txt", "write /dev/null"]


@LINUX
@pytest.mark.parametrize("version", [2, 3])
def test_truncates_no_file_under_any_version_of_landlock(version: int, tmp_path: Path) -> None:
    folder, other = tmp_path / "own", tmp_path / "other.txt"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    other.write_text("other")
    code = f"""
import json, os
from plyscope.lab.people import sandbox
rights = sandbox.FILE_RIGHTS
sandbox.FILE_RIGHTS = {{first: rights[first] for first in rights if first <= {version}}}
held = sandbox.Sandbox({str(folder)!r}).enter()
assert held == ("files", "processes"), held
def is_open(path, flags):
    try:
        return os.open(path, flags) >= 0
    except PermissionError:
        return False
files = {str(folder / "mine.txt")!r}, {str(other)!r}
print(json.dumps([is_open(file, access | os.O_TRUNC) for file in files for access in range(4)]))
open(os.devnull, "w").close()
"""
    assert printed(code) == [False] * 8
    assert [file.read_text() for file in (folder / "mine.txt", other)] == ["mine", "other"]


@LINUX
def test_landlock_alone_holds_signals_where_it_is_new_enough(
    tmp_path: Path, target: subprocess.Popen[bytes]
) -> None:
    code = f"""
import json, os
from plyscope.lab.people import sandbox
sandbox.refuse_other_calls = lambda process, **options: False
sandbox._AuditHook = lambda *given: lambda event, given: None
version = sandbox.c_library().syscall(sandbox.CREATE_RULESET, None, 0, sandbox.VERSION_FLAG)
held = sandbox.Sandbox({str(tmp_path)!r}).enter()
try:
    os.kill({target.pid}, 15)
    is_refused = False
except PermissionError:
    is_refused = True
os.kill(os.getpid(), 0)
print(json.dumps([version, held, is_refused]))
"""
    version, held, is_refused = printed(code)
    assert held == (["files"] if version >= 1 else [])
    assert is_refused == (version >= 6)


@X86
def test_blocks_32_bit_calls(tmp_path: Path) -> None:
    code = """
import mmap
# mov eax, 37 (kill); mov ebx, [the number]; mov ecx, 0; int 0x80; ret, with rbx kept
words = b"\\x53\\xb8" + struct.pack("i", 37) + b"\\xbb" + struct.pack("i", parent)
words += b"\\xb9" + struct.pack("i", 0) + b"\\xcd\\x80\\x5b\\xc3"
memory = mmap.mmap(-1, 4096, prot=7)
memory.write(words)
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
print(json.dumps(function()))
"""
    assert inside(code, tmp_path) == -1  # EPERM, from the kernel


@LINUX
def test_allows_calls_on_the_process_itself(tmp_path: Path) -> None:
    code = """
import threading, time, random
seen = []
signal.signal(signal.SIGUSR1, lambda *given: seen.append("kill"))
os.kill(own, signal.SIGUSR1)
signal.signal(signal.SIGALRM, lambda *given: seen.append("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(0.05)
signal.raise_signal(signal.SIGUSR1)
thread = threading.Thread(target=lambda: seen.append("thread"))
thread.start()
thread.join()
reading, writing = os.pipe()
os.set_blocking(reading, False)
import resource
seen += [os.cpu_count() > 0, resource.getrlimit(resource.RLIMIT_AS) is not None]
with open(os.devnull, "w") as null:
    null.write("text")
print(json.dumps(seen))
"""
    assert inside(code, tmp_path) == ["kill", "alarm", "kill", "thread", True, True]


@LINUX
def test_python_hook_names_what_it_refuses_only_where_a_kernel_lacks_the_sandbox(
    tmp_path: Path,
) -> None:
    attempts = {
        "os.chmod(file, 0)": "chmod",
        "os.utime(file)": "utime",
        "os.setxattr(file, 'user.x', b'x')": "setxattr",
        "open('mine.txt', 'w')": "write 'mine.txt'",
        "__import__('resource').setrlimit(7, (9, 9))": "limits",
        "__import__('fcntl').fcntl(0, 8, parent)": "fcntl",
        "os.kill(parent, 0)": "signal another process",
    }
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.txt").write_text("mine")
    calls = ", ".join(f"lambda: {attempt}" for attempt in attempts)
    code = f"""
os.chdir({str(own)!r})
said = []
for attempt in ({calls}):
    try:
        attempt()
    except (PermissionError, ValueError) as error:  # the module resource hides EPERM
        said.append(str(error))
print(json.dumps(said))
"""
    for is_whole in (True, False):
        begin = "" if is_whole else SOURCES["no_landlock"]
        told = inside(code, own, file=tmp_path, before=begin)
        assert [word in text for word, text in zip(attempts.values(), told, strict=True)] == (
            [not is_whole] * len(attempts)
        )


def test_names_each_call_once_in_the_filter_of_each_machine() -> None:
    assert not ALLOWED.keys() & CONDITIONAL.keys()
    for architecture, column in MACHINES.values():
        known = [
            numbers[column]
            for numbers in (*ALLOWED.values(), *CONDITIONAL.values(), EXECVE)
            if numbers[column] is not None
        ]
        assert len(known) == len(set(known))
        lines = list(filter_lines(architecture, column, 7, may_execute=False))
        assert all(0 <= skip < 256 for _, holds, fails, _ in lines for skip in (holds, fails))
        assert len(lines) < 4_096  # what the kernel takes
        # no jump leaves the program
        assert all(at + 1 + max(line[1:3]) < len(lines) for at, line in enumerate(lines[:-1]))
        assert lines[-1] == lines[2]
        assert (0x15, 0, 1, EXECVE[column]) not in lines


@LINUX
def test_claims_no_file_protection_for_a_process_with_threads(tmp_path: Path) -> None:
    code = f"""
import json, threading
from plyscope.lab.people.sandbox import Sandbox
event = threading.Event()
threading.Thread(target=event.wait, daemon=True).start()
print(json.dumps(Sandbox({str(tmp_path)!r}).enter()))
"""
    assert printed(code) == ["processes"]


def test_limits_readable_files_to_python_and_the_system(tmp_path: Path) -> None:
    readable = Sandbox(str(tmp_path)).readable
    assert str(tmp_path.resolve()) in readable
    assert not {"/", "/etc", "/home", "/root", "/tmp", "/var", "/opt", "/proc"} & set(readable)
    assert SANDBOX_PARTS == ("files", "processes")


# Matches


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    folder = tmp_path / "bots"
    folder.mkdir()
    (tmp_path / "other.txt").write_text("text")
    (folder / "bots.py").write_text(SOURCES["bots"].replace("TARGET", str(tmp_path / "other.txt")))
    (folder / "program.py").write_text(SOURCES["program"])
    return folder


def is_unharmed(bots: Path) -> bool:
    names = {path.name for path in bots.iterdir()} - {"__pycache__"}
    mode = (bots.parent / "other.txt").stat().st_mode
    return names == {"bots.py", "program.py"} and bool(mode & 0o400)


@X86
def test_plays_a_harmful_bot_to_the_end_without_harm(bots: Path, tmp_path: Path) -> None:
    program = f"program command='{sys.executable} {bots / 'program.py'}' seconds=20"
    for agent, game in (
        (f"{bots}/bots.py:choose", "tictactoe"),
        (f"alphabeta heuristic={bots}/bots.py:h depth=1", "tictactoe"),
        (program, "5,5,4"),
    ):
        with Records(tmp_path / "lab.db") as records:
            found = play_match(agent, "random", 2, game, sandbox=True, records=records)
            (*_, last) = records.experiments()
        assert found.games == 2
        assert found.forfeits == {}
        assert is_unharmed(bots)
        assert last.question["sandbox"] is True


@X86
def test_blocks_a_bot_during_its_import_too(bots: Path) -> None:
    agent = parse_agent(f"{bots}/bots.py:choose", sandbox=True)
    start = parse_game("tictactoe").start()
    choice = agent.choose(start, Random(0))
    assert (choice.move, choice.output) == (0, "refused 7 7\n")


@LINUX
def test_ends_a_bot_with_too_many_threads(bots: Path) -> None:
    (bots / "threads.py").write_text("""
import threading, time
threading.stack_size(64 * 1024)
def choose(position):
    for _ in range(1000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    time.sleep(600)
""")
    agent = parse_agent(f"{bots}/threads.py:choose seconds=120", sandbox=True)
    with pytest.raises(AgentError, match="ended by signal 9"):
        agent.choose(parse_game("tictactoe").start(), Random(0))


@LINUX
def test_gives_a_sandboxed_bot_the_game_file_and_no_secrets(
    bots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "1")
    text = "import os\ndef choose(position):\n    assert 'SECRET' not in os.environ\n    return position.moves[0]\n"
    (bots / "own.py").write_text(text)
    nim = Path(__file__).parent.parent.parent / "examples" / "nim.py"
    found = play_match(f"{bots}/own.py:choose", "random", 2, f"{nim}:Nim", sandbox=True)
    assert (found.games, found.forfeits) == (2, {})


@LINUX
def test_accepts_sandbox_in_commands_and_rejects_the_home_folder(
    bots: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = f"{bots}/bots.py:choose"
    for words in (
        ("match", agent, "random", "-n", "2"),
        ("tournament", agent, "random", "-n", "2"),
        ("certify", agent),
    ):
        status, _, _ = answer(capsys, *words, "--sandbox")
        assert status in (0, 1)
        assert is_unharmed(bots)
    monkeypatch.setenv("HOME", str(bots))
    (bots / "home.py").write_text("def choose(position): return position.moves[0]\n")
    words = "match", f"{bots}/home.py:choose", "random", "-n", "2", "--sandbox"
    says(refusal(capsys, *words))


def test_says_that_a_machine_has_no_sandbox(
    bots: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("plyscope.lab.people.sandbox.c_library", lambda: None)
    says(refusal(capsys, "match", f"{bots}/bots.py:choose", "random", "--sandbox"))
