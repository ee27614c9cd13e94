"""Builds the libraries with the machine code of all kernels, one for each platform.

    python wheels/library.py FOLDER [PLATFORM ...]

Numba compiles each kernel to LLVM's intermediate form, as it does on a user's machine. From that
form llvmlite, whose LLVM knows all processors, makes an object file for each platform, and zig's
linker (`pip install ziglang`) makes one library of the objects. FOLDER gets `PLATFORM.so`, `.dylib`
or `.dll`, and `kernels.json`, with the digest of the sources and the functions by their kernels.

A kernel never raises an exception, but the code in which Numba would report one is part of the
form, with 16 functions and variables of Python. Here they become functions that end the process, so
that a library needs nothing but `calloc` and `free`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

os.environ["NUMBA_CPU_NAME"] = "x86-64-v2"  # the oldest processors that are served: SSE4.2, POPCNT
os.environ["NUMBA_CPU_FEATURES"] = ""

import llvmlite.binding as llvm

from plyscope.faces import warming
from plyscope.fast.machine.compile import entry_of
from plyscope.fast.machine.kernel import Kernel
from plyscope.fast.machine.shipped import NOTE, sources_digest, symbol_of


class Platform(NamedTuple):
    """A system and a processor."""

    triple: str
    """As LLVM names it."""
    processor: str
    target: str
    """As zig's linker names it."""
    ending: str


PLATFORMS = {
    "linux-x86_64": Platform("x86_64-unknown-linux-gnu", "x86-64-v2", "x86_64-linux-gnu.2.17", "so"),
    "linux-aarch64": Platform("aarch64-unknown-linux-gnu", "generic", "aarch64-linux-gnu.2.17", "so"),
    "darwin-arm64": Platform("arm64-apple-macosx11", "apple-m1", "aarch64-macos.11.0", "dylib"),
    "darwin-x86_64": Platform("x86_64-apple-macosx11", "x86-64-v2", "x86_64-macos.11.0", "dylib"),
    "win32-amd64": Platform("x86_64-pc-windows-gnu", "x86-64-v2", "x86_64-windows-gnu", "dll"),
}
"""By the names that `shipped.platform_name` gives."""
NEEDED = ("calloc", "free")
"""The functions of the C library that kernels call."""


def build(folder: Path, names: list[str]) -> None:
    """Write the libraries of the platforms `names`, and the note."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    forms = {symbol_of(kernel.file_name): portable(kernel) for kernel in kernels()}
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        platform = PLATFORMS[name]
        with TemporaryDirectory() as place:
            objects = []
            for symbol, text in forms.items():
                objects.append(Path(place) / f"{symbol}.o")
                objects[-1].write_bytes(object_code(text, symbol, platform))
            made = folder / f"{name}.{platform.ending}"
            link(objects, made, platform)
        print(f"{made}: {len(objects)} kernels, {made.stat().st_size:,} bytes")
    note = {"sources": sources_digest(), "functions": sorted(forms)}
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def kernels() -> Iterator[Kernel]:
    """Yield the kernels of all searches and solvers, each once."""
    done = set()
    for kernel in warming.all_kernels():
        if kernel.file_name not in done:
            done.add(kernel.file_name)
            yield kernel


def portable(kernel: Kernel) -> str:
    """Return the form of a kernel in which its entry has the name of its symbol, and nothing of
    Python is needed."""
    name, library = entry_of(kernel)
    module = library._final_module
    text = str(module)
    for function in module.functions:
        if function.is_declaration and not function.name.startswith(("llvm.", *NEEDED)):
            text = _ended(text, function.name)
    text = re.sub(r"= external global ptr", "= internal global ptr null", text)
    text = re.sub(r"= external global i8", "= internal global i8 0", text)
    text = text.replace(" = common ", " = internal ").replace(f'@"{name}"', f"@{name}")
    text = re.sub(rf'@{re.escape(name)}\b', f"@{symbol_of(kernel.file_name)}", text)
    # texts of Numba's error reports, with the paths of the sources
    text = re.sub(r'(internal constant \[\d+ x i8\]) c"[^"]*"', r"\1 zeroinitializer", text)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu|probe-stack)"(="[^"]*")?', "", text)
    if "declare void @llvm.trap()" not in text:
        text += "\ndeclare void @llvm.trap()\n"
    return text


def _ended(text: str, name: str) -> str:
    """Return the form with a declared function defined: it ends the process."""
    found = re.search(rf'^declare (.*?)@"?{re.escape(name)}"?\((.*?)\).*$', text, re.MULTILINE)
    assert found is not None, name
    answer = re.sub(r"\b(noalias|noundef|nonnull|dso_local|local_unnamed_addr|signext|zeroext)\b", "", found[1])
    kinds = [each.split()[0] for each in found[2].split(",") if each.strip() not in ("", "...")]
    given = ", ".join(f"{kind} %p{number}" for number, kind in enumerate(kinds))
    body = f'define internal {answer} @"{name}"({given}) {{\n call void @llvm.trap()\n unreachable\n}}'
    return text.replace(found[0], body)


def object_code(text: str, symbol: str, platform: Platform) -> bytes:
    """Return the object file of a form for a platform."""
    machine = llvm.Target.from_triple(platform.triple).create_target_machine(
        cpu=platform.processor, opt=3, reloc="pic"
    )
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', text)
    text = re.sub(r'target triple = ".*"', f'target triple = "{platform.triple}"', text)
    module = llvm.parse_assembly(text)
    module.verify()
    for each in [*module.functions, *module.global_variables]:
        if not each.is_declaration and each.name != symbol:
            each.linkage = "internal"
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return bytes(machine.emit_object(module))


def link(objects: list[Path], library: Path, platform: Platform) -> None:
    """Link objects into a library."""
    words = ["-m", "ziglang", "cc", "-shared", "-s", "-target", platform.target]
    subprocess.run([sys.executable, *words, *map(str, objects), "-o", str(library)], check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]), sys.argv[2:] or list(PLATFORMS))
