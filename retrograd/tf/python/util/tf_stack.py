"""The names of ``tensorflow.python.util.tf_stack``."""

from retrograd.faces import missing
from retrograd.graph.stack_frames import (
    TB_CODEDICT,
    TB_FILENAME,
    TB_FUNCNAME,
    TB_LINENO,
    CurrentModuleFilter,
    StackFrame,
    StackTraceFilter,
    StackTraceMapper,
    StackTraceTransform,
    convert_stack,
    extract_stack,
)

__getattr__ = missing(__name__)
