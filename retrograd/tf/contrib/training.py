"""The names of ``tensorflow.contrib.training``."""

from retrograd.faces import missing
from retrograd.io.checkpoint_values import wait_for_new_checkpoint

__getattr__ = missing(__name__)
