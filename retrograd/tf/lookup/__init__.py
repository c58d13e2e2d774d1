"""The names of ``tensorflow.lookup``."""

from retrograd.faces import missing
from retrograd.io.lookup import StaticHashTable, StaticVocabularyTable
from retrograd.io.table_initializers import KeyValueTensorInitializer, TextFileIndex, TextFileInitializer

__getattr__ = missing(__name__)
