"""The names of ``tensorflow.compat.v2.keras.preprocessing.text``."""

from retrograd.faces import missing
from retrograd.keras.preprocessing import Tokenizer, hashing_trick, one_hot, text_to_word_sequence

__getattr__ = missing(__name__)
