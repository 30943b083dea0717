"""The preludes of the formats against the imports that they stand for."""

import builtins
import unittest

from mc_harness.lent import APPS, DEEPCODER, LIVECODEBENCH, public
from mc_harness.prelude import MISSING

STARRED = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json "
    "typing"
)
MODULES = (
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json"
)


def imported(source):
    """What Python itself binds for these imports, without what is a builtin's name."""
    names = {}
    exec(source, names)
    del names["__builtins__"]
    return {name: value for name, value in names.items() if not hasattr(builtins, name)}


class Lent(unittest.TestCase):
    def check(self, prelude, names):
        for name, value in names.items():
            self.assertIs(prelude(name), value, name)
        open_names = {name for module in prelude.open for name in public(__import__(module))}
        known = {*prelude.members, *prelude.modules, *open_names}
        found = {name for name in known if prelude(name) is not MISSING and not hasattr(builtins, name)}
        self.assertEqual(found - {"np", "pd"}, set(names))

    def test_livecodebench_imports_everything_and_then_the_modules_again(self):
        lines = [f"from {module} import *" for module in STARRED.split()]
        self.check(LIVECODEBENCH, imported("\n".join(lines + [f"import {module}" for module in MODULES.split()])))

    def test_apps_imports_a_few(self):
        self.check(APPS, imported(APPS_IMPORTS))

    def test_deepcoder_imports_more(self):
        self.check(DEEPCODER, imported(APPS_IMPORTS + DEEPCODER_IMPORTS))

    def test_an_unknown_name(self):
        self.assertIs(LIVECODEBENCH("Fraction"), MISSING)
        self.assertIs(APPS("reduce"), MISSING)


APPS_IMPORTS = """
import sys, time, itertools, collections, math, fractions, random, heapq
from itertools import accumulate, combinations, permutations, product
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from functools import lru_cache
from math import ceil, cos, exp, fabs, floor, gcd, log, log2, sin, sqrt, tan
from typing import List, Tuple
from heapq import *
from sys import stdin, stdout
"""
DEEPCODER_IMPORTS = """
import bisect, copy, datetime, functools, io, operator, os, re, string
from itertools import chain, combinations, count, cycle, groupby, islice, repeat, zip_longest
import sys
if sys.version_info >= (3, 10):
    from itertools import pairwise
from copy import deepcopy
from string import ascii_lowercase, ascii_uppercase
from math import atan2, comb, factorial, inf, isqrt, log10, pi, prod
from bisect import bisect_left, bisect_right, insort
from functools import cache, cmp_to_key, partial, reduce
from random import randrange, shuffle
from operator import iand, itemgetter, or_, sub, xor
from re import search as re_search
from os.path import commonprefix
from typing import Any, Callable, Deque, Dict, Generator, Iterable, Iterator, Optional, Set, Union
from time import time
"""
