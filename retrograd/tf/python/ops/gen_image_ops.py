"""The names of ``tensorflow.python.ops.gen_image_ops``."""

from retrograd.faces import missing
from retrograd.ops.box_suppression import combined_non_max_suppression, non_max_suppression
from retrograd.ops.boxes import draw_bounding_boxes, sample_distorted_bounding_box
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
from retrograd.ops.crops import crop_and_resize, extract_glimpse
from retrograd.ops.resizing import resize_area, resize_bicubic, resize_bilinear, resize_nearest_neighbor
from retrograd.ops.scaling import scale_and_translate

__getattr__ = missing(__name__, raw=True)
