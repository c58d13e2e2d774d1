"""The names of ``tensorflow.python.saved_model.builder_impl``."""

from retrograd.faces import missing
from retrograd.io.saved_model.builder import (
    SavedModelBuilder,
    _SavedModelBuilder,
    copy_assets_to_destination_dir,
    get_asset_filename_to_add,
)

__getattr__ = missing(__name__)
