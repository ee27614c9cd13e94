"""Proofs about the numbers of a family, which the package plyscope-optima brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyscope.houses import find


def proof(name: str) -> Callable[..., Any]:
    """Return the function of a house that proves `optimum`, `unbeaten`, `games-lost` or
    `conflicts`.

    Raises UnknownNameError with the command that installs it.
    """
    found: Callable[..., Any] = find("PROOFS", name, "proof")
    return found
