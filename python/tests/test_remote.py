from __future__ import annotations

import http.server
import json
import subprocess
import threading
from collections.abc import Iterator
from typing import Any, Callable

import pytest

import microcoder
from conftest import RIGHT
from microcoder.binary import find_binary

Solutions = Callable[[int], list[dict[str, Any]]]


@pytest.fixture
def server() -> Iterator[str]:
    """The URL of a server whose standard error nobody reads beyond the first line."""
    command = [find_binary(), "serve", "--listen", "127.0.0.1:0", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        yield process.stderr.readline().split()[2]
        process.terminate()


def test_a_server_judges_what_is_in_flight(problem: dict[str, Any], solutions: Solutions, server: str) -> None:
    """Problems are registered meanwhile, each in a request without a solution."""
    problems = [{**problem, "id": f"sum{n}"} for n in range(30)]
    rows = [{**row, "problem_id": f"sum{n % 30}"} for n, row in enumerate(solutions(300))]
    with microcoder.Judge(url=server, in_flight=200) as judge:
        rewards = judge.rewards(problems, rows)
    assert rewards == [1.0, 0.0, 0.0] * 100


def test_an_answer_that_breaks_off_is_asked_for_again(problem: dict[str, Any]) -> None:
    """And again, but not for ever. What was answered is not asked for twice."""
    asked: list[list[str]] = []
    verdict = {"row": 1, "problem_id": "sum", "verdict": "accepted", "passed": 2, "total": 2, "reward": 1.0}

    class CutOff(http.server.BaseHTTPRequestHandler):
        """Answers the first row of a request, and no other."""

        def do_POST(self) -> None:
            rows = [json.loads(line) for line in self.rfile.read(int(self.headers["Content-Length"])).splitlines()]
            answer = {"row": 1, "registered": "h"}
            if "register" not in rows[0]:
                asked.append([row["id"] for row in rows])
                answer = {**verdict, "id": rows[0]["id"]}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode() + b"\n")

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), CutOff) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with microcoder.Judge(url=f"http://127.0.0.1:{server.server_port}") as judge:
            rows = [{"id": str(n), "problem_id": "sum", "code": RIGHT} for n in range(4)]
            verdicts = list(judge.judge([problem], rows))
        server.shutdown()
    assert [verdict.id for verdict in verdicts] == ["0", "1", "2", "3"]
    firsts = [names[0] for names in asked]
    assert sorted(firsts) == ["0", "1", "2", "3"]


def test_a_server_that_is_not_there_is_an_error(problem: dict[str, Any], solutions: Solutions) -> None:
    with (
        microcoder.Judge(url="http://127.0.0.1:1") as judge,
        pytest.raises(microcoder.JudgeError, match=r"did not answer: .*refused"),
    ):
        judge.rewards([problem], solutions(2))


def test_what_is_no_url_is_an_error() -> None:
    with pytest.raises(ValueError, match="no URL"):
        microcoder.Judge(url="judge:8080")
    with pytest.raises(ValueError, match="are the server's"):
        microcoder.Judge(["problems.jsonl"], url="http://127.0.0.1:1")
