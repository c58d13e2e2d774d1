"""The names of ``tensorflow.contrib.lookup``."""

from retrograd.faces import missing
from retrograd.io.lookup import (
    FastHashSpec,
    HasherSpec,
    HashTable,
    IdTableWithHashBuckets,
    InitializableLookupTableBase,
    LookupInterface,
    StrongHashSpec,
    index_table_from_file,
    index_table_from_tensor,
    index_to_string,
    index_to_string_table_from_file,
    index_to_string_table_from_tensor,
    string_to_index,
)
from retrograd.io.lookup import (
    index_table_from_file as string_to_index_table_from_file,
)
from retrograd.io.lookup import (
    index_table_from_tensor as string_to_index_table_from_tensor,
)
from retrograd.io.mutable_tables import MutableDenseHashTable, MutableHashTable
from retrograd.io.table_initializers import (
    KeyValueTensorInitializer,
    TableInitializerBase,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileInitializer,
    TextFileStringTableInitializer,
)

__getattr__ = missing(__name__)
