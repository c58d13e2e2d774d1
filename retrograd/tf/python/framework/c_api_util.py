"""The names of ``tensorflow.python.framework.c_api_util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
