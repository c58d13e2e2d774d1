"""The names of ``tensorflow.contrib.text``."""

from retrograd.contrib.skip_grams import skip_gram_sample, skip_gram_sample_with_text_vocab
from retrograd.faces import missing

__getattr__ = missing(__name__)
