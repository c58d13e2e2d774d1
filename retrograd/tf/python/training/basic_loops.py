"""The names of ``tensorflow.python.training.basic_loops``."""

from retrograd.faces import missing
from retrograd.sessions.supervisor import basic_train_loop

__getattr__ = missing(__name__)
