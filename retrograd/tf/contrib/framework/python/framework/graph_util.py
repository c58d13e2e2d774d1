"""The names of ``tensorflow.contrib.framework.python.framework.graph_util``."""

from retrograd.faces import missing
from retrograd.io.fusing import fuse_op
from retrograd.nn.contrib.model_variables import get_placeholders

__getattr__ = missing(__name__)
