"""How many threads NumPy's BLAS uses for a product.

A product of the sizes that programs of small layers have is over before a second thread has
started, and where the cores are busy it waits milliseconds for that thread.  The threads also
wait for each other by turning in a loop, for a tenth of a second after the last product, so a
shared product takes more of the processor than it saves.  So all but large products take one
thread, large ones all that the user allows; between runs the user's setting holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

import numpy as np

from retrograd.ops import onednn_products, sharing

_WORTH_SHARING = 1 << 25  # multiplications of one product: half a millisecond on one core


class Threads:
    """The threads of one BLAS library."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._allowed = library.get_num_threads()
        self._now = self._allowed

    def use(self, number: int) -> None:
        """Let the products that follow take ``number`` threads."""
        if number != self._now:
            self._library.set_num_threads(number)
            self._now = number

    def use_for(self, multiplications: int) -> None:
        """Let the product that follows take as many threads as it is worth."""
        self.use(self._allowed if multiplications >= _WORTH_SHARING and sharing.is_shared() else 1)

    @property
    def allowed(self) -> int:
        """How many threads the user lets a product take."""
        return self._allowed

    def restore(self) -> None:
        """Let the user's own products take what they took."""
        if self._now != self._allowed:
            self.use(self._allowed)


_found: list[Threads] = []  # what ``threads`` gave, which every op that runs at once looks at


@cache
def threads() -> tuple[Threads, ...]:
    """The BLAS libraries of this process that use more than one thread."""
    from threadpoolctl import ThreadpoolController

    found = ThreadpoolController().lib_controllers
    _found[:] = [Threads(lib) for lib in found if lib.user_api == "blas" and lib.get_num_threads() > 1]
    return tuple(_found)


def matmul(a: Any, b: Any) -> Any:
    """``np.matmul(a, b)``, in the dtype of both; NumPy's products of bfloat16 are float32."""
    multiplications = a.size * b.shape[-1]
    by_library = onednn_products.product(a, b) if multiplications >= _WORTH_SHARING else None
    if by_library is not None:
        return by_library
    _use_for(multiplications)
    product = np.matmul(a, b)
    return product if product.dtype is a.dtype or product.dtype == b.dtype else product.astype(a.dtype)


def of_matrices(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """``kernel(xp, x, ...)``, whose LAPACK calls take as many threads as products of the matrices ``x`` are worth."""

    @wraps(kernel)
    def shared(xp: Any, x: Any, *inputs: Any, **attrs: Any) -> Any:
        if xp is np and np.ndim(x):
            _use_for(x.size * x.shape[-1])
        return kernel(xp, x, *inputs, **attrs)

    return shared


def _use_for(multiplications: int) -> None:
    for library in threads():
        library.use_for(multiplications)


def workers() -> int:
    """How many threads array work may take: as many as a product."""
    return max((library.allowed for library in threads()), default=1)


def use_one_thread() -> None:
    """Let the products that follow take one thread each: they run beside each other."""
    for library in threads():
        library.use(1)


def restore() -> None:
    """Give the user's setting back after a run."""
    for library in _found:
        library.restore()
