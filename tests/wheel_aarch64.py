"""Whether the machine code for Linux on AArch64 runs: all compiled searches visit the nodes of the
reference form, and solvers run, under qemu, in a Python of Debian for that processor.

    python tests/wheel_aarch64.py dist/*.whl

The packages come from Debian and PyPI, into a folder that is deleted; nothing is installed. Where
they cannot be loaded, the script says so, with status 0. On a machine with this processor,
`tests/wheel.py` does the same.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from wheel import ROOT, SHIPPED, name_of

PACKAGES = (
    *("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libc6"),
    *("libexpat1", "zlib1g", "libffi8", "libssl3", "libbz2-1.0", "liblzma5", "libuuid1"),
    *("libgcc-s1", "libstdc++6"),
)
"""What NumPy and `ctypes` need, in Debian 12."""


def load(folder: Path) -> None:
    """Unpack qemu, and Python with its libraries for AArch64, from Debian. Raises OSError and
    CalledProcessError."""
    apt = folder / "apt"
    for name in ("lists/partial", "archives/partial", "state"):
        (apt / name).mkdir(parents=True)
    settings = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "root",
        "Dir::State": apt / "state",
        "Dir::State::lists": apt / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": apt,
    }
    foreign = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]

    def run(*words: object) -> None:
        subprocess.run([*map(str, words)], cwd=folder, check=True, capture_output=True)

    run("apt-get", "download", "qemu-user-static")
    run("apt-get", *foreign, "update")
    run("apt-get", *foreign, "download", *PACKAGES)
    for package in folder.glob("*.deb"):
        run("dpkg", "-x", package, folder / "root")
    numpy = ("--no-deps", "--only-binary=:all:", "--python-version=3.11", "numpy")
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in (17, 27, 28)]
    pip = (
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--constraint",
        ROOT / "constraints.txt",
    )
    run(*pip, "--target", folder / "site", *platforms, *numpy)


def main() -> int:
    wheels = [Path(each) for each in sys.argv[1:]]
    chosen = [each for each in wheels if name_of(each) == "plyscope"]
    chosen += [each for each in wheels if "fast" in each.name and "aarch64" in each.name]
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            load(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"not run under qemu, since packages cannot be loaded: {error}")
            return 0
        for wheel in chosen:
            with ZipFile(wheel) as archive:
                archive.extractall(folder / "site")
        qemu = [folder / "root/usr/bin/qemu-aarch64-static", "-L", folder / "root"]
        run = subprocess.run(
            [*qemu, folder / "root/usr/bin/python3.11", "-c", SHIPPED, ROOT / "bench"],
            cwd=folder,
            env={"HOME": name, "PYTHONPATH": str(folder / "site"), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        print(run.stdout + run.stderr, end="")
        made = [*folder.rglob("kernels-*")]
        print("AArch64:", "wrong" if run.returncode or run.stderr or made else "all right")
        return int(bool(run.returncode or run.stderr or made))


if __name__ == "__main__":
    sys.exit(main())
