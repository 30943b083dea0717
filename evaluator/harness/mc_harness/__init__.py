"""The evaluator's side inside a box: how a submission and its test code are entered.

The text of a program is a line of JSON, `{"entry": ..., "name": ..., "prelude": ...}`, and the source. A `script` is
run; a `call`'s function `name` is called once; a `candidate` answers what the `test_code` in another box asks of it.
An `lcb` is all of these in LiveCodeBench's way.
The `prelude` says what a program may use without importing it.
Test code has `options` too.

A warm interpreter holds one module of `entries`, and what that imports: every test is a fork of it, and pays for what
it holds.
"""
