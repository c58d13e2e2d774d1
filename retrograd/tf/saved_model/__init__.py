"""The names of ``tensorflow.saved_model``."""

from retrograd.faces import missing
from retrograd.io.saved_model.builder import SavedModelBuilder as Builder
from retrograd.io.saved_model.builder import main_op_with_restore, simple_save
from retrograd.io.saved_model.constants import (
    ASSETS_DIRECTORY,
    ASSETS_KEY,
    LEGACY_INIT_OP_KEY,
    MAIN_OP_KEY,
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
    SAVED_MODEL_SCHEMA_VERSION,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)
from retrograd.io.saved_model.loader import contains_saved_model, load, maybe_saved_model_directory
from retrograd.io.saved_model.loading import load as load_v2
from retrograd.io.saved_model.saving import save
from retrograd.io.saved_model.signature_constants import (
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES,
    DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    PREDICT_INPUTS,
    PREDICT_METHOD_NAME,
    PREDICT_OUTPUTS,
    REGRESS_INPUTS,
    REGRESS_METHOD_NAME,
    REGRESS_OUTPUTS,
)
from retrograd.io.saved_model.signatures import (
    build_signature_def,
    classification_signature_def,
    is_valid_signature,
    predict_signature_def,
    regression_signature_def,
)
from retrograd.io.saved_model.tag_constants import GPU, SERVING, TPU, TRAINING
from retrograd.io.saved_model.tensor_infos import build_tensor_info, get_tensor_from_tensor_info

__getattr__ = missing(__name__)
