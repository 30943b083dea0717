"""Nodes of lists and trees that are the same on both sides of a channel."""

import gc
import unittest

from mc_harness.nodes import ListNode, TreeNode, list_node, list_values, tree_node
from mc_harness.proxy.wire.graphs import Graphs, TheirNodes


def told(graphs, node, begun=None):
    return graphs.told(node, type(node).__name__, set() if begun is None else begun, lambda value: value)["nodes"]


class Both(unittest.TestCase):
    def setUp(self):
        self.ours, self.theirs = Graphs(), TheirNodes()

    def given(self, node, begun=None):
        return self.theirs.read(told(self.ours, node, begun))

    def back(self, node):
        return self.ours.read(told(self.theirs, node))

    def test_a_node_that_comes_back_is_itself(self):
        root = tree_node([1, 2, 3])
        self.assertIs(self.back(self.given(root).right), root.right)

    def test_what_was_done_to_one_is_done(self):
        head = list_node([1, 2, 3])
        last = head.next.next
        copy = self.given(head)
        copy.val, copy.next = 7, copy.next.next
        self.assertIs(self.back(copy), head)
        self.assertEqual(list_values(head), [7, 3])
        self.assertIs(head.next, last)

    def test_new_nodes_are_linked_with_known_ones(self):
        head = list_node([2])
        made = self.back(ListNode(1, self.given(head)))
        self.assertIs(made.next, head)

    def test_circles_and_shared_nodes(self):
        shared = TreeNode(2)
        root = TreeNode(1, shared, shared)
        shared.left = root
        copy = self.given(root)
        self.assertIs(copy.left, copy.right)
        self.assertIs(copy.left.left, copy)

    def test_a_message_tells_of_a_node_once(self):
        root, begun = tree_node([1, 2, 3]), set()
        copy = self.given(root, begun)
        again = told(self.ours, root.left, begun)
        self.assertEqual(again[2], [])
        self.assertIs(self.theirs.read(again), copy.left)

    def test_a_long_list(self):
        self.assertEqual(len(list_values(self.given(list_node(list(range(20_000)))))), 20_000)

    def test_nothing_is_known_of_what_is_gone(self):
        copy = self.given(list_node([1, 2]))
        self.assertEqual(len(self.theirs.there_still()), 2)
        del copy
        gc.collect()
        self.assertEqual((self.theirs.there_still(), self.theirs.crossed, self.theirs.numbers), ([], {}, {}))

    def test_a_number_that_nothing_has_is_refused(self):
        with self.assertRaises(LookupError):
            self.ours.read(["ListNode", 7, []])
        with self.assertRaises(LookupError):
            self.ours.read(["ListNode", -1, [[-1, 5, 7]]])
