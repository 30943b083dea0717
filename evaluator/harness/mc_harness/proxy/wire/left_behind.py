"""What the candidate leaves changed of what belongs to a process, for test code that looks at that."""

import sys
from contextlib import suppress
from json import dumps

from .surroundings import PARTS

# By what is looked at, the names under which test code does.
LOOKING = {
    "argv": ("argv",),
    "environ": ("environ", "getenv"),
    "chdir": ("getcwd", "cwd"),
    "recursion": ("getrecursionlimit",),
    "decimal": ("getcontext", "Decimal"),
    "random": ("random",),
}
# What a program is asked to change. The rest test code may compute with what it expects: that shows in the second run.
MEANT = {"argv", "environ", "chdir"}
# Beyond this a limit is as good as none, and within it the harness has room to go on.
LIMITS = 200, 10**5


def read(part):
    """How something of it is in this process; nothing where it cannot be told."""
    if part == "random":
        # Its number of seedings is the other side's to count.
        random = sys.modules.get("random")
        return random and [0, *random.getstate()]
    with suppress(OSError):
        return PARTS[part][1]()
    return None


class Leaving:
    """On the candidate's side, for the time of a request that looks at these parts."""

    def __init__(self, parts):
        self.before = {part: read(part) for part in parts if part in LOOKING}

    def told(self):
        """What is other than it was, as the end of a reply."""
        after = {part: read(part) for part in self.before}
        left = {part: value for part, value in after.items() if value is not None and value != self.before[part]}
        return ',"left":%s' % dumps(left) if left else ""


class LeftBehind:
    """On the test code's side, that looks at these parts."""

    def __init__(self, named, surroundings):
        self.surroundings = surroundings
        parts = [part for part, names in LOOKING.items() if not named.isdisjoint(names)]
        # What each request says of that.
        self.request = {"looked_at": parts} if parts else {}

    def note(self, reply, is_shown):
        """Have the parts as the candidate left them; whether something was not shown."""
        left = dict(reply.get("left", ())) if self.request else {}
        parts = [part for part in self.request.get("looked_at", ()) if part in left]
        shown = [part for part in parts if is_shown or part in MEANT]
        for part in shown:
            value = left[part]
            PARTS[part][2](min(max(value, LIMITS[0]), LIMITS[1]) if part == "recursion" else value)
        self.surroundings.know(shown)
        return shown != parts
