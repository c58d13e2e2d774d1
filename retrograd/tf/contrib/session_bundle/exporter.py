"""The names of ``tensorflow.contrib.session_bundle.exporter``."""

from retrograd.faces import missing
from retrograd.io.session_bundles import (
    Exporter,
    classification_signature,
    generic_signature,
    gfile_copy_callback,
    regression_signature,
)

__getattr__ = missing(__name__)
