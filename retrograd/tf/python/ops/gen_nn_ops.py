"""The names of ``tensorflow.python.ops.gen_nn_ops``."""

from retrograd.faces import missing
from retrograd.ops.activations import elu, l2_loss, relu, selu, softplus, softsign

__getattr__ = missing(__name__, raw=True)
