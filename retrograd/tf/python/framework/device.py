"""The names of ``tensorflow.python.framework.device``."""

from retrograd.faces import missing
from retrograd.graph.devices import DeviceSpec, MergeDevice, merge_device
from retrograd.graph.devices import canonical as canonical_name

__getattr__ = missing(__name__)
