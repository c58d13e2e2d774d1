"""Numbers that are unique in the process: every graph and every tensor takes one, in the order of creation.

Some names hold such a number, ``CustomGradient-40`` for one, so the count is TensorFlow's.
"""

from __future__ import annotations

import itertools

_numbers = itertools.count()


def uid() -> int:
    """The next number."""
    return next(_numbers)
