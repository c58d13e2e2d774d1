"""The names of ``tensorflow.python.training.queue_runner_impl``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
