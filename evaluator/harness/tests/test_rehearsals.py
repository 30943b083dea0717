"""What warm interpreters rehearse, in a process of its own, as it needs the first descriptors for itself."""

import subprocess
import sys
import unittest

# What a program fails by goes unseen where it is rehearsed, and only costs the time that it was to save.
REHEARSED = """
import fcntl, importlib, os, sys
said = fcntl.fcntl(2, fcntl.F_DUPFD, 5)
for descriptor in range(5):
    os.dup2(fcntl.fcntl(os.memfd_create("empty"), fcntl.F_DUPFD, 5), descriptor)
from mc_sandbox import server
harness = importlib.import_module(sys.argv[1])
for text, inputs in harness.REHEARSALS:
    for descriptor, content in inputs.items():
        os.pwrite(descriptor, content, 0)
    server.renew_standard_streams()
    status = server.play(harness.prepare(text))
    sys.stderr.flush()
    os.write(said, os.pread(2, 1 << 20, 0))
    if status:
        os._exit(status)
    server.empty(server.STANDARD)
os._exit(0)
"""

USED = """
import importlib.util
from mc_sandbox import library
exec(library.uses(name for name in library.USES if importlib.util.find_spec(name)), {"__name__": "__main__"})
"""


class Rehearsals(unittest.TestCase):
    def check(self, entry):
        self.runs_well(REHEARSED, "mc_harness.entries." + entry)

    def runs_well(self, *arguments):
        command = [sys.executable, "-c", *arguments]
        ended = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_scripts(self):
        self.check("scripts")

    def test_calls(self):
        self.check("calls")

    def test_programs_that_are_asked(self):
        self.check("candidate")

    def test_code_that_asks(self):
        self.check("test_code")

    def test_livecodebench(self):
        self.check("lcb")

    def test_libraries(self):
        self.runs_well(USED)
