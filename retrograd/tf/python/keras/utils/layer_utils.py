"""The names of ``tensorflow.python.keras.utils.layer_utils``."""

from retrograd.faces import missing
from retrograd.keras.summaries import print_summary

__getattr__ = missing(__name__)
