"""Text of the candidate's that test code evaluates, as where a program is to write an expression or a function.

It runs in the test code's own process. So it may compute, but not reach for anything there: no way out of the process,
no frames, no objects that equal whatever they are compared with, nothing of a library's to change, and no variable of
the test code, which may hold what is expected. The same goes for what it pickled.
"""

import ast
import builtins
import re
import sys

from ...names import all_parts
from ..analysis.faults import FUNCTIONS
from ..analysis.reaching import Reach
from ..wire.channel import parts_of
from ..wire.crossing import BY_NAME, TYPES

# The names by which test code may evaluate something, and those of what a library has that evaluates text for it: the
# annotations of a function, for one.
EVALUATING = frozenset((
    "compile", "eval", "exec", "joblib", "pickle", "shelve", "ForwardRef", "get_annotations", "get_type_hints",
    "singledispatch", "singledispatchmethod", "InteractiveConsole", "InteractiveInterpreter", "bdb", "cProfile",
    "doctest", "fileConfig", "pdb", "timeit",
))
EVALUATORS = frozenset(("eval", "exec"))
# What gives text the namespace of the test code.
NAMESPACES = frozenset(("globals", "locals", "vars"))
# How the names of files begin that the harness is from, and libraries too.
HARNESS = "<mc_"
LIBRARIES = *(folder.rstrip("/") + "/" for folder in sys.path if folder), "<frozen ", HARNESS
PICKLED = frozenset((
    "OrderedDict", "Counter", "defaultdict", "deque", "_reconstructor", "copied", "remade", *BY_NAME, *TYPES,
    "SimpleNamespace", "_array_reconstructor", "slice",
))
# By what test code makes another text of one, of which other characters may come.
DECODING = frozenset((
    "b64decode", "chr", "decode", "decompress", "fromhex", "literal_eval", "loads", "open", "replace", "translate",
    "unescape", "unhexlify", "unquote",
))


class Evaluated:
    """What the candidate sent that test code may evaluate; `code` is the test code's, of this `source`."""

    def __init__(self, code, source, leave):
        self.own, self.leave = set(all_parts(code)), leave
        self.variables = Variables(ast.parse(source))
        # The words that the candidate was told, of which it may make use.
        self.told = set()
        # The words that stand in texts of the test code's.
        self.words = {word for constant in constants_in(self.own) for word in re.findall(r"\w+", constant)}
        # The candidate's texts; the characters in them, for one may be made of several; whether there were bytes,
        # or files.
        self.texts, self.characters, self.has_bytes, self.has_files = set(), set(), False, False
        self.decodes = any(not DECODING.isdisjoint(one.co_names) for one in self.own)

    def tell(self, arguments):
        """Remember what the candidate is called with."""
        for part in parts_of(arguments):
            if isinstance(part, str):
                self.told.update(re.findall(r"\w+", part))

    def note(self, reply):
        """Remember the texts in a reply."""
        for part in parts_of(reply):
            if isinstance(part, dict):
                self.has_bytes |= "bytes" in part
            elif isinstance(part, str):
                self.texts.add(part)
                self.characters.update(part)

    def note_files(self, files):
        """Remember what is in the files that the candidate made."""
        held = [bytes.fromhex(content[0]) for _, content in files if type(content) is list]
        self.has_bytes |= bool(held)
        self.has_files |= bool(held)
        self.note([one.decode("utf-8", "replace") for one in held])

    def hook(self, event, args):
        if event == "exec" and self.is_anyones(args[0]):
            self.check(args[0], sys._getframe(1).f_code.co_filename)
        elif event == "pickle.find_class" and (self.has_bytes or self.texts):
            module, name = args
            is_own = module == "__main__" and name.isidentifier() and name[0] != "_" and not self.variables.has(name)
            # By a class of the test code's own, what is in a file of the candidate's could change that.
            is_own &= not (self.has_files and name in self.variables.classes)
            is_own |= module == "builtins" and is_error(getattr(builtins, name, None))
            if not is_own and (module == "__main__" or name not in PICKLED):
                self.refuse("%s.%s" % (module, name))

    def is_anyones(self, code):
        """Whether code is neither the test code's own nor that of a module which is imported."""
        return code not in self.own and not code.co_filename.startswith(LIBRARIES)

    def check(self, code, file):
        """Refuse code by what it uses of the candidate's; what a library makes, the functions of a data class for one,
        has names of its own."""
        is_of_library = file.startswith(LIBRARIES)
        if file.startswith(HARNESS) or is_of_library and not self.texts:
            return
        reach = Reach() if is_of_library else self.variables.reach(self.told)
        for name in filter(self.is_written if is_of_library else self.is_candidates, reach.of(code)):
            self.refuse(name)

    def is_candidates(self, name):
        """Whether a name stands in a text of the candidate's, or may be made of such and is not the test code's own."""
        is_made = name not in self.words and (self.decodes or self.characters.issuperset(name))
        return is_made or self.is_written(name)

    def is_written(self, name):
        word = re.compile(r"(?<!\w)%s(?!\w)" % re.escape(name))
        return any(map(word.search, self.texts))

    def refuse(self, name):
        self.leave("failed", "the test code evaluates what it gave back, and that uses %.40s" % name)


def is_error(kind):
    return isinstance(kind, type) and issubclass(kind, Exception)


def constants_in(codes):
    return (constant for code in codes for constant in code.co_consts if isinstance(constant, str))


class Variables:
    """The test code's own variables, as far as text that it evaluates comes at them."""

    def __init__(self, tree):
        nodes = list(ast.walk(tree))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        # A function that the test code does not use itself is there for the text.
        functions = {node.name for node in nodes if isinstance(node, FUNCTIONS)} & loaded
        stored.update(node.arg for node in nodes if isinstance(node, ast.arg))
        self.are_shared = not all(map(is_apart, calls_of(nodes, EVALUATORS))) or not loaded.isdisjoint(NAMESPACES)
        self.own = stored | functions
        self.classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
        self.used = {name for name in loaded if hasattr(builtins, name)}
        self.imported = {name: module for node in nodes for name, module in imports_of(node)}

    def has(self, name):
        """Whether a name is that of a variable, or was imported: what it stands for may be what is expected."""
        return name in self.own or name in self.imported

    def reach(self, told):
        """What text may not reach for; names that the candidate was `told` it may look up."""
        if not self.are_shared:
            return Reach()
        taken = {**dict.fromkeys(self.used | self.own, ""), **self.imported}
        return Reach(self.own - told, taken)


def calls_of(nodes, names):
    """The calls of what has these names, or None for another mention of one."""
    calls = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", None) in names]
    functions = {call.func for call in calls}
    mentioned = [node for node in nodes if getattr(node, "id", getattr(node, "attr", None)) in names]
    return [*calls, *(None for node in mentioned if node not in functions)]


def is_apart(call):
    """Whether a call of `eval` or `exec` gives its text a namespace of its own."""
    return call is not None and (len(call.args) > 1 or bool(call.keywords))


def imports_of(node):
    """The names that an import binds, and the module that each is of."""
    if isinstance(node, ast.ImportFrom):
        return [(one.asname or one.name, one.asname is None and node.module) for one in node.names]
    if isinstance(node, ast.Import):
        return [(one.asname or one.name.partition(".")[0], one.asname is None and one.name) for one in node.names]
    return []
