"""What a boxed interpreter runs first: it imports its modules as the supervisor sent them, enters its box, and serves.

Everything is imported before the first program: the box may not show where a module lies, and what one process
imports, none of its forks has to.
"""

import _sitebuiltins
import builtins
import ctypes
import importlib
import os
import sys
from importlib.machinery import ModuleSpec
from json import loads


class Modules:
    """Finds modules by name in a dictionary: whether each is a package, and its code."""

    def __init__(self, codes):
        self.codes = codes

    def find_spec(self, name, path=None, target=None):
        if name in self.codes:
            return ModuleSpec(name, self, is_package=self.codes[name][0])
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.codes[module.__name__][1], module.__dict__)

    def import_all(self):
        sys.meta_path.append(self)
        for name in self.codes:
            importlib.import_module(name)
        sys.meta_path.remove(self)


def stand_in_for_site():
    """Define what `site` defines, without running the start-up files of other packages: each fork would carry what
    they import."""
    builtins.quit = _sitebuiltins.Quitter("quit", "Use quit() or Ctrl-D (i.e. EOF) to exit")
    builtins.exit = _sitebuiltins.Quitter("exit", "Use exit() or Ctrl-D (i.e. EOF) to exit")
    builtins.help = _sitebuiltins._Helper()


def load_guard():
    """The guard, a shared object that the supervisor left as standard output."""
    guard = ctypes.PyDLL("/proc/self/fd/1")
    guard.guard_serve_tests.restype = ctypes.c_int64
    return guard


def main(codes):
    """Never returns: every fork ends in `mc_sandbox.server`."""
    setup = loads(sys.argv.pop(1))
    sys.path[:] = setup["path"]
    stand_in_for_site()
    guard = load_guard()
    if guard.guard_enter():
        os._exit(1)
    Modules(codes).import_all()
    server = importlib.import_module("mc_sandbox.server")
    server.main(guard, importlib.import_module(setup["harness"]), setup["imports"])
