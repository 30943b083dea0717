from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Callable

import pytest

import microcoder
from conftest import RIGHT, WRONG, children, kill_children
from microcoder.shared import shared_judge

Solutions = Callable[[int], list[dict[str, Any]]]
# What each of three solutions in turn gets.
REWARDS = [1.0, 0.0, 0.0]
PASSED = [2, 1, 0]


def test_verdicts_come_in_the_order_of_the_solutions(problem: dict[str, Any], solutions: Solutions) -> None:
    with microcoder.Judge() as judge:
        verdicts = list(judge.judge([problem], solutions(90)))
    assert [verdict.id for verdict in verdicts] == [f"s{n}" for n in range(90)]
    assert [verdict.reward for verdict in verdicts] == REWARDS * 30
    assert [verdict.passed for verdict in verdicts] == PASSED * 30


def test_verdicts_come_as_they_are_ready(problem: dict[str, Any], solutions: Solutions) -> None:
    with microcoder.Judge() as judge:
        rewards = {v.id: v.reward for v in judge.judge([problem], solutions(90), in_order=False)}
    assert rewards == {f"s{n}": REWARDS[n % 3] for n in range(90)}


def test_a_verdict_says_what_the_judge_says(problem: dict[str, Any]) -> None:
    solution = {"id": "x", "problem_id": "sum", "code": WRONG}
    with microcoder.Judge(options=["--keep-output", "10"]) as judge:
        (verdict,) = judge.judge([problem], [solution])
    assert (verdict.id, verdict.problem_id, verdict.verdict) == ("x", "sum", "wrong_answer")
    assert not verdict.accepted
    assert verdict.judged
    assert (verdict.total, verdict.profile) == (2, "standard")
    case = verdict.cases[0]
    assert case.diff is not None
    assert (case.diff.line, case.diff.expected, case.diff.actual) == (1, "3", "-1")
    assert case.stdout == "-1\n"
    assert case.cpu_ms is not None
    assert case.cpu_ms > 0


def test_rows_of_any_format_are_taken(problem: dict[str, Any]) -> None:
    taco = {"id": "t", "input_output": '{"inputs": ["1 2\\n"], "outputs": ["3\\n"]}'}
    human = {
        "task_id": "Human/0",
        "entry_point": "f",
        "prompt": "def f(x):\n",
        "test": "def check(c):\n  assert c(1) == 2\n",
    }
    rows: list[dict[str, Any]] = [
        {"problem_id": "t", "response": f"So:\n```python\n{RIGHT}\n```\n"},
        {"task_id": "Human/0", "completion": "    return x + 1\n"},
        {"id": "own", "kind": "stdin", "tests": problem["tests"], "code": RIGHT},
    ]
    with microcoder.Judge() as judge:
        verdicts = list(judge.judge([taco, human], rows))
    assert [verdict.verdict for verdict in verdicts] == ["accepted"] * 3


def test_problems_of_files_need_not_be_given(tmp_path: Path) -> None:
    file = tmp_path / "problems.jsonl"
    file.write_text('{"id": "sum", "kind": "stdin", "tests": [{"input": "1 2", "output": "3"}]}\n')
    with microcoder.Judge([file]) as judge:
        assert judge.rewards([], [{"problem_id": "sum", "code": RIGHT}]) == [1.0]
        assert judge.submit(None, {"problem_id": "sum", "code": WRONG}).result().reward == 0.0


def test_two_problems_of_one_id_are_told_apart(problem: dict[str, Any]) -> None:
    other = {**problem, "tests": [{"input": "1 2", "output": "-1"}]}
    with microcoder.Judge() as judge:
        solution = {"problem_id": "sum", "code": WRONG}
        verdicts = [judge.submit(given, solution).result() for given in (problem, other, problem)]
    assert [verdict.accepted for verdict in verdicts] == [False, True, False]


