"""Text of the candidate's that test code evaluates, as where a program is to write an expression or a function.

It runs in the test code's own process. So it may compute, but not reach for anything there: no way out of the process,
no frames, no objects that equal whatever they are compared with. The same goes for what it pickled.
"""

import dis
import re
import sys

from ..names import parts
from .channel import parts_of
from .crossing import BY_NAME, TYPES
from .faults import code_in

# The names by which test code may evaluate something.
EVALUATING = frozenset(("compile", "eval", "exec", "joblib", "pickle", "shelve"))
# How the names of files begin that libraries and the harness are from.
LIBRARIES = "/", "<frozen ", "<mc_"
FRAMES = frozenset(
    "ag_frame cr_frame f_back f_builtins f_code f_globals f_locals gi_code gi_frame tb_frame tb_next".split()
)
REACHING = FRAMES | frozenset(
    "BaseException KeyboardInterrupt SystemExit breakpoint compile delattr eval exec exit getattr globals locals open "
    "quit setattr type vars builtins codecs ctypes gc importlib inspect io os posix signal subprocess sys threading "
    "types ABCMeta EnumMeta EnumType Formatter attrgetter make_dataclass methodcaller".split()
)
SPECIAL = frozenset(
    "__annotations__ __call__ __class__ __doc__ __getitem__ __init__ __iter__ __len__ __main__ __module__ __name__ "
    "__next__ __qualname__ __repr__ __str__ __firstlineno__ __static_attributes__ __classdict__".split()
)
MODULES = frozenset(
    "abc array bisect cmath collections copy dataclasses datetime decimal enum fractions functools heapq itertools "
    "json math numbers operator random re statistics string textwrap time typing".split()
)
PICKLED = frozenset(("OrderedDict", "Counter", "defaultdict", "deque", "_reconstructor", "copied", *BY_NAME, *TYPES))


class Evaluated:
    """What the candidate sent that test code may evaluate; `code` is the test code's."""

    def __init__(self, code, leave):
        self.own, self.leave = set(code_in(code)), leave
        # The words that stand in texts of the test code's.
        self.words = {word for constant in constants_in(self.own) for word in re.findall(r"\w+", constant)}
        # The candidate's texts; the characters in them, for one may be made of several; whether there were bytes.
        self.texts, self.characters, self.has_bytes = set(), set(), False

    def note(self, reply):
        """Remember the texts in a reply."""
        for part in parts_of(reply):
            if isinstance(part, dict):
                self.has_bytes |= "bytes" in part
            elif isinstance(part, str):
                self.texts.add(part)
                self.characters.update(part)

    def hook(self, event, args):
        if event == "exec" and self.is_asked_by_test_code(args[0]):
            self.check(reached_by(args[0]))
        elif event == "pickle.find_class" and self.has_bytes:
            module, name = args
            if name not in PICKLED and (module != "__main__" or "." in name):
                self.refuse("%s.%s" % (module, name))

    def is_asked_by_test_code(self, code):
        """Whether that evaluates this, not a module that is imported or a library."""
        files = code.co_filename, sys._getframe(2).f_code.co_filename
        return code not in self.own and not any(file.startswith(LIBRARIES) for file in files)

    def check(self, reached):
        for name in filter(self.is_candidates, reached):
            self.refuse(name)

    def is_candidates(self, name):
        """Whether a name stands in a text of the candidate's, or may be made of such and is not the test code's own."""
        word = re.compile(r"(?<!\w)%s(?!\w)" % re.escape(name))
        is_made = name not in self.words and self.characters.issuperset(name)
        return is_made or any(map(word.search, self.texts))

    def refuse(self, name):
        self.leave("failed", "the test code evaluates what it gave back, and that uses %.40s" % name)


def constants_in(codes):
    return (constant for code in codes for constant in code.co_consts if isinstance(constant, str))


def reached_by(code):
    """What a code object names that reaches beyond its own values."""
    for part in all_parts(code):
        for one in dis.get_instructions(part):
            if one.opname == "IMPORT_NAME" and one.argval.partition(".")[0] not in MODULES:
                yield one.argval
            elif "_CONST" in one.opname:
                yield from hidden_in(one.argval)
            elif isinstance(one.argval, str) and is_reaching(one.argval):
                yield one.argval


def all_parts(code):
    yield code
    for part in parts(code):
        yield from all_parts(part)


def is_reaching(name):
    return name.startswith("__") and name not in SPECIAL or name.strip("_") in REACHING


def hidden_in(constant):
    """The names in a constant by which something could be looked up."""
    if isinstance(constant, (tuple, frozenset)):
        for part in constant:
            yield from hidden_in(part)
    elif isinstance(constant, str) and (constant in FRAMES or "__" in constant and constant not in SPECIAL):
        yield constant
