"""The names of ``tensorflow.python.keras.wrappers.scikit_learn``."""

from retrograd.faces import missing
from retrograd.keras.scikit_learn import KerasClassifier, KerasRegressor
from retrograd.keras.sequential import Sequential
from retrograd.keras.utils import to_categorical

__getattr__ = missing(__name__)
