"""The names of ``tensorflow.python.client.device_lib``."""

from retrograd.faces import missing
from retrograd.run.devices import list_local_devices

__getattr__ = missing(__name__)
