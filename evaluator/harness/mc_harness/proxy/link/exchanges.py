"""Whose turn it is on the test code's end of the channel, of threads that ask the candidate.

They do so one after the other. While the test code answers what the candidate calls for, another of its threads may ask
too, as that may be what the answer waits for; it is then over before the answer is given. It gives the answer a while
first: the candidate, whose threads these are not, may hold a lock until it has that.
"""

import _thread
from contextlib import contextmanager
from time import sleep

# For how long an answer waits at a time; and for how many of these others wait for one.
MOMENT, PATIENCE = 0.001, 100


class Exchanges:
    def __init__(self):
        self.lock, self.depth = _thread.RLock(), 0
        # The threads that are finding an answer.
        self.answering_threads = []

    @contextmanager
    def one(self):
        """Ask, and have the reply."""
        self.take_turn()
        try:
            self.depth += 1
            yield
        finally:
            self.depth -= 1
            self.lock.release()

    def take_turn(self):
        for _ in range(PATIENCE):
            self.lock.acquire()
            if not self.answering_threads or _thread.get_ident() in self.answering_threads:
                return
            self.lock.release()
            sleep(MOMENT)
        self.lock.acquire()

    @contextmanager
    def answering(self):
        """Find an answer to what is asked meanwhile."""
        self.answering_threads.append(_thread.get_ident())
        depth, held = self.depth, self.lock._release_save()
        try:
            yield
        finally:
            self.lock._acquire_restore(held)
            self.answering_threads.remove(_thread.get_ident())
            while self.depth != depth:
                held = self.lock._release_save()
                sleep(MOMENT)
                self.lock._acquire_restore(held)
