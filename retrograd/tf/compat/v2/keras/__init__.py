"""The names of ``tensorflow.compat.v2.keras``."""

from retrograd.faces import missing
from retrograd.keras.inputs import Input
from retrograd.keras.models import Model
from retrograd.keras.sequential import Sequential

_LAZY = {
    "datasets": "retrograd.tf.keras",
    "metrics": "retrograd.tf.keras",
    "optimizers": "retrograd.tf.keras",
}
__getattr__ = missing(__name__, _LAZY)
