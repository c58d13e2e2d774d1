"""The names of ``tensorflow.python.keras.utils.vis_utils``."""

from retrograd.faces import missing
from retrograd.keras.model_utils import model_to_dot, plot_model

__getattr__ = missing(__name__)
