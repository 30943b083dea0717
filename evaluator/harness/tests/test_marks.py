"""Names and attributes of functions, as both sides are told of them."""

import unittest

from mc_harness.proxy.wire.marks import Marks, mark, may_be_set


def told(marks, function):
    return sorted(one for _, one in marks.changes({7: function}.get, lambda value: [value]))


class MarksTest(unittest.TestCase):
    def setUp(self):
        def function():
            """Text."""

        self.function, self.marks = function, Marks()
        self.marks.begin(7, function)

    def test_what_has_not_changed_is_not_told(self):
        self.assertEqual(told(self.marks, self.function), [])

    def test_what_was_set_is_told_once(self):
        self.function.path, self.function.__name__ = "/a", "other"
        self.assertEqual(told(self.marks, self.function), [["__name__", "other"], ["path", "/a"]])
        self.assertEqual(told(self.marks, self.function), [])

    def test_a_list_is_told_again_once_it_has_changed(self):
        self.function.tags = ["a"]
        told(self.marks, self.function)
        self.function.tags.append("b")
        self.assertEqual(told(self.marks, self.function), [["tags", ["a", "b"]]])

    def test_what_was_deleted_is_told_by_its_name(self):
        self.function.path = "/a"
        told(self.marks, self.function)
        del self.function.path
        self.assertEqual(told(self.marks, self.function), [["path"]])

    def test_what_the_other_side_set_is_not_told(self):
        mark(self.function, "path", "/a")
        self.marks.know_one(7, self.function, "path")
        self.assertEqual(told(self.marks, self.function), [])

    def test_what_has_ended_is_forgotten(self):
        self.assertEqual(list(self.marks.changes({}.get, lambda value: [value])), [])
        self.assertEqual(self.marks.known, {})

    def test_of_names_with_two_underscores_three_may_be_set_to_texts(self):
        self.assertTrue(may_be_set("__doc__", None) and may_be_set("__name__", "a") and may_be_set("path", 1))
        self.assertFalse(may_be_set("__name__", None) or may_be_set("__code__", "a") or may_be_set(1, "a"))


if __name__ == "__main__":
    unittest.main()
