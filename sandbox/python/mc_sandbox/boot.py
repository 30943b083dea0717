"""What a boxed interpreter runs first: it imports its modules as the supervisor sent them, enters its box, and serves.

What all programs need is imported before the first of them: what one process imports, none of its forks has to. What
few need they import themselves, from the same place.
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


def stand_in_for_site():
    """Define what `site` defines, without running the start-up files of other packages: each fork would carry what
    they import."""
    builtins.quit = _sitebuiltins.Quitter("quit", "Use quit() or Ctrl-D (i.e. EOF) to exit")
    builtins.exit = _sitebuiltins.Quitter("exit", "Use exit() or Ctrl-D (i.e. EOF) to exit")
    builtins.help = _sitebuiltins._Helper()


def load_guard():
    """The guard, a shared object, which the supervisor left as standard output with our modules behind it."""
    guard = ctypes.PyDLL("/proc/self/fd/1")
    guard.guard_serve_tests.restype = ctypes.c_int64
    # Looked up here, and not in every fork.
    guard.guard_control.restype = ctypes.c_int
    return guard


def main(codes):
    """Never returns: every fork ends in `mc_sandbox.server`."""
    setup = loads(sys.argv.pop(1))
    sys.path[:] = setup["path"]
    stand_in_for_site()
    guard = load_guard()
    if guard.guard_enter():
        os._exit(1)
    sys.meta_path.append(Modules(codes))
    server = importlib.import_module("mc_sandbox.server")
    server.main(guard, importlib.import_module(setup["harness"]), setup["imports"])
