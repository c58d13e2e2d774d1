"""The names of ``tensorflow.python.estimator.hooks.hooks``."""

from retrograd.estimator.hooks import InMemoryEvaluatorHook, make_stop_at_checkpoint_step_hook
from retrograd.faces import missing

__getattr__ = missing(__name__)
