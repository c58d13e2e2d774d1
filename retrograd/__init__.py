"""TensorFlow 1's graphs, gradients and sessions, built anew on NumPy and XLA.

>>> import retrograd
>>> retrograd.install()            # from here on, ``import tensorflow`` is ``retrograd.tf``
>>> retrograd.uninstall()
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from retrograd.hook import install as install
    from retrograd.hook import uninstall as uninstall

__version__ = "0.1.0"
__all__ = ["__version__", "install", "uninstall"]


def __getattr__(name: str) -> Any:
    if name in ("install", "uninstall"):
        from retrograd import hook

        return getattr(hook, name)
    raise AttributeError(f"module 'retrograd' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
