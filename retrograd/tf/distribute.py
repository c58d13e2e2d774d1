"""The names of ``tensorflow.distribute``."""

from retrograd.faces import missing
from retrograd.run.clusters import Server

__getattr__ = missing(__name__)
