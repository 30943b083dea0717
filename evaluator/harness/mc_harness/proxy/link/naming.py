"""What the candidate has under its names, as the test code holds it: the part of the link that asks for that."""

import importlib
import sys

from ...call import Call
from ...nodes import NODES
from ..stand_ins.guarded import Guarded
from ..stand_ins.named import Class, Function
from ..wire.chains import CLASS
from ..wire.channel import MESSAGE
from ..wire.module import Module
from ..wire.standard import STANDARD_MODULES

STAND_INS = {"callable": Function, "class": Class}


class Naming:
    """Of a link, with the test code's `namespace` and the `values` that the candidate has there."""

    def names_class(self, name):
        """Whether test code has a class of the candidate's under a name that is usual for one."""
        return CLASS.fullmatch(name) is not None and issubclass(type(self.namespace.get(name)), Class)

    # Of those `values`, the functions and classes; and the classes of exceptions, which are there from the beginning.
    kept = excepted = frozenset()

    def stand_for(self, name):
        """A stand-in for what the candidate should have under a name."""
        kind = Class if name[:1].isupper() else Function
        return kind(self, None, name, name)

    def begin_naming(self, namespace, free):
        """The test code's namespace, and the names that are `free` in it, as those of builtins are."""
        self.namespace, self.errors.free = namespace, frozenset(free)

    def take(self, names):
        """Put what the candidate has under these names into the test code's namespace; those of them that it lacks."""
        namespace = self.namespace
        kinds, kept = self.all_kinds()
        kinds = {name: kinds[name] for name in names if name in kinds}
        self.excepted = frozenset(name for name, kind in kinds.items() if type(kind) is list)
        values = {**kept, **(self.all_values() if "value" in kinds.values() else {})}
        # An exception after those that it derives from.
        for name, kind in sorted(kinds.items(), key=lambda item: depth_of(item[1])):
            namespace[name] = self.checked(lambda name=name, kind=kind: self.of_kind(name, kind, values))
        self.values = {name: namespace[name] for name in kinds if values.get(name) is not None}
        self.kept = frozenset(kept).intersection(self.values)
        return set(names).difference(kinds)

    def kinds(self):
        """How each name can be held that the candidate defines."""
        kinds, _ = self.all_kinds()
        return kinds

    def all_kinds(self):
        """The same, and the handles of functions and classes that may be others under their names later. The candidate
        is not told which of them the test code uses: that may be what is expected."""
        reply = self.ask(op="kinds", **({"altered": sorted(self.altered)} if self.altered else {}))
        kinds, kept = self.checked(lambda: (dict(reply["kinds"]), dict(reply["kept"])))
        if not self.has_nodes and not self.keeps_nodes and not NODES.keys().isdisjoint(kinds):
            self.keeps_nodes = True
            self.ask(op="keep_nodes")
        return kinds, kept

    def own_tools(self):
        """The names that the library usually has, and under which the candidate has something else."""
        reply = self.ask(op="kinds")
        return self.checked(lambda: frozenset(reply["own"]))

    def all_values(self):
        """All plain data that it has under its names, for the same reason."""
        reply = self.ask(op="values")
        return self.checked(lambda: dict(reply["values"]))

    def of_kind(self, name, kind, values):
        """What stands for what the candidate has under a name."""
        if type(kind) is list:
            return self.errors.take_as(name, *kind)
        if kind in STAND_INS and name in values:
            return STAND_INS[kind](self, int(values[name]), "", name)
        if values.get(name) is not None:
            value = self.taken(values[name], self.read(self.chosen(values[name]), name), name)
            # The program may change what it has under its names.
            self.mirrored.give(value)
            return value
        return STAND_INS.get(kind, Guarded)(self, None, name, name)

    def module(self):
        """The candidate's module."""
        return sys.modules.get(Call.module_name) or Module(self, is_for_all=False)

    def defines(self, name):
        """Whether the candidate has something under a name."""
        return name in self.kinds()

    def all_names(self):
        """The names that the candidate's module has."""
        self.asked = True
        reply = self.ask(op="all_names")
        return self.checked(lambda: sorted(map(str, reply["names"])))

    def starred(self):
        """The names that `from module import *` binds."""
        reply = self.ask(op="starred")
        names, missing = self.checked(lambda: [list(map(str, reply[part])) for part in ("names", "missing")])
        if missing:
            why = "AttributeError: module '%s' has no attribute '%s'"
            self.leave("candidate", (why % (Call.module_name, missing[0]))[:MESSAGE])
        return names

    def member(self, name):
        """The same for the attribute of the candidate's module."""
        kinds, kept = self.all_kinds()
        kind = kinds.get(name)
        if kind is None:
            lacking = AttributeError("the program does not define '%s'" % name)
            lacking.candidate = str(lacking)
            raise lacking
        if kind == "module" and name in STANDARD_MODULES:
            # By its own name it is the same here.
            return importlib.import_module(name)
        values = self.all_values() if kind == "value" else kept
        self.asked |= kind == "value" and values.get(name) is not None
        return self.checked(lambda: self.of_kind(name, kind, values))

    def refresh(self):
        """A call may have changed what the candidate has under a name. What the test code has bound since stays."""
        values = self.all_values() if self.values.keys() - self.kept else {}
        kinds, kept = self.all_kinds() if self.kept else ({}, {})
        for name, last in self.values.items():
            if self.namespace.get(name) is last:
                kind = kinds.get(name, "value") if name in self.kept else "value"
                told = kept if name in self.kept else values
                value = self.checked(lambda name=name, kind=kind, told=told: self.of_kind(name, kind, told))
                self.values[name] = self.namespace[name] = value


def depth_of(kind):
    """How many bases an exception has."""
    return len(kind[0]) if type(kind) is list else 0
