"""What NumPy 1 makes of a scalar and another number: as wide as two scalars, as narrow as an array.

NumPy 2 has ``np.float32(1) * 0.1`` in float32 and ``np.float64(2) * np.ones(3, np.float32)`` in float64 (NEP 50);
NumPy 1 has them the other way round, since it looks at the value of a scalar that meets an array. The program's own
lines get NumPy 1's answer where the scalar stands first, or meets a number of Python's; an array that stands first
stays with NumPy 2, whose arrays no Python function is put into.
"""

from __future__ import annotations

import operator
import os
import sys

from retrograd.revival.putting import LIBRARIES, put_on_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod")
_OF_NUMPY_2 = (
    "PIL", "gymnasium", "h5py", "imageio", "jax", "jaxlib", "matplotlib", "ml_dtypes", "numpy", "opt_einsum", "pandas",
    "scipy", "seaborn", "skimage", "sklearn", "sympy", "tensorboard",
)  # fmt: skip
_CATEGORIES = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 2}


def revive_promotion(np: Any) -> None:
    """Arithmetic of scalars gives NumPy 1's types."""
    packages = os.path.dirname(os.path.dirname(os.path.abspath(np.__file__)))
    libraries = (*LIBRARIES, "<a plan>", *(os.path.join(packages, name) + os.sep for name in _OF_NUMPY_2))

    def beside_array(scalar: Any, array: Any) -> Any:
        """``scalar`` in the type that the result has in NumPy 1."""
        kind = scalar.dtype.kind
        if _CATEGORIES[kind] > _CATEGORIES.get(array.dtype.kind, 0):
            return scalar
        least = -int(scalar) - 1 if kind in "ui" and scalar >= 0 and array.dtype.kind == "i" else scalar
        return np.result_type(array.dtype, np.min_scalar_type(least)).type(scalar)

    def wide(name: str, narrow: Callable[[Any, Any], Any], wider: dict[type, Any]) -> Callable[[Any, Any], Any]:
        reflected = name.startswith("r")
        ways = {np.ndarray: np.ndarray, np.matrix: np.ndarray, **wider}
        compute = divmod if name.endswith("divmod") else getattr(operator, name.removeprefix("r"))

        def operate(self: Any, other: Any) -> Any:
            kind = ways.get(type(other))
            if kind is None or sys._getframe(1).f_code.co_filename.startswith(libraries):
                return narrow(self, other)
            if kind is np.ndarray:
                one = beside_array(self, other) if other.ndim and other.dtype.char not in "dD" else self
                return narrow(self, other) if one.dtype == self.dtype else compute(one, other)
            try:
                one, other = kind(self), kind(other)
            except OverflowError:
                return narrow(self, other)
            return compute(other, one) if reflected else compute(one, other)

        return operate

    wider: dict[type, dict[type, Any]] = {
        np.float16: {int: np.float64, float: np.float64, complex: np.complex128},
        np.float32: {int: np.float64, float: np.float64, complex: np.complex128},
        np.complex64: {int: np.complex128, float: np.complex128, complex: np.complex128},
        np.uint64: {int: np.float64},
        **{integer: {int: np.int64} for integer in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)},
        **{widest: {} for widest in (np.int64, np.float64, np.complex128)},
    }
    for kind, numbers in wider.items():
        names = [side + name for side in ("", "r") for name in _OPERATORS if f"__{side}{name}__" in dir(kind)]
        methods = {f"__{name}__": wide(name, getattr(kind, f"__{name}__"), numbers) for name in names}
        put_on_type(kind, instead=True, **methods)
