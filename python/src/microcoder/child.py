"""One process `mc-eval judge --stdio`, with what it has not answered."""

from __future__ import annotations

import collections
import contextlib
import json
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Callable

from microcoder.rows import Problem, Record, Row

# Seconds that it gets to end by itself before it is killed.
PATIENCE = 10.0


class Child:
    """Both of its outputs are read all the time: it never waits for a reader, so no writer waits for ever.

    `answered` is called with each row's answer, `ended` once, with the rows that will get none; both from its thread.
    """

    def __init__(
        self,
        command: Sequence[str],
        answered: Callable[[Row, Record], None],
        ended: Callable[[Child, list[Row]], None],
    ) -> None:
        self._answered = answered
        self._ended = ended
        # The judge counts lines: held while one is given its number and written.
        self._writing = threading.Lock()
        self._lock = threading.Lock()
        self._count = 0
        self._asked: dict[int, Row | Future[Record]] = {}
        self._hashes: dict[bytes, Future[Record]] = {}
        self._is_over = False
        self._last_words: collections.deque[bytes] = collections.deque(maxlen=20)
        # Ctrl-C is for the program that asked, so this one is in a session of its own. It ends with its input.
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def exit_code(self) -> int | None:
        """Negative for a signal; None while it runs."""
        return self._process.poll()

    def judge(self, row: Row) -> bool:
        """Hand a row over. False if it is too late for that."""
        return self._ask(row, row.line(None if row.problem is None else self._hash(row.problem)))

    def judge_whole(self, row: Row) -> bool:
        """The same, with all of its problem, whether the judge knows that or not."""
        return self._ask(row, row.line())

    def _hash(self, problem: Problem) -> str | None:
        """What the judge knows a problem by; None if it does not take it, and then it will say why of the row."""
        with self._lock:
            known = self._hashes.get(problem.key)
            if known is None:
                answer = self._hashes[problem.key] = Future()
        if known is None and not self._ask(answer, problem.registration()):
            answer.set_result({})
        registered: str | None = (known or answer).result().get("registered")
        return registered

    def _ask(self, asked: Row | Future[Record], line: bytes) -> bool:
        with self._writing:
            with self._lock:
                if self._is_over:
                    return False
                self._count += 1
                self._asked[self._count] = asked
            assert self._process.stdin is not None
            # Of one that has died, the reader sees the end, and knows what was lost.
            with contextlib.suppress(OSError, ValueError):
                self._process.stdin.write(line)
                self._process.stdin.flush()
        return True

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._take(json.loads(line))
        except (KeyError, ValueError):
            # Not a co-process of ours, whatever it is.
            self._process.kill()
        self._process.wait()
        with self._lock:
            self._is_over = True
            left = list(self._asked.values())
        for asked in left:
            if isinstance(asked, Future):
                asked.set_result({})
        self._ended(self, [asked for asked in left if isinstance(asked, Row)])

    def _take(self, answer: Record) -> None:
        with self._lock:
            asked = self._asked.pop(answer["row"])
        if isinstance(asked, Row):
            self._answered(asked, answer)
        else:
            asked.set_result(answer)

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self._last_words.extend(self._process.stderr)

    def how_it_ended(self) -> str:
        self._listener.join(1.0)
        words = b"".join(self._last_words).decode(errors="replace").strip()
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"mc-eval {how}: {words}" if words else f"mc-eval {how}"

    def end(self) -> None:
        """End it; at once if it still judges something."""
        with self._lock:
            is_busy = bool(self._asked)
        if is_busy:
            self._process.terminate()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
