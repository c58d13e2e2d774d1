"""TensorFlow's debugger (tfdbg): its names, so that programs that can be run with it import; no debugger.

Source: ``tensorflow.python.debug`` of TensorFlow 1.15.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.sessions.hooks import SessionRunHook


def has_inf_or_nan(datum: Any, tensor: Any) -> bool:
    """Whether an array of floating-point or complex numbers holds an infinity or a NaN; of anything else, False.

    >>> has_inf_or_nan(None, np.array([1.0, np.inf]))
    True
    """
    return isinstance(tensor, np.ndarray) and tensor.dtype.kind in "fc" and not bool(np.all(np.isfinite(tensor)))


class _Debugger:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} is a part of TensorFlow's debugger, tfdbg, which is not built.\n"
            "  Why:   it looks into the ops of a run, and runs here are compiled\n"
            "  Fix:   tf.add_check_numerics_ops() finds the op that gives a NaN; tf.print(...) shows a tensor"
        )


class DumpingDebugWrapperSession(_Debugger):
    """A session whose runs write every tensor into a folder."""


class LocalCLIDebugWrapperSession(_Debugger):
    """A session whose runs stop in a terminal."""


class GrpcDebugWrapperSession(_Debugger):
    """A session whose runs send every tensor to a server."""


class TensorBoardDebugWrapperSession(_Debugger):
    """A session whose runs stop in TensorBoard."""


class DumpingDebugHook(_Debugger, SessionRunHook):
    """The same as a hook: writes every tensor into a folder."""


class LocalCLIDebugHook(_Debugger, SessionRunHook):
    """The same as a hook: stops in a terminal."""


class GrpcDebugHook(_Debugger, SessionRunHook):
    """The same as a hook: sends every tensor to a server."""


class TensorBoardDebugHook(_Debugger, SessionRunHook):
    """The same as a hook: stops in TensorBoard."""
