"""NumPy for populations, or `lists` where it is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyscope.extras import missing

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Integers = np.ndarray[Any, np.dtype[np.int64]]
    Flags = np.ndarray[Any, np.dtype[np.bool_]]
    Keys = np.ndarray[Any, np.dtype[np.uint64]]
elif missing(("numpy",)):
    from plyscope.lab.judging import lists as np

    Floats = Integers = Flags = Keys = np.Array
else:
    import numpy as np

    Floats = Integers = Flags = Keys = np.ndarray

HAS_FEATURES = not missing(("plyscope_fast", "numpy"))
"""Whether tables can be evaluated on many positions at once (`evaluate_many`)."""
__all__ = ["HAS_FEATURES", "Flags", "Floats", "Integers", "Keys", "np"]
