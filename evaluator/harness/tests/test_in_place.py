"""What test code sees of what became of files, and of what it was given."""

import unittest

from mc_harness.proxy.analysis.in_place import sees_files
from mc_harness.proxy.analysis.stated import is_only_stated

FOLDER = "import os, tempfile\nd = tempfile.mkdtemp()\np = os.path.join(d, 'a.txt')\n"


class Files(unittest.TestCase):
    def sees(self, tests):
        return sees_files(FOLDER + tests, "f", frozenset([0]))

    def test_what_is_made_of_a_path_alone_is_made_of_no_file(self):
        for stated in ("p + '.old'", "os.path.join(d, 'b.txt')", "[os.path.basename(p)]", "f'Moved {p}'"):
            with self.subTest(stated=stated):
                self.assertTrue(self.sees("r = f(p)\nassert r == %s\nassert not os.path.exists(p)" % stated))

    def test_what_is_read_of_the_file_is(self):
        read = "want = []\nwith open(p) as file:\n    for line in file: want.append(line)\n"
        for tests in ("assert f(p) == open(p).read()", read + "assert f(p) == want", "assert f(d) == os.listdir(d)",
                      "assert f(p) == open(p).read().strip().split()"):
            with self.subTest(tests=tests):
                self.assertFalse(self.sees(tests))

    def test_a_name_that_is_another_functions_makes_no_path(self):
        self.assertFalse(self.sees("def len(x): return open(x).read()\nassert f(p) == len(p)"))
        self.assertFalse(self.sees("from os.path import getsize as len\nassert f(p) == len(p)"))


class Stated(unittest.TestCase):
    def test_what_is_compared_with_what_is_written_there(self):
        self.assertTrue(is_only_stated("x = s.items\ns.add(1)\nassert x == [1] and len(x) == 1", "items"))

    def test_what_anything_is_made_of(self):
        for tests in ("assert s.total() == sum(x)", "assert f(x) == x", "y = x\nassert y == [1]", "x.append(1)"):
            with self.subTest(tests=tests):
                self.assertFalse(is_only_stated("x = s.items\n" + tests, "items"))
