"""Files that test code and candidate share: those to which the arguments of a call lead, and what else of the test
code's the candidate looks at, such as the environment.

Each box has its own copy. What the test code writes there the candidate finds; what the candidate makes where there was
nothing, the test code finds. So it does what became of what it wrote itself, unless that may be what it expects.
"""

import ast
import os
import re
import sys
from contextlib import suppress
from itertools import accumulate, islice
from time import time_ns
from types import SimpleNamespace

from mc_sandbox.script import PLACE

from ...names import called
from .channel import parts_of
from .containers import is_mere_record
from .laid_out import NOTHING, all_under, content_of, is_as_told, is_link, is_replaced, lay_out, size_of, state_of

# What test code names that may write or read a file; where it may write; and how much of that may cross.
FILING = frozenset((
    "open", "os", "os.path", "pathlib", "Path", "shutil", "tempfile", "glob", "zipfile", "tarfile", "gzip", "bz2",
    "lzma", "sqlite3", "filecmp", "fileinput", "linecache", "configparser", "ConfigParser", "read_csv", "read_json",
    "read_excel", "loadtxt", "genfromtxt", "imread", "fromfile", "etree", "ElementTree", "minidom", "sax", "wave",
    "mailbox", "PIL", "cv2", "load_workbook", "openpyxl", "h5py",
))
SCRATCH = "/tmp/"
MOST_FILES, MOST_BYTES = 1024, 16 << 20
# What test code names, and modules that it imports, that may run what is in a file: none of the candidate's comes to
# it. What it unpickles is looked at there, and no process is begun.
EXECUTING = frozenset((
    "eval", "exec", "read_pickle", "fileConfig", "dictConfig", "InteractiveConsole", "InteractiveInterpreter",
    "SourceFileLoader",
))
EXECUTING_MODULES = frozenset((
    "marshal", "dill", "cloudpickle", "runpy", "ctypes", "yaml", "code", "codeop", "imp", "bdb", "pdb", "cProfile",
    "profile", "trace", "timeit", "doctest", "zipimport", "pydoc",
))
# What it names that looks at links; and where one leads that could lead to what the candidate has not.
LINKING = frozenset(("islink", "is_symlink", "lstat", "readlink", "readlinks"))
NOWHERE = "/nowhere"
# Files that are run by being there; and what it names that may come to import such from anywhere.
MODULES, ARCHIVES = (".py", ".pyc", ".pyd", ".so", ".pth"), (".zip", ".egg", ".whl")
IMPORTING = frozenset((
    "__import__", "import_module", "importlib", "syspath_prepend", "sys", "pkgutil", "site", "addsitedir", "discover",
    "TestLoader", "loader", "machinery",
))
WORD = re.compile(r"[\w.-]+")
# What a text ends with that is the name of a file, where none is there yet.
FILE_NAME = re.compile(r"[\w-]\.[A-Za-z]\w{0,4}$")
# A text that is a relative path if anything is: such as the name of a folder. How many in all of these may be one where
# nothing is there yet, and how many of those for which the test code looks.
BARE_NAME = re.compile(r"(?:\./)*[\w-][\w.-]*(?:/[\w-][\w.-]*)*/?")
MOST_BARE, MOST_WRITTEN = 24, 12
# By what test code looks for what is under such a name, if that is the first thing that it is given.
LOOKING = frozenset((
    "access", "chdir", "exists", "getmtime", "getsize", "glob", "isdir", "isfile", "islink", "join", "lexists",
    "listdir", "lstat", "open", "parse", "Path", "readlink", "remove", "rmdir", "rmtree", "scandir", "stat", "unlink",
    "walk",
))
# Where the library has its classes of paths.
PATHS = ("pathlib", "pathlib._local")
# How many texts among the arguments of a call are looked at as paths, and how long a path may be.
MOST_PATHS, LONGEST_PATH = 64, 1000
# A path within a longer text: a command, an option, a text of JSON.
PATH_WITHIN = re.compile(r"(?<=[^\w/.-])/tmp/[^\s\"'<>|:;,=&?#(){}\[\]]+")


class TooMuchError(Exception):
    """What is to cross of files is more than can."""
# In the place of a call and its places, for what was around one.
NO_CALL = None, ()


