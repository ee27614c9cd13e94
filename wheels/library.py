"""Builds the libraries with the machine code of all kernels, one for each platform.

    python wheels/library.py FOLDER [PLATFORM ...]

Numba compiles each kernel to LLVM's intermediate form, as it does on a user's machine. From that
form llvmlite, whose LLVM knows all processors, makes an object file for each platform, and zig's
linker (`pip install ziglang`) makes one library of the objects. FOLDER gets `PLATFORM.so`, `.dylib`
or `.dll`, and `kernels.json`, with the names of the functions and the digests of the sources and of
the libraries.

A kernel never raises an exception, but the code in which Numba would report one is part of the
form, with 16 functions and variables of Python. Here they become functions that end the process.
The optimiser removes all calls of them, which `object_code` checks: no input reaches one. So a
library needs nothing but `calloc` and `free`.

The library for a browser is a side module of WebAssembly, which Pyodide's `ctypes` loads. Its
addresses have 32 bits; the arguments of kernels stay words of 64 bits. Where the form has the mark
of the primitive `clock`, this library counts a node, and every some thousand nodes calls a function
of Python.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

os.environ["NUMBA_CPU_NAME"] = "x86-64-v2"  # the oldest processors that are served: SSE4.2, POPCNT
os.environ["NUMBA_CPU_FEATURES"] = ""

import llvmlite.binding as llvm

from plyscope_fast.machine.memory import BROWSER_TABLE_BYTES
from plyscope_fast.machine.shipped import CAN_RUN, CLOCK, NOTE, sources_digest, symbol_of
from plyscope_fast.machine.threads import NO_TICK


class Platform(NamedTuple):
    """A system and a processor."""

    triple: str
    """As LLVM names it."""
    processor: str
    target: str
    """As zig's linker names it; empty for WebAssembly, which has a linker of its own."""
    ending: str
    features: str = ""
    """Instructions beside those of the processor."""


PLATFORMS = {
    "linux-x86_64": Platform(
        "x86_64-unknown-linux-gnu", "x86-64-v2", "x86_64-linux-gnu.2.17", "so"
    ),
    "linux-aarch64": Platform(
        "aarch64-unknown-linux-gnu", "generic", "aarch64-linux-gnu.2.17", "so"
    ),
    "darwin-arm64": Platform("arm64-apple-macosx11", "apple-m1", "aarch64-macos.11.0", "dylib"),
    "darwin-x86_64": Platform("x86_64-apple-macosx11", "x86-64-v2", "x86_64-macos.11.0", "dylib"),
    "win32-amd64": Platform("x86_64-pc-windows-gnu", "x86-64-v2", "x86_64-windows-gnu", "dll"),
    "emscripten-wasm32": Platform(
        "wasm32-unknown-emscripten", "", "", "so", "+sign-ext,+bulk-memory"
    ),
}
"""By the names that `shipped.platform_name` gives."""
NEEDED = ("calloc", "free")
"""The functions of the C library that kernels call."""
NARROW = {
    "calloc": f"""declare ptr @calloc(i32, i32)
define internal i64 @wide_calloc(i64 %count, i64 %size) {{
 %bytes = mul i64 %count, %size
 %fits = icmp ule i64 %bytes, {BROWSER_TABLE_BYTES}
 br i1 %fits, label %small, label %large
small:
 %few = trunc i64 %bytes to i32
 %made = call ptr @calloc(i32 %few, i32 1)
 %address = ptrtoint ptr %made to i64
 ret i64 %address
large:
 ret i64 0
}}""",
    "free": """declare void @free(ptr)
define internal ptr @wide_free(i64 %address) {
 %freed = inttoptr i64 %address to ptr
 call void @free(ptr %freed)
 ret ptr null
}""",
}
"""The same functions where addresses have 32 bits, for kernels, which call them with 64. A larger
table than a browser has room for is refused, as where there is no memory."""
MARK = "llvm.sideeffect"
"""The mark of `clock`, for which no processor has code."""
COUNTED = """@plyscope_nodes = external hidden global i32
@plyscope_tick = external hidden global ptr
define internal void @count_node() alwaysinline {
 %count = load i32, ptr @plyscope_nodes
 %left = add i32 %count, -1
 store i32 %left, ptr @plyscope_nodes
 %is_due = icmp eq i32 %left, 0
 br i1 %is_due, label %due, label %done, !prof !{!"branch_weights", i32 1, i32 4000}
due:
 %tick = load ptr, ptr @plyscope_tick
 call void %tick()
 br label %done
done:
 ret void
}"""
"""What the library for a browser has in place of the mark."""
COUNTER = f"""@plyscope_nodes = hidden global i32 {NO_TICK}
@plyscope_tick = hidden global ptr null
define ptr @{CLOCK}(ptr %tick) {{
 store ptr %tick, ptr @plyscope_tick
 ret ptr @plyscope_nodes
}}
"""
SHARED = {CLOCK, "plyscope_nodes", "plyscope_tick"}
"""What COUNTER defines for all objects of that library."""
V2_BITS = 0x982201
"""The bits of x86-64-v2 in register ECX of CPUID 1: SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT."""
ALWAYS = f"define i32 @{CAN_RUN}() {{\n ret i32 1\n}}\n"
CPUID = 'asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 1, i32 0)'
IF_V2 = f"""define i32 @{CAN_RUN}() {{
 %all = call {{i32, i32, i32, i32}} {CPUID}
 %word = extractvalue {{i32, i32, i32, i32}} %all, 2
 %bits = and i32 %word, {V2_BITS}
 %is_v2 = icmp eq i32 %bits, {V2_BITS}
 %answer = zext i1 %is_v2 to i32
 ret i32 %answer
}}
"""


