"""A cluster of two machines, as Ray's own tests make one on a single machine, and one of them lost midway."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Callable

import pytest
import ray
import ray.data
from ray.cluster_utils import Cluster

import microcoder
import microcoder.ray

COUNT = 600
CODES = ["print(3)", "print(4)", "1/0"]
VERDICTS = ["accepted", "wrong_answer", "runtime_error"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Its head has no cores, so that every machine that has can be lost."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def machines(cluster: Cluster) -> Iterator[Callable[[int], list[Any]]]:
    """Adds machines with a core each, for as long as a test takes."""
    added: list[Any] = []

    def add(count: int) -> list[Any]:
        added.extend(cluster.add_node(num_cpus=1) for _ in range(count))
        cluster.wait_for_nodes(timeout=600)
        return added

    yield add
    for node in added:
        if node in cluster.worker_nodes:
            cluster.remove_node(node)


def solutions(drawn: list[int]) -> Iterator[dict[str, Any]]:
    for number in range(COUNT):
        drawn.append(number)
        yield {"id": str(number), "problem_id": "three", "code": f"{CODES[number % 3]}  # {number}"}


def test_a_machine_that_is_lost_midway_loses_nothing(
    cluster: Cluster, machines: Callable[[int], list[Any]], problem: dict[str, Any]
) -> None:
    first, _ = machines(2)
    drawn: list[int] = []
    verdicts = []
    for verdict in microcoder.ray.judge(solutions(drawn), [problem], chunk=20):
        verdicts.append(verdict)
        if len(verdicts) == COUNT // 4:
            # There is work left for both.
            assert len(drawn) < COUNT
            cluster.remove_node(first)
    assert [verdict.id for verdict in verdicts] == [str(number) for number in range(COUNT)]
    assert [verdict.verdict for verdict in verdicts] == VERDICTS * (COUNT // 3)


def test_what_cannot_be_read_is_an_error_that_names_the_field(machines: Callable[[int], list[Any]]) -> None:
    machines(1)
    with pytest.raises(microcoder.InvalidInputError, match="problem_id"):
        list(microcoder.ray.judge([{"id": "a", "problem_id": "unknown", "code": ""}]))


def test_no_machine_left_is_an_error(
    cluster: Cluster, machines: Callable[[int], list[Any]], problem: dict[str, Any]
) -> None:
    (only,) = machines(1)
    verdicts = microcoder.ray.judge(solutions([]), [problem], chunk=10)
    next(verdicts)
    cluster.remove_node(only)
    with pytest.raises(microcoder.JudgeError, match="all actors are lost"):
        list(verdicts)
    with pytest.raises(microcoder.JudgeError, match="no machine"):
        list(microcoder.ray.judge([]))


def test_a_dataset_is_judged_batch_by_batch(
    machines: Callable[[int], list[Any]], problem: dict[str, Any], unjudgeable: dict[str, Any]
) -> None:
    machines(2)
    named = [{"id": str(number), "problem_id": "three", "code": CODES[number % 3]} for number in range(60)]
    # Rows with a problem of their own, and what an earlier judgement said of them.
    own = [
        {"id": "own", "code": "print(3)", "problem": json.dumps(problem), "verdict": "wrong_answer"},
        {"id": "absent", "code": "f = 1", "problem": json.dumps(unjudgeable), "verdict": "wrong_answer"},
    ]
    dataset = ray.data.from_items([{"problem": None, "verdict": None, **row} for row in named + own])
    judged = microcoder.ray.judge_dataset(dataset, [problem], actors=2, batch=8).take_all()
    found = {row["id"]: (row["verdict"], row["reward"]) for row in judged}
    assert len(judged) == len(found) == 62
    assert [found[str(number)][0] for number in range(60)] == VERDICTS * 20
    assert found["own"] == ("accepted", 1.0)
    assert found["absent"] == ("judge_failed", None)
