"""The names of ``tensorflow.python.keras.utils.data_utils``."""

from retrograd.faces import missing
from retrograd.keras.enqueuers import (
    GeneratorEnqueuer,
    OrderedEnqueuer,
    SequenceEnqueuer,
    terminate_keras_multiprocessing_pools,
)
from retrograd.keras.utils import Progbar, Sequence, get_file, validate_file
from retrograd.keras.utils import hash_of as _hash_file

__getattr__ = missing(__name__)
