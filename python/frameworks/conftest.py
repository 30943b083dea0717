"""What the tests of several frameworks share: each runs the framework's own code, on a CPU and without a download."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def problem() -> dict[str, Any]:
    return {"id": "three", "kind": "stdin", "tests": [{"input": "", "output": "3\n"}]}


@pytest.fixture
def unjudgeable() -> dict[str, Any]:
    """A problem on which the judge fails, whatever the solution."""
    return {"id": "broken", "kind": "assert", "fn_name": "f", "tests": [{"code": "import absent_module"}]}


@pytest.fixture(scope="session")
def reference() -> dict[str, Any]:
    """The cases that mc-train itself is held to."""
    folder = Path(__file__).parents[2] / "trainer/tests/reference/parity"
    cases: dict[str, Any] = json.loads((folder / "cases.json").read_text())
    return cases
