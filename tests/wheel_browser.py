"""Whether the machine code for a browser runs: the compiled searches visit the nodes of the
reference form, and solvers run, in Pyodide under node, without NumPy.

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
try {{
  const python = await loadPyodide();
  python.FS.mkdirTree("/site");
  python.FS.mount(python.FS.filesystems.NODEFS, {{ root: {folder} }}, "/site");
  python.runPython({code});
}} catch (error) {{
  console.error(error.message);
  process.exitCode = 1;
}}
"""
CODE = f"""
import sys
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
assert ps.search("connect4", depth=3, seconds=60).form == "reference"  # no thread could stop it
assert ps.solve("connect4 44", seconds=60).method == "book"
print("as the reference form")
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
        words = {"pyodide": PYODIDE.as_uri(), "folder": name, "code": CODE}
        script = SCRIPT.format_map({key: json.dumps(word) for key, word in words.items()})
        run = subprocess.run(
            [node, "--input-type=module", "-"], input=script, capture_output=True, text=True
        )
    print("in Pyodide:", (run.stdout + run.stderr).strip()[-1500:])
    return int(bool(run.returncode))


if __name__ == "__main__":
    sys.exit(main())
