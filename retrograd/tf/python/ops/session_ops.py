"""The names of ``tensorflow.python.ops.session_ops``."""

from retrograd.faces import missing
from retrograd.ops.session_tensors import (
    TensorHandle,
    delete_session_tensor,
    get_session_handle,
    get_session_tensor,
)

__getattr__ = missing(__name__)
