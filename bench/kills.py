"""Kills matches at random moments and says what was lost: `python bench/kills.py [--solve] [--kills
200] [--seed 0]`.

Each experiment is a match or a tournament with strangers' agents and a file of records, killed with
signal 9 (every fourth time 15, every eighth 2) again and again until it ends by itself; then its
games are held against those of a match that nobody disturbed.

With --solve long solves with a checkpoint or a journal are killed instead, again and again until
one ends by itself, whose value must be right. The exit status is 1 where anything was lost,
doubled, different, wrong or left.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOT = "import random, subprocess\n\ndef bot(position):\n    return random.choice(position.moves)\n"
GAMES = (
    "SELECT pair, number, x, o, start, moves, winner, ending FROM games"
    " ORDER BY experiment, pair, number"
)
COMMANDS = (
    ["match", "bot.py:bot", "alphabeta depth=2", "-n", "600", "-g", "4,4,4"],
    ["match", "random", "uct nodes=80", "-n", "300", "-g", "4,4,4"],
    ["tournament", "bot.py:bot", "two-ply", "random", "-n", "200", "-g", "4,4,4"],
)
SOLVES = (
    ["solve", "8,4,4", "--checkpoint", "kept", "--value-only", "--json"],
    ["solve", "7,4,4", "--jobs", "2", "--checkpoint", "kept", "--json"],
)
"""Both are draws (docs/solving.md)."""
WAIT = (0.3, 6.0)
"""Seconds, at least and at most, after which a solve is killed."""
PAUSE = 2.0
"""Seconds after which nobody whose parent was killed may be there."""
PATIENCE = 120.0
"""Seconds in which a solve that was asked to end must have done so."""


def left(marks: list[str]) -> int:
    """Return how many processes run on that carry one of the marks on their command lines or in
    their folders."""
    found = 0
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                found += any(mark in str((place / "cwd").readlink()) for mark in marks)
            except OSError:
                continue
    return found


def start(folder: Path, command: list[str], jobs: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "plyscope", *command, "--jobs", str(jobs), "--record", "lab.db"]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def games(folder: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(folder / "lab.db") as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return base.execute(GAMES).fetchall()


def killed(running: subprocess.Popen[bytes], kills: int) -> None:
    """Kill a process: with signal 9, every fourth time 15, every eighth 2."""
    running.send_signal(
        signal.SIGINT if kills % 8 == 0 else signal.SIGTERM if kills % 4 == 0 else signal.SIGKILL
    )


def kill_solves(wanted: int, seed: int) -> bool:
    """Kill each of the solves, so often in all; return whether all was as it has to be."""
    draw, kills, solved, wrong, left_over = random.Random(seed), 0, 0, 0, 0
    for number, solve in enumerate(SOLVES, 1):
        share, ended = wanted * number // len(SOLVES), False
        while kills < share or not ended:
            with tempfile.TemporaryDirectory() as name:
                ended = False
                while not ended:
                    words = [sys.executable, "-m", "plyscope", *solve]
                    running = subprocess.Popen(
                        words, cwd=name, stdout=subprocess.PIPE, stderr=subprocess.PIPE
                    )
                    try:
                        said, complaint = running.communicate(
                            timeout=draw.uniform(*WAIT) if kills < share else PATIENCE
                        )
                        ended = True
                    except subprocess.TimeoutExpired:
                        kills += 1
                        killed(running, kills)
                        running.communicate(timeout=PATIENCE)
                    time.sleep(PAUSE)
                    left_over += left([name])
            solved += 1
            if running.returncode != 0 or json.loads(said)["value"] != 0:
                wrong += 1
                print(
                    f"{' '.join(words)}: status {running.returncode}, "
                    f"{said[-300:]!r}, {complaint[-300:]!r}"
                )
            print(
                f"{kills} kills, {solved} solves: {wrong} wrong, {left_over} processes left",
                flush=True,
            )
    return not wrong + left_over


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solve", action="store_true", help="kill solves and not matches")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    is_right = (kill_solves if wanted.solve else kill_matches)(wanted.kills, wanted.seed)
    return 0 if is_right else 1


def kill_matches(wanted: int, seed: int) -> bool:
    """Kill matches, so often in all; return whether all was as it has to be."""
    draw, kills, experiments, lost, doubled, left_over, differing = (
        random.Random(seed),
        0,
        0,
        0,
        0,
        0,
        0,
    )
    whole: dict[int, list[tuple[object, ...]]] = {}
    while kills < wanted:
        number = experiments % len(COMMANDS)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "bot.py").write_text(BOT)
            if number not in whole:
                start(folder, COMMANDS[number], 2).wait()
                whole[number] = games(folder)
                for file in folder.glob("lab.db*"):
                    file.unlink()
            jobs, kept = 1 + experiments % 2, set()
            while True:
                running = start(folder, COMMANDS[number], jobs)
                try:
                    running.wait(draw.uniform(0.3, 3.5))
                    break
                except subprocess.TimeoutExpired:
                    kills += 1
                    killed(running, kills)
                    running.wait()
                time.sleep(PAUSE)
                left_over += left([name])
                if (folder / "lab.db").exists():
                    now = set(games(folder)) if _has_games(folder) else set()
                    lost += len(kept - now)
                    kept = now
            found = games(folder)
            doubled += len(found) - len({row[:4] for row in found})
            differing += found != whole[number]
            experiments += 1
        print(
            f"{kills} kills, {experiments} experiments: {lost} games lost, {doubled} doubled, "
            f"{differing} experiments differ, "
            f"{left_over} processes left",
            flush=True,
        )
    return not lost + doubled + differing + left_over


def _has_games(folder: Path) -> bool:
    with sqlite3.connect(folder / "lab.db") as base:
        return bool(base.execute("SELECT name FROM sqlite_master WHERE name = 'games'").fetchall())


if __name__ == "__main__":
    sys.exit(main())
