"""Test code that tests a candidate in another box: names that it does not define are the candidate's."""

import builtins
from json import dumps

from mc_sandbox.script import Script

from ..call import RESULT, write_all
from ..encoding import type_name
from ..names import Lookups, names_used
from ..nodes import ListNode, TreeNode, is_same_list, is_same_tree, list_node, tree_node
from ..prelude import ALIASES, MISSING, MODULES, lookup
from .channel import MESSAGE
from .client import Link
from .ending import leave
from .remote import Function

HELPERS = (list_node, tree_node, is_same_list, is_same_tree, ListNode, TreeNode)


class TestCode(Script):
    """Runs as a script, and tells what it came to in a file of its own."""

    def __init__(self, source, name):
        super().__init__(source)
        self.name = name

    def run(self):
        run_test_code(self.code, self.namespace, self.name)


def run_test_code(code, namespace, name):
    link = Link(names_used(code))
    lacking = fill(namespace, code, link, name)
    failures = watch_runners() if "unittest" in link.named else []
    try:
        exec(code, namespace)
    except SystemExit as leaving:
        # So does a test runner that finds nothing wrong.
        if leaving.code:
            raise
    except Exception as error:
        judge_error(error, lacking)
        raise
    if failures:
        raise SystemExit(1)
    write_all(RESULT, dumps({"passed" if link.asked else "idle": True}).encode())


def fill(namespace, code, link, name):
    """Give the test code the names that it may use without defining them; those that it will not find all the same."""
    namespace.update((helper.__name__, helper) for helper in HELPERS)
    if name:
        first = name.partition(".")[0]
        namespace["candidate"] = Function(link, None, name)
        namespace.setdefault(first, Function(link, None, first))
    return lend(Lookups(code), namespace, link, name)


def judge_error(error, lacking):
    """Leave if an exception that the test code did not expect is not its own."""
    blame = getattr(error, "candidate", None)
    if isinstance(error, ImportError) and blame is None:
        leave("broken", "%s: %s" % (type_name(error), error))
    if isinstance(error, NameError) and any("'%s'" % name in str(error) for name in lacking):
        blame = "NameError: %s" % error
    if blame is not None:
        leave("candidate", blame[:MESSAGE])


def watch_runners():
    """What runners of unittest will have found wrong, also where the test code does not look."""
    import unittest

    failures = []

    def noting(method):
        def noted(result, test, *what):
            # A subtest that went well is added too, without an exception.
            if not what or what[-1] is not None:
                failures.append(test)
            return method(result, test, *what)

        return noted

    for name in ("addError", "addFailure", "addUnexpectedSuccess", "addSubTest"):
        setattr(unittest.TestResult, name, noting(getattr(unittest.TestResult, name)))
    return failures


def lend(lookups, namespace, link, name):
    """Give the test code what it looks up and neither it nor the builtins define; what is lacking then.

    A module of which it only takes attributes is its own: the candidate's might be none. All else is the candidate's.
    """
    for module in lookups.all - lookups.bare - lookups.stored - set(namespace):
        if module in MODULES or module in ALIASES:
            namespace[module] = own_module(module)
    own = lookups.stored - lookups.early | set(namespace)
    open_names = sorted(name for name in lookups.all - own if not name.startswith("__"))
    wanted = [used for used in open_names if not hasattr(builtins, used)]
    if not wanted and not name and len(open_names) == 1:
        # All that it can test is a function of a builtin's name.
        namespace[open_names[0]] = Function(link, None, open_names[0])
    lacking = link.take(namespace, wanted) if wanted else set()
    link.asked = not lookups.outer.isdisjoint(link.values)
    return lacking


def own_module(name):
    module = lookup(name)
    if module is MISSING:
        leave("unshieldable", "the test code takes %s from the candidate: this Python has no such module" % name)
    return module
