"""JAX, imported: from here alone, so that XLA's flags are set before it looks at them.

Importing this module imports JAX, which takes longer than all else; so functions import it when they trace,
and no module does at its top.
"""

from __future__ import annotations

import os

from jaxlib.version import __version__ as _version

# XLA ends the process over a flag or a private call that it does not know.
IS_TESTED = _version.startswith("0.10.")

_FLAGS = {"xla_cpu_experimental_ynn_fusion_type": ""}  # the fused convolutions, left out, run on one core

if IS_TESTED:
    _given = os.environ.get("XLA_FLAGS", "")
    _missing = [f"--{name}={value}" for name, value in _FLAGS.items() if name not in _given]
    os.environ["XLA_FLAGS"] = " ".join([_given, *_missing]).strip()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun  # noqa: E402

__all__ = ["IS_TESTED", "ClosedJaxpr", "jax", "jaxpr_as_fun", "jnp", "lax"]
