"""The names of ``tensorflow.python.keras.utils.data_utils``."""

from retrograd.faces import missing
from retrograd.keras.model_utils import GeneratorEnqueuer, OrderedEnqueuer, SequenceEnqueuer
from retrograd.keras.utils import Progbar, Sequence, get_file

__getattr__ = missing(__name__)
