"""What is at a path, as it crosses: a directory, a link, or a file with what is in it, its rights, and when it was last
changed."""

import os
from contextlib import suppress
from stat import S_IMODE, S_ISDIR, S_ISLNK

# In the place of what is there no more, and of a directory.
NOTHING, DIRECTORY = False, None


def content_of(path):
    seen = os.lstat(path)
    if S_ISLNK(seen.st_mode):
        return {"link": os.readlink(path)}
    if S_ISDIR(seen.st_mode):
        return DIRECTORY
    return [held_by(path, S_IMODE(seen.st_mode)).hex(), S_IMODE(seen.st_mode), seen.st_mtime_ns]


def held_by(path, rights):
    """What is in a file, though it may be one that its owner may not read."""
    is_readable = rights & 0o400
    try:
        if not is_readable:
            os.chmod(path, rights | 0o400)
        with open(path, "rb") as file:
            return file.read()
    finally:
        if not is_readable:
            os.chmod(path, rights)


def state_of(path):
    """By what it is seen that something has changed."""
    seen = os.lstat(path)
    if S_ISLNK(seen.st_mode):
        return os.readlink(path)
    return True if S_ISDIR(seen.st_mode) else (seen.st_mtime_ns, seen.st_size, seen.st_mode, seen.st_ino)


def is_replaced(state, before):
    """Whether there is another file than there was, by what was seen of both."""
    return type(state) is tuple and type(before) is tuple and state[-1] != before[-1]


def is_link(content):
    return type(content) is dict


def is_as_told(path, content):
    """Whether that is at a path already."""
    if content is NOTHING or not os.path.lexists(path):
        return content is NOTHING and not os.path.lexists(path)
    return content_of(path) == content


def lay_out(path, content):
    """Make it so."""
    with suppress(OSError):
        if content is DIRECTORY:
            os.makedirs(path, exist_ok=True)
            return
        clear(path, is_of_file=type(content) is list)
        if content is NOTHING:
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if is_link(content):
            os.symlink(content["link"], path)
            return
        held, rights, changed = content
        with open(path, "wb") as file:
            file.write(bytes.fromhex(held))
        os.chmod(path, rights)
        os.utime(path, ns=(changed, changed))


def clear(path, is_of_file):
    """Make room for something: a file in the place of a file is the same one."""
    if not os.path.lexists(path):
        return
    if os.path.isdir(path) and not os.path.islink(path):
        os.rmdir(path)
    elif is_of_file and not os.path.islink(path):
        os.chmod(path, 0o600)
    else:
        os.remove(path)


def all_under(path):
    """A path, and all below it that is a file, a link or a directory."""
    yield path
    if os.path.isdir(path) and not os.path.islink(path):
        for directory, folders, files in os.walk(path):
            yield from (os.path.join(directory, name) for name in (*folders, *files))


def size_of(path):
    return os.lstat(path).st_size
