"""The names of ``tensorflow.python.estimator.estimator``."""

from retrograd.estimator.estimator import Estimator, EstimatorV2
from retrograd.estimator.preparing import saved_global_step as _load_global_step_from_checkpoint_dir
from retrograd.estimator.specs import ModeKeys
from retrograd.estimator.specs import verify_model_fn_args as _verify_model_fn_args
from retrograd.faces import missing

_LAZY = {
    "VocabInfo": "retrograd.tf.estimator",
    "WarmStartSettings": "retrograd.tf.estimator",
}
__getattr__ = missing(__name__, _LAZY)
