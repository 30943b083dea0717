from __future__ import annotations

import http.server
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest

import microcoder
from conftest import RIGHT

Solutions = Callable[[int], list[dict[str, Any]]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Starts servers, and says where each is."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> str:
        command = [microcoder.find_binary(), "serve", "--listen", "127.0.0.1:0", *options]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        started.append(server)
        assert server.stderr is not None
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found is not None
        return found[0]

    yield start
    for server in started:
        server.kill()
        server.communicate()


def test_a_server_judges_as_the_process_beside_does(
    problem: dict[str, Any], solutions: Solutions, serve: Callable[..., str]
) -> None:
    with microcoder.Judge(url=serve(), in_flight=200) as judge:
        verdicts = list(judge.judge([problem], solutions(300)))
    assert [verdict.id for verdict in verdicts] == [f"s{n}" for n in range(300)]
    assert [verdict.passed for verdict in verdicts] == [2, 1, 0] * 100


def test_settings_are_in_the_query_and_a_token_is_shown(
    problem: dict[str, Any], solutions: Solutions, serve: Callable[..., str], tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_text("secret\n")
    url = serve("--token-file", str(token))
    with microcoder.Judge(url=f"{url}?reward=fraction", token="secret") as judge:
        assert judge.rewards([problem], solutions(3)) == [1.0, 0.5, 0.0]
    with (
        microcoder.Judge(url=url, token="wrong") as judge,
        pytest.raises(microcoder.JudgeError, match="status 401"),
    ):
        judge.rewards([problem], solutions(1))


def test_a_full_server_is_waited_for(problem: dict[str, Any], solutions: Solutions, serve: Callable[..., str]) -> None:
    """One request has more rows than it ever takes, and others more than it has room for just now."""
    with microcoder.Judge(url=serve("--queue", "3", "--workers", "1")) as judge:
        assert judge.rewards([problem], solutions(60)) == [1.0, 0.0, 0.0] * 20


def test_a_row_that_cannot_be_read_harms_no_other(problem: dict[str, Any], serve: Callable[..., str]) -> None:
    with microcoder.Judge(url=serve()) as judge:
        wrong = judge.submit(None, {"id": "w", "problem_id": "unknown", "code": ""})
        empty = judge.submit({"id": "e", "kind": "stdin", "tests": []}, {"id": "x", "code": ""})
        right = judge.submit(problem, {"id": "r", "code": RIGHT})
        assert right.result().accepted
        with pytest.raises(microcoder.InvalidInputError, match="solution w: problem_id"):
            wrong.result()
        with pytest.raises(microcoder.InvalidInputError, match=r"solution x: problem\.tests"):
            empty.result()


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
