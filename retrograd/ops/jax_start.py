"""JAX, imported: from here alone, so that XLA's flags are set before it looks at them.

Importing this module imports JAX, which takes longer than all else; so functions import it when they trace,
and no module does at its top.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from jaxlib.version import __version__ as _version

# XLA ends the process over a flag or a private call that it does not know.
IS_TESTED = _version.startswith("0.10.")

_FUSED = "--xla_cpu_experimental_ynn_fusion_type"
_given = os.environ.get("XLA_FLAGS", "")
if IS_TESTED and _FUSED not in _given:  # left out, YNN does convolutions on one core
    _given = f"{_given} {_FUSED}=".strip()
    os.environ["XLA_FLAGS"] = _given
LEAVES_PRODUCTS_TO_EIGEN = IS_TESTED and f"{_FUSED}=" in _given.split()


@contextmanager
def _own_random_numbers() -> Iterator[None]:
    """Let this thread draw from a stream of its own: JAX draws as it is imported, and the program may have seeded."""
    theirs, mine, thread = np.random.rand, np.random.RandomState(0).rand, threading.get_ident()

    def rand(*sizes: Any) -> Any:
        return (mine if threading.get_ident() == thread else theirs)(*sizes)

    np.random.rand = rand
    try:
        yield
    finally:
        np.random.rand = theirs


@contextmanager
def _later_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until JAX is there: Python's exception takes its C++ down where that is being set up."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: list[Any] = []
    signal.signal(signal.SIGINT, lambda *about: came.append(about))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[-1])


@contextmanager
def _plain_level_names() -> Iterator[None]:
    """Let the level of JAX's log have the name that Python gave it: JAX takes no other, and programs colour theirs."""
    level = logging.getLogger("jax").level
    plain = {getattr(logging, name): name for name in ("NOTSET", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")}
    name = logging.getLevelName(level)
    if name == plain.get(level, name):
        yield
        return
    logging.addLevelName(level, plain[level])
    try:
        yield
    finally:
        logging.addLevelName(level, name)


_is_theirs = "jax" in sys.modules  # then its settings are the program's

if not _is_theirs and not logging.getLogger("jax").level:
    logging.getLogger("jax").setLevel(logging.WARNING)  # a program that logs everything means its own work

with _later_interrupts(), _own_random_numbers(), _plain_level_names():
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.extend.core import jaxpr_as_fun

if not _is_theirs:
    # Whoever runs a step waits for it: another thread that does it has to be woken, and to wake, which takes as long
    # as a small step.
    jax.config.update("jax_cpu_enable_async_dispatch", False)

__all__ = ["IS_TESTED", "LEAVES_PRODUCTS_TO_EIGEN", "jax", "jaxpr_as_fun", "jnp", "lax"]
