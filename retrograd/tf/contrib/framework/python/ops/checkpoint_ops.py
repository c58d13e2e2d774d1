"""The names of ``tensorflow.contrib.framework.python.ops.checkpoint_ops``."""

from retrograd.estimator.remapping import (
    load_linear_multiclass_bias_initializer,
    load_variable_slot_initializer,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
