"""What is at a path, as it crosses."""

import os
import tempfile
import unittest

from mc_harness.proxy.wire.laid_out import NOTHING, all_under, content_of, is_as_told, lay_out, state_of


class LaidOut(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here, self.there = os.path.join(folder.name, "here"), os.path.join(folder.name, "there")
        os.mkdir(self.here)
        os.mkdir(self.there)

    def laid_out_there(self, name):
        content = content_of(os.path.join(self.here, name))
        path = os.path.join(self.there, name)
        lay_out(path, content)
        self.assertTrue(is_as_told(path, content))
        return path

    def test_a_file_has_its_rights_and_its_time(self):
        path = os.path.join(self.here, "a")
        with open(path, "w") as file:
            file.write("hi")
        os.chmod(path, 0o640)
        os.utime(path, ns=(5, 7))
        seen = os.stat(self.laid_out_there("a"))
        self.assertEqual((seen.st_mode & 0o777, seen.st_mtime_ns, seen.st_size), (0o640, 7, 2))

    def test_one_that_its_owner_may_not_read_crosses_and_stays_so(self):
        path = os.path.join(self.here, "a")
        with open(path, "w") as file:
            file.write("hi")
        os.chmod(path, 0)
        self.assertEqual(content_of(path)[:2], [b"hi".hex(), 0])
        self.assertEqual(os.stat(path).st_mode & 0o777, 0)

    def test_a_link_leads_where_it_led_and_is_no_folder(self):
        os.symlink("nowhere", os.path.join(self.here, "a"))
        self.assertEqual(os.readlink(self.laid_out_there("a")), "nowhere")
        os.symlink(self.here, os.path.join(self.there, "b"))
        self.assertEqual(sorted(map(os.path.basename, all_under(self.there))), ["a", "b", "there"])

    def test_a_file_takes_the_place_of_a_link_and_not_of_what_that_leads_to(self):
        target, path = os.path.join(self.there, "target"), os.path.join(self.there, "a")
        lay_out(target, [b"old".hex(), 0o600, 0])
        lay_out(path, {"link": target})
        lay_out(path, [b"new".hex(), 0o600, 0])
        self.assertFalse(os.path.islink(path))
        with open(target) as file:
            self.assertEqual(file.read(), "old")

    def test_a_change_of_anything_is_seen(self):
        path = os.path.join(self.here, "a")
        lay_out(path, [b"hi".hex(), 0o600, 0])
        before = state_of(path)
        os.chmod(path, 0o644)
        self.assertNotEqual(state_of(path), before)
        lay_out(path, NOTHING)
        self.assertFalse(os.path.lexists(path))
