"""Grades a class of 83, 33 of them hostile (nine by zips and notebooks, eight by raw system calls),
and says whether anybody noticed:
`python bench/classroom.py [--honest 50] [--hostile 16] [--game tictactoe] [--kills 5] [--jobs 2]`.

The class is graded with the hostile ones and without them, each in a folder of its own, and once
more with kills (signal 9) at random moments until it ends by itself. All that is written for the
honest ones has to be the same, byte for byte. The exit status is 1 where anything differs.

`--elsewhere [PYTHON ...]` grades the class as other machines would instead: by each of these
interpreters, with other hashes, in another time zone, in ASCII, on one processor, one at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from stat import S_IFLNK
from time import perf_counter, sleep
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from plyscope.errors import OptionError
from plyscope.lab.people.sandbox import require_sandbox
from plyscope_class.handout import make_class, usual_assignment

HOSTILE = {
    "loops": "while True: pass\n",
    "forks": "import os\nwhile True:\n    os.fork()\n",
    "hoards": "hoard = [bytearray(1 << 28) for _ in range(40)]\n",
    "floods": """
def heuristic(board, player):
    for _ in range(1000):
        print("x" * 1_000_000)
    return 0
""",
    "vanishes": "import os\ndef heuristic(board, player):\n    os._exit(0)\n",
    "patches": """
import plyscope.evaluation.function as function
import plyscope_class.grade as grade
import plyscope.searching.search as search
grade.RULES = {}
search.search = None
function.FunctionHeuristic.evaluate = lambda *given: 10**9
def heuristic(board, player):
    return 1
""",
    "reads": """
from pathlib import Path
stolen = {}
for place in ("..", "SUBMISSIONS", "/tmp", "/proc/1"):
    try:
        stolen[place] = [file.read_text() for file in Path(place).rglob("*.py")]
    except OSError:
        pass
def heuristic(board, player):
    names = {}
    for text in stolen.get("SUBMISSIONS", ()):
        exec(text, names)
    return names["heuristic"](board, player) if "heuristic" in names else 0
""",
    "sleeps": "import time\ntime.sleep(1_000)\n",
    "chances": """
import os
def heuristic(board, player):
    return int.from_bytes(os.urandom(2), "big")
""",
    "mistakes": "def heuristic(board, player):\n    return [board]\n",
    "kills": "import os\nos.kill(os.getppid(), 9)\nos.killpg(0, 9)\n",
    "threads": """
import threading
def burn():
    while True: pass
for _ in range(8): threading.Thread(target=burn, daemon=True).start()
def heuristic(board, player):
    return 0
""",
    "reaches": """
import sys
def heuristic(board, player):
    heuristics = sys.modules["plyscope.evaluation.heuristics"]
    frame = sys._getframe()
    while "position" not in frame.f_locals:
        frame = frame.f_back
    position = frame.f_locals["position"]
    best = heuristics.find_heuristic("counted-lines", position.game)
    return best.evaluate(position, player - 1)
""",
    "threads-import": """
import builtins
from concurrent.futures import ThreadPoolExecutor
plain = next(each.cell_contents for each in builtins.__import__.__closure__
             if callable(each.cell_contents))
pool = ThreadPoolExecutor(1)
def heuristic(board, player):
    found = pool.submit(plain, "plyscope.evaluation.heuristics", {}, {}, ("x",), 0).result()
    return len(vars(found))
""",
    "opens": """
import ctypes, os, sys
library, opened = ctypes.CDLL(None), 0
for path in sys.path:
    for folder, _, names in os.walk(os.path.join(path, "plyscope")):
        opened += sum(library.open(os.path.join(folder, each).encode(), 0) >= 0 for each in names)
if not opened:
    raise SystemExit("no file of plyscope was opened")
def heuristic(board, player):
    return opened
""",
    "pipes": """
import fcntl, os, stat
def pipe():
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode) and fcntl.fcntl(number, fcntl.F_GETFL) & 1:
                return number
        except OSError:
            pass
