"""The names of ``tensorflow.python.ops.gen_nn_ops``."""

from retrograd.faces import missing
from retrograd.ops.activations import elu, l2_loss, relu, selu, softplus, softsign
from retrograd.ops.biases import bias_add_v1
from retrograd.ops.ranking import TopKV2, nth_element

__getattr__ = missing(__name__, raw=True)
