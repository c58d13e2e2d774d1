"""The names of ``tensorflow.compat.v2.keras.losses``."""

from retrograd.faces import missing
from retrograd.keras.losses import (
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
    kullback_leibler_divergence,
    logcosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mse,
    msle,
    poisson,
    serialize,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from retrograd.keras.losses import (
    cosine_proximity as cosine_similarity,
)
from retrograd.keras.losses import (
    kullback_leibler_divergence as KLD,
)
from retrograd.keras.losses import (
    kullback_leibler_divergence as kld,
)
from retrograd.keras.losses import (
    mean_absolute_error as MAE,
)
from retrograd.keras.losses import (
    mean_absolute_error as mae,
)
from retrograd.keras.losses import (
    mean_absolute_percentage_error as MAPE,
)
from retrograd.keras.losses import (
    mean_absolute_percentage_error as mape,
)
from retrograd.keras.losses import (
    mse as MSE,
)
from retrograd.keras.losses import (
    mse as mean_squared_error,
)
from retrograd.keras.losses import (
    msle as MSLE,
)
from retrograd.keras.losses import (
    msle as mean_squared_logarithmic_error,
)

__getattr__ = missing(__name__)
