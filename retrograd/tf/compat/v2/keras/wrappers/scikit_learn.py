"""The names of ``tensorflow.compat.v2.keras.wrappers.scikit_learn``."""

from retrograd.faces import missing
from retrograd.keras.scikit_learn import KerasClassifier, KerasRegressor

__getattr__ = missing(__name__)
