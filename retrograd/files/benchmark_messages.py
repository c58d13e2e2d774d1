"""The messages of test logs: what benchmarks measured, of which build, on which machine."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrograd.files.messages import classes_of

_PACKAGE = "tensorflow"
_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "EntryValue": [("double_value", 1, "double|kind"), ("string_value", 2, "string|kind")],
    "MetricEntry": [
        ("name", 1, "string"),
        ("value", 2, "double"),
        ("min_value", 3, "DoubleValue"),
        ("max_value", 4, "DoubleValue"),
    ],
    "BenchmarkEntry": [
        ("name", 1, "string"),
        ("iters", 2, "int64"),
        ("cpu_time", 3, "double"),
        ("wall_time", 4, "double"),
        ("throughput", 5, "double"),
        ("extras", 6, "%EntryValue"),
        ("metrics", 7, "*MetricEntry"),
    ],
    "BenchmarkEntries": [("entry", 1, "*BenchmarkEntry")],
    "BuildConfiguration": [("mode", 1, "string"), ("cc_flags", 2, "*string"), ("opts", 3, "*string")],
    "CommitId": [
        ("changelist", 1, "int64|kind"),
        ("hash", 2, "string|kind"),
        ("snapshot", 3, "string"),
        ("pending_changelist", 4, "int64"),
    ],
    "CPUInfo": [
        ("num_cores", 1, "int64"),
        ("num_cores_allowed", 2, "int64"),
        ("mhz_per_cpu", 3, "double"),
        ("cpu_info", 4, "string"),
        ("cpu_governor", 5, "string"),
        ("cache_size", 6, "%int64"),
    ],
    "MemoryInfo": [("total", 1, "int64"), ("available", 2, "int64")],
    "GPUInfo": [("model", 1, "string"), ("uuid", 2, "string"), ("bus_id", 3, "string")],
    "PlatformInfo": [
        ("bits", 1, "string"),
        ("linkage", 2, "string"),
        ("machine", 3, "string"),
        ("release", 4, "string"),
        ("system", 5, "string"),
        ("version", 6, "string"),
    ],
    "AvailableDeviceInfo": [
        ("name", 1, "string"),
        ("type", 2, "string"),
        ("memory_limit", 3, "int64"),
        ("physical_description", 4, "string"),
    ],
    "MachineConfiguration": [
        ("hostname", 1, "string"),
        ("serial_identifier", 7, "string"),
        ("platform_info", 2, "PlatformInfo"),
        ("cpu_info", 3, "CPUInfo"),
        ("device_info", 4, "*Any"),
        ("available_device_info", 5, "*AvailableDeviceInfo"),
        ("memory_info", 6, "MemoryInfo"),
    ],
    "RunConfiguration": [("argument", 1, "*string")],
    "TestResults": [
        ("target", 1, "string"),
        ("entries", 2, "BenchmarkEntries"),
        ("build_configuration", 3, "BuildConfiguration"),
        ("commit_id", 4, "CommitId"),
        ("start_time", 5, "int64"),
        ("run_time", 6, "double"),
        ("machine_configuration", 7, "MachineConfiguration"),
        ("run_configuration", 8, "RunConfiguration"),
        ("name", 9, "string"),
        ("benchmark_type", 10, "TestResults.BenchmarkType"),
        ("run_mode", 11, "string"),
        ("tf_version", 12, "string"),
    ],
}
_ENUMS = {
    "TestResults.BenchmarkType": ("UNKNOWN", "CPP_MICROBENCHMARK", "PYTHON_BENCHMARK", "ANDROID_BENCHMARK"),
}


@cache
def _classes() -> Any:
    """The classes; in the pool where ``Any`` looks for what it holds when it is printed."""
    from google.protobuf import any_pb2, wrappers_pb2

    others = {"Any": any_pb2.Any, "DoubleValue": wrappers_pb2.DoubleValue}
    return classes_of(_MESSAGES, _PACKAGE, others, _ENUMS, file="tensorflow/core/util/test_log.proto")


def __getattr__(name: str) -> Any:
    """The class of a message is found under its name, what all are described by as ``DESCRIPTOR``."""
    if name == "DESCRIPTOR":
        return _classes()[f"{_PACKAGE}.TestResults"].DESCRIPTOR.file
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _classes()[f"{_PACKAGE}.{name}"]
