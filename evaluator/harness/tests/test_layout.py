"""The packages of the proxies import one another in one direction, and no package holds a circle of modules."""

import ast
import unittest
from graphlib import TopologicalSorter
from pathlib import Path

PROXY = Path(__file__).parent.parent / "mc_harness" / "proxy"
# The packages that each may import, beside itself.
BELOW = {
    "wire": set(),
    "analysis": {"wire"},
    "candidate": {"wire"},
    "stand_ins": {"analysis", "wire"},
    "link": {"analysis", "stand_ins", "wire"},
    "test_code": {"analysis", "link", "stand_ins", "wire"},
}


def imported(path):
    """What a module of the proxies imports of them: package and module, and whether at once."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level in (1, 2):
            package, _, module = (node.module or "").rpartition(".")
            package = (package or module) if node.level == 2 else path.parent.name
            modules = [module] if node.module and module != package else [alias.name for alias in node.names]
            yield from ((package, name, node.col_offset == 0) for name in modules)


class Layout(unittest.TestCase):
    def test_packages_import_one_way(self):
        packages = {path.parent.name for path in PROXY.glob("*/*.py")}
        self.assertEqual(packages, set(BELOW))
        for path in PROXY.glob("*/*.py"):
            others = {package for package, _, _ in imported(path)} - {path.parent.name}
            self.assertLessEqual(others, BELOW[path.parent.name], path.name)

    def test_modules_are_no_circle(self):
        graph = {}
        for path in PROXY.glob("*/*.py"):
            at_once = {(package, module) for package, module, is_at_once in imported(path) if is_at_once}
            graph[path.parent.name, path.stem] = at_once
        modules = list(TopologicalSorter(graph).static_order())
        self.assertEqual(set(modules), set(graph))


if __name__ == "__main__":
    unittest.main()
