"""Puts the machine code for the platform $PLYSCOPE_PLATFORM into the wheel. If that is not set, the
wheel has none and is for any platform.

`make wheel` builds the libraries first (`wheels/library.py`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARIES = Path(__file__).resolve().parents[2] / "build" / "libraries"
TAGS = {
    "linux-x86_64": "manylinux_2_17_x86_64.manylinux2014_x86_64",
    "linux-aarch64": "manylinux_2_17_aarch64.manylinux2014_aarch64",
    "darwin-arm64": "macosx_11_0_arm64",
    "darwin-x86_64": "macosx_11_0_x86_64",
    "win32-amd64": "win_amd64",
    "emscripten-wasm32": "pyemscripten_2026_0_wasm32",
}
"""The tags of the platforms for pip, by the names of the libraries."""


class LibraryHook(BuildHookInterface):
    """The hook of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library and its note, and the platform's tag."""
        name = os.environ.get("PLYSCOPE_PLATFORM", "")
        if not name or version == "editable":
            return
        (library,) = LIBRARIES.glob(f"{name}.*")
        for file in (library, LIBRARIES / "kernels.json"):
            place = f"plyscope_fast/machine/libraries/{file.name}"
            build_data["force_include"][str(file)] = place
        build_data["pure_python"], build_data["tag"] = False, f"py3-none-{TAGS[name]}"
