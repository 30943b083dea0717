"""One judge for a whole process: for reward functions, which frameworks call in many places and close in none."""

from __future__ import annotations

import os
import threading

from microcoder.judge import Judge

_lock = threading.Lock()
_judges: dict[tuple[str, ...], Judge] = {}


def shared_judge(*options: str) -> Judge:
    """This process's judge with these options of `mc-eval judge`; made at the first call, ended with the process."""
    with _lock:
        if options not in _judges:
            _judges[options] = Judge(options=options)
        return _judges[options]


def _forget() -> None:
    """A forked process makes judges of its own."""
    global _lock
    _lock = threading.Lock()
    _judges.clear()


os.register_at_fork(after_in_child=_forget)
