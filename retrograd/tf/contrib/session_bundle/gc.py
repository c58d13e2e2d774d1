"""The names of ``tensorflow.contrib.session_bundle.gc``."""

from retrograd.faces import missing
from retrograd.io.session_bundles import Path, largest_export_versions, negation

__getattr__ = missing(__name__)
