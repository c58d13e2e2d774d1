"""The names of ``tensorflow.python.keras.preprocessing.sequence``."""

from retrograd.faces import missing
from retrograd.keras.datasets import shorter as _remove_long_seq
from retrograd.keras.preprocessing import TimeseriesGenerator, make_sampling_table, pad_sequences, skipgrams

__getattr__ = missing(__name__)
