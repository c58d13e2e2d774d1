"""The names of ``tensorflow.python.saved_model.model_utils.mode_keys``."""

from retrograd.estimator.specs import KerasModeKeys
from retrograd.estimator.specs import ModeKeys as EstimatorModeKeys
from retrograd.faces import missing
from retrograd.keras.mode_maps import ModeKeyMap, is_eval, is_predict, is_train

__getattr__ = missing(__name__)
