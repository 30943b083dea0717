"""A stdio test with no isolation at all: a warm interpreter that forks once per test.

The same modules, program and files in memory as a test in the sandbox has, and like there a fork that runs no hooks of
Python modules. Takes the program's file, the input's file and the number of rounds; prints the nanoseconds they took.
"""

import atexit, builtins, contextlib, ctypes, gc, importlib, io, json, types
import os
import sys
import time

fork = ctypes.PyDLL(None).fork

code = compile(open(sys.argv[1]).read(), "main.py", "exec")
data = open(sys.argv[2], "rb").read()
rounds = int(sys.argv[3])


def files():
    made = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
    os.pwrite(made[0], data, 0)
    return made


def test():
    made = files()
    pid = fork()
    if pid == 0:
        for number, file in enumerate(made):
            os.dup2(file, number)
        os.closerange(3, 64)
        exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(pid, 0)
    output = os.pread(made[1], 1 << 20, 0)
    for file in made:
        os.close(file)
    return output


def rehearse():
    """Run the program a few times right here: as in the sandbox, no fork meets it cold."""
    kept = os.dup(0), os.dup(1)
    for _ in range(16):
        made = files()
        os.dup2(made[0], 0)
        os.dup2(made[1], 1)
        sys.stdin = open(0, closefd=False)
        exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
        sys.stdout.flush()
        for file in made:
            os.close(file)
    os.dup2(kept[0], 0)
    os.dup2(kept[1], 1)
    sys.stdin = open(0, closefd=False)


rehearse()
gc.collect()
gc.freeze()
expected = test()
started = time.perf_counter_ns()
for _ in range(rounds):
    if test() != expected:
        raise SystemExit("a test failed")
sys.stderr.write("%d\n" % (time.perf_counter_ns() - started))
