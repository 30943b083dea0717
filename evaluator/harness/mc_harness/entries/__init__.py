"""The harnesses: the modules that warm interpreters are started with, each for the kinds of program that it names."""

from json import loads

from mc_sandbox import script

from ..lent import PRELUDES
from ..prelude import provide

USUAL_SCRIPT = b'{"entry": "script", "name": "", "prelude": "none"}\n' + script.USUAL, script.USUAL_INPUT


def preparing(**kinds):
    """A harness' `prepare`: of scripts, and of these kinds of program."""
    kinds["script"] = lambda source, _: script.Script(source)

    def prepare(text):
        header, _, source = text.partition(b"\n")
        header = loads(header)
        name = header["name"]
        entry = kinds[header["entry"]](source, name, **header.get("options", {}))
        entry.given = provide(entry.code, entry.namespace, name.partition(".")[0], PRELUDES[header["prelude"]])
        return entry

    return prepare
