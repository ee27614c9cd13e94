"""Whether the machine code for a browser runs: the compiled searches visit the nodes of the
reference form, solvers run, time limits hold, and Stop ends a search, in Pyodide under node, without
NumPy.

    python tests/wheel_browser.py dist/*.whl

Pyodide is an npm package (`npm ci`). Where it or node is missing, the script says so, with status 0.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from wheel import NODES, ROOT, name_of

PYODIDE = ROOT / "node_modules" / "pyodide" / "pyodide.mjs"
SCRIPT = """
import {{ loadPyodide }} from {pyodide};
import {{ Worker }} from "node:worker_threads";

const buffer = new Uint8Array(new SharedArrayBuffer(1));
const page = new Worker({page}, {{ eval: true, workerData: buffer }});
globalThis.stopAfter = (milliseconds) => page.postMessage(milliseconds);
try {{
  const python = await loadPyodide();
  python.setInterruptBuffer(buffer);
  python.FS.mkdirTree("/site");
  python.FS.mount(python.FS.filesystems.NODEFS, {{ root: {folder} }}, "/site");
  python.runPython({code});
}} catch (error) {{
  console.error(error.message);
  process.exitCode = 1;
}}
await page.terminate();
"""
PAGE = """
import { parentPort, workerData } from "node:worker_threads";
parentPort.on("message", (wait) => setTimeout(() => { workerData[0] = 2; }, wait));
"""
"""What stands for the page: it asks for a stop after some milliseconds."""
LIMITS = """
from js import stopAfter
from time import perf_counter
import gc

SECONDS = 0.3
SEARCHES = [
    ("connect4 44", name)
    for name in ("minimax", "alphabeta", "pvs", "mtdf", "iterative-deepening", "engine", "uct")
] + [("15,15,5 h8 i9", "engine")]
SOLVERS = [
    ("10,10,6", "blocking"), ("connect4 4", "connect"), ("6,7,4", "lines"),
    ("15,15,5 h8 i9", "threats"), ("4,4,3", "exhaustive"), ("connect4 4", "proof-number"),
]
late = []

def searched(text, name, form="auto", **limit):
    return ps.search(text, name, form=form, keep_interrupted=True, **limit)

def solved(text, name, **limit):
    return ps.solve(text, method=name, with_moves=False, keep_interrupted=True, **limit)

def run(name, call):
    '''Run it until it has loaded what it needs, with a time limit, and until it is stopped.'''
    while call(seconds=SECONDS).nodes < 10:
        gc.collect()  # a tab has at most 2 GB for tables
    began = perf_counter()
    found = call(seconds=SECONDS)
    assert found.stopped == "seconds", (name, found)
    late.append((perf_counter() - began - SECONDS, name))
    stopAfter(1000 * SECONDS)
    began = perf_counter()
    found = call(seconds=10)
    assert found.stopped == "interrupted", (name, found)
    late.append((perf_counter() - began - SECONDS, f"stop of {name}"))

def worst():
    return sorted(late, reverse=True)[:3]

for text, name in SEARCHES:
    run(name, lambda **limit: searched(text, name, **limit))
run("reference", lambda **limit: searched("connect4 44", "alphabeta", "reference", **limit))
for text, name in SOLVERS:
    run(name, lambda **limit: solved(text, name, **limit))
stopAfter(100)
try:
    ps.search("connect4 44", "alphabeta")
    raise SystemExit("not stopped")
except KeyboardInterrupt:
    pass
assert ps.search("connect4", depth=8).nodes == 201841
assert worst()[0][0] < 5, worst()  # some milliseconds, if this machine is not busy
"""
"""Time limits hold within some milliseconds, and a stop gives what was found, as Ctrl-C does."""
CODE = f"""
import sys
from importlib.util import find_spec
sys.path.insert(0, "/site")
import plyscope as ps
{NODES}
found = ps.search("connect4", depth=8)
assert (found.form, found.nodes) == ("compiled", 201841), found
assert ps.search("15,15,5 h8 i9", "engine", nodes=2000).form == "compiled"
for text, method, value, nodes in (  # as on a processor
    ("connect4 44455", "connect", -1, 4474970),
    ("5,5,4", "lines", 0, 2034),
    ("15,15,5 h8 a1 i9 o1 g9 a15", "threats", 1, 10326),
    ("9,9,5", "blocking", None, 24527),
):
    verdict = ps.solve(text, method=method, with_moves=False)
    assert (verdict.method, verdict.value, verdict.nodes) == (method, value, nodes), (text, verdict)
assert ps.search("connect4", depth=8, seconds=60).form == "compiled"
assert ps.solve("connect4 44", seconds=60).method == "book"
found = ps.search("connect4", "mtdf", depth=30, keep_interrupted=True)
assert (found.stopped, found.nodes) == ("memory", 2767839), found  # at 64 MB
for text in ("15,15,5 h8 i9", "15,15,5,renju h8 i9 h9", "15,15,5,caro h8 i9"):
    found = ps.search(text, "engine", "patterns", nodes=2000)
    assert (found.form, found.stopped) == ("compiled", "nodes"), found
card = ps.report_card("counted-lines", depth=2)
assert (card.choices, card.by_ply[0].wrong[0].value) == (3191, 0.2575163398692811), card
assert ps.certify("two-ply").never_loses
assert find_spec("numpy") is None
{LIMITS}
print("as the reference form; late by at most", *(f"{{late:.3f}} s ({{name}})" for late, name in worst()))
"""


def main() -> int:
    """Run the code; return 1 if it fails."""
    node = shutil.which("node")
    if node is None or not PYODIDE.is_file():
        print("not run in Pyodide, which is not here (npm ci)")
        return 0
    wheels = [Path(each) for each in sys.argv[1:]]
    chosen = [each for each in wheels if name_of(each) == "plyscope"]
    chosen += [each for each in wheels if "fast" in each.name and "emscripten" in each.name]
    with TemporaryDirectory() as name:
        for wheel in chosen:
            with ZipFile(wheel) as archive:
                archive.extractall(name)
        for file in ("signature.py", "signature.json"):
            shutil.copy(ROOT / "bench" / file, name)
        words = {"pyodide": PYODIDE.as_uri(), "folder": name, "code": CODE, "page": PAGE}
        script = SCRIPT.format_map({key: json.dumps(word) for key, word in words.items()})
        run = subprocess.run(
            [node, "--input-type=module", "-"], input=script, capture_output=True, text=True
        )
    print("in Pyodide:", (run.stdout + run.stderr).strip()[-1500:])
    return int(bool(run.returncode))


if __name__ == "__main__":
    sys.exit(main())
