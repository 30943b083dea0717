"""Runs a command as on a kernel whose landlock is older: `old_landlock.py ABI COMMAND [ARGUMENT...]`.

A seccomp filter hands each question for the ABI to this process, which gives the answer. Rulesets go to the kernel.
"""

import ctypes
import fcntl
import os
import platform
import select
import socket
import struct
import sys

SECCOMP, PRCTL = {"x86_64": (317, 157), "aarch64": (277, 167)}[platform.machine()]
LANDLOCK_CREATE_RULESET, VERSION = 444, 1
SET_NO_NEW_PRIVS, SET_MODE_FILTER, NEW_LISTENER = 38, 1, 8
RECEIVE, SEND = 0xC0502100, 0xC0182101
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER_AT, FLAGS_AT = 0, 16 + 2 * 8

FILTER = [
    (LOAD, 0, 0, NUMBER_AT),
    (JUMP_IF_EQUAL, 0, 3, LANDLOCK_CREATE_RULESET),
    (LOAD, 0, 0, FLAGS_AT),
    (JUMP_IF_EQUAL, 0, 1, VERSION),
    (RETURN, 0, 0, NOTIFY),
    (RETURN, 0, 0, ALLOW),
]

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), "system call %d" % number)
    return result


def install():
    """Install the filter; the descriptor on which its questions arrive."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in FILTER))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(FILTER), ctypes.addressof(code)))
    call(PRCTL, SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return call(SECCOMP, SET_MODE_FILTER, NEW_LISTENER, ctypes.addressof(program))


def answer(listener, abi):
    """Answer questions until nobody is left to ask."""
    while True:
        question = bytearray(80)
        try:
            fcntl.ioctl(listener, RECEIVE, question)
            number = struct.unpack_from("Q", question)[0]
            fcntl.ioctl(listener, SEND, struct.pack("QqiI", number, abi, 0, 0))
        except FileNotFoundError:
            # The one that asked is gone, or all are.
            if not alive(listener):
                return


def alive(listener):
    poll = select.poll()
    poll.register(listener, 0)
    return not poll.poll(0)


def main(abi, command):
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        socket.send_fds(theirs, [b"."], [install()])
        os.execvp(command[0], command)
    theirs.close()
    listener = socket.recv_fds(ours, 1, 1)[1][0]
    answer(listener, abi)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main(int(sys.argv[1]), sys.argv[2:])
