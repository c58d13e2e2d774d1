"""The names of ``tensorflow.compat.v2.keras.losses``."""

from retrograd.faces import missing
from retrograd.keras.losses import (
    KLD,
    MAE,
    MAPE,
    MSE,
    MSLE,
    BinaryCrossentropy,
    CategoricalCrossentropy,
    CategoricalHinge,
    CosineSimilarity,
    Hinge,
    Huber,
    KLDivergence,
    LogCosh,
    Loss,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    Poisson,
    Reduction,
    SparseCategoricalCrossentropy,
    SquaredHinge,
    binary_crossentropy,
    categorical_crossentropy,
    categorical_hinge,
    deserialize,
    get,
    hinge,
    logcosh,
    poisson,
    serialize,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from retrograd.keras.losses import (
    KLD as kld,
)
from retrograd.keras.losses import (
    KLD as kullback_leibler_divergence,
)
from retrograd.keras.losses import (
    MAE as mae,
)
from retrograd.keras.losses import (
    MAE as mean_absolute_error,
)
from retrograd.keras.losses import (
    MAPE as mape,
)
from retrograd.keras.losses import (
    MAPE as mean_absolute_percentage_error,
)
from retrograd.keras.losses import (
    MSE as mean_squared_error,
)
from retrograd.keras.losses import (
    MSE as mse,
)
from retrograd.keras.losses import (
    MSLE as mean_squared_logarithmic_error,
)
from retrograd.keras.losses import (
    MSLE as msle,
)
from retrograd.keras.losses import (
    cosine as cosine_similarity,
)

__getattr__ = missing(__name__)
