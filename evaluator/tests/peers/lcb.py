"""What LiveCodeBench's own evaluator says of programs: {"id", "results"}, a line each.

    LCB_ROOT=LiveCodeBench python evaluator/tests/peers/lcb.py FILE... > answers.jsonl

LCB_ROOT is a checkout of github.com/LiveCodeBench/LiveCodeBench, of whose needs numpy and tqdm are enough here. The
files hold solutions with their tests in a line, solutions beside a `problems.jsonl`, or pairs of texts to compare, each
of which becomes a program that prints the one where the other is expected. It runs them as they are, with no sandbox.
"""

import json
import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TIMEOUT = 6


def rows(path):
    problems = {}
    beside = Path(path).parent / "problems.jsonl"
    if beside.exists():
        problems = {row["id"]: row for row in map(json.loads, beside.open())}
    for row in map(json.loads, open(path)):
        if "actual" in row:
            if row.get("kind") != "value":
                yield printing(row)
        elif "code" in row:
            yield {**problems.get(row["problem_id"], {}), **row}


def printing(pair):
    code = "import sys\nsys.stdout.write(%r)" % pair["actual"]
    test = {"input": "", "output": pair["expected"]}
    return {"id": pair["id"], "code": code, "kind": "stdin", "tests": [test]}


def sample(row):
    """A row's tests in LiveCodeBench's form, which has calls as a line of JSON an argument."""
    inputs = [test["input"] for test in row["tests"]]
    outputs = [test["output"] for test in row["tests"]]
    if row["kind"] == "call":
        inputs = ["\n".join(map(json.dumps, arguments)) for arguments in inputs]
        outputs = list(map(json.dumps, outputs))
    name = row.get("fn_name")
    return json.dumps({"inputs": inputs, "outputs": outputs, "fn_name": name and name.rpartition(".")[2]})


def ask(row):
    from lcb_runner.evaluation.compute_code_generation_metrics import evaluate_generations_by_problem

    timeout = math.ceil(row.get("time_limit", TIMEOUT))
    given = [row["code"]], {"input_output": sample(row)}, False, timeout
    results, _ = evaluate_generations_by_problem(given)
    return {"id": row["id"], "results": results[0]}


def main():
    os.chdir(os.environ["LCB_ROOT"])
    sys.path.insert(0, ".")
    # What programs print for themselves goes nowhere.
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    asked = [row for path in PATHS for row in rows(path) if row["kind"] != "assert"]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for answer in threads.map(ask, asked):
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    PATHS = [os.path.abspath(path) for path in sys.argv[1:]]
    main()