def heuristic(board, player):
    out = pipe()
    while True:
        os.write(out, b'{"said":""}\\n' * 5461)
""",
}
"""What each of them does; the ten first are those that people have met."""


def zipped(files: dict[str, bytes], link: str = "") -> bytes:
    """Return a zip of files, with a symbolic link to a place."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
        if link:
            info = ZipInfo("heuristic.py")
            info.external_attr = (S_IFLNK | 0o777) << 16
            archive.writestr(info, link)
    return out.getvalue()


def claiming(size: int) -> bytes:
    """Return a small zip whose directory says that the last of its files has `size` bytes."""
    archive = bytearray(zipped({"heuristic.py": STUB, "z.bin": b"z"}))
    at = archive.rindex(b"PK\x01\x02")
    archive[at + 24 : at + 28] = size.to_bytes(4, "little")
    return bytes(archive)


STUB = b"def heuristic(board):\n    return 0\n"
BOMB = zipped({"heuristic.py": STUB, "z.bin": bytes(20_000_000)})
ZIPS = {
    "claims": claiming(600_000_000),
    "bomb": BOMB,
    "cut": BOMB[:-40],
    "slip": zipped(dict.fromkeys(("../student00.py", "/tmp/out.py", "../x/heuristic.py"), STUB)),
    "links": zipped({}, link="../student00.py"),
    "deep": zipped({"d/" * 990 + "x.csv": STUB}),
    "dots": zipped({"a_1_2_.": STUB}),
}
"""Zips that hold more than they seem, less, or what is not theirs."""
ENTRIES = {
    "hostile-hw-submissions.zip": zipped({"hostile-student00/heuristic.py": STUB}),
    "hostile-signs.ipynb": json.dumps(
        {"cells": [{"cell_type": "code", "source": f"T = {'-' * 6_500}1\n{STUB.decode()}"}]}
    ).encode(),
}
"""An export that claims to be of others, and a notebook too deep to be read."""
KEY = 0x706C79
"""Of the shared memory and the queue that one of them tries to leave behind."""
CALLS = {
    "raw-term": "send(15, os.getppid())",
    "raw-stop": "send(19, os.getppid())",
    "raw-kill": "send(9, os.getppid())",
    "raw-range": "for process in range(os.getppid(), os.getpid()): send(15, process)",
    "owner": """for file in (0, 1, 2):
        for command, word in ((8, os.getppid()), (10, 9), (4, 0x2000)):
            call(72, file, command, word)""",
    "metadata": """[call(90, path, 0) for path in PATHS]
    [call(188, path, b"user.x", b"x", 1, 0) for path in PATHS]
    [call(280, -100, path, struct.pack("qqqq", 0, 0, 0, 0), 0) for path in PATHS]""",
    "scheduling": """call(141, 0, os.getppid(), 19)
    call(203, os.getppid(), 8, struct.pack("Q", 1))
    call(144, os.getppid(), 5, struct.pack("i", 0))""",
    "leaves": f"call(29, {KEY}, 300_000_000, 0o1600)\n    call(68, {KEY}, 0o1600)",
}
"""System calls of Linux on x86_64 that would reach others, by number."""
CALLER = """
import ctypes, os, struct
call = ctypes.CDLL(None).syscall
PATHS = (b"SUBMISSIONS", b"SUBMISSIONS/student00.py", b"SUBMISSIONS/../judged")
def send(number, process):
    call(129, process, number, struct.pack("iii", number, 0, -1) + bytes(116))
def harm():
    ATTACK
harm()
def heuristic(board, player):
    harm()
    return 0
"""
KINDS = (
    """
def heuristic(board, player):
    rows = [*board, *zip(*board)]
    return sum({a} * (3 - player not in row) - {b} * (player not in row) for row in rows)
""",
    """
def heuristic(mine, theirs, lines):
    total = 0
    for line in lines:
        own, other = (mine & line).bit_count(), (theirs & line).bit_count()
        if not other:
            total += ({a}, {b}, 9, 40, 100)[own] if own else 0
        if not own:
            total -= ({a}, {b}, 9, 40, 100)[other] if other else 0
    return total
""",
    """
def heuristic(mine, theirs):
    return 0 if mine and theirs else {a} * mine**3 - {b} * theirs**3
""",
    """
def heuristic(position):
    middle = len(position.game.shape) * {a}
    x, o = position.first, position.second
    won = (position.winner == 0) - (position.winner == 1)
    return (x.bit_count() - o.bit_count()) * middle + {b} * won
""",
    """
import random
def heuristic(board, player):
    return sum(row.count(player) for row in board) * {a} + random.randrange({b})
""",
)
"""What the honest ones do, with numbers that make them differ."""


