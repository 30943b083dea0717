"""Whose turn it is on the test code's end of the channel, of threads that ask the candidate.

They do so one after the other. While the test code answers what the candidate calls for, another of its threads may ask
too, as that may be what the answer waits for; it is then over before the answer is given.
"""

import _thread
from contextlib import contextmanager
from time import sleep

# For how long an answer waits at a time.
MOMENT = 0.001


class Exchanges:
    def __init__(self):
        self.lock, self.depth = _thread.RLock(), 0

    @contextmanager
    def one(self):
        """Ask, and have the reply."""
        with self.lock:
            self.depth += 1
            try:
                yield
            finally:
                self.depth -= 1

    @contextmanager
    def answering(self):
        """Find an answer to what is asked meanwhile."""
        depth, held = self.depth, self.lock._release_save()
        try:
            yield
        finally:
            self.lock._acquire_restore(held)
            while self.depth != depth:
                held = self.lock._release_save()
                sleep(MOMENT)
                self.lock._acquire_restore(held)
