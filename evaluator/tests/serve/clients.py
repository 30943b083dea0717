"""Asks a server through verl's own reward function and SandboxFusion's own client. Argument: the server's URL."""

import importlib.util
import json
import pathlib
import sys
import sysconfig
import threading

URL = sys.argv[1]


def verl_score():
    # By its path: the package as a whole wants torch and ray, this module only requests.
    path = pathlib.Path(sysconfig.get_path("purelib")) / "verl/utils/reward_score/sandbox_fusion"
    places = [str(path)]
    spec = importlib.util.spec_from_file_location("fusion", path / "__init__.py", submodule_search_locations=places)
    module = importlib.util.module_from_spec(spec)
    sys.modules["fusion"] = module
    spec.loader.exec_module(module)
    return module.compute_score


def score(code, cases, **more):
    slots = threading.Semaphore(16)
    completion = f"Here it is.\n```python\n{code}\n```\n"
    return verl_score()(f"{URL}/run_code", slots, 1024, completion, cases, **more)


def check_verl():
    cases = json.dumps({"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]})
    value, told = score("print(sum(map(int, input().split())))", cases)
    assert value == 1.0, told
    value, told = score("print(3)", cases)
    assert value == 0.5, told
    assert [it["status"] for it in told] == ["success", "wrong_answer"], told
    value, told = score("raise SystemExit(1)", cases)
    assert (value, told[0]["status"]) == (0.0, "runtime_error"), told
    value, told = score("while True: pass", cases, timeout=1)
    assert (value, told[0]["status"]) == (0.0, "timeout"), told
    calls = {"fn_name": "add", "inputs": ["1\n2", "3\n4"], "outputs": ["3", "7"]}
    value, told = score("class Solution:\n    def add(self, a, b):\n        return a + b", json.dumps(calls))
    assert value == 1.0, told


def check_sandbox_fusion():
    from sandbox_fusion import RunCodeRequest, SubmitRequest, TestConfig, run_code, set_endpoint, submit

    set_endpoint(URL)
    ran = run_code(RunCodeRequest(code="print(input())", stdin="x", language="python"))
    assert (ran.status, ran.run_result.stdout) == ("Success", "x\n"), ran
    data = {"id": 1, "test": [{"input": {"stdin": "1"}, "output": {"stdout": "2"}}]}
    config = TestConfig(dataset_type="CommonOJDataset", language="python", provided_data=data)
    request = SubmitRequest(
        dataset="any", id=1, completion="```python\nprint(int(input()) + 1)\n```", config=config
    )
    result = submit(request)
    assert result.accepted, result


check_verl()
check_sandbox_fusion()
