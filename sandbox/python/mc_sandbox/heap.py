"""The heap of a warm interpreter, left without holes.

What imports and rehearsals freed lies scattered. Each fork would fill those holes first, and the kernel would copy a
page for almost every one. So they are filled once, in the Worker: what a fork allocates then lies side by side, in
pages that were never written to and need no copy.
"""

import sys

# Sizes of small blocks, and how many bytes an object takes that is made for one (Objects/obmalloc.c).
SMALL = range(16, 513, 16)
BYTES = bytes().__sizeof__()
# The C library's own blocks, up to the size from which each is a mapping of its own (mallopt(3), M_MMAP_THRESHOLD).
LARGE = range(1 << 16, 512, -16)
BEYOND_ALL = 100_000

# Pools of small blocks, and what each has about itself before the first.
POOL, HEAD = 1 << (14 if sys.version_info >= (3, 10) else 12), 48
# Small blocks of one size that are filled at most: several times what a warm interpreter has free.
MOST = 1 << 12

# What fills the holes.
FILLING = []


def fill_holes():
    for size in SMALL:
        fill_small(size)
    fill_large()


def fill_small(size):
    """Take blocks of this size until two come one behind the other from a pool that is new."""
    before = 0
    for number in range(MOST):
        FILLING.append(block(size, number))
        place = id(FILLING[-1])
        if is_first(before) and place == before + size:
            break
        before = place


def block(size, number):
    """An object that takes a block of this size."""
    if size > BYTES:
        return bytes(size - BYTES)
    # Beyond the small integers, which are there already.
    return object() if size == 16 else number + (1 << 20)


def is_first(place):
    """Whether this is where the first block of a pool lies."""
    return place % POOL == HEAD


def fill_large():
    """Take blocks of the C library's until the next would come from beyond all that it holds."""
    beyond = bytes(BEYOND_ALL)
    for size in LARGE:
        while True:
            taken = bytes(size - BYTES)
            if id(taken) >= id(beyond):
                break
            FILLING.append(taken)
