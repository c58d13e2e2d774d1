"""The names of ``tensorflow.python.ops.gen_image_ops``."""

from retrograd.faces import missing
from retrograd.ops.coded_images import (
    decode_and_crop_jpeg,
    decode_bmp,
    decode_gif,
    decode_jpeg,
    decode_png,
    encode_jpeg,
    encode_png,
    extract_jpeg_shape,
)
from retrograd.ops.colors import hsv_to_rgb, rgb_to_hsv
from retrograd.ops.resizing import resize_area
from retrograd.ops.scaling import scale_and_translate

__getattr__ = missing(__name__, raw=True)
