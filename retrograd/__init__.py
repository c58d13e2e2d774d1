"""TensorFlow 1's graphs, gradients and sessions, built anew on NumPy and XLA.

>>> import retrograd
>>> retrograd.install()            # from here on, ``import tensorflow`` is ``retrograd.tf``
>>> retrograd.uninstall()
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from retrograd.derivatives.checking import check_gradients as check_gradients
    from retrograd.derivatives.checkpoints import checkpointed_gradients as checkpointed_gradients
    from retrograd.derivatives.examples import per_example_gradients as per_example_gradients
    from retrograd.derivatives.jacobians import batch_jacobian as batch_jacobian
    from retrograd.derivatives.jacobians import hessian_vector_product as hessian_vector_product
    from retrograd.derivatives.jacobians import jacobian as jacobian
    from retrograd.explain.explanation import explain_gradients as explain_gradients
    from retrograd.grad.why_none import why_none as why_none
    from retrograd.hook import install as install
    from retrograd.hook import uninstall as uninstall
    from retrograd.out.functions import to_jax as to_jax
    from retrograd.out.programs import export_program as export_program
    from retrograd.out.programs import load_program as load_program

# NumPy's OpenBLAS, which is not loaded yet, reads how long its threads spin behind a product: 2 ** 14 cycles
# are some microseconds; its own 2 ** 26 are longer than most steps of training.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "14")

if sys.dont_write_bytecode or not os.access(os.path.dirname(__file__), os.W_OK):
    from retrograd.kept_modules import keep_modules

    keep_modules()

__version__ = "0.1.0"

_PLACES = {  # where what is exported stands; it is imported when first used
    "install": "hook",
    "uninstall": "hook",
    "batch_jacobian": "derivatives.jacobians",
    "check_gradients": "derivatives.checking",
    "checkpointed_gradients": "derivatives.checkpoints",
    "explain_gradients": "explain.explanation",
    "export_program": "out.programs",
    "hessian_vector_product": "derivatives.jacobians",
    "jacobian": "derivatives.jacobians",
    "load_program": "out.programs",
    "per_example_gradients": "derivatives.examples",
    "to_jax": "out.functions",
    "why_none": "grad.why_none",
}
__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'retrograd' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"retrograd.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
