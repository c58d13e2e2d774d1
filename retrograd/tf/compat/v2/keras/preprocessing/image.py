"""The names of ``tensorflow.compat.v2.keras.preprocessing.image``."""

from retrograd.faces import missing
from retrograd.keras.images import (
    DirectoryIterator,
    ImageDataGenerator,
    NumpyArrayIterator,
    apply_affine_transform,
    apply_brightness_shift,
    apply_channel_shift,
    random_brightness,
    random_channel_shift,
    random_rotation,
    random_shear,
    random_shift,
    random_zoom,
)
from retrograd.keras.images import (
    Iterator_ as Iterator,
)
from retrograd.keras.preprocessing import array_to_img, img_to_array, load_img, save_img

__getattr__ = missing(__name__)
