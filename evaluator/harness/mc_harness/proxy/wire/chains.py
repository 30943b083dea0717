"""The chains of names, calls and attributes by which test code comes to a thing of the candidate's: `Stack().top`.

Names and calls stand as test code writes them. `[]` is something that a thing holds, `~` what an operator made of it,
and `!` says that it was told plain data for that.
"""

import re

# Chains of an instance of a class that has a usual name, and of what comes of a method that gives plain data nothing.
INSTANCE = re.compile(
    r"[A-Z]\w*[a-z]\w*\(\)[~!]*|.*\.(?:add|append|appendleft|clear|discard|extend|insert|remove|reverse|sort|update)\(\)"
)
# Chains of an instance of a class whose name has a capital, of what an operator made of that alone, and of a member.
CAPITAL = re.compile(r"(?:.*\.)?[A-Z]\w*(?:\(\)~*|\.[A-Z]\w*)")
# Chains of what methods of such an instance gave: of LeetCode's, these are functions.
OF_INSTANCE = re.compile(r"(?!Solution\b)[A-Z]\w*[a-z]\w*\(\)(?:\.\w+\(\))+")
# Chains of what operators made of members of such a class alone, such as flags.
COMBINED = re.compile(r"(?:.*\.)?[A-Z]\w*\.[A-Z]\w*~+")
# Chains of what a class in small letters made, which a function's name would be.
SMALL = re.compile(r"(?:.*\.)?[a-z_]\w*\(\)")
# Chains of what an object has whose class the test code derived, as a method of that class asks for it.
OWNED = re.compile(r"\w+\(self\)(?:\.\w+)+")
# A chain that ends with the usual name of a class.
CLASS = re.compile(r"(?:.*\.)?[A-Z]\w*[a-z]\w*")


def is_of_class(chain):
    """Whether it leads to what a class made, by its name, or to a member of one; or to what operators made of it."""
    return CAPITAL.fullmatch(chain.replace("!", "")) is not None or INSTANCE.fullmatch(chain) is not None


def copies(of, path, given):
    """Whether a call is that by which an object copies itself."""
    owner, _, name = path.rpartition(".")
    return name == "copy" and (of is not None or owner != "") and not given


def called(chain, is_copy=False):
    """The chain of what a call gives; of a copy, that of what it is a copy of."""
    return chain.rpartition(".")[0] if is_copy else chain + "()"


def element(chain):
    """The chain of what something holds, however deep."""
    return chain if chain.endswith("[]") else chain + "[]"


def computed(chain, is_told=False):
    """The chain of what an operator gives; of an object that was told plain data, which may be what is expected."""
    return chain + ("~!" if is_told else "~")
