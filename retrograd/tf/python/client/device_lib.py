"""The names of ``tensorflow.python.client.device_lib``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
