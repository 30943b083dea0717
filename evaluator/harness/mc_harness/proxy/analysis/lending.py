"""The names that test code looks up and does not define: which are lent to it, and which are the candidate's.

What the candidate must define is never lent; what test code compares with is never the candidate's.
"""

import ast
import builtins
import keyword
import re

from ...call import Call
from ...lookups import Lookups
from ...names import texts_used
from ...nodes import ListNode, TreeNode, is_same_list, is_same_tree, list_node, tree_node
from ...prelude import ALIASES, MISSING, MODULES, ORIGIN, lookup
from ..wire.derived import is_special
from ..wire.module import provide_module
from .faults import BEGIN
from .misused import is_misused

HELPERS = {helper.__name__: helper for helper in (list_node, tree_node, is_same_list, is_same_tree)}
NODES = {"ListNode": ListNode, "TreeNode": TreeNode}
# No problem asks for these; for a function such as `gcd` one may.
TOOLS = frozenset(
    name
    for name, module in ORIGIN.items()
    if module in ("abc", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions", "typing")
) | {"inf", "isclose", "isfinite", "isinf", "isnan", "nan", "pi", "tau"}

# By which it sets an attribute whose name is a text.
ALTERING = ("setattr", "delattr")
# By which it may look up a name that stands in a text, and what such a name looks like there.
SPEAKING = frozenset(("eval", "exec", "globals", "locals", "vars", "doctest", "timeit", "__main__"))
# Those of them that a problem may ask for, to evaluate what is no program.
EVALUATING = frozenset(("eval", "exec"))
NAME = re.compile(r"[^\W\d]\w*")
# What code that imports all of a module has among its constants.
STAR = ("*",)


def fill(namespace, code, link, name, source):
    """Give the test code the names that it may use without defining them; those that it will not find all the same."""
    lookups, asked, texts = Lookups(code), name.partition(".")[0], texts_used(code)
    is_module_named = provide_module(link, texts, source)
    link.altered = lookups.altered
    if not link.named.isdisjoint(ALTERING):
        link.altered |= {text.rpartition(".")[2] for text in texts}
    namespace.update(HELPERS)
    for part in (link.replacements, link.surroundings):
        part.namespace, part.stored = namespace, sorted(lookups.attributes, key=repr)
    if name:
        namespace["candidate"] = link.stand_for(name)
        namespace[asked] = link.stand_for(asked)
    own = lookups.stored - lookups.early | set(namespace)
    open_names = sorted(used for used in lookups.all - own if not is_special(used))
    unknown = [used for used in open_names if not hasattr(builtins, used)]
    spoken = spoken_of(source, link.named) - own - set(unknown)
    unknown += sorted(spoken)
    defined = lookups.stored & NODES.keys()
    defined -= imported_from(Call.module_name, source) if defined else set()
    link.has_nodes = not link.named.isdisjoint(HELPERS) or bool(defined)
    wanted, nodes = lend(namespace, unknown, bool(name), link, source)
    if not unknown and not name and len(open_names) == 1 and not is_module_named:
        # All that it can test is a function of a builtin's name.
        namespace[open_names[0]] = link.stand_for(open_names[0])
    link.begin_naming(namespace, open_names)
    lacking = link.take(wanted) - spoken if wanted else set()
    if wanted and STAR in code.co_consts and "*" in imported_from(Call.module_name, source):
        lacking |= leave_out(namespace, set(wanted).difference(link.starred(), lacking))
    for kind in lacking.intersection(nodes):
        lacking.remove(kind)
        namespace[kind] = NODES[kind]
    link.asked = not lookups.outer.isdisjoint(link.excepted.union(link.values).difference(link.kept))
    return lacking


def spoken_of(source, named):
    """The names in texts that test code may evaluate, or look up what they stand for."""
    if SPEAKING.isdisjoint(named):
        return set()
    # What runs tests in the manner of pytest is none of them.
    nodes = list(ast.walk(ast.parse(source.rpartition(b'"%s"' % BEGIN.encode())[2])))
    named = {getattr(node, "attr", getattr(node, "id", getattr(node, "name", None))) for node in nodes}
    if SPEAKING.isdisjoint(named):
        return set()
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if SPEAKING.isdisjoint(named - EVALUATING):
        texts = [text for text in texts if "(" in text]
    spoken = {name for text in texts for name in NAME.findall(text)}
    spoken |= set(filter(None, named)) if "__main__" in named else set()
    return {name for name in spoken if not hasattr(builtins, name) and not keyword.iskeyword(name)}


def lend(namespace, unknown, is_named, link, source):
    """Put what is not the candidate's into the namespace; the names that are, and those of nodes that are lent where
    the candidate does not define them."""
    lent = {name for name in unknown if is_lent(name, is_named)}
    tree = ast.parse(source) if lent else None
    lent = {name for name in lent if not is_misused(tree, name, lookup(name))}
    lent -= its_own(lent, tree if not is_named and lent.issuperset(unknown) else None, link)
    wanted = [name for name in unknown if name not in lent]
    nodes = [name for name in wanted if name in NODES]
    for name in set(unknown).difference(wanted):
        namespace[name] = own(name, link)
    # Where nothing else could be asked for, a node is what the problem asks for.
    return wanted, nodes if is_named or len(wanted) > len(nodes) else []


def leave_out(namespace, names):
    """Of names that test code has by `from module import *` alone, those that this does not bind."""
    for name in names.intersection(namespace):
        del namespace[name]
    return names


def imported_from(module, source):
    """The names that test code imports from a module."""
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in imports if node.module == module for alias in node.names}


def its_own(lent, tree, link):
    """Those of the library's names that are the candidate's: of the test code's `tree`, if nothing else could be asked
    for, those that are no mere modules there. Else a candidate that has something of its own under one, and passes
    with the library's, has to pass with its own as well, for a problem may ask for that."""
    if tree is not None:
        called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and type(node.func) is ast.Name}
        return {name for name in lent if name in TOOLS or name in called}
    own = link.own_tools() & lent if lent else frozenset()
    if link.mirrored.is_shown:
        return own
    link.hid |= bool(own)
    return frozenset()


def is_lent(name, is_named):
    if name in MODULES or name in ALIASES or name in TOOLS:
        return True
    # Where the problem names its function, all else that has a name of the library's is the library's.
    return is_named and name in ORIGIN


def own(name, link):
    value = lookup(name)
    if value is MISSING:
        why = "the test code takes %s from the candidate: this Python has no such module"
        link.leave("unshieldable", why % name)
    return value
