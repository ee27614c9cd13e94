"""The node counts are those of the signature, in both forms."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "bench" / "signature.py"
spec = importlib.util.spec_from_file_location("signature", PATH)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


@pytest.mark.parametrize("form", ["reference", "compiled"])
def test_keeps_the_node_counts_of_the_signature(form: str) -> None:
    kept = json.loads(PATH.with_suffix(".json").read_text(encoding="utf-8"))
    for name, rows in module.signature(form).items():
        for text, row in rows.items():
            assert kept[name][text] == row, (name, text)
