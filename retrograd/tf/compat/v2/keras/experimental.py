"""The names of ``tensorflow.compat.v2.keras.experimental``."""

from retrograd.faces import missing
from retrograd.feature_column.layers import SequenceFeatures
from retrograd.keras.enqueuers import terminate_keras_multiprocessing_pools
from retrograd.keras.exported_models import export_saved_model, load_from_saved_model
from retrograd.keras.layers.recurrent_cells import PeepholeLSTMCell
from retrograd.keras.premade import LinearModel, WideDeepModel
from retrograd.keras.schedules import (
    CosineDecay,
    CosineDecayRestarts,
    LinearCosineDecay,
    NoisyLinearCosineDecay,
)

__getattr__ = missing(__name__)
