"""The names of ``tensorflow.python.keras.saving.hdf5_format``."""

from retrograd.faces import missing
from retrograd.keras.hdf5 import (
    load_attributes_from_hdf5_group,
    load_model_from_hdf5,
    load_optimizer_weights_from_hdf5_group,
    load_weights_from_hdf5_group,
    load_weights_from_hdf5_group_by_name,
    save_attributes_to_hdf5_group,
    save_model_to_hdf5,
    save_optimizer_weights_to_hdf5_group,
    save_weights_to_hdf5_group,
)
from retrograd.keras.weights_of_files import (
    convert_rnn_weights as _convert_rnn_weights,
)
from retrograd.keras.weights_of_files import (
    legacy_weights as _legacy_weights,
)
from retrograd.keras.weights_of_files import (
    preprocess_weights_for_loading,
)

__getattr__ = missing(__name__)
