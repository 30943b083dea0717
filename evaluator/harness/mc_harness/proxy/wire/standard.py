"""The names of the standard library's modules."""

import os
import sys


def in_folders():
    """Those that lie in the library's folders, or are built into the interpreter: before 3.10 it does not tell them."""
    import pkgutil

    library = os.path.dirname(os.__file__)
    found = pkgutil.iter_modules([library, os.path.join(library, "lib-dynload")])
    return {module.name for module in found}.union(sys.builtin_module_names)


STANDARD_MODULES = frozenset(getattr(sys, "stdlib_module_names", None) or in_folders())
