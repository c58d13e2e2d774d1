"""The names of ``tensorflow.contrib.session_bundle``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