def build(folder: Path, names: list[str]) -> None:
    """Write the libraries of the platforms `names`, and the note.

    Other processes make the objects of a kernel while the next one is compiled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    symbols, libraries = [], _built(folder)
    with (
        TemporaryDirectory() as place,
        ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool,
    ):
        tasks = [pool.submit(write_objects, "", CAN_RUN, names, place)]
        for kernel in kernels():
            symbols.append(symbol_of(kernel.file_name))
            text = portable(kernel)
            tasks.append(pool.submit(write_objects, text, symbols[-1], names, place))
        for task in tasks:
            task.result()
        for name in names:
            objects = sorted(Path(place).glob(f"{name}.*.o"))
            made = Path(place, f"{name}.{PLATFORMS[name].ending}")
            # for Windows it writes other files beside it
            link(objects, made, PLATFORMS[name], symbols)
            code = made.read_bytes()
            (folder / made.name).write_bytes(code)
            libraries[made.name] = hashlib.sha256(code).hexdigest()
            print(f"{folder / made.name}: {len(symbols)} kernels, {len(code):,} bytes", flush=True)
    note = {"sources": sources_digest(), "functions": sorted(symbols), "libraries": libraries}
    (folder / NOTE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def _built(folder: Path) -> dict[str, str]:
    """Return the digests of the libraries that the folder has of these sources, by file name."""
    try:
        note = json.loads((folder / NOTE).read_bytes())
    except (OSError, ValueError):
        return {}
    return dict(note["libraries"]) if note["sources"] == sources_digest() else {}


def kernels() -> Iterator[Any]:
    """Yield the kernels of all searches and solvers, each once."""
    from plyscope.faces import warming
    from plyscope_fast.solving.kernels.connect import FOR_ANY

    done = set()
    for kernel in (*FOR_ANY, *warming.all_kernels()):
        if kernel.file_name not in done:
            done.add(kernel.file_name)
            yield kernel


def portable(kernel: Any) -> str:
    """Return the form of a kernel in which its entry has the name of its symbol, and nothing of
    Python is needed."""
    from plyscope_fast.machine.compile import entry_of

    name, library = entry_of(kernel)
    module = library._final_module
    text = str(module)
    for function in module.functions:
        if function.is_declaration and not function.name.startswith(("llvm.", *NEEDED)):
            text = _ended(text, function.name)
    text = re.sub(r"= external global ptr", "= internal global ptr null", text)
    text = re.sub(r"= external global i8", "= internal global i8 0", text)
    text = text.replace(" = common ", " = internal ").replace(f'@"{name}"', f"@{name}")
    text = re.sub(rf"@{re.escape(name)}\b", f"@{symbol_of(kernel.file_name)}", text)
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
    answer = re.sub(
        r"\b(noalias|noundef|nonnull|dso_local|local_unnamed_addr|signext|zeroext)\b", "", found[1]
    )
    kinds = [each.split()[0] for each in found[2].split(",") if each.strip() not in ("", "...")]
    given = ", ".join(f"{kind} %p{number}" for number, kind in enumerate(kinds))
    body = (
        f'define internal {answer} @"{name}"({given}) {{\n call void @llvm.trap()\n unreachable\n}}'
    )
    return text.replace(found[0], body)


def write_objects(text: str, symbol: str, names: list[str], place: str) -> None:
    """Write the object files of a kernel for platforms; those of CAN_RUN without a text."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    for name in names:
        platform = PLATFORMS[name]
        if symbol == CAN_RUN:
            is_v2 = platform.processor == "x86-64-v2"
            code = object_code(
                IF_V2 if is_v2 else ALWAYS if platform.target else ALWAYS + COUNTER,
                symbol,
                platform._replace(processor="x86-64") if is_v2 else platform,
            )
        else:
            code = object_code(text, symbol, platform)
        Path(place, f"{name}.{symbol}.o").write_bytes(code)


