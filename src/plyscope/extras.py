"""Packages that plyscope can use, and the one line that says how to install a missing one."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from plyscope.errors import OptionError

KERNEL_PACKAGES = ("plyscope_fast",)
"""The packages that kernels need; tablebases and tuning need NumPy too."""
JIT_PACKAGES = ("numba", "llvmlite")
"""The packages that compile: people's functions and games, and kernels where plyscope-fast has no
machine code for this platform."""
EXTRAS = {
    "fast": ("plyscope_fast", "numpy"),
    "jit": JIT_PACKAGES,
    "terminal": ("rich",),
    "web": ("msgspec", "starlette", "uvicorn", "websockets"),
    "notebook": ("anywidget", "msgspec"),
    "figures": ("typst",),
    "pandas": ("pandas",),
    "cluster": ("distributed",),
}
"""The modules that each extra of plyscope installs."""


class MissingPackageError(OptionError):
    """Something needs a package that is not installed, or cannot be imported."""


def load(module: str, what: str, source: str) -> Any:
    """Import and return a module.

    Raises MissingPackageError if a package of other people is missing or broken. The message says
    what needs it, and what to install: `source` is an extra of plyscope, or the name of a package.
    """
    try:
        return import_module(module)
    except (ImportError, OSError) as error:
        name = getattr(error, "name", None) or ""
        if name.partition(".")[0] == "plyscope":
            raise
        why = " ".join(str(error).split())
        packages = _package(name) or f"a package that can be imported ({why})"
        raise needs(what, packages, source) from None


def explained(error: ImportError, what: str) -> ImportError | MissingPackageError:
    """Return the error that says which extra installs the package that could not be imported; if no
    extra does, `error` itself. `what` is what needs the package."""
    name = (error.name or "").partition(".")[0]
    package = _package(name)
    extra = next((extra for extra, names in EXTRAS.items() if name in names), None)
    if extra is None and package == name:
        return error
    return needs(what, package, extra or package)


def needs(what: str, packages: str, source: str) -> MissingPackageError:
    """Return the error which says that `what` needs packages, and how to install them."""
    target = _quoted(source) if source in EXTRAS else source
    return MissingPackageError(f"{what} needs {packages}; expected `pip install {target}`")


def why_no_kernels() -> str:
    """Return why no kernel can run; empty if the packages that kernels need are there."""
    lacking, extra = lacking_for_kernels()
    return f"machine code needs {lacking}: `pip install {_quoted(extra)}`" if lacking else ""


def has_machine_code() -> bool:
    """Return whether plyscope-fast is installed, and has the machine code for this platform."""
    shipped = "plyscope_fast.machine.shipped"
    return not missing(KERNEL_PACKAGES) and bool(import_module(shipped).addresses())


def lacking_for_kernels() -> tuple[str, str]:
    """Return the packages that are missing to run kernels, as a list in words, and the extra that
    installs them; empty if there are none."""
    if lacking := missing(KERNEL_PACKAGES):
        return lacking, "fast"
    if (lacking := missing(JIT_PACKAGES)) and not has_machine_code():
        return lacking, "jit"
    return "", ""


@cache
def missing(packages: tuple[str, ...]) -> str:
    """Return the packages that are not installed, as a list in words; empty if there are none."""
    names = [_package(name) for name in packages if not _is_there(name)]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _package(module: str) -> str:
    """Return the name for pip of a module's package: those of plyscope have a hyphen."""
    return module.replace("plyscope_", "plyscope-")


def _quoted(extra: str) -> str:
    return f'"plyscope[{extra}]"'
