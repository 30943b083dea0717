"""Where test code asks whether one thing is another."""

import unittest

from mc_harness.proxy.stand_ins.identity import CLASS, SAME, with_identity


def replaced(source, question=SAME):
    """Whether a question in test code is one that stand-ins answer."""
    source = source.encode()
    code = with_identity(compile(source, "main.py", "exec"), source, {})
    return question in code.co_names


class Asking(unittest.TestCase):
    def test_a_question_in_code_is_found(self):
        self.assertTrue(replaced("'a text'; a is b  # a comment"))
        self.assertTrue(replaced('"""It is\n"so\\"""" ""\na is b'))
        self.assertTrue(replaced("'#'\na is b"))

    def test_what_only_speaks_of_one_is_left_as_it_is(self):
        texts = "'''a is b'''", '"""a "is" b, "\\""" is"""', "'a is b' + r'\\' is '"
        for source in (*texts, "a = 1  # a is b, isn't it"):
            code = compile(source, "main.py", "exec")
            self.assertIs(with_identity(code, source.encode(), {}), code)

    def test_a_question_in_a_text_with_code_is_found(self):
        self.assertTrue(replaced("f'{a is b}'"))
        self.assertTrue(replaced("rF'''{a is b}'''"))

    def test_a_class_that_the_library_asks_for_is_found(self):
        for source in ("map(type, xs)", "sorted(xs, key=type)", "groupby(xs, type)", "groupby(xs, key=type)"):
            self.assertTrue(replaced(source, CLASS), source)

    def test_a_class_of_classes_is_left_as_it_is(self):
        for source in ("isinstance(x, type)", "f(type, x is y)", "map(f, type)", "dict(kind=type)"):
            self.assertFalse(replaced(source, CLASS), source)
