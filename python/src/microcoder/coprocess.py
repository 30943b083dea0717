"""Judges with a long-lived `mc-eval` beside this process, and starts it again if it dies."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Callable

from microcoder.child import Child
from microcoder.errors import JudgeError
from microcoder.rows import Record, Row

# Exit codes with which it says that it cannot judge: usage, input, isolation. Another start would end the same way.
HOPELESS = {2, 3, 5}
# Children in a row that may die before they have taken a row.
STARTS = 3


class Coprocess:
    """At most `in_flight` rows are unanswered; beyond that, `submit` waits for room.

    If the child dies, another is started, and the rows that were lost with it are handed over again, once.
    """

    def __init__(self, command: Sequence[str], in_flight: int) -> None:
        self._command = command
        self._room = threading.BoundedSemaphore(in_flight)
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._is_closed = False
        self._pid = os.getpid()

    def submit(self, row: Row) -> None:
        """Have a row judged; what comes of it is in `row.verdict`."""
        if os.getpid() != self._pid:
            raise JudgeError("a Judge does not survive a fork: make one in the process that uses it")
        self._room.acquire()
        try:
            self._hand_over(row, Child.judge)
        except BaseException:
            self._room.release()
            raise

    def _hand_over(self, row: Row, how: Callable[[Child, Row], bool]) -> None:
        """Find a child that takes it. One may be dying just now, but not one after the other."""
        for _ in range(STARTS):
            child = self._current()
            if how(child, row):
                return
            self._leave(child)
            if child.exit_code in HOPELESS:
                break
        raise JudgeError(child.how_it_ended())

    def _current(self) -> Child:
        with self._lock:
            if self._is_closed:
                raise JudgeError("the judge is closed")
            if self._child is None:
                self._child = Child(self._command, self._answered, self._ended)
            return self._child

    def _leave(self, child: Child) -> None:
        with self._lock:
            if self._child is child:
                self._child = None

    def _answered(self, row: Row, answer: Record) -> None:
        if row.is_unregistered(answer):
            self._again([row])
        else:
            self._room.release()
            row.settle(answer)

    def _ended(self, child: Child, rows: list[Row]) -> None:
        self._leave(child)
        reason = child.how_it_ended()
        hopeless = self._is_closed or child.exit_code in HOPELESS
        for row in rows:
            row.deaths += 1
            if hopeless:
                self._failed(row, JudgeError(reason))
            elif row.deaths > 1:
                self._room.release()
                row.give_up(reason)
        if not hopeless:
            self._again([row for row in rows if row.deaths == 1])

    def _again(self, rows: list[Row]) -> None:
        """On a thread of its own: the one that reads answers must not wait for one that writes."""
        if rows:
            threading.Thread(target=self._resubmit, args=(rows,), daemon=True).start()

    def _resubmit(self, rows: list[Row]) -> None:
        for row in rows:
            try:
                self._hand_over(row, Child.judge_whole)
            except (JudgeError, OSError) as error:
                self._failed(row, JudgeError(str(error)))

    def _failed(self, row: Row, error: JudgeError) -> None:
        self._room.release()
        row.fail(error)

    def close(self) -> None:
        """End the child. What it has not answered is lost."""
        if os.getpid() != self._pid:
            # A copy that a fork made: the child is not its own.
            return
        with self._lock:
            self._is_closed = True
            child = self._child
        if child is not None:
            child.end()
