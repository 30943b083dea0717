"""The parameters of a function of the test code's, by which its stand-in in the candidate's box has the same: who looks
at its code, as `curry` does, finds them there."""

import builtins
import sys
from functools import lru_cache
from types import CellType, FunctionType
from weakref import ref

# What says that a function looks like another one.
DISGUISES = ("__wrapped__", "__signature__")
# The flags of code that takes any number of arguments, by their places and by name.
OTHERS = 0x4, 0x8
# Those that say that a call gives a generator; and whether they say it alone, and do not bring it about: here the call
# gives one that goes on with the test code.
GENERATING = 0x20 | 0x200
SAYS_ONLY = sys.version_info >= (3, 11)
# A name that no parameter has.
CALL = "_mc_call"


def shape(function):
    """How many parameters there are of each kind, whether there are others, whether a call gives a generator, and the
    names; None where a function is none of Python's, or looks like another."""
    if type(function) is not FunctionType or any(name in vars(function) for name in DISGUISES):
        return None
    code = function.__code__
    has_others = [bool(code.co_flags & flag) for flag in OTHERS]
    count = code.co_argcount + code.co_kwonlyargcount + sum(has_others)
    numbers = [code.co_posonlyargcount, code.co_argcount, code.co_kwonlyargcount]
    return [*numbers, *has_others, code.co_flags & GENERATING, list(code.co_varnames[:count])]


def shaped(told, call, is_async, name):
    """A function with these parameters, which gives what `call` does. What the program leaves out is left out there
    too, where a default may be a list that changes."""
    *numbers, generating, names = told

    def called(*given):
        args, kwargs = arguments(shown(), *numbers[:2], names, *given)
        return call(*args, **kwargs)

    own = {"__builtins__": builtins, "__name__": "__main__"}
    code = code_of(*numbers, tuple(names), is_async).replace(co_name=name)
    if SAYS_ONLY:
        code = code.replace(co_flags=code.co_flags | generating)
    function = FunctionType(code, own, name, None, (CellType(called),))
    # By whose defaults it is known what was left out. It lives no longer than the program holds it.
    shown = ref(function)
    return function


@lru_cache(maxsize=None)
def code_of(only_placed, placed, named, has_rest, has_more, names, is_async):
    """That of such functions."""
    first, by_name, others = names[:placed], names[placed : placed + named], list(names[placed + named :])
    rest, more = others[0] if has_rest else "()", others[-1] if has_more else "{}"
    parameters = [*first[:only_placed], *(["/"] if only_placed else ()), *first[only_placed:]]
    parameters += ["*" + rest] if has_rest else ["*"] if named else []
    parameters += [*by_name, *(["**" + more] if has_more else ())]
    given = ["(%s)" % "".join(one + "," for one in first), rest]
    given += ["{%s}" % ",".join("%r:%s" % (one, one) for one in by_name), more]
    text = "def make(%s):\n %sdef function(%s): return %s%s(%s)\n return function.__code__"
    words = ("async ", "await ") if is_async else ("", "")
    text %= CALL, words[0], ",".join(parameters), words[1], CALL, ",".join(given)
    found = {}
    exec(compile(text, arguments.__code__.co_filename, "exec"), found)
    return found["make"](None)


def arguments(function, only_placed, placed, names, given, rest, named, more):
    """What a call of such a function is given, without the defaults that it has of its own. A coroutine may go on when
    nothing holds the function."""
    if function is None or not function.__defaults__ and not function.__kwdefaults__:
        return (*given, *rest), {**named, **more}
    defaults = function.__defaults__ or ()
    own = dict(zip(names[placed - len(defaults) : placed], defaults))
    is_own = [name in own and value is own[name] for name, value in zip(names, given)]
    # Up to what is left out they have places; what only has a place keeps it if one after it is given.
    count = placed if rest or True not in is_own else is_own.index(True)
    only = max((place + 1 for place in range(only_placed) if not is_own[place]), default=0)
    count = max(count, only)
    by_name = {names[place]: given[place] for place in range(count, placed) if not is_own[place]}
    by_default = function.__kwdefaults__ or {}
    by_name.update(one for one in named.items() if one[0] not in by_default or one[1] is not by_default[one[0]])
    return (*given[:count], *rest), {**by_name, **more}
