"""Files that test code and candidate share: those to which the arguments of a call lead, and what else of the test
code's the candidate looks at, such as the environment.

Each box has its own copy. What the test code writes there the candidate finds; what the candidate makes where there was
nothing, the test code finds. So it does what became of what it wrote itself, unless that may be what it expects.
"""

import os
import re
import sys
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
MODULES = (".py", ".pyc", ".pyd", ".so", ".pth")
# What it names that may come to import such from anywhere.
IMPORTING = frozenset(("__import__", "import_module", "importlib", "syspath_prepend", "sys"))
# What a text ends with that is the name of a file, where none is there yet.
FILE_NAME = re.compile(r"[\w-]\.[A-Za-z]\w{0,4}$")
# Where the library has its classes of paths.
PATHS = ("pathlib", "pathlib._local")
# How many texts among the arguments of a call are looked at as paths, and how long a path may be.
MOST_PATHS, LONGEST_PATH = 64, 1000


class TooMuchError(Exception):
    """What test code hands over is more than can cross."""
# In the place of a call and its places, for what was around one.
NO_CALL = None, ()


class Files:
    """Files of the test code, as far as it hands their paths to the candidate. `named` are the names that it uses."""

    def __init__(self, named):
        self.takes, self.imports = named.isdisjoint(EXECUTING), not named.isdisjoint(IMPORTING)
        # What the candidate has of them: when each was changed last, and its size.
        self.known = {}
        # The paths that it was told, and those that are written in the test code.
        self.handed, self.written = set(), []
        # Where the candidate may make files, with the function that was told of it, and by which of its arguments, or
        # None where it was no argument; and those that it made.
        self.places, self.made = {}, set()
        # What the candidate may have named, and was not told: a path that it gave out itself would lead it to what it
        # was not handed.
        self.named, self.told = set(), set()

    def look_for(self, texts):
        """Files whose names are written in the test code may be the candidate's, which has them by the task."""
        self.written = [path for text in texts for path in filter(None, [named_path(text)])][:MOST_PATHS]

    def note(self, reply, shows):
        """Take what the candidate did to files where that is shown, of those of the test code by what it `shows` of the
        function that was told of them; and remember the names of files that may stand in a reply. Whether something is
        not shown."""
        done = list(reply.pop("made", ()))
        texts = self.heard(reply)
        own = set(filter(None, map(named_path, texts))) if done else ()
        hidden = [path for path, content in done if self.hides(path, content, own, shows)]
        return bool(hidden)

    def heard(self, message):
        """The texts that the candidate says, which may be the names of files that it was not told."""
        texts = [part for part in parts_of(message) if isinstance(part, str)]
        self.named.update(part for text in texts for part in text.split("/") if part not in self.told)
        return texts

    def hides(self, path, content, own, shows):
        """Take a file or directory that the candidate made, or that it removed. Whether that is not shown: where it may
        do nothing, there is nothing to show. What it gives the path of is its `own`."""
        place = next((one for one in (*self.places, *own) if path == one or path.startswith(one + "/")), None)
        may_be_run = content is not False and self.may_be_imported(path)
        is_taken = self.takes and place is not None and os.path.realpath(path) == path and not may_be_run
        if not is_taken or is_as_told(path, content):
            return False
        is_its = path in self.made or not os.path.lexists(path)
        told_of = self.places.get(place) or NO_CALL
        if is_its or place in self.places and path in self.known and shows(*told_of):
            self.take(path, content, is_its)
            return False
        return place in self.places

    def may_be_imported(self, path):
        """Whether a file may be run as a module."""
        folders = [os.path.realpath(folder) + "/" for folder in (*sys.path, ".")]
        return path.endswith(MODULES) and (self.imports or path.startswith(tuple(folders)))

    def take(self, path, content, is_its):
        lay_out(path, content)
        if os.path.lexists(path):
            self.known[path] = state_of(path)
            self.made.update([path] if is_its else ())
        else:
            self.known.pop(path, None)

    def handed_over(self, given, function, around=()):
        """What the candidate has yet to learn of files to which the texts among some values lead, which a function is
        given by their places, or which are `around` it: each by its path with what is in it, None where that is a
        directory, and False where it is no more; and where this function may make some."""
        found = {place: list(paths_in([value])) for place, value in given.items()}
        told_of = function, frozenset(place for place, paths in found.items() if paths)
        passed = [path for paths in found.values() for path in paths]
        self.told.update(part for text in texts_in(given.values()) for part in text.split("/"))
        paths = [path for path in dict.fromkeys([*passed, *paths_in(around)]) if self.is_to_be_told(path)]
        self.told.update(part for path in paths for part in path.split("/"))
        named = [*(place for path in paths for place in places_by(path)), *self.written]
        places = [place for place in dict.fromkeys(named) if place not in self.places]
        by_argument = {*(place for path in passed for place in places_by(path)), *self.written}
        self.places.update((place, told_of if place in by_argument else None) for place in places)
        # Of a folder in which a file may be made, what else is in it may be expected.
        above = [folder for path in paths if not os.path.exists(path) for folder in folder_of(path)]
        folders = [folder for folder in above if folder not in paths]
        # A file that was handed over is the candidate's to look at again.
        self.handed.update(paths)
        files = self.changed([*folders, *filter(os.path.exists, paths), *filter(os.path.isfile, self.handed)], folders)
        return {**({"files": files} if files else {}), **({"places": places} if places else {})}

    def changed(self, paths, empty):
        """What the candidate has yet to learn of what is at some paths, and below them, but below no `empty` one."""
        changed = []
        for path in dict.fromkeys(paths):
            for found in [path] if path in empty else files_under(path):
                if found == PLACE:
                    continue
                state = state_of(found)
                if self.known.get(found) != state:
                    self.known[found] = state
                    changed.append(found)
                    self.told.update(found.split("/"))
        gone = [path for path in self.known if not os.path.lexists(path)]
        for path in gone:
            del self.known[path]
        sizes = [os.path.getsize(path) for path in changed]
        if len(changed) > MOST_FILES or sum(sizes) > MOST_BYTES:
            raise TooMuchError
        return [[path, content_of(path)] for path in changed] + [[path, False] for path in gone]

    def is_to_be_told(self, path):
        """Unless it is that of the test code itself, or one that the candidate has named."""
        return path in self.known or path != PLACE and self.named.isdisjoint(path[len(SCRATCH) :].split("/"))


