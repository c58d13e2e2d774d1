"""The names of ``tensorflow.contrib.learn.python.learn.preprocessing.text``."""

from retrograd.faces import missing
from retrograd.io.vocabularies import TOKENIZER_RE, ByteProcessor, CategoricalVocabulary, VocabularyProcessor, tokenizer

__getattr__ = missing(__name__)
