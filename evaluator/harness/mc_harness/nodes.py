"""The linked lists and binary trees of LeetCode's problems, and how they read as lists."""

from .limits import MAX_ITEMS


class MalformedError(Exception):
    """A list or a tree that does not end."""


class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next


class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right


# What leads from a node to others.
LINKS = {"ListNode": ("next",), "TreeNode": ("left", "right")}
# The classes that decoded nodes are made of: the program's own where it defines them.
NODES = {"ListNode": ListNode, "TreeNode": TreeNode}


def adopt_node_classes(namespace):
    """Make nodes of the program's own classes from now on."""
    for name in NODES:
        if isinstance(namespace.get(name), type):
            NODES[name] = namespace[name]


def node_of(name, value, **links):
    """A node, with all attributes that it has at LeetCode: a class of the program's own may take other arguments than
    one of those."""
    kind = NODES[name]
    try:
        node = kind(value)
    except TypeError:
        node = kind.__new__(kind)
        node.val = value
    for link, other in links.items():
        setattr(node, link, other)
    return node


def list_node(values):
    """A linked list of these values, or None."""
    head = None
    for value in reversed(values):
        head = node_of("ListNode", value, next=head)
    return head


def tree_node(values):
    """A tree from its level order, None for a missing child; or None."""
    if not values or values[0] is None:
        return None
    root = node_of("TreeNode", values[0], left=None, right=None)
    waiting, at = [root], 1
    for node in waiting:
        for side in ("left", "right"):
            if at < len(values):
                if values[at] is not None:
                    child = node_of("TreeNode", values[at], left=None, right=None)
                    setattr(node, side, child)
                    waiting.append(child)
                at += 1
    return root


def list_values(node):
    """The values of a linked list. Attributes are read past whatever the program made of reading them."""
    read = object.__getattribute__
    values, seen = [], set()
    while node is not None:
        if id(node) in seen or len(values) > MAX_ITEMS:
            raise MalformedError("a linked list with a cycle")
        seen.add(id(node))
        values.append(read(node, "val"))
        node = read(node, "next")
    return values


def tree_values(root):
    """The values of a tree in level order, None for a missing child, without the missing ones at the end."""
    read = object.__getattribute__
    values, seen, waiting = [], set(), [root]
    for node in waiting:
        if node is None:
            values.append(None)
            continue
        if id(node) in seen or len(values) > MAX_ITEMS:
            raise MalformedError("a tree in which a node comes twice")
        seen.add(id(node))
        values.append(value_of(read(node, "val")))
        waiting += (read(node, "left"), read(node, "right"))
    while values and values[-1] is None:
        values.pop()
    return values


def value_of(value):
    """That of a node of a tree: None is what a missing one reads as."""
    if value is None:
        raise MalformedError("a tree with a node whose value is None")
    return value


def is_same_list(a, b):
    while a is not None and b is not None:
        if a.val != b.val:
            return False
        a, b = a.next, b.next
    return a is None and b is None


def is_same_tree(a, b):
    pairs = [(a, b)]
    while pairs:
        a, b = pairs.pop()
        if a is None or b is None:
            if a is not b:
                return False
            continue
        if a.val != b.val:
            return False
        pairs += ((a.left, b.left), (a.right, b.right))
    return True
