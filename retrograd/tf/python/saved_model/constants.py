"""The names of ``tensorflow.python.saved_model.constants``."""

from retrograd.faces import missing
from retrograd.io.saved_model.constants import (
    ASSETS_DIRECTORY,
    ASSETS_KEY,
    EXTRA_ASSETS_DIRECTORY,
    INIT_OP_SIGNATURE_KEY,
    LEGACY_INIT_OP_KEY,
    MAIN_OP_KEY,
    SAVED_MODEL_FILENAME_JSON,
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
    SAVED_MODEL_SCHEMA_VERSION,
    TRAIN_OP_KEY,
    TRAIN_OP_SIGNATURE_KEY,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)

__getattr__ = missing(__name__)
