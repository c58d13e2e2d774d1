"""The names of ``tensorflow.compat.v2.config.optimizer``."""

from retrograd.eager.configuration import get_experimental_options, get_jit, set_experimental_options, set_jit
from retrograd.faces import missing

__getattr__ = missing(__name__)
