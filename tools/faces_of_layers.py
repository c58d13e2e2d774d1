"""What names alone cannot say of images and layers; added to the table of ``faces_table``."""

from faces_table import HIDDEN, RENAMED, words

_IMAGES = {
    "ops.resizing": "resize_area resize_bicubic resize_bilinear resize_nearest_neighbor",
    "ops.colors": "hsv_to_rgb rgb_to_hsv",
    "ops.crops": "crop_and_resize extract_glimpse",
    "ops.boxes": "draw_bounding_boxes sample_distorted_bounding_box",
    "ops.box_suppression": """combined_non_max_suppression non_max_suppression non_max_suppression_overlaps
    non_max_suppression_padded non_max_suppression_with_scores""",
    "ops.scaling": "scale_and_translate",
    "nn.image.colors": "adjust_jpeg_quality random_jpeg_quality",
    "nn.image.resizing": """ResizeMethod ResizeMethodV1 resize_image_with_pad_v1 resize_image_with_pad_v2 resize_images
    resize_images_v2""",
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
    RENAMED[_module, "resize_image_with_pad"] = "retrograd.nn.image.resizing:resize_image_with_pad_v1"
RENAMED["image", "ResizeMethod"] = "retrograd.nn.image.resizing:ResizeMethodV1"
for _name in words("ResizeMethodV1 resize_images_v2 resize_image_with_pad_v1 resize_image_with_pad_v2"):
    del RENAMED["image", _name]
del RENAMED["image", "scale_and_translate"]
for (_module, _name), _ours in list(RENAMED.items()):
    if _module == "image" and _name not in ("resize_images", "resize_image_with_pad", "extract_image_patches"):
        RENAMED["compat.v2.image", _name] = _ours
for _module in ("python.ops.image_ops", "python.ops.image_ops_impl"):
    RENAMED[_module, "non_max_suppression_with_overlaps"] = "retrograd.ops.box_suppression:non_max_suppression_overlaps"
    RENAMED[_module, "_verify_compatible_image_shapes"] = "retrograd.nn.image.shapes:compatible_images"
RENAMED["python.ops.image_ops", "extract_glimpse_v2"] = "retrograd.nn.second:extract_glimpse"
RENAMED["compat.v2.image", "ResizeMethod"] = "retrograd.nn.image.resizing:"
RENAMED["compat.v2.image", "resize"] = "retrograd.nn.image.resizing:resize_images_v2"
RENAMED["compat.v2.image", "resize_with_pad"] = "retrograd.nn.image.resizing:resize_image_with_pad_v2"

# -- tf.contrib: losses, layers and networks --------------------------------------------------------

_C = "retrograd.nn.contrib."
for _module in ("contrib.losses", "contrib.losses.python.losses.loss_ops", "contrib.slim.losses"):
    for _name in words("""absolute_difference add_loss compute_weighted_loss cosine_distance get_losses
    get_regularization_losses get_total_loss hinge_loss log_loss mean_squared_error sigmoid_cross_entropy
    softmax_cross_entropy sparse_softmax_cross_entropy"""):
        RENAMED[_module, _name] = f"{_C}losses:"
for _module in ("contrib.layers", "contrib.slim", "contrib.layers.python.layers.layers"):
    for _name in words("""avg_pool3d conv2d_in_plane conv3d conv3d_transpose convolution2d_in_plane convolution3d
    convolution3d_transpose group_norm instance_norm max_pool3d maxout softmax spatial_softmax"""):
        RENAMED[_module, _name] = f"{_C}more_layers:"
for _module in ("contrib.layers", "contrib.slim", "contrib.layers.python.layers.encoders"):
    RENAMED[_module, "bow_encoder"] = f"{_C}more_layers:"
for _module in ("contrib.layers.python.layers.utils", "contrib.slim.utils", "contrib.layers.utils"):
    for _name in words("""append_tensor_alias collect_named_outputs convert_collection_to_dict gather_tensors_aliases
    get_tensor_aliases"""):
        RENAMED[_module, _name] = f"{_C}collecting:"
_NETS = {
    "resnet_utils": {"resnet_utils": "Block conv2d_same resnet_arg_scope stack_blocks_dense subsample"},
    "resnet_v1": {
        "resnet_v1": """bottleneck resnet_v1 resnet_v1_101 resnet_v1_152 resnet_v1_200 resnet_v1_50
        resnet_v1_block""",
        "resnet_utils": "resnet_arg_scope",
    },
    "vgg": {"vgg": "vgg_16 vgg_19 vgg_a vgg_arg_scope vgg_d vgg_e"},
    "alexnet": {"vgg": "alexnet_v2 alexnet_v2_arg_scope"},
}
for _net, _files in _NETS.items():
    for _module in (f"contrib.slim.nets.{_net}", f"contrib.slim.python.slim.nets.{_net}"):
        for _file, _names in _files.items():
            RENAMED.update({(_module, _name): f"{_C}nets.{_file}:" for _name in words(_names)})
HIDDEN.update((f"{_C}{_file}", "*") for _file in words("collecting losses more_layers nets.resnet_utils"))
HIDDEN.update((f"{_C}nets.{_file}", "*") for _file in words("resnet_v1 vgg"))
