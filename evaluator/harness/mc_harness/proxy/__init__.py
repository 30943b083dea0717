"""Test code and the candidate it tests, each in a box of its own, joined by one channel.

The candidate's box runs `candidate.program`, for which `candidate.server` answers. The test code's box runs
`test_code.script`, in which the `stand_ins` ask through `link`. Neither trusts the other: what the candidate sends is
checked, and what the test code expects never crosses.
"""
