"""The names of ``tensorflow.python.keras.utils.layer_utils``."""

from retrograd.faces import missing
from retrograd.keras.model_utils import convert_all_kernels_in_model, get_source_inputs
from retrograd.keras.summaries import print_summary

__getattr__ = missing(__name__)
