"""The names of ``tensorflow.keras.backend``."""

from retrograd.faces import missing
from retrograd.graph.scopes import name_scope

__getattr__ = missing(__name__)
