"""Whether test code uses a name as nothing that the library has under it could be used: then it is the candidate's.

A problem may ask for a class `Counter` or a function `copy`. The test code alone tells, never what a candidate defines.
"""

import ast

# What can be made of what `typing` has; the rest of it only stands in annotations.
MADE = {"DefaultDict", "Deque", "NamedTuple", "TypeVar", "cast"}


def is_misused(tree, name, value):
    """Whether what can be called is not, or an attribute is asked for that what it makes has not."""
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_name(node.func, name)]
    if called and getattr(value, "__module__", None) == "typing" and name not in MADE:
        return True
    # `Deque` makes a deque.
    value = getattr(value, "__origin__", value)
    if not callable(value):
        return bool(called) and not any(is_name(node.value, name) for node in attributes(tree))
    if not isinstance(value, type):
        return False
    made = {ast.unparse(node) for node in called} | bound_to(tree, name)
    known = dir(value)
    return any(node.attr not in known and ast.unparse(node.value) in made for node in attributes(tree))


def attributes(tree):
    return (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))


def is_name(node, name):
    return isinstance(node, ast.Name) and node.id == name


def bound_to(tree, name):
    """What is bound to a call of the name, and to nothing else."""
    made, others = set(), set()
    for node in ast.walk(tree):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        is_call = isinstance(getattr(node, "value", None), ast.Call) and is_name(node.value.func, name)
        for target in filter(None, targets):
            (made if is_call else others).add(ast.unparse(target))
    return made - others
