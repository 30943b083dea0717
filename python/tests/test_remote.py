from __future__ import annotations

import http.server
import json
import threading
from typing import Any, Callable

import pytest

import microcoder
from conftest import RIGHT

Solutions = Callable[[int], list[dict[str, Any]]]


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
