"""The names of ``tensorflow.contrib.saved_model.python.saved_model.reader``."""

from retrograd.faces import missing

_LAZY = {
    "get_saved_model_tag_sets": "retrograd.io.saved_model.command_line",
    "read_saved_model": "retrograd.io.saved_model.command_line",
}
__getattr__ = missing(__name__, _LAZY)
