# How a program is entered: as a script, as a function that is called once, as a function that test code calls from
# another box, and as that test code. Each runs in a Test, a process of its own.

ARGUMENTS = 3
RESULT = 4
NAMESPACES = []


def start_module(code, name, own=None):
    """A fresh module for the program, and the expected names that were given to it."""
    module = types.ModuleType(name)
    namespace = module.__dict__
    namespace["__file__"] = "/tmp/main.py"
    namespace["__builtins__"] = builtins
    sys.modules[name] = module
    NAMESPACES.append(namespace)
    sys.argv[:] = ["main.py"]
    given = provide(code, namespace, own) if own is not None else {}
    return namespace, given


def take_node_classes(namespace):
    for name in NODES:
        if isinstance(namespace.get(name), type):
            NODES[name] = namespace[name]


def find(namespace, path):
    """The function `path`: of the module, or, of a class in it, of a fresh instance."""
    first, _, rest = path.partition(".")
    solution = namespace.get("Solution")
    if not rest and first not in namespace and isinstance(solution, type) and hasattr(solution, first):
        return getattr(solution(), first)
    if first not in namespace:
        raise NameError("the program does not define '%s'" % first)
    target = namespace[first]
    for name in rest.split(".") if rest else ():
        target = getattr(holder(target, name), name)
    return target


def holder(target, name):
    """What to take the attribute `name` from: of a class a fresh instance, unless the attribute is the class's own."""
    if not isinstance(target, type):
        return target
    own = next((vars(kind)[name] for kind in target.__mro__ if name in vars(kind)), None)
    return target if isinstance(own, (staticmethod, classmethod, type)) else target()


def as_nodes(function, arguments):
    """Arguments as the nodes that the function's annotations ask for."""
    hints = getattr(function, "__annotations__", {})
    code = getattr(function, "__code__", None)
    if code is None or not hints:
        return arguments
    names = [name for name in code.co_varnames[: code.co_argcount] if name != "self"]
    makers = {"ListNode": list_node, "TreeNode": tree_node}
    converted = []
    for at, value in enumerate(arguments):
        hint = str(hints.get(names[at], "")) if at < len(names) else ""
        wanted = [kind for kind in makers if kind in hint]
        if wanted and type(value) is list:
            nested = "List[" in hint or "list[" in hint
            make = makers[wanted[0]]
            value = [make(v) if type(v) is list else v for v in value] if nested else make(value)
        converted.append(value)
    return converted


class Entry:
    """How a program is entered. It is made in the Program, before the fork, and run in the Test."""

    def __init__(self, code, header):
        self.code = code
        self.name = header["name"]
        self.namespace, self.given = self.start_module()


class Script(Entry):
    def start_module(self):
        return start_module(self.code, "__main__")

    def run(self):
        exec(self.code, self.namespace)


class Call(Entry):
    def start_module(self):
        return start_module(self.code, "solution", self.name.partition(".")[0])

    def run(self):
        call(self.code, self.namespace, self.name)


def call(code, namespace, name):
    arguments = decode(json_loads(read_all(ARGUMENTS)))
    exec(code, namespace)
    take_node_classes(namespace)
    function = find(namespace, name)
    value = function(*as_nodes(function, arguments))
    try:
        message = '{"value":%s}' % encode(value)
    except Refused as refusal:
        message = json_dumps({"refused": str(refusal)})
    write_all(RESULT, message.encode())


def read_all(descriptor):
    parts = []
    while True:
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def write_all(descriptor, data, write=os.write):
    view = memoryview(data)
    while view:
        view = view[write(descriptor, view) :]


ENTRIES = {"script": Script, "call": Call}