class Files:
    """Files of the test code, as far as it hands their paths to the candidate. `named` are the names that it uses."""

    def __init__(self, named):
        self.takes, self.imports = named.isdisjoint(EXECUTING), not named.isdisjoint(IMPORTING)
        self.takes_links = not named.isdisjoint(LINKING)
        # Whether it may have archives be imported from.
        self.sets_path = False
        # What the candidate has of them: when each was changed last, and its size.
        self.known = {}
        # The paths that it was told, and those that are written in the test code.
        self.handed, self.written = set(), []
        # Where the candidate may make files, with the function that was told of it, and by which of its arguments, or
        # None where it was no argument; and those that it made.
        self.places, self.made = {}, set()
        # Those of the places that are bare names.
        self.bare = set()
        # What the candidate may have named, and was not told, with the time: a path that it gave out itself would lead
        # it to what it was not handed.
        self.named, self.told = {}, set()
        # The words that stand in the test code.
        self.words = set()

    def look_for(self, texts, source):
        """Files whose names are written in the test code may be the candidate's, which has them by the task."""
        text = source.decode("utf-8", "replace")
        self.words = set(WORD.findall(text))
        self.takes &= not any(map(may_execute, ast.walk(ast.parse(text))))
        # It may do so by a text: `patch("sys.path", ...)`.
        self.sets_path = any(word.startswith("sys.path") for word in self.words)
        self.imports |= self.sets_path or not self.words.isdisjoint(IMPORTING)
        self.written = list(filter(None, map(named_path, texts)))[:MOST_PATHS]
        looked_for = dict.fromkeys(filter(None, map(bare_path, looked_for_in(source))))
        self.bare.update([path for path in looked_for if path not in self.written][:MOST_WRITTEN])
        self.written += self.bare

    def may_be_missed(self, error):
        """Whether an exception of the test code's may come of what the candidate did to files, or did not do. Where a
        bare name leads to nothing, it is told so."""
        is_told = isinstance(error, (OSError, AssertionError))
        return is_told and bool(self.places) or not self.bare.issuperset(self.places)

    def note(self, reply, shows):
        """Take what the candidate did to files where that is shown, of those of the test code by what it `shows` of the
        function that was told of them; and remember the names of files that may stand in a reply. Whether something is
        not shown."""
        done = list(reply.pop("files", ()))
        texts = self.heard(reply)
        own = {place for text in texts for place in places_given(text)} if done else ()
        hidden = [path for path, content in done if self.hides(path, content, own, shows)]
        return bool(hidden)

    def heard(self, message):
        """The texts that the candidate says, which may be the names of files that it was not told."""
        texts = [part for part in parts_of(message) if isinstance(part, str)]
        for text in texts:
            for part in {*text.split("/"), *WORD.findall(text)} - self.told:
                self.named.setdefault(part, time_ns())
        return texts

    def hides(self, path, content, own, shows):
        """Take a file or directory that the candidate made, or that it removed. Whether that is not shown: where it may
        do nothing, there is nothing to show. What it gives the path of is its `own`."""
        above = (one for one in (*self.places, *own, *self.made) if path == one or path.startswith(one + "/"))
        place = max(above, key=self.said_of, default=None)
        if is_link(content) and not self.takes_link(path, content):
            content = {"link": NOWHERE}
        may_be_run = content is not NOTHING and self.may_be_imported(path)
        is_taken = self.takes and place is not None and is_real(path) and not may_be_run
        if not is_taken or is_as_told(path, content):
            return False
        # What the test code has put into a folder that the candidate itself has chosen is the candidate's to remove.
        is_put_there = place in self.made and path in self.known and self.is_given_folder(place)
        is_its = path in self.made or is_put_there or not os.path.lexists(path)
        told_of = self.places.get(place) or NO_CALL
        if is_its or place in self.places and path in self.known and shows(*told_of):
            self.take(path, content, is_its)
            return False
        return place in self.places

    def takes_link(self, path, content):
        """Whether a link may be there as it is: it leads to what the candidate has anyway."""
        target = os.path.normpath(os.path.join(os.path.dirname(path), content["link"]))
        return self.takes_links and is_real(target) and (target in self.known or target in self.made)

    def said_of(self, place):
        """How much a place says of what is below it: most if it was an argument, and less the farther it is above."""
        return self.places.get(place) is not None, place in self.places, len(place)

    def may_be_imported(self, path):
        """Whether a file may be run as a module."""
        folders = [os.path.realpath(folder) + "/" for folder in sys.path]
        is_archive = self.sets_path and path.endswith(ARCHIVES)
        return is_archive or path.endswith(MODULES) and (self.imports or path.startswith(tuple(folders)))

    def take(self, path, content, is_its):
        lay_out(path, content)
        if os.path.lexists(path):
            self.known[path] = state_of(path)
            self.made.update([path] if is_its else ())
        else:
            self.known.pop(path, None)

    def handed_over(self, given, function, around=()):
        """What the candidate has yet to learn of files to which the texts among some values lead, which a function is
        given by their places, or which are `around` it: each by its path with what is there; and where this function
        may make some."""
        found = {place: list(paths_in([value])) for place, value in given.items()}
        passed = [path for paths in found.values() for path in paths]
        self.told.update(part for text in texts_in(given.values()) for part in text.split("/"))
        paths = [path for path in dict.fromkeys([*passed, *paths_in(around)]) if self.is_to_be_told(path)]
        self.told.update(part for path in paths for part in path.split("/"))
        told_of = function, frozenset(place for place, paths in found.items() if paths)
        places = [*self.new_places(paths, passed, told_of), *self.bare_places(given, function)]
        # Of a folder in which a file may be made, what else is in it may be expected.
        above = [folder for path in paths if not os.path.exists(path) for folder in folder_of(path)]
        # What was handed over is the candidate's to look at again.
        self.handed.update(paths)
        folders = [folder for folder in above if folder not in self.handed]
        # So is a folder that it made itself.
        found = [*filter(os.path.lexists, self.handed), *filter(self.is_given_folder, self.made)]
        files = self.changed([*folders, *found], folders)
        return {**({"files": files} if files else {}), **({"places": places} if places else {})}

    def new_places(self, paths, passed, told_of):
        """Where the candidate may make files that is told some paths, of which some were `passed` as arguments."""
        named = [*(place for path in paths for place in places_by(path)), *self.written]
        places = [place for place in dict.fromkeys(named) if place not in self.places]
        # What else is in the folder of one may be expected.
        self.places.update((place, told_of if place in passed else None) for place in places)
        # What is written in the test code may have been a place before it was an argument.
        before = [path for path in passed if path in self.written and self.places.get(path) is None]
        self.places.update(dict.fromkeys(before, told_of))
        return places

    def bare_places(self, given, function):
        """The names of folders and files among the arguments of a function, where nothing is yet."""
        places = []
        for argument, value in given.items():
            for path in (place for text in texts_in([value]) for place in bare_places_by(text)):
                if len(self.bare) < MOST_BARE and path not in self.places and not os.path.lexists(path):
                    self.bare.add(path)
                    self.places[path] = function, frozenset([argument])
                    places.append(path)
        return places

    def changed(self, paths, empty):
        """What the candidate has yet to learn of what is at some paths, and below them, but below no `empty` one."""
        changed, replaced = [], []
        for path in dict.fromkeys(paths):
            for found in [path] if path in empty else all_under(path):
                if found == PLACE:
                    continue
                state = state_of(found)
                before = self.known.get(found)
                if before != state:
                    replaced.extend([found] if is_replaced(state, before) else ())
                    self.known[found] = state
                    changed.append(found)
                    self.told.update(found.split("/"))
        gone = [path for path in self.known if not os.path.lexists(path)]
        for path in gone:
            del self.known[path]
        sizes = list(map(size_of, changed))
        if len(changed) > MOST_FILES or sum(sizes) > MOST_BYTES:
            raise TooMuchError
        return told_of(changed, (*replaced, *gone))

    def is_to_be_told(self, path):
        """Unless it is that of the test code itself, or one that the candidate has named."""
        *folders, name = path[len(SCRATCH) :].split("/")
        if path in self.known or path == PLACE or not self.named.keys().isdisjoint(folders):
            return path in self.known
        # The test code may make a file under a name that the candidate has given it, in a folder of its own.
        is_made_since = folders and name in self.named and changed_after(path, self.named[name])
        return name not in self.named or bool(is_made_since)

    def is_given_folder(self, path):
        """Whether it is a folder of which the test code has the name from the candidate: what it put there is meant for
        that. Where it knows the name itself, what it put there may be what is expected."""
        return os.path.isdir(path) and self.words.isdisjoint(path[len(SCRATCH) :].split("/"))


