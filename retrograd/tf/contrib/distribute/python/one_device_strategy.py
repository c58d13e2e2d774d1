"""The names of ``tensorflow.contrib.distribute.python.one_device_strategy``."""

from retrograd.distribute.kinds import OneDeviceStrategy
from retrograd.faces import missing

__getattr__ = missing(__name__)
