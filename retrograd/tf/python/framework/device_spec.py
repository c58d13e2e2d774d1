"""The names of ``tensorflow.python.framework.device_spec``."""

from retrograd.faces import missing
from retrograd.graph.devices import DeviceSpec as DeviceSpecV1
from retrograd.graph.devices import DeviceSpec as DeviceSpecV2

__getattr__ = missing(__name__)
