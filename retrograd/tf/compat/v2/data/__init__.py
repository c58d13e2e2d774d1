"""The names of ``tensorflow.compat.v2.data``."""

from retrograd.data.options import Options
from retrograd.data.structures import DatasetSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
