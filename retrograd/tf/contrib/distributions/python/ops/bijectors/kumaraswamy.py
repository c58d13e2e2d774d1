"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.kumaraswamy``."""

from retrograd.faces import missing
from retrograd.nn.distributions.kumaraswamy import KumaraswamyBijector as Kumaraswamy

__getattr__ = missing(__name__)
