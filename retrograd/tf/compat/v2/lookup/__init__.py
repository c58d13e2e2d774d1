"""The names of ``tensorflow.compat.v2.lookup``."""

from retrograd.faces import missing
from retrograd.io.table_initializers import KeyValueTensorInitializer, TextFileIndex, TextFileInitializer

_LAZY = {
    "StaticHashTable": "retrograd.tf.lookup",
    "StaticVocabularyTable": "retrograd.tf.lookup",
}
__getattr__ = missing(__name__, _LAZY)
