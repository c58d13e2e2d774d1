"""The names of ``tensorflow.python.saved_model.model_utils.export_utils``."""

from retrograd.estimator.export_outputs import (
    build_all_signature_defs,
    export_outputs_for_mode,
    get_export_outputs,
    get_temp_export_dir,
    get_timestamped_export_dir,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
