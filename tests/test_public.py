"""The public names."""

from __future__ import annotations

import subprocess
import sys

import plyscope


def test_all_names_resolve_and_are_listed() -> None:
    for name in plyscope.__all__:
        assert callable(getattr(plyscope, name)) or len(getattr(plyscope, name))
    assert set(plyscope.__all__) <= set(dir(plyscope))


def test_importing_plyscope_loads_no_other_library_and_no_floor() -> None:
    code = "import sys, plyscope\nprint(sorted(name for name in sys.modules if name.startswith(('plyscope.', 'rich', 'numpy', 'numba'))))"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "['plyscope.display', 'plyscope.version']\n"
    )


def test_no_public_name_is_hidden_by_a_package_of_the_same_name() -> None:
    code = "import plyscope.faces.tables, plyscope.searching.driver, plyscope.lab.match, plyscope as ps\n"
    code += "assert all(type(getattr(ps, name)).__name__ != 'module' for name in ps.__all__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == ""
