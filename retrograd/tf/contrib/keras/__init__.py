"""The names of ``tensorflow.contrib.keras``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input
from retrograd.keras.models import Model
from retrograd.keras.sequential import Sequential

__version__ = "2.2.4-tf"

_LAZY = {
    "activations": "retrograd.tf.keras",
    "applications": "retrograd.tf.keras",
    "constraints": "retrograd.tf.keras",
    "initializers": "retrograd.tf.keras",
    "regularizers": "retrograd.tf.keras",
}
__getattr__ = missing(__name__, _LAZY)
