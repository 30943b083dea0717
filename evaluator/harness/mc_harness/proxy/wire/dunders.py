"""Names with two underscores that mean nothing to Python, its library or what runs tests, such as `__deprecated__`:
under them anyone may note something of a function or a class."""

import builtins
import re
import types
from functools import lru_cache

FREE = re.compile(r"__[a-z][a-z0-9_]*[a-z0-9]__")
# Those of what runs tests, of numpy and of the library's ways to look into things.
FAMILIES = (
    "__unittest", "__pytest", "__test", "__tracebackhide", "__array", "__dataclass", "__typing", "__forward", "__abc",
    "__hypothesis", "__mock",
)
# What means something, and no builtin class has.
MEANT = frozenset("""
    __aenter__ __aexit__ __aiter__ __all__ __anext__ __args__ __await__ __bound__ __buffer__ __bytes__ __cached__
    __classcell__ __complex__ __concat__ __conform__ __constraints__ __contravariant__ __copy__ __covariant__
    __debug__ __deepcopy__ __del__ __enter__ __exit__ __fget__ __file__ __final__ __fspath__ __getattr__
    __getinitargs__ __getnewargs_ex__ __getslice__ __iconcat__ __ifloordiv__ __ilshift__ __imatmul__ __imod__
    __index__ __initializing__ __instancehook__ __inv__ __ipow__ __irshift__ __isabstractmethod__ __itruediv__
    __length_hint__ __loader__ __main__ __match_args__ __matmul__ __members__ __missing__ __new_member__
    __next_in_mro__ __no_type_check__ __not__ __notes__ __optional_keys__ __order__ __orig_bases__ __orig_class__
    __origin__ __override__ __package__ __parameters__ __path__ __post_init__ __prepare__ __release_buffer__
    __replace__ __required_keys__ __rmatmul__ __safe_for_unpickling__ __self_class__ __set_name__ __setslice__
    __signature__ __slotnames__ __slots__ __spec__ __static_attributes__ __supertype__ __text_signature__
    __thisclass__ __total__ __type_params__ __unpacked__ __validate_parameters__ __value__ __warningregistry__
    __wrapped__
""".split())


@lru_cache(maxsize=None)
def known():
    """What builtin classes have, and these."""
    kinds = [value for module in (builtins, types) for value in vars(module).values() if isinstance(value, type)]
    return MEANT.union(dir(type), *map(dir, kinds))


def is_free(name):
    """Whether it is such a name."""
    is_one = FREE.fullmatch(name) is not None and not name.startswith(FAMILIES)
    return is_one and name not in known() and not hasattr(builtins, name)
