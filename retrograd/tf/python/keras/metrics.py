"""The names of ``tensorflow.python.keras.metrics``."""

from retrograd.faces import missing
from retrograd.keras.accuracies import (
    binary_accuracy,
    categorical_accuracy,
    sparse_categorical_accuracy,
    sparse_top_k_categorical_accuracy,
    top_k_categorical_accuracy,
)
from retrograd.keras.counting_metrics import (
    AUC,
    FalseNegatives,
    FalsePositives,
    Precision,
    Recall,
    SensitivityAtSpecificity,
    SpecificityAtSensitivity,
    TrueNegatives,
    TruePositives,
)
from retrograd.keras.losses import (
    KLD,
    MAE,
    MAPE,
    MSE,
    MSLE,
    binary_crossentropy,
    categorical_crossentropy,
    categorical_hinge,
    cosine,
    cosine_proximity,
    hinge,
    kld,
    kullback_leibler_divergence,
    logcosh,
    mae,
    mape,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    mse,
    msle,
    poisson,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from retrograd.keras.losses import (
    cosine_proximity as cosine_similarity,
)
from retrograd.keras.metric_base import Mean, MeanMetricWrapper, Metric, Sum
from retrograd.keras.metrics import (
    Accuracy,
    BinaryAccuracy,
    BinaryCrossentropy,
    CategoricalAccuracy,
    CategoricalCrossentropy,
    CategoricalHinge,
    CosineSimilarity,
    Hinge,
    KLDivergence,
    LogCoshError,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanIoU,
    MeanRelativeError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    MeanTensor,
    Poisson,
    RootMeanSquaredError,
    SparseCategoricalAccuracy,
    SparseCategoricalCrossentropy,
    SparseTopKCategoricalAccuracy,
    SquaredHinge,
    TopKCategoricalAccuracy,
    deserialize,
    get,
    serialize,
)
from retrograd.keras.utils import deserialize_keras_object, serialize_keras_object
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
