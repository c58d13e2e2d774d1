"""The names of ``tensorflow.lookup``."""

from retrograd.faces import missing
from retrograd.io.lookup import (
    KeyValueTensorInitializer,
    StaticHashTable,
    StaticVocabularyTable,
    TextFileIndex,
    TextFileInitializer,
)

__getattr__ = missing(__name__)
