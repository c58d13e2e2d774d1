"""The names of ``tensorflow.python.saved_model.nested_structure_coder``."""

from retrograd.faces import missing
from retrograd.io.saved_model.structures import NotEncodableError, StructureCoder

__getattr__ = missing(__name__)
