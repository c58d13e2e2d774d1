"""The names of ``tensorflow.compat.v2.keras.preprocessing.sequence``."""

from retrograd.faces import missing
from retrograd.keras.preprocessing import TimeseriesGenerator, make_sampling_table, pad_sequences, skipgrams

__getattr__ = missing(__name__)
