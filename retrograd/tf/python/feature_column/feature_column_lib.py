"""The names of ``tensorflow.python.feature_column.feature_column_lib``."""

from retrograd.faces import missing
from retrograd.feature_column.categorical import (
    HashedCategoricalColumn,
    IdentityCategoricalColumn,
    VocabularyFileCategoricalColumn,
    VocabularyListCategoricalColumn,
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_file_v2,
    categorical_column_with_vocabulary_list,
)
from retrograd.feature_column.combining import (
    CrossedColumn,
    WeightedCategoricalColumn,
    crossed_column,
    weighted_categorical_column,
)
from retrograd.feature_column.dense_categories import (
    EmbeddingColumn,
    IndicatorColumn,
    SharedEmbeddingColumn,
    SharedEmbeddingColumnCreator,
    embedding_column,
    indicator_column,
    shared_embedding_columns,
)
from retrograd.feature_column.dense_categories import (
    shared_embeddings as shared_embedding_columns_v2,
)
from retrograd.feature_column.features import FeatureTransformationCache
from retrograd.feature_column.layers import DenseFeatures, LinearModel, SequenceFeatures
from retrograd.feature_column.models import InputLayer, input_layer, linear_model
from retrograd.feature_column.numeric import (
    BucketizedColumn,
    NumericColumn,
    bucketized_column,
    numeric_column,
)
from retrograd.feature_column.protocol import (
    CategoricalColumn,
    DenseColumn,
    FeatureColumn,
    SequenceDenseColumn,
    is_feature_column_v2,
    make_parse_example_spec,
    make_parse_example_spec_v2,
)
from retrograd.feature_column.sequence import (
    SequenceCategoricalColumn,
    SequenceNumericColumn,
    concatenate_context_input,
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
    sequence_numeric_column,
)
from retrograd.feature_column.serialization import (
    deserialize_feature_column,
    deserialize_feature_columns,
    serialize_feature_column,
    serialize_feature_columns,
)
from retrograd.feature_column.state import StateManager

__getattr__ = missing(__name__)
