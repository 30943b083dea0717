"""The fork server inside a boxed interpreter: it starts programs, and ends them as CPython would."""
