"""A long-lived `mc-eval`: rows go in, answers come out, and it is started again if it dies."""

from __future__ import annotations

import collections
import contextlib
import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from microcoder.errors import JudgeError

# Seconds that a child gets to end once its input has ended, before it is killed.
PATIENCE = 10.0
# What it says before it exits with these has nothing to do with a row: another start would end the same way.
HOPELESS = {2, 3, 5}


@dataclass
class _Row:
    """A row that is not answered."""

    line: bytes
    future: Future[Mapping[str, Any]] = field(default_factory=Future)
    deaths: int = 0


class _Child:
    """One process. Its standard error is read all the time, so that it never waits for that, and the end is kept."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C is for the program that asked; this one ends with its input.
            start_new_session=True,
        )
        self._writing = threading.Lock()
        self._words: collections.deque[bytes] = collections.deque(maxlen=20)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self._words.extend(self.process.stderr)

    def write(self, lines: Sequence[bytes]) -> None:
        """Hand rows over. One that has died does not complain: its reader sees the end, and knows what was lost."""
        assert self.process.stdin is not None
        with self._writing, contextlib.suppress(OSError, ValueError):
            for line in lines:
                self.process.stdin.write(line)
            self.process.stdin.flush()

    def end(self) -> None:
        """End its input, wait for it to end by itself, and kill it if it does not."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def how_it_ended(self) -> str:
        self._listener.join(1.0)
        words = b"".join(self._words).decode(errors="replace").strip()
        code = self.process.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"mc-eval {how}: {words}" if words else f"mc-eval {how}"


class Coprocess:
    """Hands rows to one child and matches its answers with them by id.

    At most `in_flight` rows are unanswered; `submit` waits for room beyond that. If the child dies, another is started,
    and the rows that were lost are handed over again, once.
    """

    def __init__(self, command: Sequence[str], in_flight: int) -> None:
        self._command = command
        self._room = threading.BoundedSemaphore(in_flight)
        self._lock = threading.Lock()
        self._rows: dict[str, _Row] = {}
        self._count = 0
        self._closed = False
        self._child: _Child | None = None

    def submit(self, row: Mapping[str, Any]) -> Future[Mapping[str, Any]]:
        """The answer to a row, whose id is replaced on the way: ids need not be unique."""
        self._room.acquire()
        try:
            with self._lock:
                waiting, child = self._register(row)
        except BaseException:
            self._room.release()
            raise
        child.write([waiting.line])
        return waiting.future

    def _register(self, row: Mapping[str, Any]) -> tuple[_Row, _Child]:
        if self._closed:
            raise JudgeError("the judge is closed")
        key = str(self._count)
        waiting = _Row(json.dumps({**row, "id": key}).encode() + b"\n")
        # From now on it cannot be cancelled: the child does not know how to forget a row.
        waiting.future.set_running_or_notify_cancel()
        child = self._child or self._start()
        self._count += 1
        self._rows[key] = waiting
        return waiting, child

    def _start(self) -> _Child:
        self._child = _Child(self._command)
        threading.Thread(target=self._read, args=(self._child,), daemon=True).start()
        return self._child

    def _read(self, child: _Child) -> None:
        assert child.process.stdout is not None
        with contextlib.suppress(ValueError):
            for line in child.process.stdout:
                self._answer(json.loads(line))
        child.process.wait()
        self._bury(child)

    def _answer(self, answer: Mapping[str, Any]) -> None:
        with self._lock:
            row = self._rows.pop(answer["id"], None)
        if row is not None:
            self._room.release()
            row.future.set_result(answer)

    def _bury(self, child: _Child) -> None:
        """Of the rows that a dead child leaves, hand those over again that were lost for the first time."""
        reason = child.how_it_ended()
        hopeless = child.process.returncode in HOPELESS
        with self._lock:
            lost = []
            for key, row in list(self._rows.items()):
                row.deaths += 1
                if row.deaths > 1 or hopeless or self._closed:
                    lost.append(self._rows.pop(key))
            again = [row.line for row in self._rows.values()]
            self._child = None
            heir = self._start() if again else None
        for row in lost:
            self._room.release()
            row.future.set_exception(JudgeError(reason))
        if heir is not None:
            heir.write(again)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            child = self._child
        if child is not None:
            child.end()
