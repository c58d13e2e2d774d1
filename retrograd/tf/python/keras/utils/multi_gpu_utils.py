"""The names of ``tensorflow.python.keras.utils.multi_gpu_utils``."""

from retrograd.faces import missing
from retrograd.keras.models import Model
from retrograd.keras.replicas import multi_gpu_model

__getattr__ = missing(__name__)
