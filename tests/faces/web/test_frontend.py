"""The page's modules joined into one script: what the joining cannot read is refused by its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyscope_web import frontend
from sentences import refuses

FIRST = 'import { one } from "./one.js";\n\none();\n'
ONE = "export function one() {}\n"


def join(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> str:
    monkeypatch.setattr(frontend, "STATIC", folder)
    for name, text in {"first": FIRST, "one": ONE, **modules}.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return frontend.scripts("first.js")


@pytest.mark.parametrize(
    "text",
    [
        *('export { one } from "./two.js";', 'export * from "./two.js";', "export { one };"),
        *("export let one = 1;", "export const { one } = window;", "export function* one() {}"),
        *('import "./two.js";', "import { two } from './two.js';"),
        *('import two, { other } from "./two.js";', 'import { two } from "two";'),
        *('import {\n  two,\n} from "two";', '  import { two } from "./two.js";'),
        'import { two } from "./two.js"; // with a remark',
    ],
)
def test_rejects_an_unsupported_import_with_its_file_and_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = "export const two = 2, other = 3;\nexport default two;\n"
    with pytest.raises(ValueError, match=r"^one\.js:3: .*; expected "):
        join(tmp_path, monkeypatch, one=f"{ONE}// a line\n{text}\n", two=two)


def test_rejects_an_import_of_a_missing_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = 'import { one, two } from "./one.js";\n'
    with refuses(ValueError):
        join(tmp_path, monkeypatch, first=wrong)
    with refuses(ValueError):
        join(tmp_path, monkeypatch, first='import one from "./one.js";\n')
    with refuses(ValueError):
        join(tmp_path, monkeypatch, first='import { one } from "./gone.js";\n')


def test_rejects_a_circle_of_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    circle = 'import { two } from "./two.js";\n' + ONE
    two = 'import { one } from "./one.js";\nexport const two = one;\n'
    with refuses(ValueError):
        join(tmp_path, monkeypatch, one=circle, two=two)


def test_keeps_names_in_every_supported_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = (
        'import {\n  one,\n  two as second,\n} from "./one.js";\nimport * as all from "./one.js";\n'
        'import standard from "./one.js";\nexport default { render: second };\n'
    )
    one = ONE + "export const two = 2;\nexport class Three {}\nexport async function four() {}\n"
    joined = join(tmp_path, monkeypatch, first=first, one=f"{one}export default one;\n")
    assert "return { one, two, Three, four, standard };" in joined
    assert re.search(r"two: second,\s*\} = modules", joined)
    assert not re.search(r"^(import|export (?!default modules))", joined, re.MULTILINE)
