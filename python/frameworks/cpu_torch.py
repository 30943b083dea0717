"""Lets a virtual environment use the PyTorch that another folder holds, without the CUDA libraries it was built for.

    cpu_torch.py PYTHON TORCH        # the environment's interpreter; the folder `torch` with the modules

PyPI's wheel of PyTorch for Linux cannot be imported without several gigabytes of CUDA libraries, of which a CPU uses
nothing. In their place come empty ones of the same names; their functions are looked up when they are called, and they
are not. Needs a C compiler. For tests on a CPU alone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

# Functions are looked up when they are called, and the empty libraries stand in for those of their names.
LOADER = """import ctypes, os, pathlib, sys
sys.setdlopenflags(os.RTLD_LAZY)
for path in sorted(pathlib.Path(__file__).parent.glob("*.so*")):
    ctypes.CDLL(str(path), os.RTLD_GLOBAL)
"""


def main() -> None:
    python, torch = sys.argv[1], Path(sys.argv[2])
    site = Path(_output(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
    (site / "torch_of_another_folder.pth").write_text(f"{torch.parent}\n")
    if subprocess.run([python, "-c", "import torch"], capture_output=True, check=False).returncode == 0:
        return
    folder = site / "empty_cuda"
    folder.mkdir(exist_ok=True)
    for name in _absent(torch / "lib"):
        command = ["cc", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-x", "c", "-", "-o", str(folder / name)]
        subprocess.run(command, input=b"int empty;\n", check=True)
    (folder / "__init__.py").write_text(LOADER)
    with (site / "torch_of_another_folder.pth").open("a") as lines:
        lines.write("import empty_cuda\n")
    subprocess.run([python, "-c", "import torch; torch.zeros(1)"], check=True)


def _absent(libraries: Path) -> list[str]:
    """The libraries that PyTorch's own need and that this machine does not have."""
    lines = [line for path in libraries.glob("lib*.so") for line in _output("ldd", str(path)).splitlines()]
    return sorted({line.split()[0] for line in lines if "not found" in line and "libcuda.so" not in line})


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