@pytest.mark.parametrize(
    ("problem", "solution", "words"),
    [
        ({"id": "p", "kind": "stdin", "tests": []}, {"problem_id": "p", "code": ""}, "tests"),
        ({"id": "p", "kind": "stdin"}, {"problem_id": "p", "code": ""}, "problem"),
        ({"id": "q"}, {"id": "a", "problem_id": "p", "code": ""}, "solution a: problem_id"),
        ({"id": "p", "kind": "stdin", "tests": [{"input": "", "output": ""}]}, {"problem_id": "p"}, "code"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_the_field(
    problem: dict[str, Any], solution: dict[str, Any], words: str
) -> None:
    with microcoder.Judge() as judge, pytest.raises(microcoder.InvalidInputError, match=words):
        list(judge.judge([problem], [solution]))


def test_pipes_that_are_full_on_both_sides_hold_nothing_up(problem: dict[str, Any]) -> None:
    """Each solution and each verdict is larger than a pipe."""
    size = 200_000
    code = f"{RIGHT}\nimport sys\nsys.stderr.write('x' * {size})\n#" + "y" * size
    rows = [{"id": str(n), "problem_id": "sum", "code": f"{code}{n}"} for n in range(60)]
    with microcoder.Judge(options=["--keep-output", str(size)], in_flight=40) as judge:
        verdicts = list(judge.judge([problem], rows))
    assert [verdict.accepted for verdict in verdicts] == [True] * 60
    assert all(len(verdict.cases[0].stderr or "") == size for verdict in verdicts)


def test_solutions_are_drawn_as_there_is_room(problem: dict[str, Any], solutions: Solutions) -> None:
    drawn = []

    def stream() -> Any:
        for solution in solutions(50):
            drawn.append(solution)
            yield solution

    with microcoder.Judge(in_flight=4) as judge:
        for place, _ in enumerate(judge.judge([problem], stream())):
            assert len(drawn) <= place + 5


def test_what_a_dead_judge_leaves_is_judged_again(problem: dict[str, Any], solutions: Solutions) -> None:
    with microcoder.Judge() as judge:
        rewards = []
        for place, verdict in enumerate(judge.judge([problem], solutions(150))):
            if place in {20, 110}:
                kill_children(signal.SIGKILL)
            rewards.append(verdict.reward)
    assert rewards == REWARDS * 50


def test_the_judge_ends_with_its_block(problem: dict[str, Any], solutions: Solutions) -> None:
    endless = {"id": "e", "problem_id": "sum", "code": "while True: pass"}
    with microcoder.Judge(options=["--time-limit", "500"]) as judge:
        judge.submit(problem, endless)
        assert children()
    assert not children()
    with pytest.raises(microcoder.JudgeError, match="closed"):
        judge.submit(problem, endless)


def test_a_judge_that_cannot_start_says_why(problem: dict[str, Any], solutions: Solutions) -> None:
    with (
        microcoder.Judge(options=["--no-such-option"]) as judge,
        pytest.raises(microcoder.JudgeError, match=r"exit code 2.*--no-such-option"),
    ):
        list(judge.judge([problem], solutions(5)))


def test_what_is_no_judge_is_an_error(
    problem: dict[str, Any], solutions: Solutions, stand_in: Callable[[str], None]
) -> None:
    stand_in("print('hello', flush=True)")
    with microcoder.Judge() as judge, pytest.raises(microcoder.JudgeError, match="mc-eval was ended by signal 9"):
        list(judge.judge([problem], solutions(1)))


def test_a_solution_over_which_the_judge_dies_twice_has_no_reward(
    problem: dict[str, Any], stand_in: Callable[[str], None]
) -> None:
    stand_in(
        """
        if "register" in asked:
            answer(row, registered="h")
        elif asked["code"] == "poison":
            os.abort()
        else:
            accept(row, asked)
        """
    )
    codes = ["right", "poison", "right"]
    rows = [{"id": str(n), "problem_id": "sum", "code": code} for n, code in enumerate(codes)]
    with microcoder.Judge(in_flight=1) as judge:
        first, poison, last = judge.judge([problem], rows)
    assert (first.reward, last.reward) == (1.0, 1.0)
    assert (poison.id, poison.verdict, poison.reward, poison.judged) == ("1", "judge_failed", None, False)
    assert "signal 6" in (poison.message or "")


def test_a_problem_that_the_judge_forgot_is_sent_again(
    problem: dict[str, Any], solutions: Solutions, stand_in: Callable[[str], None]
) -> None:
    stand_in(
        """
        if "register" in asked:
            answer(row, registered="h")
        elif asked["problem"] == "h":
            answer(row, id=asked["id"], error='"h" is not registered (any more)', field="problem")
        else:
            accept(row, asked)
        """
    )
    with microcoder.Judge() as judge:
        assert judge.rewards([problem], solutions(9)) == [1.0] * 9


def test_a_forked_process_has_a_judge_of_its_own(problem: dict[str, Any]) -> None:
    solution = {"problem_id": "sum", "code": RIGHT}
    assert shared_judge() is shared_judge()
    assert shared_judge().rewards([problem], [solution]) == [1.0]
    own = children()
    inherited = shared_judge()
    fork = os.fork()
    if fork == 0:
        code = 1
        try:
            with pytest.raises(microcoder.JudgeError, match="fork"):
                inherited.submit(problem, solution)
            inherited.close()
            code = 0 if shared_judge().rewards([problem], [solution]) == [1.0] else 2
            shared_judge().close()
        finally:
            os._exit(code)
    assert os.waitpid(fork, 0)[1] == 0
    assert children() == own
    assert shared_judge().rewards([problem], [solution]) == [1.0]


def test_fields_of_a_newer_judge_are_kept() -> None:
    record = {
        "id": "a", "problem_id": "p", "verdict": "accepted", "passed": 1, "total": 1, "reward": 1.0, "new": {"x": 1},
        "cases": [{"verdict": "accepted", "newer": 2, "diff": {"line": 1, "newest": 3}}],
    }  # fmt: skip
    verdict = microcoder.Verdict.from_record(record)
    assert verdict.extra == {"new": {"x": 1}}
    assert verdict.cases[0].extra == {"newer": 2}
    assert verdict.cases[0].diff is not None
    assert verdict.cases[0].diff.extra == {"newest": 3}


def test_the_reward_of_a_response(problem: dict[str, Any]) -> None:
    assert microcoder.reward(problem, f"```python\n{RIGHT}\n```") == 1.0
    assert microcoder.reward(problem, "no program") == 0.0
    broken = {"id": "p", "kind": "assert", "fn_name": "f", "tests": [{"code": "import absent_module"}]}
    assert microcoder.reward(broken, "```python\ndef f(): pass\n```") is None
