"""The names of ``tensorflow.python.saved_model.loader_impl``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loader import (
    SavedModelLoader,
    contains_saved_model,
    get_asset_tensors,
    get_init_op,
    get_train_op,
    load,
    maybe_saved_model_directory,
    parse_saved_model,
)

__getattr__ = missing(__name__)
