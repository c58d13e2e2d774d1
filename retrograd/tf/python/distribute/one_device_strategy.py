"""The names of ``tensorflow.python.distribute.one_device_strategy``."""

from retrograd.distribute.kinds import OneDeviceStrategy
from retrograd.faces import missing

__getattr__ = missing(__name__)
