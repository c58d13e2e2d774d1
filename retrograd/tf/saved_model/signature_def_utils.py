"""The names of ``tensorflow.saved_model.signature_def_utils``."""

from retrograd.faces import missing
from retrograd.io.saved_model.signatures import (
    build_signature_def,
    classification_signature_def,
    is_valid_signature,
    predict_signature_def,
    regression_signature_def,
)

__getattr__ = missing(__name__)
