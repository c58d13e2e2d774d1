"""The names of ``tensorflow.compat.v2.config.threading``."""

from retrograd.eager.configuration import (
    get_inter_op_parallelism_threads,
    get_intra_op_parallelism_threads,
    set_inter_op_parallelism_threads,
    set_intra_op_parallelism_threads,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