def told_of(changed, removed):
    """What is at some paths and no more at others, as it crosses: what is in a folder goes before that does."""
    gone = ([path, NOTHING] for path in sorted(removed, reverse=True))
    return [*gone, *([path, content_of(path)] for path in changed)]


def changed_after(path, time):
    """Whether there is something that came to be there, or was changed, since then."""
    return os.path.lexists(path) and os.lstat(path).st_ctime_ns > time


def is_real(path):
    """Whether no link leads to where it is."""
    return os.path.realpath(os.path.dirname(path)) == os.path.dirname(path)


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
    """The texts and paths among some values. Nothing is asked of objects, which may say anything, unless they are of a
    class of the test code's for paths."""
    looked_at = 0
    pending = list(values)
    while pending and looked_at < MOST_PATHS:
        value = pending.pop(0)
        looked_at += 1
        kind = type(value)
        if kind in (list, tuple, set, frozenset) or issubclass(kind, tuple) and is_mere_record(kind):
            pending.extend(islice(tuple(value), MOST_PATHS))
        elif kind is dict or kind is SimpleNamespace:
            held = value if kind is dict else vars(value)
            pending.extend(islice((*held.values(), *held), MOST_PATHS))
        elif kind.__module__ == "__main__" and "__fspath__" in vars(kind):
            with suppress(Exception):
                pending.append(os.fspath(value))
        elif (kind is str or kind.__module__ in PATHS) and 0 < len(str(value)) <= LONGEST_PATH:
            yield str(value)
            yield from filter(is_in_folder, PATH_WITHIN.findall(str(value)))


