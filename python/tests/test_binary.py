from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import microcoder

# What pyproject.toml promises, and the name of the wheel says.
GLIBC = (2, 34)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "microcoder", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> str:
    """The binary that came with the package."""
    monkeypatch.delenv("MICROCODER_MC_EVAL", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    return microcoder.find_binary()


def test_the_package_brings_its_binary(installed: str) -> None:
    assert Path(installed).is_relative_to(sys.prefix)
    ran = run("--version", MICROCODER_MC_EVAL=installed)
    assert (ran.returncode, ran.stdout) == (0, f"mc-eval {microcoder.__version__}\n")


def test_a_variable_names_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "judge"
    other.write_text("#!/bin/sh\necho other $*\n")
    other.chmod(0o755)
    assert run("a", "b", MICROCODER_MC_EVAL=str(other)).stdout == "other a b\n"
    ran = run(MICROCODER_MC_EVAL=str(tmp_path / "absent"))
    assert ran.returncode == 1
    assert "MICROCODER_MC_EVAL names" in ran.stderr


def test_none_at_all_is_an_error_that_says_where_it_was_looked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MICROCODER_MC_EVAL", raising=False)
    monkeypatch.setattr("importlib.metadata.files", lambda name: [])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(microcoder.BinaryNotFoundError, match="none is on PATH"):
        microcoder.find_binary()
    on_path = tmp_path / "mc-eval"
    on_path.write_text("#!/bin/sh\n")
    on_path.chmod(0o755)
    assert microcoder.find_binary() == str(on_path)


def test_the_binary_needs_no_newer_glibc_than_its_wheel_says(installed: str) -> None:
    """The library that it carries for the inside of its boxes included: its symbols are in these bytes too."""
    symbols = re.findall(rb"GLIBC_(\d+)\.(\d+)", Path(installed).read_bytes())
    needed = {(int(major), int(minor)) for major, minor in symbols}
    assert needed
    assert max(needed) <= GLIBC
