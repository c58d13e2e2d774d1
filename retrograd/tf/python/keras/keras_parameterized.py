"""The names of ``tensorflow.python.keras.keras_parameterized``."""

from retrograd.faces import missing
from retrograd.testing.keras_modes import TestCase, run_all_keras_modes, run_with_all_model_types

__getattr__ = missing(__name__)
