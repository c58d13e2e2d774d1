"""The names of ``tensorflow.contrib.learn.python.learn.utils.gc``."""

from retrograd.faces import missing
from retrograd.io.session_bundles import (
    Path,
    get_paths,
    largest_export_versions,
    mod_export_version,
    negation,
    one_of_every_n_export_versions,
    union,
)

__getattr__ = missing(__name__)
