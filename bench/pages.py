"""How the server bears many pages: 50 pages analyse at once, and others load the page, play moves
and ask agents for theirs.

    python bench/pages.py [--pages N] [--seconds S]

Prints the median and the 95th percentile in milliseconds, and how many analyses were answered. Then
one page alone, in Chromium where there is one: its first load until a board is there, with a warm
cache, and how long a stone takes from the click to the frame that shows it, on 15×15, in Play and
in Analyse while the analysis before it still runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
from random import Random
from time import perf_counter

import httpx
from websockets.asyncio.client import connect

ASKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')
AGENT = "level-5"


async def conversation(socket, number, endpoint, **arguments):
    """Ask and wait for the answer; return the seconds it took and what was said on the way."""
    began, said = perf_counter(), []
    await socket.send(json.dumps({"id": number, "endpoint": endpoint, "arguments": arguments}))
    while True:
        heard = json.loads(await socket.recv())
        if heard["id"] == number:
            said.append(heard)
            if "found" in heard or "error" in heard:
                return perf_counter() - began, said


def a_position(draw):
    return "connect4 " + "".join(str(draw.randint(1, 7)) for _ in range(draw.randint(2, 6)))


async def analyst(url, draw, until, done):
    async with connect(url.replace("http", "ws") + "/socket", origin=url, max_size=None) as socket:
        number = 0
        while perf_counter() < until:
            number += 1
            seconds, said = await conversation(
                socket, number, "analyze", position=a_position(draw), seconds=5
            )
            depths = [item["told"]["depth"] for item in said if "depth" in item.get("told", {})]
            places = [item["queue"] for item in said if "queue" in item]
            done.append((seconds, max(depths, default=0), max(places, default=0)))


async def visitor(url, draw, until, times):
    async with httpx.AsyncClient() as client:
        while perf_counter() < until:
            began = perf_counter()
            page = await client.get(url)
            for path in ASKED.findall(page.text):
                (await client.get(url + path)).raise_for_status()
            times["page load"].append(perf_counter() - began)
            async with connect(
                url.replace("http", "ws") + "/socket", origin=url, max_size=None
            ) as socket:
                position = a_position(draw)
                for number in range(1, 6):
                    seconds, said = await conversation(
                        socket, 2 * number, "play", position=position, move=str(draw.randint(1, 7))
                    )
                    times["a person's move"].append(seconds)
                    position = said[-1].get("found", {}).get("position", position)
                    seconds, _ = await conversation(
                        socket, 2 * number + 1, "move", position=position, agent=AGENT
                    )
                    times[f"a move of {AGENT}"].append(seconds)
            await asyncio.sleep(0.2)


async def measure(url, pages, seconds):
    until = perf_counter() + seconds
    times = {"page load": [], "a person's move": [], f"a move of {AGENT}": []}
    done = []
    await asyncio.gather(
        *(analyst(url, Random(number), until, done) for number in range(pages)),
        *(visitor(url, Random(1000 + number), until, times) for number in range(2)),
    )
    for name, found in times.items():
        found.sort()
        middle, late = found[len(found) // 2], found[int(0.95 * len(found))]
        print(
            f"{name:20} {len(found):5} times   "
            f"median {1000 * middle:7.1f} ms   p95 {1000 * late:7.1f} ms"
        )
    waits = sorted(item[0] for item in done)
    depths = sorted(item[1] for item in done)
    print(
        f"{len(done)} analyses of {pages} pages: median {waits[len(waits) // 2]:.1f} s, "
        f"p95 {waits[int(0.95 * len(waits))]:.1f} s, "
        f"median depth {depths[len(depths) // 2]}, longest queue {max(item[2] for item in done)}"
    )


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
WATCH = """
cell => new Promise((resolve) => {
  const board = document.querySelector(".plyscope .board");
  const target = board.querySelector(`[data-cell="${cell}"]`);
  const stones = () => board.querySelectorAll(".taken").length;
  const before = stones();
  const began = performance.now();
  const look = () => {
    if (stones() > before) requestAnimationFrame(() => resolve(performance.now() - began));
    else requestAnimationFrame(look);
  };
  target.click();
  look();
})
"""
"""Click a cell, and tell the milliseconds to the frame that shows its stone."""
LOADED = """
() => new Promise((resolve) => {
  const look = () => document.querySelector("[data-cell]") ? resolve(performance.now())
    : requestAnimationFrame(look);
  look();
})
"""


def told(name, found):
    found = sorted(found)
    print(
        f"{name:32} {len(found):3} times   median {found[len(found) // 2]:7.1f} ms"
        f"   p95 {found[int(0.95 * len(found))]:7.1f} ms"
    )


def look(url):
    """Measure one page in Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        loads = []
        for _ in range(12):
            page.goto("about:blank")
            page.goto(f"{url}/#room=play&position=connect4")
            loads.append(page.evaluate(LOADED))
        told("a load, to the board", loads[2:])
        for room in ("play&o=human", "analyze"):
            page.goto("about:blank")
            page.goto(f"{url}/#room={room}&position=gomoku15")
            page.locator("[data-cell]").first.wait_for()
            times, draw = [], Random(1)
            for cell in draw.sample(range(225), 21):
                page.wait_for_timeout(700)  # the analysis of the position is under way
                if page.locator(f'[data-cell="{cell}"].taken').count() == 0:
                    times.append(page.evaluate(WATCH, cell))
            told(f"click to stone, {room.partition('&')[0]}, 15×15", times[1:])
        browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    server = subprocess.Popen(
        [sys.executable, "-m", "plyscope", "web", "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        url = server.stdout.readline().split()[3].rstrip("/")
        if arguments.pages:
            asyncio.run(measure(url, arguments.pages, arguments.seconds))
        if CHROMIUM:
            look(url)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
