"""The names of ``tensorflow.python.debug``."""

from retrograd.faces import missing
from retrograd.sessions.debuggers import (
    DumpingDebugHook,
    DumpingDebugWrapperSession,
    GrpcDebugHook,
    GrpcDebugWrapperSession,
    LocalCLIDebugHook,
    LocalCLIDebugWrapperSession,
    TensorBoardDebugHook,
    TensorBoardDebugWrapperSession,
    has_inf_or_nan,
)

__getattr__ = missing(__name__)
