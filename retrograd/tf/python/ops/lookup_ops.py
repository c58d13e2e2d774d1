"""The names of ``tensorflow.python.ops.lookup_ops``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.io.lookup import (
    FastHashSpec,
    HasherSpec,
    HashTable,
    IdTableWithHashBuckets,
    InitializableLookupTableBase,
    LookupInterface,
    StaticHashTable,
    StaticVocabularyTable,
    StrongHashSpec,
    index_table_from_file,
    index_table_from_tensor,
    index_to_string,
    index_to_string_table_from_file,
    index_to_string_table_from_tensor,
    initialize_all_tables,
    string_to_index,
    tables_initializer,
)
from retrograd.io.lookup import (
    StaticHashTable as StaticHashTableV1,
)
from retrograd.io.lookup import (
    StaticVocabularyTable as StaticVocabularyTableV1,
)
from retrograd.io.mutable_tables import DenseHashTable, MutableHashTable
from retrograd.io.saver_builder import BaseSaverBuilder
from retrograd.io.table_initializers import (
    KeyValueTensorInitializer,
    TableInitializerBase,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileInitializer,
    TextFileStringTableInitializer,
)

__getattr__ = missing(__name__)