def object_code(text: str, symbol: str, platform: Platform) -> bytes:
    """Return the object file of a form for a platform."""
    machine = llvm.Target.from_triple(platform.triple).create_target_machine(
        cpu=platform.processor, features=platform.features, opt=3, reloc="pic"
    )
    if not platform.target:
        text = _narrow(text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', text)
    text = re.sub(r'target triple = ".*"', f'target triple = "{platform.triple}"', text)
    module = llvm.parse_assembly(text)
    module.verify()
    for each in [*module.functions, *module.global_variables]:
        if not each.is_declaration and each.name not in {symbol, *SHARED}:
            each.linkage = "internal"
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    if any("call" in line and "@llvm.trap" in line for line in str(module).splitlines()):
        raise SystemExit(f"{symbol}: an error path is left; expected kernels that never raise")
    return bytes(machine.emit_object(module))


def _narrow(text: str) -> str:
    """Return a form that calls the C library with addresses of 32 bits, and counts nodes."""
    if f"declare void @{MARK}()" in text:
        text = re.sub(rf"^declare void @{MARK}\(\).*$", COUNTED, text, flags=re.MULTILINE)
        text = text.replace(f"@{MARK}()", "@count_node()")
    for name, both in NARROW.items():
        if found := re.search(rf"^declare .*@{name}\(.*$", text, re.MULTILINE):
            text = re.sub(rf"(call [^@\n]*)@{name}\(i64", rf"\1@wide_{name}(i64", text)
            text = text.replace(found[0], both)
    return text


def link(objects: list[Path], library: Path, platform: Platform, symbols: list[str]) -> None:
    """Link objects into a library that exports `symbols`."""
    words = ["-m", "ziglang", "cc", "-shared", "-s", "-target", platform.target]
    if not platform.target:
        words = ["-m", "ziglang", "wasm-ld", "--shared", "--experimental-pic", "--strip-all"]
        words += ["--gc-sections", "--unresolved-symbols=import-dynamic"]
        words += [f"--export={symbol}" for symbol in (CAN_RUN, CLOCK, *symbols)]
    subprocess.run([sys.executable, *words, *map(str, objects), "-o", str(library)], check=True)


def main() -> int:
    """Build the libraries if one is not built; return status 3 if there is no linker here."""
    folder, names = Path(sys.argv[1]), sys.argv[2:] or list(PLATFORMS)
    if {f"{name}.{PLATFORMS[name].ending}" for name in names} <= {*_built(folder)}:
        return 0
    if find_spec("ziglang") is None:
        print("no linker here (pip install ziglang): the wheel has no machine code")
        return 3
    build(folder, names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
