"""The names of ``tensorflow.python.training.checkpoint_ops``."""

from retrograd.estimator.remapping import (
    load_and_remap_matrix as _load_and_remap_matrix,
)
from retrograd.estimator.remapping import (
    load_and_remap_matrix_initializer as _load_and_remap_matrix_initializer,
)
from retrograd.estimator.remapping import (
    load_embedding_initializer as _load_embedding_initializer,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
