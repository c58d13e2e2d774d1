"""The names of ``tensorflow.python.eager.execute``."""

from retrograd.faces import missing

_LAZY = {
    "args_to_matching_eager": "retrograd.eager.executing",
    "args_to_mixed_eager_tensors": "retrograd.eager.executing",
    "convert_to_mixed_eager_tensors": "retrograd.eager.executing",
    "execute": "retrograd.eager.executing",
    "make_bool": "retrograd.eager.executing",
    "make_float": "retrograd.eager.executing",
    "make_int": "retrograd.eager.executing",
    "make_shape": "retrograd.eager.executing",
    "make_str": "retrograd.eager.executing",
    "make_tensor": "retrograd.eager.executing",
    "make_type": "retrograd.eager.executing",
    "quick_execute": "retrograd.eager.executing",
    "record_gradient": "retrograd.eager.executing",
}
__getattr__ = missing(__name__, _LAZY)
