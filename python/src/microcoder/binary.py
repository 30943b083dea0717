"""Where `mc-eval` is."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
from pathlib import Path

VARIABLE = "MICROCODER_MC_EVAL"


class BinaryNotFoundError(RuntimeError):
    """There is no `mc-eval` where one was looked for."""


def find_binary() -> str:
    """The path of `mc-eval`: what MICROCODER_MC_EVAL names, else the one this package was installed with, else the one
    on PATH."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return _named(named)
    found = _installed() or shutil.which("mc-eval")
    if found is None:
        raise BinaryNotFoundError(
            f"no mc-eval: this installation of microcoder carries none, {VARIABLE} is not set, and none is on PATH. "
            "`pip install --force-reinstall microcoder` brings it, "
            "`cargo install --path evaluator` builds it from a checkout"
        )
    return found


def _named(path: str) -> str:
    if not _executable(Path(path)):
        raise BinaryNotFoundError(f"{VARIABLE} names {path!r}, which is no executable file")
    return path


def _installed() -> str | None:
    try:
        files = importlib.metadata.files("microcoder") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = (Path(os.path.normpath(file.locate())) for file in files if file.name == "mc-eval")
    return next((str(path) for path in paths if _executable(path)), None)


def _executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
