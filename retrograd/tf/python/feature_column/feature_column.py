"""The names of ``tensorflow.python.feature_column.feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.categorical import (
    HashedCategoricalColumn as _HashedCategoricalColumn,
)
from retrograd.feature_column.categorical import (
    IdentityCategoricalColumn as _IdentityCategoricalColumn,
)
from retrograd.feature_column.categorical import (
    VocabularyFileCategoricalColumn as _VocabularyFileCategoricalColumn,
)
from retrograd.feature_column.categorical import (
    VocabularyListCategoricalColumn as _VocabularyListCategoricalColumn,
)
from retrograd.feature_column.categorical import (
    categorical_column_with_hash_bucket as _categorical_column_with_hash_bucket,
)
from retrograd.feature_column.categorical import (
    categorical_column_with_identity as _categorical_column_with_identity,
)
from retrograd.feature_column.categorical import (
    categorical_column_with_vocabulary_file as _categorical_column_with_vocabulary_file,
)
from retrograd.feature_column.categorical import (
    categorical_column_with_vocabulary_list as _categorical_column_with_vocabulary_list,
)
from retrograd.feature_column.combining import (
    CrossedColumn as _CrossedColumn,
)
from retrograd.feature_column.combining import (
    WeightedCategoricalColumn as _WeightedCategoricalColumn,
)
from retrograd.feature_column.combining import (
    crossed_column as _crossed_column,
)
from retrograd.feature_column.combining import (
    weighted_categorical_column as _weighted_categorical_column,
)
from retrograd.feature_column.dense_categories import (
    EmbeddingColumn as _EmbeddingColumn,
)
from retrograd.feature_column.dense_categories import (
    IndicatorColumn as _IndicatorColumn,
)
from retrograd.feature_column.dense_categories import (
    SharedEmbeddingColumnV1 as _SharedEmbeddingColumn,
)
from retrograd.feature_column.dense_categories import (
    embedding_column as _embedding_column,
)
from retrograd.feature_column.dense_categories import (
    indicator_column as _indicator_column,
)
from retrograd.feature_column.features import LazyBuilder as _LazyBuilder
from retrograd.feature_column.models import (
    InputLayer,
    input_layer,
    linear_model,
)
from retrograd.feature_column.models import (
    LinearModelV1 as _LinearModel,
)
from retrograd.feature_column.models import (
    transform_features as _transform_features,
)
from retrograd.feature_column.numeric import (
    BucketizedColumn as _BucketizedColumn,
)
from retrograd.feature_column.numeric import (
    NumericColumn as _NumericColumn,
)
from retrograd.feature_column.numeric import (
    bucketized_column as _bucketized_column,
)
from retrograd.feature_column.numeric import (
    numeric_column as _numeric_column,
)
from retrograd.feature_column.protocol import (
    OldCategoricalColumn as _CategoricalColumn,
)
from retrograd.feature_column.protocol import (
    OldColumn as _FeatureColumn,
)
from retrograd.feature_column.protocol import (
    OldDenseColumn as _DenseColumn,
)
from retrograd.feature_column.protocol import (
    OldSequenceDenseColumn as _SequenceDenseColumn,
)
from retrograd.feature_column.protocol import (
    make_parse_example_spec,
)
from retrograd.feature_column.sequence import SequenceCategoricalColumn as _SequenceCategoricalColumn

__getattr__ = missing(__name__)
