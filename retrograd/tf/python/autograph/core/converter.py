"""The names of ``tensorflow.python.autograph.core.converter``."""

from retrograd.autograph.options import ConversionOptions, Feature
from retrograd.faces import missing

__getattr__ = missing(__name__)
