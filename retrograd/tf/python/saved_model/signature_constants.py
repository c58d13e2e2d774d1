"""The names of ``tensorflow.python.saved_model.signature_constants``."""

from retrograd.faces import missing
from retrograd.io.saved_model.signature_constants import (
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES,
    DEFAULT_EVAL_SIGNATURE_DEF_KEY,
    DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    DEFAULT_TRAIN_SIGNATURE_DEF_KEY,
    PREDICT_INPUTS,
    PREDICT_METHOD_NAME,
    PREDICT_OUTPUTS,
    REGRESS_INPUTS,
    REGRESS_METHOD_NAME,
    REGRESS_OUTPUTS,
    SUPERVISED_EVAL_METHOD_NAME,
    SUPERVISED_TRAIN_METHOD_NAME,
)

__getattr__ = missing(__name__)
