"""The names of ``tensorflow.contrib.opt.python.training.multitask_optimizer_wrapper``."""

from retrograd.faces import missing
from retrograd.train.wrapping import MultitaskOptimizerWrapper, clip_gradients_by_global_norm

__getattr__ = missing(__name__)
