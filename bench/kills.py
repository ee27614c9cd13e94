"""Kills matches at random moments and says what was lost: `python bench/kills.py [--kills 200] [--seed 0]`.

Each experiment is a match or a tournament with strangers' agents and a file of records, killed with signal 9 (every fourth time 15, every
eighth 2) again and again until it ends by itself; then its games are held against those of a match that nobody disturbed.
"""

from __future__ import annotations

import argparse
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOT = "import random, subprocess\n\ndef bot(position):\n    return random.choice(position.moves)\n"
GAMES = "SELECT pair, number, x, o, start, moves, winner, ending FROM games ORDER BY experiment, pair, number"
COMMANDS = (
    ["match", "bot.py:bot", "alphabeta depth=2", "-n", "600", "-g", "4,4,4"],
    ["match", "random", "uct nodes=80", "-n", "300", "-g", "4,4,4"],
    ["tournament", "bot.py:bot", "two-ply", "random", "-n", "200", "-g", "4,4,4"],
)


def left(marks: list[str]) -> int:
    """Return how many processes run on that carry one of the marks on their command lines or in their folders."""
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    draw, kills, experiments, lost, doubled, left_over, differing = random.Random(wanted.seed), 0, 0, 0, 0, 0, 0
    whole: dict[int, list[tuple[object, ...]]] = {}
    while kills < wanted.kills:
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
                    running.send_signal(signal.SIGINT if kills % 8 == 0 else signal.SIGTERM if kills % 4 == 0 else signal.SIGKILL)
                    running.wait()
                time.sleep(2.0)
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
            f"{kills} kills, {experiments} experiments: {lost} games lost, {doubled} doubled, {differing} experiments differ, "
            f"{left_over} processes left after two seconds",
            flush=True,
        )


def _has_games(folder: Path) -> bool:
    with sqlite3.connect(folder / "lab.db") as base:
        return bool(base.execute("SELECT name FROM sqlite_master WHERE name = 'games'").fetchall())


if __name__ == "__main__":
    main()
