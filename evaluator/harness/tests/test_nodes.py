"""Linked lists and trees."""

import unittest
from json import loads
from unittest import mock

from mc_harness import nodes
from mc_harness.decoding import decode
from mc_harness.encoding import Refused, encode
from mc_harness.nodes import ListNode, TreeNode, is_same_list, is_same_tree, list_node, tree_node


class Lists(unittest.TestCase):
    def test_round_trip(self):
        self.assertEqual(encode(list_node([1, 2])), '{"ListNode":[1,2]}')
        self.assertTrue(is_same_list(decode(loads(encode(list_node([1, 2])))), list_node([1, 2])))
        self.assertIsNone(list_node([]))

    def test_differences(self):
        self.assertFalse(is_same_list(list_node([1]), list_node([2])))
        self.assertFalse(is_same_list(list_node([1]), list_node([1, 1])))

    def test_a_cycle_is_refused(self):
        node = ListNode(1)
        node.next = node
        with self.assertRaises(Refused):
            encode(node)

    def test_nodes_are_of_the_programs_own_class(self):
        class Own:
            def __init__(self, val, next=None):
                self.val, self.next = val, next

        with mock.patch.dict(nodes.NODES):
            nodes.adopt_node_classes({"ListNode": Own, "TreeNode": "no class"})
            self.assertIs(type(list_node([1])), Own)
            self.assertIs(type(tree_node([1])), TreeNode)


    def test_a_class_may_take_other_arguments(self):
        class One:
            def __init__(self, x):
                self.val, self.next = x, None

        class Nothing:
            def __init__(self):
                self.val = 7

        for own in (One, Nothing):
            with mock.patch.dict(nodes.NODES):
                nodes.adopt_node_classes({"ListNode": own, "TreeNode": own})
                self.assertEqual(nodes.list_values(list_node([1, 2])), [1, 2])
                self.assertEqual(nodes.tree_values(tree_node([1, None, 2])), [1, None, 2])


class Trees(unittest.TestCase):
    def test_level_order(self):
        root = tree_node([1, None, 2, 3])
        self.assertIsNone(root.left)
        self.assertEqual((root.right.val, root.right.left.val), (2, 3))
        self.assertEqual(encode(root), '{"TreeNode":[1,null,2,3]}')
        self.assertIsNone(tree_node([]))

    def test_differences(self):
        self.assertTrue(is_same_tree(tree_node([1, 2]), tree_node([1, 2])))
        self.assertFalse(is_same_tree(tree_node([1, 2]), tree_node([1, None, 2])))

    def test_a_node_that_comes_twice_is_refused(self):
        shared = TreeNode(1)
        with self.assertRaises(Refused):
            encode(TreeNode(0, shared, shared))
