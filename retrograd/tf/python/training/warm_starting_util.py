"""The names of ``tensorflow.python.training.warm_starting_util``."""

from retrograd.estimator.warm_starting import (
    VocabInfo,
    _get_grouped_variables,
    _get_object_checkpoint_renames,
    _get_var_info,
    _infer_var_name,
    _warm_start_var_with_vocab,
    warm_start,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
