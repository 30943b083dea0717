"""The mask is held to the cases that the trainer itself is held to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder.truncation import Conditions, draws

CASES = Path(__file__).parents[2] / "trainer/tests/reference/parity/cases.json"


def test_the_mask_is_the_trainers() -> None:
    cases = json.loads(CASES.read_text())
    truncation: list[dict[str, Any]] = cases["truncation"]
    assert {case["masked"] for case in truncation} == {True, False}
    for case in truncation:
        tokens = cases["truncation_tokens"][case["tokens"]]
        accepted = case["reward"] == 1.0
        masked = Conditions(**case["conditions"]).mask(tokens, case["max_length"], accepted, case["draw"])
        assert masked is case["masked"], case


def test_a_loop_of_another_length_is_a_repetition_of_any_period() -> None:
    tokens = [7, 1, 2, 3] + [1, 2, 3] * 10
    assert not Conditions(window=16).repeats(tokens)
    assert Conditions(window=16, repeat="any_period").repeats(tokens)


def test_a_setting_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="when is 'wrong'"):
        Conditions(when="wrong")


def test_draws_depend_on_their_seed_alone() -> None:
    assert draws(4, 0, 1) == draws(4, 0, 1)
    assert draws(4, 0, 1) != draws(4, 0, 2)
