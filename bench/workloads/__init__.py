"""What is measured: one module for each workload, which says it in TensorFlow 1, in JAX and in PyTorch.

A module has ``data(rng, digits, **options)``, the arrays that everybody starts from, and
``in_tensorflow(tf, d, **options)``, ``in_jax(d, **options)``, ``in_torch(d, **options)``: each sets up one peer's
program as users of that peer would write it, and gives it back as a ``Program``.  The TensorFlow text is run as it
stands by retrograd, by TensorFlow 1.15.5 and, through ``compat.v1``, by TensorFlow 2.  These modules run on
Python 3.7, too.
"""

from typing import Any, Callable, NamedTuple, Optional


class Program(NamedTuple):
    """A program that has been set up: ``step(i)`` does its i-th step, ``finish()`` waits until all is done.

    A step gives the loss that its user fetches, as a number.  Where the user fetches nothing, ``finish`` gives the
    loss at the end; where the result is an array, its mean is compared.
    """

    step: Callable[[int], Any]
    finish: Optional[Callable[[], Any]] = None
