"""Machine code of users' functions on disk, so that only the first process compiles them. Each
function has one file, with everything it calls, named by the digest of `reading.Reading`. This
module imports Numba."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from ctypes import addressof, c_void_p
from itertools import accumulate, pairwise
from typing import Any

import numba
from llvmlite.binding import add_symbol
from numba._dynfunc import make_function
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from plyscope_fast.machine import store

RECURSIVE_PREFIX = ".numba.unresolved$"
"""The beginning of the name of a pointer to a function that calls itself. The pointer is set after
the function is linked."""


class Linked:
    """Machine code in its own LLVM engine, so that its names cannot clash with those of other code.

    `data` is a line of JSON and object files, as `save` writes them. Raises ValueError, TypeError,
    KeyError or RuntimeError if it is anything else.
    """

    def __init__(self, data: bytes) -> None:
        head, _, code = data.partition(b"\n")
        self._head = json.loads(head)
        if self._head["numba"] != numba.__version__:
            raise ValueError(f"made by Numba {self._head['numba']}")
        rtsys.initialize(cpu_target.target_context)  # defines Numba's functions
        if store.unknown(self._head["needs"]):
            cpu_target.target_context.refresh()  # mathematical functions too, which takes longer
        if unknown := store.unknown(self._head["needs"]):
            raise ValueError(f"no function {unknown[0]!r}")
        self._pointers = {name: c_void_p() for name in self._head["recursive"]}
        for name, pointer in self._pointers.items():
            add_symbol(RECURSIVE_PREFIX + name, addressof(pointer))
        ends = list(accumulate(self._head["sizes"], initial=0))
        self._engine = store.linked(code[begin:end] for begin, end in pairwise(ends))
        for name, pointer in self._pointers.items():
            pointer.value = self._address(name)
        self._environments = [Environment({}) for _ in self._head["environments"]]
        for name, made in zip(self._head["environments"], self._environments, strict=True):
            c_void_p.from_address(self._engine.get_global_value_address(name)).value = id(made)
        self.address = self._address(self._head["name"])
        """The address of the function."""

    def _address(self, name: str) -> int:
        if address := self._engine.get_function_address(name):
            return int(address)
        raise ValueError(f"no function {name!r}")

    @property
    def called(self) -> Any:
        """The function as a Python callable; the machine code must include Numba's wrapper."""
        here = sys.modules[__name__]
        return make_function(here, "entry", "", self.address, Environment({}), (self,))


def load(digest: str) -> Linked | None:
    """Return the machine code stored under this digest, None if it is missing or damaged."""
    if digest and (data := store.read(f"function-{digest}.o")):
        with suppress(ValueError, TypeError, KeyError, RuntimeError):
            return Linked(data)
    return None


def save(digest: str, library: Any, name: str, forms: Iterable[Any] = ()) -> None:
    """Write a Numba library, whose function is called `name`, unless it refers to objects of this
    process or `digest` is empty.

    `forms` are the Numba functions compiled with it. Functions that call themselves are found among
    them.
    """
    compiled = [each for form in forms for each in form.overloads.values()]
    by_name = {each.fndesc.mangled_name: each.library for each in compiled}
    libraries = [library]
    recursive, environments, needs = set[str](), set[str](), set[str]()
    for each in libraries:  # the list grows in the loop
        module = each._final_module
        variables = [variable.name for variable in module.global_variables]
        environments |= {found for found in variables if found.startswith("_ZN08NumbaEnv")}
        called = {
            found.removeprefix(RECURSIVE_PREFIX) for found in variables if RECURSIVE_PREFIX in found
        }
        if not digest or each.has_dynamic_globals or not called <= by_name.keys():
            return
        libraries += [by_name[found] for found in called - recursive]
        recursive |= called
        declared = [function.name for function in module.functions if function.is_declaration]
        needs |= {found for found in declared if not found.startswith("llvm.")}
    if any(found.consts for found in map(lookup_environment, environments) if found):
        return
    code = [bytes(each._get_compiled_object()) for each in libraries]
    head = {
        "numba": numba.__version__,
        "name": name,
        "environments": sorted(environments),
        "recursive": sorted(recursive),
        "needs": sorted(needs),
        "sizes": list(map(len, code)),
    }
    store.write_function(digest, b"".join([json.dumps(head).encode(), b"\n", *code]))
