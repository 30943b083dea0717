"""What programs do with a module, by its name: rehearsed in an interpreter that imports it before they come."""

USES = {
    "bisect": b"""
from bisect import bisect_left, bisect_right, insort
places = [1, 3, 5]
insort(places, 4)
bisect_left(places, 4), bisect_right(places, 4)
""",
    "collections": b"""
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
counter = Counter([1, 2, 2])
counter.update([2, 3])
sum(value * count for value, count in counter.items())
counter.most_common(1), counter[2], Counter("ab") - Counter("b")
groups, tree = defaultdict(list), defaultdict(lambda: defaultdict(int))
groups[1].append(2)
tree[1][2] += 1
queue = deque([1])
queue.append(2)
queue.appendleft(0)
while queue:
    queue.popleft()
""",
    "copy": b"""
import copy
copy.deepcopy([[1], {"a": (2, 3)}]), copy.copy([1])
""",
    "functools": b"""
from functools import cmp_to_key, lru_cache, reduce
@lru_cache(None)
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)
ways(5), reduce(lambda a, b: a * b, [1, 2, 3]), sorted([2, 1], key=cmp_to_key(lambda a, b: a - b))
""",
    "heapq": b"""
import heapq
heap = [(3, "c"), (1, "a")]
heapq.heapify(heap)
heapq.heappush(heap, (2, "b"))
heapq.heappop(heap), heapq.nlargest(1, heap), heapq.nsmallest(1, heap)
""",
    "itertools": b"""
from itertools import accumulate, chain, combinations, permutations, product
list(accumulate([1, 2])), list(chain([1], [2])), list(combinations([1, 2, 3], 2))
list(permutations([1, 2])), list(product([0, 1], repeat=2))
""",
    "math": b"""
import math
from math import gcd, sqrt
gcd(4, 6), sqrt(2), math.ceil(1.5), math.log(2), math.inf > math.pi, math.comb(4, 2), math.isqrt(17)
""",
    "numpy": b"""
import numpy as np
values = np.array([3, 1, 2])
np.sort(values * 2).tolist(), int(values.sum()), np.zeros((2, 2)).max(), np.arange(3)[values > 1]
""",
    "operator": b"""
from operator import itemgetter, mul
sorted([(2, 1), (1, 2)], key=itemgetter(1)), mul(2, 3)
""",
    "random": b"""
import random
random.randint(1, 6), random.choice([1, 2])
""",
    "re": b"""
import re
re.findall(r"[0-9]+", "a 12 b 3"), re.sub(r"b+", "c", "abb"), re.match(r"(a)b", "ab").group(1)
""",
    "string": b"""
import string
string.ascii_lowercase.index("c"), set(string.punctuation)
""",
    "typing": b"""
from typing import Dict, List, Optional, Tuple
class Values:
    def best(self, values: List[int], names: Optional[Dict[str, int]] = None) -> Tuple[int, int]:
        return max(values), len(names or {})
Values().best([1, 2])
""",
}


def uses(imports):
    """A program that uses those of these modules that are known here."""
    return b"".join(USES.get(name, b"") for name in imports)
