"""The harnesses: the modules that warm interpreters are started with, each for the kinds of program that it names."""

from json import loads

from mc_sandbox import script

from ..lent import DEEP, PRELUDES, lending
from ..prelude import provide

USUAL_SCRIPT = b'{"entry": "script", "name": "", "prelude": "none"}\n' + script.USUAL, script.USUAL_INPUT


def preparing(**kinds):
    """A harness' `prepare`: of scripts, and of these kinds of program."""
    kinds["script"] = lambda source, _: script.Script(source)

    def prepare(text):
        header, _, source = text.partition(b"\n")
        header = loads(header)
        name, prelude, options = header["name"], header["prelude"], header.get("options", {})
        entry = kinds[header["entry"]](source, name, **options)
        entry.is_deep = "." in name or prelude in DEEP
        lent = lending(options.get("nodes", ()), PRELUDES[prelude])
        entry.given = provide(entry.code, entry.namespace, name.partition(".")[0], lent)
        return entry

    return prepare
