"""The names of ``tensorflow.data.experimental``."""

from retrograd.faces import missing
from retrograd.graph.specs import TypeSpec as Structure

__getattr__ = missing(__name__)
