"""Ops that print, check or draw on the way."""

from __future__ import annotations

from case_table import Row, between, normal

from retrograd.ops import asserts, printing, variates

ROWS = [
    Row("Print", lambda x: printing.Print(x, [x], first_n=0), (normal(2, 3),), traced=False),
    Row("CheckNumerics", lambda x: asserts.check_numerics(x, "bad"), (normal(2, 3),), traced=False),
    # The derivative is that of the distribution, not of the draws: tests/test_random.py holds it to that.
    Row(
        "RandomGamma", lambda a: variates.random_gamma([2], a, dtype=a.dtype, seed=1),
        (between(0.5, 3.0, 3),), orders=0, traced=False,
    ),
]  # fmt: skip
