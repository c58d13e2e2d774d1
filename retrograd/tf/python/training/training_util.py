"""The names of ``tensorflow.python.training.training_util``."""

from retrograd.faces import missing
from retrograd.io.graph_defs import write_graph
from retrograd.train.training_util import (
    _get_global_step_read,
    _get_or_create_global_step_read,
    _increment_global_step,
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)

__getattr__ = missing(__name__)
