"""The names of ``tensorflow.python.tools.saved_model_utils``."""

from retrograd.faces import missing
from retrograd.io.saved_model.command_line import (
    get_meta_graph_def,
    get_saved_model_tag_sets,
    read_saved_model,
)

__getattr__ = missing(__name__)
