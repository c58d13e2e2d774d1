"""The names of ``tensorflow.python.keras.utils.mode_keys``."""

from retrograd.estimator.specs import KerasModeKeys as ModeKeys
from retrograd.faces import missing

__getattr__ = missing(__name__)
