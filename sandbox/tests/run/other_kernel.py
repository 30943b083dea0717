"""Runs a command as on another kernel: `other_kernel.py --landlock ABI COMMAND...` knows landlock no further than that;
`other_kernel.py --without CALL COMMAND...` forbids a system call.

A seccomp filter hands each question for the ABI to this process, which gives the answer. Rulesets go to the kernel.
"""

import ctypes
import errno
import fcntl
import os
import platform
import select
import socket
import struct
import sys

# By name, as on x86-64 and on arm64.
CALLS = {
    "seccomp": (317, 277),
    "prctl": (157, 167),
    "capset": (126, 91),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "unshare": (272, 97),
    "mount": (165, 40),
    "pivot_root": (155, 41),
    "sethostname": (170, 161),
}
NUMBERS = {name: numbers[["x86_64", "aarch64"].index(platform.machine())] for name, numbers in CALLS.items()}
VERSION = 1
SET_NO_NEW_PRIVS, SET_MODE_FILTER, NEW_LISTENER = 38, 1, 8
RECEIVE, SEND = 0xC0502100, 0xC0182101
ALLOW, NOTIFY, FORBID = 0x7FFF0000, 0x7FC00000, 0x00050000 | errno.EPERM
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER_AT, FLAGS_AT = 0, 16 + 2 * 8

ASK_FOR_ABI = [
    (LOAD, 0, 0, NUMBER_AT),
    (JUMP_IF_EQUAL, 0, 3, NUMBERS["landlock_create_ruleset"]),
    (LOAD, 0, 0, FLAGS_AT),
    (JUMP_IF_EQUAL, 0, 1, VERSION),
    (RETURN, 0, 0, NOTIFY),
    (RETURN, 0, 0, ALLOW),
]

libc = ctypes.CDLL(None, use_errno=True)


def without(name):
    return [
        (LOAD, 0, 0, NUMBER_AT),
        (JUMP_IF_EQUAL, 0, 1, NUMBERS[name]),
        (RETURN, 0, 0, FORBID),
        (RETURN, 0, 0, ALLOW),
    ]


def call(name, *arguments):
    result = libc.syscall(*map(ctypes.c_long, [NUMBERS[name], *arguments]))
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def install(lines, flags):
    """Install a filter; the descriptor on which its questions arrive, if the flags ask for one."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(code)))
    call("prctl", SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return call("seccomp", SET_MODE_FILTER, flags, ctypes.addressof(program))


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


def with_landlock(abi, command):
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        socket.send_fds(theirs, [b"."], [install(ASK_FOR_ABI, NEW_LISTENER)])
        os.execvp(command[0], command)
    theirs.close()
    listener = socket.recv_fds(ours, 1, 1)[1][0]
    answer(listener, abi)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def main(option, value, command):
    if option == "--landlock":
        with_landlock(int(value), command)
    else:
        install(without(value), 0)
        os.execvp(command[0], command)


main(sys.argv[1], sys.argv[2], sys.argv[3:])
