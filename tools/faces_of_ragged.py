"""What names alone cannot say of ragged tensors, and of what takes them; added to the table of ``faces_table``."""

from pathlib import Path

from faces_table import HIDDEN, RENAMED, words

_R = "retrograd.ragged."
_NAMES = Path(__file__).parents[1] / "tests" / "golden" / "names.tsv"

_MODULES = {
    "ragged_tensor": {
        "tensor": "RaggedTensor convert_to_tensor_or_ragged_tensor is_ragged match_row_splits_dtypes",
        "specs": "RaggedTensorSpec RaggedTensorType",
    },
    "ragged_tensor_value": {"values": "RaggedTensorValue"},
    "ragged_factory_ops": {"making": "constant constant_value placeholder"},
    "ragged_conversion_ops": {
        "making": "from_sparse from_tensor to_sparse to_tensor",
        "defaults": "ragged_to_dense",
    },
    "ragged_batch_gather_with_default_op": {"defaults": "batch_gather_with_default"},
    "ragged_functional_ops": {"making": "map_flat_values"},
    "segment_id_ops": {"splits": "row_splits_to_segment_ids segment_ids_to_row_splits"},
    "ragged_math_ops": {
        "reducing": """reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum segment_max
        segment_mean segment_min segment_prod segment_sqrt_n segment_sum"""
    },
    "ragged_array_ops": {"rows": "boolean_mask expand_dims ragged_one_hot rank size stack_dynamic_partitions tile"},
    "ragged_concat_ops": {"rows": "concat stack"},
    "ragged_gather_ops": {"rows": "gather gather_nd"},
    "ragged_batch_gather_ops": {"rows": "batch_gather"},
    "ragged_squeeze_op": {"rows": "squeeze"},
    "ragged_where_op": {"rows": "where"},
    "ragged_tensor_shape": {"shapes": "RaggedTensorDynamicShape broadcast_dynamic_shape broadcast_to"},
    "ragged_getitem": {"slicing": "ragged_tensor_getitem"},
    "ragged_string_ops": {
        "strings": """ngrams string_bytes_split string_split string_split_v2 strings_split_v1 unicode_decode
        unicode_decode_with_offsets unicode_encode unicode_split unicode_split_with_offsets""",
        "reducing": "reduce_join",
    },
}
for _module, _parts in _MODULES.items():
    for _part, _names in _parts.items():
        HIDDEN.add((f"{_R}{_part}", "*"))
        for _name in words(_names):
            RENAMED[f"python.ops.ragged.{_module}", _name] = f"{_R}{_part}:"
RENAMED["python.ops.ragged.ragged_map_ops", "map_fn"] = "retrograd.nn.ragged_maps:"
HIDDEN.add(("retrograd.nn.ragged_maps", "*"))
RENAMED["python.ops.ragged.ragged_math_ops", "range"] = f"{_R}reducing:range_"
RENAMED["python.ops.ragged.ragged_factory_ops", "_find_scalar_and_max_depth"] = f"{_R}making:_depths"
RENAMED["python.ops.ragged.ragged_factory_ops", "_default_inner_shape_for_pylist"] = f"{_R}making:_inner_shape"
RENAMED["python.ops.ragged.ragged_util", "convert_to_int_tensor"] = f"{_R}splits:"
RENAMED["python.ops.ragged.ragged_util", "get_positive_axis"] = f"{_R}splits:positive_axis"
RENAMED["python.ops.ragged.ragged_util", "lengths_to_splits"] = f"{_R}splits:"
RENAMED["python.ops.ragged.ragged_util", "repeat_ranges"] = f"{_R}splits:"
RENAMED["python.ops.ragged.ragged_util", "assert_splits_match"] = f"{_R}splits:same_splits"
RENAMED["python.ops.ragged.ragged_util", "repeat"] = "retrograd.ops.repeating:repeat_with_axis"
HIDDEN.update((f"{_R}{_part}", "*") for _part in ("dispatching", "partitions"))

# -- TensorFlow's functions that take ragged tensors: each stands wherever TensorFlow has the same object -----------

_DISPATCHED = {
    "": """abs acos acosh add add_n angle as_string asin asinh atan atan2 atanh batch_gather cast ceil check_numerics
    clip_by_value complex concat conj cos cosh decode_base64 digamma div_no_nan divide dynamic_partition encode_base64
    equal erf erfc exp expand_dims expm1 floor floordiv floormod gather gather_nd greater greater_equal identity imag
    is_finite is_inf is_nan less less_equal lgamma log log1p log_sigmoid logical_and logical_not logical_or
    logical_xor maximum minimum multiply negative not_equal one_hot ones_like pow rank real reciprocal reduce_all
    reduce_any reduce_join reduce_max reduce_mean reduce_min reduce_prod reduce_sum regex_replace rint round rsqrt
    saturate_cast sign sin sinh size sqrt square squared_difference squeeze stack string_join string_strip
    string_to_hash_bucket string_to_hash_bucket_fast string_to_hash_bucket_strong string_to_number substr subtract tan
    tile truediv truncatediv truncatemod unsorted_segment_max unsorted_segment_mean unsorted_segment_min
    unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum where zeros_like div""",
    "bitwise": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
    "io": "decode_compressed",
    "math": "log_sigmoid",
    "strings": "regex_full_match",
}
_UNDERSCORED = words("abs complex pow round")
_rows = [line.split("\t") for line in _NAMES.read_text().splitlines()]
_objects = {(path, name): f"tensorflow.{path}.{name}" if what == "=" else what for path, name, what in _rows}
_ours = {}
for _module, _names in _DISPATCHED.items():
    for _name in words(_names):
        _what = _objects.get((_module, _name), "")
        if _what.startswith("tensorflow."):
            _ours[_what] = f"{_R}dispatching:{_name}{'_' if _name in _UNDERSCORED else ''}"
_ours[_objects["strings", "length"]] = f"{_R}dispatching:string_length"
for (_path, _name), _what in _objects.items():
    if _what in _ours and ".gen_" not in _path and RENAMED.get((_path, _name)) != "":
        RENAMED[_path, _name] = _ours[_what]
for (_path, _name), _what in _objects.items():
    for _module, _parts in _MODULES.items():
        for _part, _names in _parts.items():
            if _what.startswith(f"tensorflow.python.ops.ragged.{_module}.") and _what.rpartition(".")[2] in words(
                _names
            ):
                RENAMED[_path, _name] = f"{_R}{_part}:{_what.rpartition('.')[2]}"
RENAMED["ragged", "range"] = f"{_R}reducing:range_"
RENAMED["strings", "unicode_transcode"] = "retrograd.ops.unicode:"
RENAMED["python.ops.string_ops", "unicode_transcode"] = "retrograd.ops.unicode:"
for _name in words("string_split string_split_v2"):
    RENAMED["python.ops.string_ops", _name] = "retrograd.ops.strings:"
