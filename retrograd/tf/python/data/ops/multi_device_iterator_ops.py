"""The names of ``tensorflow.python.data.ops.multi_device_iterator_ops``."""

from retrograd.data.multi_device import MultiDeviceIterator
from retrograd.faces import missing

__getattr__ = missing(__name__)
