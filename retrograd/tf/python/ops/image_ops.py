"""The names of ``tensorflow.python.ops.image_ops``."""

from retrograd.faces import missing
from retrograd.nn.image.colors import (
    adjust_brightness,
    adjust_contrast,
    adjust_gamma,
    adjust_hue,
    adjust_jpeg_quality,
    adjust_saturation,
    convert_image_dtype,
    grayscale_to_rgb,
    per_image_standardization,
    random_brightness,
    random_contrast,
    random_hue,
    random_jpeg_quality,
    random_saturation,
    rgb_to_grayscale,
    rgb_to_yiq,
    rgb_to_yuv,
    yiq_to_rgb,
    yuv_to_rgb,
)
from retrograd.nn.image.comparing import (
    image_gradients,
    psnr,
    sobel_edges,
    ssim,
    ssim_multiscale,
    total_variation,
)
from retrograd.nn.image.decoding import decode_image
from retrograd.nn.image.geometry import (
    central_crop,
    crop_to_bounding_box,
    flip_left_right,
    flip_up_down,
    pad_to_bounding_box,
    random_flip_left_right,
    random_flip_up_down,
    resize_image_with_crop_or_pad,
    rot90,
)
from retrograd.nn.image.geometry import (
    resize_image_with_crop_or_pad as resize_with_crop_or_pad,
)
from retrograd.nn.image.geometry import (
    transpose_image as transpose,
)
from retrograd.nn.image.resizing import (
    ResizeMethod,
    ResizeMethodV1,
    resize_image_with_pad_v1,
    resize_image_with_pad_v2,
    resize_images,
    resize_images_v2,
)
from retrograd.nn.image.resizing import (
    resize_image_with_pad_v1 as resize_image_with_pad,
)
from retrograd.nn.image.resizing import (
    resize_images as resize,
)
from retrograd.nn.image.shapes import compatible_images as _verify_compatible_image_shapes
from retrograd.nn.second import extract_glimpse as extract_glimpse_v2
from retrograd.ops.box_suppression import (
    combined_non_max_suppression,
    non_max_suppression,
    non_max_suppression_overlaps,
    non_max_suppression_padded,
    non_max_suppression_with_scores,
)
from retrograd.ops.box_suppression import (
    non_max_suppression_overlaps as non_max_suppression_with_overlaps,
)
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
    is_jpeg,
)
from retrograd.ops.colors import hsv_to_rgb, rgb_to_hsv
from retrograd.ops.crops import crop_and_resize, extract_glimpse
from retrograd.ops.patches import extract_image_patches, extract_patches
from retrograd.ops.resizing import resize_area, resize_bicubic, resize_bilinear, resize_nearest_neighbor
from retrograd.ops.scaling import scale_and_translate

__getattr__ = missing(__name__)