def folder_of(path):
    """The folder of the test code's that is closest above a path, if one is."""
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return [path] if path.startswith(SCRATCH) else []


def places_by(path):
    """Where the candidate may make files that is told a path: there, and beside it, if that is in a folder of the test
    code's."""
    folder = os.path.dirname(path)
    return (path,) if os.path.isdir(path) or folder + "/" == SCRATCH else (path, folder)


def paths_in(values):
    """The paths of files among texts, and what lists and dictionaries hold of them."""
    for text in texts_in(values):
        with suppress(OSError, ValueError):
            yield from real(text)


def texts_in(values):
    """The texts and paths among some values. Nothing is asked of objects, which may say anything."""
    looked_at = 0
    pending = list(values)
    while pending and looked_at < MOST_PATHS:
        value = pending.pop(0)
        looked_at += 1
        kind = type(value)
        if kind is list or kind is tuple:
            pending.extend(value[:MOST_PATHS])
        elif kind is dict:
            pending.extend(list(value.values())[:MOST_PATHS])
        elif (kind is str or kind.__module__ in PATHS) and 0 < len(str(value)) <= LONGEST_PATH:
            yield str(value)


def real(path):
    """A path that leads to something in the scratch directory, or to where something may be made there."""
    found = os.path.realpath(path)
    is_one = path.startswith("/") or FILE_NAME.search(path) is not None
    if (is_one or os.path.exists(found)) and found.startswith(SCRATCH):
        yield found


def named_path(text):
    """The path of what could be in the scratch directory, by a text that names it; None if it names no such."""
    if len(text) > LONGEST_PATH or not text.startswith(SCRATCH) and FILE_NAME.search(text) is None:
        return None
    path = os.path.abspath(text)
    return path if path.startswith(SCRATCH) else None


def is_as_told(path, content):
    """Whether that is at a path already."""
    if content is False or not os.path.lexists(path):
        return content is False and not os.path.lexists(path)
    return content_of(path) == content


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
    """What the candidate does to files: at places which the test code handed it the paths of, to what it was given
    there, and at paths that it gives out."""

    def __init__(self):
        self.places = []
        # What is there: when each was changed last, and its size.
        self.known = {}

    def note(self, surroundings):
        """Lay out what the test code has, and remember where the candidate may make something."""
        self.places.extend(surroundings.pop("places", ()))
        for path, content in surroundings.pop("files", ()):
            lay_out(path, content)
            self.known.pop(path, None)
            if os.path.lexists(path):
                self.known[path] = state_of(path)

    def name(self, result):
        """Paths that the candidate gives out lead to more of its files."""
        paths = filter(None, map(named_path, texts_in([result])))
        self.places.extend(path for path in paths if path not in self.places and os.path.lexists(path))

    def told(self):
        """What it has done since, as far as that can cross: each path with what is there, or False for nothing."""
        there = (path for place in self.places if os.path.lexists(place) for path in files_under(place))
        found = {path: state_of(path) for path in (*there, *filter(os.path.lexists, self.known)) if is_plain(path)}
        changed = {path: state for path, state in found.items() if self.known.get(path) != state}
        gone = [path for path in self.known if path not in found]
        sizes = [os.path.getsize(path) for path in changed]
        if len(changed) + len(gone) > MOST_FILES or sum(sizes) > MOST_BYTES:
            return []
        self.known = found
        made = [[path, content_of(path)] for path in sorted(changed)]
        return made + [[path, False] for path in sorted(gone, reverse=True)]


def is_plain(path):
    return not os.path.islink(path)
