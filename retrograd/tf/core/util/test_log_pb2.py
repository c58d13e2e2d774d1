"""The names of ``tensorflow.core.util.test_log_pb2``."""

from retrograd.faces import missing

_LAZY = {
    "AvailableDeviceInfo": "retrograd.files.benchmark_messages",
    "BenchmarkEntries": "retrograd.files.benchmark_messages",
    "BenchmarkEntry": "retrograd.files.benchmark_messages",
    "BuildConfiguration": "retrograd.files.benchmark_messages",
    "CPUInfo": "retrograd.files.benchmark_messages",
    "CommitId": "retrograd.files.benchmark_messages",
    "DESCRIPTOR": "retrograd.files.benchmark_messages",
    "EntryValue": "retrograd.files.benchmark_messages",
    "GPUInfo": "retrograd.files.benchmark_messages",
    "MachineConfiguration": "retrograd.files.benchmark_messages",
    "MemoryInfo": "retrograd.files.benchmark_messages",
    "MetricEntry": "retrograd.files.benchmark_messages",
    "PlatformInfo": "retrograd.files.benchmark_messages",
    "RunConfiguration": "retrograd.files.benchmark_messages",
    "TestResults": "retrograd.files.benchmark_messages",
}
__getattr__ = missing(__name__, _LAZY)
