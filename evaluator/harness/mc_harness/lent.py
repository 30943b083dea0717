"""Names that a format's own harness gives to every program, so that a program need not import them.

Each prelude holds the imports of the harness that it stands for; nothing is imported before a program uses it.
"""

import importlib

from .nodes import NODES
from .prelude import MISSING, lookup

ALL = "*"


class Prelude:
    """`modules` are modules, `members` names by the module they come from: ALL for all public ones, and `name:other`
    for what goes by another name here. Of one name in two modules the one counts that stands first."""

    def __init__(self, modules, *members):
        self.modules = {other or module: module for module, _, other in map(split, modules.split())}
        self.open = [module for part in members for module in part if part[module] == ALL]
        self.members = {}
        for part in members:
            for module in set(part).difference(self.open):
                for name, _, other in map(split, part[module].split()):
                    self.members.setdefault(other or name, (module, name))

    def __call__(self, name):
        try:
            if name in self.modules:
                return importlib.import_module(self.modules[name])
            for module in map(importlib.import_module, self.open):
                if name in public(module):
                    return getattr(module, name)
            if name in self.members:
                module, name = self.members[name]
                return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError):
            pass
        return MISSING


def split(word):
    return word.partition(":")


def public(module):
    """What `from module import *` binds."""
    names = getattr(module, "__all__", None)
    return names if names is not None else [name for name in vars(module) if not name.startswith("_")]


# In the order of looking, which is that of the last import first. `statistics` and `datetime` take long to import, and
# no name of theirs is another module's too.
LIVECODEBENCH = Prelude(
    "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json",
    dict.fromkeys(
        "typing json sys io operator functools itertools random math copy bisect heapq collections re string".split(),
        ALL,
    ),
    {
        "statistics": "NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean kde "
        "kde_random linear_regression mean median median_grouped median_high median_low mode multimode pstdev "
        "pvariance quantiles stdev variance",
        "datetime": "MAXYEAR MINYEAR UTC date time timedelta timezone tzinfo",
    },
)

APPS_MEMBERS = {
    "itertools": "accumulate product permutations combinations",
    "collections": "Counter OrderedDict deque defaultdict ChainMap",
    "functools": "lru_cache",
    "math": "sqrt sin cos tan ceil fabs floor gcd exp log log2",
    "typing": "List Tuple",
    "heapq": ALL,
    "sys": "stdin stdout",
}
APPS = Prelude("sys time itertools collections math fractions numpy:np random heapq", APPS_MEMBERS)

DEEPCODER = Prelude(
    "sys itertools collections math fractions numpy:np pandas:pd random heapq copy string bisect functools operator re "
    "datetime io os",
    APPS_MEMBERS,
    {
        "itertools": "chain combinations count cycle groupby islice pairwise repeat zip_longest",
        "copy": "deepcopy",
        "string": "ascii_lowercase ascii_uppercase",
        "math": "atan2 comb factorial inf isqrt log10 pi prod",
        "bisect": "bisect_left bisect_right insort",
        "functools": "cache cmp_to_key partial reduce",
        "random": "randrange shuffle",
        "operator": "iand itemgetter or_ sub xor",
        "re": "search:re_search",
        "os.path": "commonprefix",
        "typing": "Any Callable Deque Dict Generator Iterable Iterator Optional Set Union",
        "time": "time",
    },
)

# The formats whose solutions call themselves as deep as LeetCode allows.
DEEP = ("leetcode", "livecodebench")

PRELUDES = {
    "none": None,
    "leetcode": lookup,
    "livecodebench": LIVECODEBENCH,
    "apps": APPS,
    "deepcoder": DEEPCODER,
}


def lending(nodes, prelude):
    """A prelude that has the classes of these kinds of node besides: of a problem that speaks of them."""
    if not nodes:
        return prelude
    return lambda name: NODES[name] if name in nodes else prelude(name) if prelude else MISSING
