"""The names of ``tensorflow.contrib.slim.model_analyzer``."""

from retrograd.contrib.analyzing import analyze_ops, analyze_vars, tensor_description
from retrograd.faces import missing

__getattr__ = missing(__name__)
