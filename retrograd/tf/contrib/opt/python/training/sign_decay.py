"""The names of ``tensorflow.contrib.opt.python.training.sign_decay``."""

from retrograd.faces import missing
from retrograd.train.signs import get_cosine_decay_fn, get_linear_decay_fn, get_restart_decay_fn

__getattr__ = missing(__name__)
