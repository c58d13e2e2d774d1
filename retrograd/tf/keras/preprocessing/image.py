"""The names of ``tensorflow.keras.preprocessing.image``."""

from retrograd.faces import missing
from retrograd.keras.preprocessing import array_to_img, img_to_array, load_img, save_img

__getattr__ = missing(__name__)
