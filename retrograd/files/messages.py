"""Protocol buffers that no package ships without TensorFlow: those of checkpoints, queues and examples.

They live in a descriptor pool of their own, so that they cannot clash with another's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

# message: (field, its number, its type); ``*`` repeats it, ``?`` tells whether it is there, ``%`` is a map from
# strings, ``#string`` one from numbers to strings, ``|kind`` makes it one of those of which only one is there
_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "Dim": [("size", 1, "int64"), ("name", 2, "string")],
    "TensorShapeProto": [("dim", 2, "*Dim"), ("unknown_rank", 3, "bool")],
    "Extent": [("start", 1, "int64"), ("length", 2, "int64?")],
    "TensorSliceProto": [("extent", 1, "*Extent")],
    "VersionDef": [("producer", 1, "int32"), ("min_consumer", 2, "int32"), ("bad_consumers", 3, "*int32")],
    "BundleHeaderProto": [("num_shards", 1, "int32"), ("endianness", 2, "int32"), ("version", 3, "VersionDef")],
    "BundleEntryProto": [
        ("dtype", 1, "int32"),
        ("shape", 2, "TensorShapeProto"),
        ("shard_id", 3, "int32"),
        ("offset", 4, "int64"),
        ("size", 5, "int64"),
        ("crc32c", 6, "fixed32"),
        ("slices", 7, "*TensorSliceProto"),
    ],
    "SavedSliceMeta": [
        ("name", 1, "string"),
        ("shape", 2, "TensorShapeProto"),
        ("type", 3, "int32"),
        ("slice", 4, "*TensorSliceProto"),
    ],
    "SavedTensorSliceMeta": [("tensor", 1, "*SavedSliceMeta"), ("versions", 2, "VersionDef")],
    "SavedSlice": [("name", 1, "string"), ("slice", 2, "TensorSliceProto"), ("data", 3, "bytes")],  # a TensorProto
    "SavedTensorSlices": [("meta", 1, "SavedTensorSliceMeta"), ("data", 2, "SavedSlice")],
    "CheckpointState": [
        ("model_checkpoint_path", 1, "string"),
        ("all_model_checkpoint_paths", 2, "*string"),
        ("all_model_checkpoint_timestamps", 3, "*double"),
        ("last_preserved_timestamp", 4, "double"),
    ],
    "QueueRunnerDef": [
        ("queue_name", 1, "string"),
        ("enqueue_op_name", 2, "*string"),
        ("close_op_name", 3, "string"),
        ("cancel_op_name", 4, "string"),
        ("queue_closed_exception_types", 5, "*int32"),
    ],
    "GraphNodeProto": [
        ("name", 1, "string"),
        ("run_count", 21, "int64"),
        ("exec_micros", 2, "int64"),
        ("accelerator_exec_micros", 17, "int64"),
        ("cpu_exec_micros", 18, "int64"),
        ("requested_bytes", 3, "int64"),
        ("peak_bytes", 24, "int64"),
        ("residual_bytes", 25, "int64"),
        ("output_bytes", 26, "int64"),
        ("parameters", 4, "int64"),
        ("float_ops", 13, "int64"),
        ("total_definition_count", 23, "int64"),
        ("total_run_count", 22, "int64"),
        ("total_exec_micros", 6, "int64"),
        ("total_accelerator_exec_micros", 19, "int64"),
        ("total_cpu_exec_micros", 20, "int64"),
        ("total_requested_bytes", 7, "int64"),
        ("total_peak_bytes", 27, "int64"),
        ("total_residual_bytes", 28, "int64"),
        ("total_output_bytes", 29, "int64"),
        ("total_parameters", 8, "int64"),
        ("total_float_ops", 14, "int64"),
        ("devices", 10, "*string"),
        ("shapes", 11, "*TensorShapeProto"),
        ("children", 12, "*GraphNodeProto"),
    ],
    "MultiGraphNodeProto": [
        ("name", 1, "string"),
        ("exec_micros", 2, "int64"),
        ("accelerator_exec_micros", 12, "int64"),
        ("cpu_exec_micros", 13, "int64"),
        ("requested_bytes", 3, "int64"),
        ("peak_bytes", 16, "int64"),
        ("residual_bytes", 17, "int64"),
        ("output_bytes", 18, "int64"),
        ("parameters", 4, "int64"),
        ("float_ops", 5, "int64"),
        ("total_exec_micros", 6, "int64"),
        ("total_accelerator_exec_micros", 14, "int64"),
        ("total_cpu_exec_micros", 15, "int64"),
        ("total_requested_bytes", 7, "int64"),
        ("total_peak_bytes", 19, "int64"),
        ("total_residual_bytes", 20, "int64"),
        ("total_output_bytes", 21, "int64"),
        ("total_parameters", 8, "int64"),
        ("total_float_ops", 9, "int64"),
        ("graph_nodes", 10, "*GraphNodeProto"),
        ("children", 11, "*MultiGraphNodeProto"),
    ],
    "CodeTrace": [
        ("file_id", 6, "int64"),
        ("lineno", 2, "int32"),
        ("function_id", 7, "int64"),
        ("line_id", 8, "int64"),
        ("func_start_line", 5, "int32"),
    ],
    "CodeDef": [("traces", 1, "*CodeTrace")],
    "OpLogEntry": [
        ("name", 1, "string"),
        ("float_ops", 2, "int64"),
        ("types", 3, "*string"),
        ("code_def", 4, "CodeDef"),
    ],
    "OpLogProto": [("log_entries", 1, "*OpLogEntry"), ("id_to_string", 2, "#string")],
    # maps from numbers to messages are written as what they are in bytes: pairs
    "IntsTuple": [("int64_values", 1, "*int64")],
    "ExecTime": [("times", 1, "*IntsTuple")],
    "ExecMemory": [
        ("memory_micros", 1, "int64"),
        ("requested_bytes", 6, "int64"),
        ("peak_bytes", 7, "int64"),
        ("residual_bytes", 8, "int64"),
        ("output_bytes", 9, "int64"),
    ],
    "ExecProfile": [
        ("run_count", 1, "int64"),
        ("all_start_micros", 2, "int64"),
        ("latest_end_micros", 3, "int64"),
        ("cpu_execs", 5, "%ExecTime"),
        ("devices", 6, "*string"),
        ("memory_execs", 7, "*ExecMemory"),
    ],
    "ExecsEntry": [("key", 1, "int64"), ("value", 2, "ExecProfile")],
    "NumbersEntry": [("key", 1, "int32"), ("value", 2, "int64")],
    "ShapesEntry": [("key", 1, "int32"), ("value", 2, "IntsTuple")],
    "ProfileNode": [
        ("name", 1, "string"),
        ("inputs", 2, "*NumbersEntry"),
        ("shape", 4, "*int64"),
        ("op_types", 5, "*string"),
        ("canonical_device", 6, "string"),
        ("float_ops", 8, "int64"),
        ("op", 9, "string"),
        ("trace", 10, "CodeDef"),
        ("execs", 12, "*ExecsEntry"),
        ("id", 13, "int64"),
        ("output_shapes", 15, "*ShapesEntry"),
    ],
    "NodesEntry": [("key", 1, "int64"), ("value", 2, "ProfileNode")],
    "ProfileProto": [
        ("nodes", 1, "*NodesEntry"),
        ("has_trace", 2, "bool"),
        ("steps", 3, "*int64"),
        ("id_to_string", 4, "#string"),
    ],
    "Checker": [("reports", 2, "*string")],
    "AdviceProto": [("checkers", 1, "%Checker")],
    "InterconnectLink": [("device_id", 1, "int32"), ("type", 2, "string"), ("strength", 3, "int32")],
    "LocalLinks": [("link", 1, "*InterconnectLink")],
    "DeviceLocality": [("bus_id", 1, "int32"), ("numa_node", 2, "int32"), ("links", 3, "LocalLinks")],
    "DeviceAttributes": [
        ("name", 1, "string"),
        ("device_type", 2, "string"),
        ("memory_limit", 4, "int64"),
        ("locality", 5, "DeviceLocality"),
        ("incarnation", 6, "fixed64"),
        ("physical_device_desc", 7, "string"),
    ],
    "BytesList": [("value", 1, "*bytes")],
    "FloatList": [("value", 1, "*float")],
    "Int64List": [("value", 1, "*int64")],
    "BoolList": [("value", 1, "*bool")],
    "HParamType": [
        ("int64_value", 1, "int64|kind"),
        ("float_value", 2, "float|kind"),
        ("bytes_value", 3, "bytes|kind"),
        ("int64_list", 4, "Int64List|kind"),
        ("float_list", 5, "FloatList|kind"),
        ("bytes_list", 6, "BytesList|kind"),
        ("bool_value", 7, "bool|kind"),
        ("bool_list", 8, "BoolList|kind"),
    ],
    "HParamDef": [("hparam", 1, "%HParamType")],
    "Feature": [
        ("bytes_list", 1, "BytesList|kind"),
        ("float_list", 2, "FloatList|kind"),
        ("int64_list", 3, "Int64List|kind"),
    ],
    "Features": [("feature", 1, "%Feature")],
    "FeatureList": [("feature", 1, "*Feature")],
    "FeatureLists": [("feature_list", 1, "%FeatureList")],
    "Example": [("features", 1, "Features")],
    "SequenceExample": [("context", 1, "Features"), ("feature_lists", 2, "FeatureLists")],
    "LinearParam": [
        ("slope", 1, "float"),
        ("y_intercept", 2, "float"),
        ("min_val", 3, "float"),
        ("max_val", 4, "float"),
    ],
    "ExponentialParam": [
        ("bias", 1, "float"),
        ("base", 2, "float"),
        ("multiplier", 3, "float"),
        ("depth_multiplier", 4, "float"),
    ],
    "ThresholdParam": [("on_value", 1, "float"), ("off_value", 2, "float"), ("threshold", 3, "float")],
    "DepthDependentParam": [
        ("constant_value", 1, "float|ParamType"),
        ("linear", 2, "LinearParam|ParamType"),
        ("exponential", 3, "ExponentialParam|ParamType"),
        ("threshold", 4, "ThresholdParam|ParamType"),
    ],
    "SplitPruningConfig": [("prune_every_samples", 1, "DepthDependentParam"), ("type", 2, "int32")],
    "SplitFinishConfig": [("check_every_steps", 1, "DepthDependentParam"), ("type", 2, "int32")],
    "TensorForestParams": [
        ("leaf_type", 1, "int32"),
        ("stats_type", 2, "int32"),
        ("collection_type", 3, "int32"),
        ("pruning_type", 4, "SplitPruningConfig"),
        ("finish_type", 5, "SplitFinishConfig"),
        ("num_trees", 6, "int32"),
        ("max_nodes", 7, "int32"),
        ("is_regression", 8, "bool"),
        ("drop_final_class", 9, "bool"),
        ("collate_examples", 10, "bool"),
        ("checkpoint_stats", 11, "bool"),
        ("num_outputs", 12, "int32"),
        ("num_splits_to_consider", 13, "DepthDependentParam"),
        ("split_after_samples", 14, "DepthDependentParam"),
        ("dominate_fraction", 15, "DepthDependentParam"),
        ("graph_dir", 16, "string"),
        ("num_select_features", 17, "int32"),
        ("min_split_samples", 18, "DepthDependentParam"),
        ("inequality_test_type", 19, "int32"),
        ("use_running_stats_method", 20, "bool"),
        ("num_features", 21, "int32"),
        ("initialize_average_splits", 22, "bool"),
        ("inference_tree_paths", 23, "bool"),
        ("num_classes_to_track", 24, "int32"),
    ],
}


def __getattr__(name: str) -> Any:
    """The class of a message is found under its name here, too."""
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message(name)


@cache
def message(name: str) -> Any:
    """The class of a message."""
    return _classes()[f"tensorflow.{name}"]


@cache
def _classes() -> Any:
    return classes_of(_MESSAGES, "tensorflow")


def classes_of(
    messages: Mapping[str, Sequence[tuple[str, int, str]]], package: str, others: Mapping[str, Any] | None = None,
    enums: Mapping[str, Sequence[str]] | None = None, file: str = "",
) -> Any:  # fmt: skip
    """The classes of messages that are written as in ``_MESSAGES``, by their full names.

    ``others`` are the classes of messages from elsewhere that these contain: then all are of the pool of those.
    ``enums`` are types of fields, with the names of their values from 0 on; ``Message.Enum`` is one within a message.
    ``file`` is the name of the file that would hold all of them.
    """
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    kinds = descriptor_pb2.FieldDescriptorProto
    written = descriptor_pb2.FileDescriptorProto(name=file or f"{package}.proto", package=package, syntax="proto3")
    elsewhere = {name: kind.DESCRIPTOR for name, kind in (others or {}).items()}
    written.dependency.extend(dict.fromkeys(descriptor.file.name for descriptor in elsewhere.values()))
    protos = {name: written.message_type.add(name=name) for name in messages}
    for enum, values in (enums or {}).items():
        outer, _, inner = enum.rpartition(".")
        entries = (protos[outer] if outer else written).enum_type.add(name=inner).value
        for number, value in enumerate(values):
            entries.add(name=value, number=number)

    def set_type(field: Any, base: str) -> None:
        if base in (enums or {}):
            field.type, field.type_name = kinds.TYPE_ENUM, f".{package}.{base}"
        elif base.partition(".")[0] in messages:
            field.type, field.type_name = kinds.TYPE_MESSAGE, f".{package}.{base}"
        elif base in elsewhere:
            field.type, field.type_name = kinds.TYPE_MESSAGE, f".{elsewhere[base].full_name}"
        else:
            field.type = getattr(kinds, f"TYPE_{base.upper()}")

    for name, fields in messages.items():
        proto = protos[name]
        for field, number, kind in fields:
            kind, _, choice = kind.partition("|")
            base = kind.strip("*?%#")
            entry = proto.field.add(name=field, number=number)
            entry.label = kinds.LABEL_REPEATED if kind[0] in "*%#" else kinds.LABEL_OPTIONAL
            if kind[0] in "%#":
                set_type(_value_of_map(proto, field, kinds.TYPE_STRING if kind[0] == "%" else kinds.TYPE_INT64), base)
                base = f"{name}.{_entry_name(field)}"
            set_type(entry, base)
            if kind[-1] == "?" or choice:
                choice = choice or f"has_{field}"
                if choice not in (each.name for each in proto.oneof_decl):
                    proto.oneof_decl.add(name=choice)
                entry.oneof_index = len(proto.oneof_decl) - 1
    pool = next((each.file.pool for each in elsewhere.values()), None) or descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(written.SerializeToString())
    return message_factory.GetMessageClassesForFiles([written.name], pool)


def _entry_name(field: str) -> str:
    return "".join(word.capitalize() for word in field.split("_")) + "Entry"


def _value_of_map(proto: Any, field: str, keys: int) -> Any:
    """The second field, whose type is yet to be set, of the message that a pair of a map is."""
    entry = proto.nested_type.add(name=_entry_name(field))
    entry.options.map_entry = True
    key, value = entry.field.add(name="key", number=1, type=keys), entry.field.add(name="value", number=2)
    key.label = value.label = key.LABEL_OPTIONAL
    return value
