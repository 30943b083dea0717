"""Files that test code and candidate share: those to which the arguments of a call lead.

Each box has its own copy. What the test code writes there the candidate finds; what the candidate makes where there was
nothing, the test code finds.
"""

import os
from contextlib import suppress

from mc_sandbox.script import PLACE

from .channel import parts_of

# What test code names that may write a file; where it may write; and how much of that may cross.
FILING = frozenset(("open", "os", "pathlib", "Path", "shutil", "tempfile"))
SCRATCH = "/tmp/"
MOST_FILES, MOST_BYTES = 256, 16 << 20
# What test code names that may run what is in a file, and files that are run by being there: none of the candidate's
# comes to it.
EXECUTING = frozenset((
    "compile", "eval", "exec", "joblib", "pickle", "shelve", "marshal", "dill", "cloudpickle", "read_pickle", "runpy",
    "subprocess", "ctypes",
))
MODULES = (".py", ".pyc", ".pyd", ".so", ".pth", ".zip", ".egg", ".whl")
# How many texts among the arguments of a call are looked at as paths, and how long a path may be.
MOST_PATHS, LONGEST_PATH = 64, 1000


class TooMuchError(Exception):
    """What test code hands over is more than can cross."""


class Files:
    """Files of the test code, as far as it hands their paths to the candidate. `named` are the names that it uses."""

    def __init__(self, named):
        self.takes = named.isdisjoint(EXECUTING)
        # What the candidate has of them: when each was changed last, and its size.
        self.known = {}
        # Where the candidate may make files, and those that it made.
        self.places, self.made = set(), set()
        # What the candidate may have named, and was not told: a path that it gave out itself would lead it to what it
        # was not handed.
        self.named, self.told = set(), set()

    def note(self, reply):
        """Take the files that the candidate made, and remember the names of files that may stand in a reply."""
        for path, content in reply.pop("made", ()):
            self.take(path, content)
        for part in parts_of(reply):
            if isinstance(part, str):
                self.named.update(set(part.split("/")) - self.told)

    def take(self, path, content):
        """A file or directory that the candidate made where it may, unless the test code has one of its own there."""
        is_its = self.takes and (path in self.made or not os.path.lexists(path)) and not path.endswith(MODULES)
        is_placed = any(path == place or path.startswith(place + "/") for place in self.places)
        if is_its and is_placed and os.path.realpath(path) == path:
            lay_out(path, content)
            self.made.add(path)
            self.known[path] = state_of(path)

    def handed_over(self, given):
        """What the candidate has yet to learn of files to which the texts among some values lead: each by its path with
        what is in it, None where that is a directory, and False where it is no more; and where it may make some."""
        paths = [path for path in dict.fromkeys(paths_in(given)) if path in self.known or not self.is_withheld(path)]
        self.told.update(part for path in paths for part in path.split("/"))
        places = [place for path in paths for place in places_by(path) if place not in self.places]
        self.places.update(places)
        folders = [os.path.dirname(path) for path in paths if not os.path.exists(path)]
        files = self.changed([*folders, *filter(os.path.exists, paths)], folders)
        return {**({"files": files} if files else {}), **({"places": places} if places else {})}

    def changed(self, paths, empty):
        """What the candidate has yet to learn of what is at some paths, and below them, but below no `empty` one."""
        changed = []
        for path in dict.fromkeys(paths):
            for found in [path] if path in empty else files_under(path):
                if found not in self.known and self.is_withheld(found):
                    continue
                state = state_of(found)
                if self.known.get(found) != state:
                    self.known[found] = state
                    changed.append(found)
        gone = [path for path in self.known if not os.path.lexists(path)]
        for path in gone:
            del self.known[path]
        sizes = [os.path.getsize(path) for path in changed]
        if len(changed) > MOST_FILES or sum(sizes) > MOST_BYTES:
            raise TooMuchError
        return [[path, content_of(path)] for path in changed] + [[path, False] for path in gone]

    def is_withheld(self, path):
        """Whether a file is the test code itself, or one that the candidate has named."""
        return path == PLACE or not self.named.isdisjoint(path[len(SCRATCH) :].split("/"))


def places_by(path):
    """Where the candidate may make files that is told a path: there, and beside it, if that is in a folder of the test
    code's."""
    folder = os.path.dirname(path)
    return (path,) if os.path.isdir(path) or folder + "/" == SCRATCH else (path, folder)


def paths_in(values):
    """The paths of files among texts, and what lists and dictionaries hold of them."""
    looked_at = 0
    pending = list(values)
    while pending and looked_at < MOST_PATHS:
        value = pending.pop(0)
        looked_at += 1
        if isinstance(value, (list, tuple)):
            pending.extend(value[:MOST_PATHS])
        elif isinstance(value, dict):
            pending.extend(list(value.values())[:MOST_PATHS])
        elif isinstance(value, (str, os.PathLike)) and 0 < len(str(value)) <= LONGEST_PATH:
            with suppress(OSError, ValueError):
                yield from real(str(value))


def real(path):
    """A path that leads to something in the scratch directory, or to where something may be made there."""
    found = os.path.realpath(path)
    is_there = os.path.exists(found) or path.startswith("/") and os.path.isdir(os.path.dirname(found))
    if is_there and found.startswith(SCRATCH):
        yield found


def state_of(path):
    """When a file was changed last, and its size; True for a directory."""
    seen = os.stat(path)
    return os.path.isdir(path) or (seen.st_mtime_ns, seen.st_size)


def files_under(path):
    """A path, and all below it that is a file or a directory."""
    yield path
    if os.path.isdir(path):
        for directory, folders, files in os.walk(path):
            for name in (*folders, *files):
                found = os.path.join(directory, name)
                if not os.path.islink(found):
                    yield found


def content_of(path):
    if os.path.isdir(path):
        return None
    with open(path, "rb") as file:
        return file.read().hex()


def lay_out(path, content):
    """Make a file or a directory, or remove it."""
    with suppress(OSError):
        if content is False:
            os.rmdir(path) if os.path.isdir(path) else os.remove(path)
        elif content is None:
            os.makedirs(path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(bytes.fromhex(content))


class Made:
    """The files that the candidate makes at places which the test code handed it the paths of."""

    def __init__(self):
        self.places = []
        # What was laid out there, and of what the candidate made when each was changed last, and its size.
        self.given, self.known = set(), {}

    def note(self, surroundings):
        """Remember what is laid out before a request is answered, and where the candidate may make something."""
        self.places.extend(surroundings.get("places", ()))
        self.given.update(path for path, _ in surroundings.get("files", ()))

    def told(self):
        """What it has made since, as far as that can cross."""
        found = (path for place in self.places if os.path.lexists(place) for path in files_under(place))
        changed = {path: state_of(path) for path in found if path not in self.given and not os.path.islink(path)}
        changed = {path: state for path, state in changed.items() if self.known.get(path) != state}
        if not changed or len(changed) > MOST_FILES or sum(map(os.path.getsize, changed)) > MOST_BYTES:
            return []
        self.known.update(changed)
        return [[path, content_of(path)] for path in sorted(changed)]
