"""The names of ``tensorflow.contrib.framework.python.ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.arg_scope import (
    add_arg_scope,
    arg_scope,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)

__getattr__ = missing(__name__)
