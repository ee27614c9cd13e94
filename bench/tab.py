"""Measures the page without a server in Chromium: its first visit, its second visit, the megabytes
over the wire, and nodes per second against this machine's Python and machine code, in one run.

    python bench/tab.py [--site FOLDER] [--json]

FOLDER is a site that `plyscope web --static` has written; by default it is written first. The
targets are those of docs/design.md. A quiet machine is needed for the seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from plyscope_web.site import write_site

PLACE = "#room=analyze&position=.X./O../X.O"
WORKS = """
import json
from time import perf_counter
import plyscope as ps

def searched(name, text, algorithm, **options):
    found = ps.search(text, algorithm, **options)  # the first one loads machine code
    best = min(measured(text, algorithm, options) for _ in range(5))
    return [name, found.form, found.nodes, best]

def measured(text, algorithm, options):
    began = perf_counter()
    ps.search(text, algorithm, **options)
    return perf_counter() - began

def solved(name, text):
    times = []
    for _ in range(5):
        began = perf_counter()
        verdict = ps.solve(text, method="connect", with_moves=False)
        times.append(perf_counter() - began)
    return [name, "compiled", verdict.nodes, min(times)]

print(json.dumps([
    searched("alpha-beta, Connect Four 44, depth 9", "connect4 44", "alphabeta", depth=9),
    searched("PVS, the same", "connect4 44", "pvs", depth=9),
    searched("MTD(f), the same", "connect4 44", "mtdf", depth=9),
    searched("no heuristic, depth 13", "connect4 44", "alphabeta", heuristic="null", depth=13),
    searched("UCT, 1,000 playouts", "connect4 44", "uct", nodes=1_000),
    searched("engine, 400,000 nodes", "connect4 44", "engine", nodes=400_000),
    solved("Connect Four 44455 solved, with a full table", "connect4 44455"),
    searched("reference form, tic-tac-toe", "tictactoe", "alphabeta", form="reference"),
    searched("reference form, Connect Four, depth 5", "connect4", "alphabeta", depth=5,
             form="reference"),
]))
"""
KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("plyscope memory"));
  return names.length === 1 && (await (await caches.open(names[0])).keys()).length === 1;
}"""
"""Returns whether the memory of Python is kept for the next visit."""
TARGETS = {"something to look at": 1.0, "first answer": 5.0, "second visit": 2.0, "megabytes": 9.0}
LEAST = {"compiled": 0.7, "reference": 0.35}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--site", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.site or Path(made, "lab")
        if arguments.site is None:
            write_site(folder, None, lambda line: print(line, file=sys.stderr))
        found = measure(folder)
    print(json.dumps(found) if arguments.json else table(found))
    return 0


def measure(folder: Path) -> dict[str, Any]:
    """Return the seconds and megabytes of visits, and the works in both places."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from looking import CHROMIUM, IN_A_WORKER, served
    from waiting import until

    with served(folder) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context()
        context.set_default_timeout(300_000)
        page = context.new_page()
        began = perf_counter()
        page.goto(address)
        page.locator(".hero [role=gridcell]").first.wait_for()
        seconds = {"something to look at": perf_counter() - began}
        page.locator(".offer .picture").nth(3).wait_for()  # today's puzzle, which Python has proved
        seconds["first answer"] = perf_counter() - began
        until(lambda: page.evaluate(KEPT))
        page.wait_for_timeout(3000)  # the rest is kept
        page.goto("about:blank")
        began = perf_counter()
        page.goto(address + PLACE)
        page.get_by_text("X wins").first.wait_for()
        seconds["second visit"] = perf_counter() - began
        there = page.evaluate(IN_A_WORKER, WORKS)
        browser.close()
    here = io.StringIO()
    with contextlib.redirect_stdout(here):
        exec(compile(WORKS, "works", "exec"), {})
    works = zip(json.loads(here.getvalue()), json.loads(there["shown"][0]["text"]), strict=True)
    return {
        "seconds": seconds,
        "megabytes": wire_megabytes(folder),
        "works": [
            {
                "work": name,
                "form": form,
                "nodes": nodes,
                "native": nodes / native,
                "browser": nodes_there / seconds_there,
                "ratio": (nodes_there / seconds_there) / (nodes / native),
                "is_equal": (form, nodes) == (form_there, nodes_there),
            }
            for (name, form, nodes, native), (_, form_there, nodes_there, seconds_there) in works
        ],
    }


def wire_megabytes(folder: Path) -> float:
    """Return the megabytes of all files, as a server that compresses them sends them."""
    import gzip

    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "site.json"]
    return (
        sum(min(len(gzip.compress(path.read_bytes(), 6)), path.stat().st_size) for path in files)
        / 1e6
    )


def table(found: dict[str, Any]) -> str:
    """Return the figures as tables of Markdown."""
    measured = {**found["seconds"], "megabytes": found["megabytes"]}
    lines = ["| visit | measured | target |", "|---|--:|--:|"]
    for name, target in TARGETS.items():
        unit = "MB" if name == "megabytes" else "s"
        name = "over the wire, compressed" if name == "megabytes" else name
        value = measured["megabytes" if unit == "MB" else name]
        lines.append(f"| {name} | {value:.1f} {unit} | {target:.0f} {unit} |")
    lines += ["", "| work | nodes | native, M/s | browser, M/s | ratio | target |"]
    lines.append("|---|--:|--:|--:|--:|--:|")
    for work in found["works"]:
        same = "" if work["is_equal"] else " (others in the browser)"
        lines.append(
            f"| {work['work']} | {work['nodes']:,}{same} | {work['native'] / 1e6:.2f} "
            f"| {work['browser'] / 1e6:.2f} | {work['ratio']:.2f} | {LEAST[work['form']]} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
