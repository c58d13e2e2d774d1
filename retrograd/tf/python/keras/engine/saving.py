"""The names of ``tensorflow.python.keras.engine.saving``."""

from retrograd.faces import missing
from retrograd.keras.exported_models import export_saved_model, load_from_saved_model
from retrograd.keras.filed_models import (
    load_model,
    model_from_config,
    model_from_json,
    model_from_yaml,
    save_model,
)
from retrograd.keras.hdf5 import (
    load_attributes_from_hdf5_group,
    load_model_from_hdf5,
    load_weights_from_hdf5_group,
    load_weights_from_hdf5_group_by_name,
    save_attributes_to_hdf5_group,
    save_model_to_hdf5,
    save_weights_to_hdf5_group,
)
from retrograd.keras.weights_of_files import preprocess_weights_for_loading

__getattr__ = missing(__name__)
