"""Classes of TensorFlow's insides that packages inherit from as they are imported, whose work is done otherwise here.

They can be named and inherited from, so that the rest of such a package works; making one says what is not there.
Source: what TensorFlow Probability 0.8 imports.
"""

from __future__ import annotations

import ast
from typing import Any


class Base(ast.NodeTransformer):
    """What a pass of TensorFlow's AutoGraph over a function's source inherits from."""

    def __init__(self, ctx: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} is a pass of TensorFlow's AutoGraph.\n"
            "  Why:   functions are rewritten in another way here, without such passes\n"
            "  Fix:   write the branch with tf.cond(...) and the loop with tf.while_loop(...)"
        )
