"""The names of ``tensorflow.contrib.cluster_resolver.python.training``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
