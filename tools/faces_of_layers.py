"""What names alone cannot say of images, layers and models; added to the table of ``faces_table``."""

from faces_table import RENAMED, words

_IMAGES = {
    "ops.resizing": "resize_area resize_bicubic resize_bilinear resize_nearest_neighbor",
    "ops.colors": "hsv_to_rgb rgb_to_hsv",
    "ops.crops": "crop_and_resize extract_glimpse",
    "ops.boxes": """combined_non_max_suppression draw_bounding_boxes non_max_suppression non_max_suppression_overlaps
    non_max_suppression_padded non_max_suppression_with_scores sample_distorted_bounding_box""",
    "nn.image.resizing": "ResizeMethod resize_image_with_pad resize_images",
}
for _file, _names in _IMAGES.items():
    for _module in ("image", "python.ops.image_ops", "python.ops.image_ops_impl"):
        RENAMED.update({(_module, _name): f"retrograd.{_file}:" for _name in words(_names)})
for _module in ("image", "python.ops.image_ops", "python.ops.image_ops_impl"):
    RENAMED[_module, "resize"] = "retrograd.nn.image.resizing:resize_images"
    RENAMED[_module, "transpose"] = "retrograd.nn.image.geometry:transpose_image"
    RENAMED[_module, "resize_with_crop_or_pad"] = "retrograd.nn.image.geometry:resize_image_with_crop_or_pad"
    RENAMED[_module, "extract_patches"] = "retrograd.ops.patches:"
    RENAMED[_module, "extract_image_patches"] = "retrograd.ops.patches:"
RENAMED["python.ops.image_ops_impl", "ResizeMethodV1"] = "retrograd.nn.image.resizing:ResizeMethod"