def may_execute(node):
    """Whether a node of test code names `compile`, though none of `re`, or imports a module that runs files."""
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    is_imported = any(module.partition(".")[0] in EXECUTING_MODULES for module in modules)
    return is_imported or isinstance(node, ast.Name) and node.id == "compile"


def is_in_folder(path):
    """Whether a path leads to a folder, or into one."""
    return os.path.isdir(path) or os.path.dirname(path) + "/" != SCRATCH


def real(path):
    """A path that leads to something in the scratch directory, or to where something may be made there; and the link
    itself, if it is one."""
    found = os.path.realpath(path)
    is_one = path.startswith("/") or FILE_NAME.search(path) is not None
    if (is_one or os.path.exists(found)) and found.startswith(SCRATCH):
        yield found
        if os.path.islink(path) and is_real(os.path.abspath(path)):
            yield os.path.abspath(path)


def named_path(text):
    """The path of what could be in the scratch directory, by a text that names it; None if it names no such."""
    if len(text) > LONGEST_PATH or not text.startswith(SCRATCH) and FILE_NAME.search(text) is None:
        return None
    path = os.path.abspath(text)
    return path if path.startswith(SCRATCH) else None


def bare_path(text):
    """The path in the scratch directory that a text is which could be a bare name; None if it is none."""
    if len(text) > LONGEST_PATH or BARE_NAME.fullmatch(text) is None:
        return None
    path = os.path.realpath(text)
    return path if path.startswith(SCRATCH) else None


def bare_places_by(text):
    """Where the candidate may make files that is told a bare name: there, and in the folders above it."""
    path = bare_path(text) or SCRATCH
    while path.startswith(SCRATCH) and path != SCRATCH:
        yield path
        path = os.path.dirname(path)


def given_path(text):
    """The path that a text of the candidate's may be."""
    return named_path(text) or bare_path(text)


def places_given(text):
    """The path that a text of the candidate's may be; and the folder that it would be in, where nothing is there."""
    path = given_path(text)
    if path is not None:
        yield path
        folder = os.path.dirname(path)
        if folder.startswith(SCRATCH) and not os.path.lexists(path):
            yield folder


def looked_for_in(source):
    """The texts by which test code looks for something in the scratch directory."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args and called(node) in LOOKING:
            text = getattr(node.args[0], "value", None)
            if type(text) is str:
                yield text


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
        paths = (path for text in texts_in([result]) for path in places_given(text))
        self.places.extend(path for path in paths if path not in self.places and os.path.lexists(path))

    def told(self, given=()):
        """What it has done since, and at paths that are given: each with what is there; of more than can cross, the
        smallest files."""
        self.name(given)
        there = (path for place in self.places if os.path.lexists(place) for path in all_under(place))
        found = {path: state_of(path) for path in (*there, *filter(os.path.lexists, self.known))}
        changed = {path: state for path, state in found.items() if self.known.get(path) != state}
        gone = [path for path in self.known if path not in found]
        sizes = sorted((size_of(path), path) for path in changed)[:MOST_FILES]
        fits = zip(sizes, accumulate(size for size, _ in sizes))
        told = sorted(path for (_, path), total in fits if total <= MOST_BYTES)
        replaced = [path for path in told if is_replaced(found[path], self.known.get(path))]
        self.known = found
        return told_of(told, (*replaced, *gone[:MOST_FILES]))

