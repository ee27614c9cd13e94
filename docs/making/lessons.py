"""Writes the lessons of notebooks/ as pages of the site, with what their cells answered.

python docs/making/lessons.py      into docs/lessons/
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "lessons"


def page_of(notebook: dict[str, Any], name: str) -> str:
    """Return a notebook as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        else:
            parts += [f"```python\n{text}\n```", *_outputs(cell)]
    parts.append(f"To run and change it: `jupyter lab notebooks/{name}.ipynb`.")
    return "\n\n".join(parts) + "\n"


def _outputs(cell: dict[str, Any]) -> Iterator[str]:
    """Yield what a cell printed and answered: drawings as they are, the rest as text."""
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "text/html" in data:
            lines = "".join(data["text/html"]).splitlines()
            yield "<div>" + "\n".join(line for line in lines if line.strip()) + "</div>"
        else:
            text = "".join(data.get("text/plain", output.get("text", "")))
            yield f"```text\n{text.rstrip()}\n```"


def main() -> None:
    """Write every lesson."""
    FOLDER.mkdir(exist_ok=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        page = page_of(notebook, path.stem)
        (FOLDER / f"{path.stem}.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