def make(folder: Path, honest: int, hostile: int, game: str, seed: int = 1) -> None:
    """Make the folder of a class: so many honest submissions, each fifth as a zip, and so many
    hostile ones, with all hostile zips and, where the kernel has a sandbox, calls where there are
    any."""
    make_class(folder, usual_assignment(game, "heuristic", seed))
    place = folder / "submissions"
    for number in range(honest):
        text = KINDS[number % len(KINDS)].format(a=1 + number // len(KINDS), b=3 + number % 7)
        if number % 5 == 4:
            content = zipped({"work/heuristic.py": text.encode()})
            (place / f"student{number:02}.zip").write_bytes(content)
        else:
            (place / f"student{number:02}.py").write_text(text)
    texts = {name: HOSTILE[name] for name in list(HOSTILE)[:hostile]}
    if hostile and has_sandbox():
        texts |= {name: CALLER.replace("ATTACK", attack) for name, attack in CALLS.items()}
    for name, text in texts.items():
        text = text.replace("SUBMISSIONS", str(place.resolve()))
        (place / f"hostile-{name}.py").write_text(text)
    for name in ZIPS if hostile else ():
        (place / f"hostile-{name}.zip").write_bytes(ZIPS[name])
    for name in ENTRIES if hostile else ():
        (place / name).write_bytes(ENTRIES[name])


def has_sandbox() -> bool:
    """Return whether calls by number would be refused here, whose numbers those are."""
    try:
        require_sandbox()
    except OptionError:
        return False
    return platform.machine() == "x86_64"


def left_behind(folder: Path) -> list[str]:
    """Return what hostile calls have changed or left on this machine."""
    place = folder / "submissions"
    found = [
        f"mode or time of {path.name}"
        for path in (place, place / "student00.py", folder / "judged")
        if path.exists() and (path.stat().st_mode & 0o400 == 0 or path.stat().st_mtime < 1e9)
    ]
    for kind in ("shm", "msg"):
        table = Path("/proc/sysvipc", kind)
        rows = table.read_text().splitlines()[1:] if table.exists() else ()
        found += [f"{kind} {KEY:#x}" for row in rows if int(row.split()[0]) == KEY]
    return found


def written(folder: Path) -> dict[str, str]:
    """Return all that is written for the honest ones; of the grades their rows."""
    found = {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted([*folder.glob("feedback/*"), *folder.glob("results/*/*")])
        if "hostile-" not in str(path)
    }
    rows = (folder / "grades.csv").read_text().splitlines()
    return found | {"grades.csv": "\n".join(row for row in rows if not row.startswith("hostile-"))}


def command(folder: Path, jobs: int, python: str = sys.executable) -> list[str]:
    words = ["class", "run", str(folder), "--jobs", str(jobs), "--json"]
    return [python, "-m", "plyscope", *words]


def graded(
    folder: Path,
    jobs: int,
    python: str = sys.executable,
    before: tuple[str, ...] = (),
    names: dict[str, str] | None = None,
) -> float:
    """Grade a class, by an interpreter, with a command before it and names of the environment;
    return the seconds."""
    began = perf_counter()
    environment = os.environ | (names or {})
    words = [*before, *command(folder, jobs, python)]
    status = subprocess.run(words, capture_output=True, env=environment).returncode
    if status not in (0, 1):  # 1 where something was not judged
        raise RuntimeError(f"{' '.join(words)} ended with status {status}")
    return perf_counter() - began


def killed(folder: Path, jobs: int, kills: int, longest: float, seed: int = 0) -> int:
    """Grade a class, killed at random moments so many times; return how often that hit it."""
    draw, hit = random.Random(seed), 0
    for _ in range(kills):
        running = subprocess.Popen(
            command(folder, jobs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = perf_counter() + draw.uniform(0.5, longest)
        while running.poll() is None and perf_counter() < end:
            sleep(0.05)
        hit += running.poll() is None
        running.send_signal(signal.SIGKILL)
        running.wait()
    graded(folder, jobs)
    return hit


def differences(one: dict[str, str], other: dict[str, str]) -> Iterator[str]:
    """Yield what differs between two classes."""
    for name in sorted({*one, *other}):
        if one.get(name) != other.get(name):
            yield name


OTHERS = {
    "PYTHONHASHSEED=1": {"names": {"PYTHONHASHSEED": "1"}},
    "TZ=Pacific/Kiritimati": {"names": {"TZ": "Pacific/Kiritimati"}},
    "LC_ALL=C, no UTF-8": {
        "names": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    },
    "taskset -c 0": {"before": ("taskset", "-c", "0")},
    "--jobs 1": {"jobs": 1},
}
"""Machines that differ from this one in one thing."""


def elsewhere(top: Path, size: tuple[int, int, str], jobs: int, pythons: list[str]) -> int:
    """Grade a class as other machines would; return how many write anything else."""
    make(top / "here", *size)
    graded(top / "here", jobs)
    here = written(top / "here")
    others = OTHERS | {name: {"python": name} for name in pythons}
    found = 0
    for number, (name, asked) in enumerate(others.items()):
        folder = top / str(number)
        make(folder, *size)
        seconds = graded(folder, **({"jobs": jobs} | asked))
        different = list(differences(here, written(folder)))
        told = f"{len(different)} of {len(here)} files differ {different[:3] or ''}"
        print(f"{name}: {told} ({seconds:.0f} s)", flush=True)
        found += bool(different)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--honest", type=int, default=50)
    parser.add_argument("--hostile", type=int, default=16)
    parser.add_argument("--game", default="tictactoe")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--elsewhere", nargs="*", metavar="PYTHON")
    arguments = parser.parse_args()
    top = Path(tempfile.mkdtemp(prefix="classroom-"))
    size = arguments.honest, arguments.hostile, arguments.game
    if arguments.elsewhere is not None:
        return int(elsewhere(top, size, arguments.jobs, arguments.elsewhere) > 0)
    make(top / "all", *size)
    seconds = graded(top / "all", arguments.jobs)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = f"{seconds:.0f} s, of which processors ran {used.ru_utime + used.ru_stime:.0f} s"
    hostile = len(list((top / "all" / "submissions").glob("hostile-*")))
    print(f"{size[0] + hostile} submissions, {hostile} of them hostile: {told}", flush=True)
    make(top / "honest", size[0], 0, size[2])
    print(f"the {size[0]} others alone: {graded(top / 'honest', arguments.jobs):.0f} s", flush=True)
    everything, alone = written(top / "all"), written(top / "honest")
    different = [*differences(everything, alone), *left_behind(top / "all")]
    print(f"{len(alone)} files of the others compared: {len(different)} differ {different[:3]}")
    make(top / "killed", *size)
    times = killed(top / "killed", arguments.jobs, arguments.kills, 0.3 * seconds)
    again = list(differences(everything, written(top / "killed")))
    pages = [(top / name / "leaderboard.html").read_text() for name in ("all", "killed")]
    again += ["leaderboard.html"] * (pages[0] != pages[1])
    print(f"killed {times} times and resumed: {len(again)} files differ {again[:3]}")
    for row in (top / "all" / "grades.csv").read_text().splitlines():
        if row.startswith("hostile-"):
            print("  " + re.sub(r"^hostile-", "", row)[:150])
    if not different and not again:
        shutil.rmtree(top)
    return int(bool(different or again))


if __name__ == "__main__":
    sys.exit(main())
