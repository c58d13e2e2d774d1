"""The names of ``tensorflow.contrib.learn.utils``."""

from retrograd.estimator.older.arrays import InputFnOps, build_parsing_serving_input_fn
from retrograd.estimator.older.exporting import (
    DEFAULT_INPUT_ALTERNATIVE_KEY,
    FEATURES_INPUT_ALTERNATIVE_KEY,
    BestModelSelector,
    build_all_signature_defs,
    build_standardized_signature_def,
    extend_export_strategy,
    get_input_alternatives,
    get_output_alternatives,
    make_best_model_export_strategy,
    make_export_strategy,
    make_parsing_export_strategy,
)
from retrograd.faces import missing
from retrograd.tf.contrib.learn.python.learn.utils import export, saved_model_export_utils

_LAZY = {
    "input_fn_utils": "retrograd.tf.contrib.learn.python.learn.utils",
}
__getattr__ = missing(__name__, _LAZY)
