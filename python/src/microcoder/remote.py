"""Judges with a `mc-eval serve` elsewhere."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import threading
import time
import urllib.parse
from collections.abc import Iterator, Sequence

from microcoder.errors import InvalidInputError, JudgeError
from microcoder.rows import Problem, Record, Row

# Requests at a time, and rows in one.
SENDERS = 4
BATCH = 64
# How often a row is sent before it is given up, and the pause before each further time, in seconds.
TRIES = 4
PAUSE = 1.0
# Seconds without a byte of an answer after which a connection counts as dead; a submission's budget is far less.
SILENCE = 900.0


class _RefusedError(Exception):
    """The server took the whole request for wrong."""


class Remote:
    """At most `in_flight` rows are unanswered; beyond that, `submit` waits for room.

    `url` is that of the server; its query holds settings, as in `http://judge:8080?reward=fraction`.
    """

    def __init__(self, url: str, token: str | None, in_flight: int) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"{url!r} is no URL of a server, such as http://127.0.0.1:8080")
        secure = parts.scheme == "https"
        self._connection = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._host = parts.netloc
        self._path = f"{parts.path.rstrip('/')}/v1/judge" + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Content-Type": "application/x-ndjson"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._room = threading.BoundedSemaphore(in_flight)
        self._waiting: queue.SimpleQueue[Row | None] = queue.SimpleQueue()
        self._hashes: dict[bytes, str | None] = {}
        self._is_closed = False
        for _ in range(SENDERS):
            threading.Thread(target=self._send_all, daemon=True).start()

    def submit(self, row: Row) -> None:
        """Have a row judged; what comes of it is in `row.verdict`."""
        if self._is_closed:
            raise JudgeError("the judge is closed")
        self._room.acquire()
        self._waiting.put(row)

    def close(self) -> None:
        """Ask nothing more. Rows that were submitted are still judged."""
        self._is_closed = True
        for _ in range(SENDERS):
            self._waiting.put(None)

    def _send_all(self) -> None:
        while (row := self._waiting.get()) is not None:
            self._judge([row, *self._more()])

    def _more(self) -> Iterator[Row]:
        """What else waits, for the same request."""
        with contextlib.suppress(queue.Empty):
            for _ in range(BATCH - 1):
                row = self._waiting.get_nowait()
                if row is None:
                    # The end is another sender's too.
                    self._waiting.put(None)
                    return
                yield row

    def _judge(self, rows: Sequence[Row]) -> None:
        """Send rows until each is answered; what the server refuses in bulk is sent one by one."""
        try:
            left = list(rows)
            for attempt in range(TRIES):
                if attempt:
                    time.sleep(PAUSE * attempt)
                left, error = self._judge_once(left, whole=attempt > 0)
                if not left:
                    return
            self._give_up(left, JudgeError(f"{self._host} did not answer: {error}"))
        except _RefusedError as error:
            if len(rows) == 1:
                self._give_up(rows, InvalidInputError(f"solution {rows[0].name}: {error}"))
            for row in rows if len(rows) > 1 else ():
                self._judge([row])

    def _judge_once(self, rows: list[Row], *, whole: bool) -> tuple[list[Row], Exception | None]:
        """The rows that are still not answered, and why."""
        error: Exception | None = None
        left = dict(enumerate(rows, 1))
        try:
            lines = [row.line(None if whole or row.problem is None else self._hash(row.problem)) for row in rows]
            for answer in self._post(lines):
                row = left[answer["row"]]
                if not row.is_unregistered(answer):
                    del left[answer["row"]]
                    self._room.release()
                    row.settle(answer)
        except (OSError, http.client.HTTPException, KeyError, ValueError) as failure:
            error = failure
        return list(left.values()), error

    def _hash(self, problem: Problem) -> str | None:
        """What the server knows a problem by; None if it does not take it, and then it will say why of the row."""
        if problem.key not in self._hashes:
            (answer,) = self._post([problem.registration()])
            self._hashes[problem.key] = answer.get("registered")
        return self._hashes[problem.key]

    def _post(self, lines: Sequence[bytes]) -> Iterator[Record]:
        connection = self._connection(self._host, timeout=SILENCE)
        with contextlib.closing(connection):
            response = self._asked(connection, b"".join(lines))
            for _ in lines:
                yield json.loads(response.readline())
            # To the end of the last chunk: who leaves before it has hung up.
            response.read()

    def _asked(self, connection: http.client.HTTPConnection, body: bytes) -> http.client.HTTPResponse:
        while True:
            connection.request("POST", self._path, body, self._headers)
            response = connection.getresponse()
            if response.status == 200:
                return response
            text = response.read().decode(errors="replace").strip()
            if response.status in (400, 413, 415):
                raise _RefusedError(text)
            if response.status != 429:
                raise OSError(f"status {response.status}: {text}")
            # It has no room: that is no failure, however long it lasts.
            time.sleep(float(response.headers.get("Retry-After", PAUSE)))

    def _give_up(self, rows: Sequence[Row], error: Exception) -> None:
        for row in rows:
            self._room.release()
            row.fail(error)
