"""Test code that tests a candidate in another box: names that it does not define are the candidate's."""

import ast
import os
import re
from contextlib import suppress
from functools import partial

from mc_sandbox.script import Script

from ...names import names_used, texts_used
from ..analysis.faults import Excepting, described, is_by, placed, reported
from ..analysis.guards import ENTERED
from ..analysis.lending import fill
from ..link.client import Link
from ..link.contexts import Bodies
from ..link.ending import conclude, sign_with
from ..link.handing import Handing
from ..link.lifetimes import watch
from ..stand_ins.identity import with_identity
from ..wire.channel import MESSAGE
from ..wire.described import blame_of
from .library import harden, watch_evaluation
from .reflection import reflect, reflect_decorators
from .swallowed import CANCELLED, SWALLOWING, Swallowed

ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class TestCode(Script):
    """Runs as a script, and tells what it came to in a file of its own.

    `name` is the function that `candidate` stands for. `objects` are the chains of the candidate's things that are
    known to be objects; `in_place` says that arguments are meant to be changed. If all is `shown`, the candidate has
    passed without that, and these are the functions of which it was not shown what they did to their arguments. In a
    `dry` run there is no candidate, but something that is "agreeing" or "denying". What it tells is signed with `key`.
    """

    def __init__(self, source, name, objects=(), in_place=False, shown=False, dry=None, key=""):
        super().__init__(source)
        sign_with(key)
        self.source = source
        self.name, self.objects, self.dry = name, objects, dry
        self.means_in_place, self.is_shown = in_place or shown, shown
        self.inspected = {}

    def run(self):
        if self.dry is not None:
            self.run_dry()
        else:
            self.run_against_candidate()

    def run_against_candidate(self):
        seen = {"in_place": self.is_in_place, "expecting": self.expecting, "shows_files": self.shows_files}
        lent = {"may_expect": self.may_expect, "recomputes": self.recomputes, "is_stated": self.is_stated}
        link = Link(names_used(self.code), objects=self.objects, **seen, **lent)
        link.mirrored.is_shown = self.is_shown
        lacking = fill(self.namespace, self.code, link, self.name, self.source)
        reflect(self.namespace, link.named)
        reflect_decorators(self.namespace, link.named)
        harden(link)
        watch(link)
        code = with_identity(self.code, self.source, self.namespace)
        link.handing = Handing(code)
        link.bodies = Bodies(self.source)
        link.surroundings.look_for(texts_used(self.code), self.source)
        if not link.named.isdisjoint(SWALLOWING):
            link.errors.are_swallowed = Swallowed(self.source).is_here
        if "asyncio" in link.named:
            link.errors.may_be_cancelled = partial(Excepting(self.source).is_here, CANCELLED)
        watch_evaluation(link, code, self.source)
        failures = watch_runners() if "unittest" in link.named else []
        left = execute(code, self.source, self.namespace, lacking, link)
        if failures or left is not None:
            conclude(failed=told_of(failures) or left, waited=link.waited)
            raise SystemExit(1)
        link.settle()
        conclude(**{"passed" if link.asked else "idle": True}, waited=link.waited, hid=link.hid)

    def run_dry(self):
        from .dry import DryLink, tolerant

        tree = ast.parse(self.source)
        link = DryLink(names_used(self.code), tree, objects=self.objects, agrees=self.dry == "agreeing")
        self.namespace.update({"_noted": link.note, ENTERED: link.enter})
        os._exit = link.end_process
        try:
            fill(self.namespace, self.code, link, self.name, self.source)
            reflect_decorators(self.namespace, link.named)
            harden(link)
            link.surroundings.look_for(texts_used(self.code), self.source)
            code = tolerant(tree, self.namespace, link.guards)
            link.handing = Handing(code)
            exec(code, self.namespace)
        except (Exception, SystemExit):
            link.note()
        conclude(**{"passed" if link.asked else "idle": True}, **link.found())

    def is_in_place(self, function, gives_nothing):
        """Whether what a call of this function did to its arguments is meant; it `gives_nothing`, or something."""
        from ..analysis.in_place import sees, sees_all

        meant = self.means_in_place or self.found(sees, function)
        return meant or gives_nothing and self.found(sees_all, function)

    def expecting(self, function):
        """The places of those arguments of a function for which that does not hold."""
        from ..analysis.in_place import expecting

        return () if self.means_in_place else self.found(expecting, function)

    def shows_files(self, function, places):
        """Whether test code is shown what became of the files that arguments of this function led to. What other files
        were changed is shown only where all is."""
        from ..analysis.in_place import sees_files

        return self.means_in_place or function is not None and self.found(sees_files, function, places)

    def may_expect(self, function):
        """Whether what is expected may be made of what the test code's own functions and objects gave while this one
        ran."""
        from ..analysis.in_place import expects_of_lent

        return not self.means_in_place and self.found(expects_of_lent, function)

    def recomputes(self, function):
        """Whether that is computed of it afterwards."""
        from ..analysis.in_place import recomputes_of_lent

        return not self.means_in_place and self.found(recomputes_of_lent, function)

    def is_stated(self, name):
        """Whether it does nothing with what has a name of the candidate's but to state what that is to be."""
        from ..analysis.stated import is_only_stated

        return self.found(is_only_stated, name)

    def found(self, inspect, *asked):
        """What is found out about the test code, once."""
        if (inspect, asked) not in self.inspected:
            self.inspected[inspect, asked] = inspect(self.source, *asked)
        return self.inspected[inspect, asked]


def execute(code, source, namespace, lacking, link):
    """How test code left before its end; None if it came to that, or left content with what it found."""
    try:
        exec(code, namespace)
    except SystemExit as leaving:
        judge_error(leaving, lacking, link)
        # So does a test runner that finds nothing wrong.
        return None if not leaving.code and is_by(code, leaving) else described(leaving)
    except Exception as error:
        judge_error(error, lacking, link)
        conclude(failed=reported(error, source), own=placed(error), waited=link.waited)
        raise
    return None


def judge_error(error, lacking, link):
    """Leave if an exception that the test code did not expect is not its own."""
    blame = blame_of(error)
    if isinstance(error, NameError) and any("'%s'" % name in str(error) for name in lacking):
        blame = "NameError: %s" % error
    if blame is not None:
        link.leave("candidate", blame[:MESSAGE])


def watch_runners():
    """What runners of unittest will have found wrong, also where the test code does not look."""
    import unittest

    failures = []

    def noting(method):
        def noted(result, test, *what):
            # A subtest that went well is added too, without an exception.
            if not what or what[-1] is not None:
                failures.append((what[0] if len(what) > 1 else test, what[-1][1] if what else None))
            return method(result, test, *what)

        return noted

    for name in ("addError", "addFailure", "addUnexpectedSuccess", "addSubTest"):
        setattr(unittest.TestResult, name, noting(getattr(unittest.TestResult, name)))
    return failures


def told_of(failures):
    """The first of the tests that failed, with what it raised, and how many others did; None if none did."""
    with suppress(Exception):
        (test, error), *others = failures
        why = described(error).partition("\n")[0] if error else "it was expected to fail"
        name, more = test.id().partition("__main__.")[2], " (and %d more)" % len(others) if others else ""
        # Where things lie differs from run to run.
        return "%s: %s%s" % (name, ADDRESS.sub("", why), more)
    return None
