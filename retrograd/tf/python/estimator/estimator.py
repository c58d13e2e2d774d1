"""The names of ``tensorflow.python.estimator.estimator``."""

from retrograd.estimator.estimator import Estimator, EstimatorV2
from retrograd.estimator.preparing import saved_global_step as _load_global_step_from_checkpoint_dir
from retrograd.faces import missing

__getattr__ = missing(__name__)
