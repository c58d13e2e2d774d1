"""The names of ``tensorflow.contrib.learn``."""

from retrograd.faces import missing
from retrograd.io.vocabularies import ModeKeys

__getattr__ = missing(__name__)
