"""The names of ``tensorflow.compat.v2.keras.regularizers``."""

from retrograd.faces import missing
from retrograd.nn.keras.regularizers import L1L2, Regularizer, deserialize, get, l1, l1_l2, l2, serialize

__getattr__ = missing(__name__)
