"""Judging on a Ray cluster of two machines, one of which is lost midway: how fast are two and one, and is all judged?

    pip install ./python "ray==2.60.0"
    RAY_raylet_start_wait_time_s=600 python benches/ray/cluster.py --solutions 20000

The machines are those of Ray's own `Cluster`: a core each, and Ray's processes for each of them, all on this machine,
which may take longer to start them than Ray expects if it is busy. One is killed, without notice, after half of the
verdicts. Fails unless every solution is answered once, in order, with the verdict of `mc-eval judge`.
"""

import argparse
import collections
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import ray
from ray.cluster_utils import Cluster

import microcoder.ray

PROBLEMS = [
    {"id": "sum", "kind": "stdin", "tests": [{"input": "1 2\n", "output": "3\n"}]},
    {"id": "double", "kind": "call", "fn_name": "double", "tests": [{"input": [2], "output": 4}]},
]
PROGRAMS = [
    ("sum", "print(sum(map(int, input().split())))"),
    ("sum", "print(1)"),
    ("sum", "print(int(input()))"),
    ("sum", "import math; print("),
    ("double", "def double(x): return 2 * x"),
    ("double", "def double(x): return x"),
]


def solutions(count):
    for i in range(count):
        problem, program = PROGRAMS[i % len(PROGRAMS)]
        yield {"id": str(i), "problem_id": problem, "code": f"{program}\n# {i}"}


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def judged_alone(count):
    """The verdicts of `mc-eval judge` with one worker, and its time."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "problems.jsonl").write_text(lines(PROBLEMS))
        (folder / "solutions.jsonl").write_text(lines(solutions(count)))
        judge = [sys.executable, "-m", "microcoder", "judge", "solutions.jsonl", "--problems", "problems.jsonl"]
        start = time.monotonic()
        subprocess.run([*judge, "--workers", "1", "--out", "out.jsonl"], cwd=folder, check=True, capture_output=True)
        took = time.monotonic() - start
        with (folder / "out.jsonl").open() as verdicts:
            return [(line["id"], line["verdict"]) for line in map(json.loads, verdicts)], took


@contextlib.contextmanager
def cluster(machines):
    """A cluster whose head has no cores, so that each of its machines can be lost."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    ray.init(address=made.address, log_to_driver=False)
    try:
        nodes = [made.add_node(num_cpus=1) for _ in range(machines)]
        made.wait_for_nodes(timeout=600)
        yield made, nodes
    finally:
        ray.shutdown()
        made.shutdown()


def judged_by_two(count, lose_at):
    """Ids and verdicts in the order in which they came, and the times until one machine was lost and from then on."""
    with cluster(2) as (made, nodes):
        found, times = [], [time.monotonic()]
        for verdict in microcoder.ray.judge(solutions(count), PROBLEMS):
            found.append((verdict.id, verdict.verdict))
            if len(found) == lose_at:
                times.append(time.monotonic())
                made.remove_node(nodes[0], allow_graceful=False)
        times.append(time.monotonic())
    return found, [end - start for start, end in zip(times, times[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--solutions", type=int, default=20_000)
    count = parser.parse_args().solutions
    lose_at = count // 2
    expected, alone = judged_alone(count)
    print(f"verdicts: {dict(collections.Counter(verdict for _, verdict in expected))}")
    print(f"mc-eval judge, one worker: {count / alone:.0f}/s", flush=True)
    found, (both, one) = judged_by_two(count, lose_at)
    differ = [pair for pair in zip(found, expected) if pair[0] != pair[1]]
    assert len(found) == count, f"{len(found)} verdicts"
    assert not differ, differ[:10]
    print("every solution was answered once, in order, and as by judge")
    print(f"two machines: {lose_at / both:.0f}/s; one, after the other was lost: {(count - lose_at) / one:.0f}/s")


main()
