"""The names of ``tensorflow.compat.v2.saved_model``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loading import load
from retrograd.io.saved_model.saving import save

_LAZY = {
    "ASSETS_DIRECTORY": "retrograd.tf.saved_model.constants",
    "ASSETS_KEY": "retrograd.tf.saved_model.constants",
    "CLASSIFY_INPUTS": "retrograd.tf.saved_model.signature_constants",
    "CLASSIFY_METHOD_NAME": "retrograd.tf.saved_model.signature_constants",
    "CLASSIFY_OUTPUT_CLASSES": "retrograd.tf.saved_model.signature_constants",
    "CLASSIFY_OUTPUT_SCORES": "retrograd.tf.saved_model.signature_constants",
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY": "retrograd.tf.saved_model.signature_constants",
    "GPU": "retrograd.tf.saved_model.tag_constants",
    "PREDICT_INPUTS": "retrograd.tf.saved_model.signature_constants",
    "PREDICT_METHOD_NAME": "retrograd.tf.saved_model.signature_constants",
    "PREDICT_OUTPUTS": "retrograd.tf.saved_model.signature_constants",
    "REGRESS_INPUTS": "retrograd.tf.saved_model.signature_constants",
    "REGRESS_METHOD_NAME": "retrograd.tf.saved_model.signature_constants",
    "REGRESS_OUTPUTS": "retrograd.tf.saved_model.signature_constants",
    "SAVED_MODEL_FILENAME_PB": "retrograd.tf.saved_model.constants",
    "SAVED_MODEL_FILENAME_PBTXT": "retrograd.tf.saved_model.constants",
    "SAVED_MODEL_SCHEMA_VERSION": "retrograd.tf.saved_model.constants",
    "SERVING": "retrograd.tf.saved_model.tag_constants",
    "TPU": "retrograd.tf.saved_model.tag_constants",
    "TRAINING": "retrograd.tf.saved_model.tag_constants",
    "VARIABLES_DIRECTORY": "retrograd.tf.saved_model.constants",
    "VARIABLES_FILENAME": "retrograd.tf.saved_model.constants",
    "contains_saved_model": "retrograd.tf.saved_model",
}
__getattr__ = missing(__name__, _LAZY)
