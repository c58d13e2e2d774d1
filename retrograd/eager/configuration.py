"""``tf.config``: what a program asks of devices and threads; there is one device, the CPU."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

PhysicalDevice = namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = namedtuple("LogicalDevice", ["name", "device_type"])
VirtualDeviceConfiguration = namedtuple("VirtualDeviceConfiguration", ["memory_limit"], defaults=[None])

_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_asked: dict[str, Any] = {}  # settings that are given back as they were made


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine that ops run on, or those of a type.

    >>> list_physical_devices("GPU")
    []
    """
    return [_CPU] if device_type in (None, "CPU") else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that a program can name: the CPU, under as many names as were asked for."""
    _asked["listed"] = True
    names = range(len(_asked.get("virtual", (None,))) if device_type in (None, "CPU") else 0)
    return [LogicalDevice(f"/job:localhost/replica:0/task:0/device:CPU:{i}", "CPU") for i in names]


def get_virtual_device_configuration(device: Any) -> list[VirtualDeviceConfiguration] | None:
    """The virtual devices that a device was divided into, or None.

    Raises:
      ValueError: it is not there.
    """
    _known(device)
    return list(_asked["virtual"]) if "virtual" in _asked else None


def set_virtual_device_configuration(device: Any, virtual_devices: Any) -> None:
    """Give a device several names; their ops run on it all the same.

    Raises:
      ValueError: the device is not there, or a part of a CPU has a limit of memory.
      RuntimeError: other devices were listed before.
    """
    _known(device)
    if any(part.memory_limit is not None for part in virtual_devices):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if _asked.get("listed") and _asked.get("virtual") != list(virtual_devices):
        raise RuntimeError("Virtual devices cannot be modified after being initialized")
    _asked["virtual"] = list(virtual_devices)


def _known(device: Any) -> None:
    if device != _CPU:
        raise ValueError(f"Unrecognized device: {device!r}")


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that are used."""
    return list_physical_devices(device_type)


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Use these devices.

    Raises:
      ValueError: one is not there.
    """
    for device in devices if isinstance(devices, list | tuple) else [devices]:
        if device is not None and device not in list_physical_devices():
            raise ValueError(f"Unrecognized device: {device!r}")


def set_memory_growth(device: Any, enable: bool) -> None:
    """Let a GPU's memory be taken as needed.

    Raises:
      ValueError: it is no GPU.
    """
    raise ValueError(
        "Cannot set memory growth on non-GPU devices" if device == _CPU else f"Unrecognized device: {device!r}"
    )


def get_memory_growth(device: Any) -> Any:
    """Whether a GPU's memory is taken as needed.

    Raises:
      ValueError: it is no GPU.
    """
    raise ValueError("Memory growth only set for GPU devices" if device == _CPU else f"Unrecognized device: {device!r}")


def get_soft_device_placement() -> bool:
    """Whether an op may run elsewhere than it is placed: always."""
    return True


def set_soft_device_placement(enabled: bool) -> None:
    """Nothing changes: an op that is placed on another device runs on the CPU."""


def get_synchronous_execution() -> bool:
    """Whether an op has run when its call returns: always."""
    return True


def set_synchronous_execution(enable: bool) -> None:
    """Nothing changes: an op has run when its call returns."""


def get_intra_op_parallelism_threads() -> int:
    """The threads of one op that were asked for; 0 leaves them to the machine."""
    return int(_asked.get("intra", 0))


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Ask for so many threads of one op; what has them is NumPy's library and XLA, which decide."""
    _asked["intra"] = num_threads


def get_inter_op_parallelism_threads() -> int:
    """The ops at once that were asked for."""
    return int(_asked.get("inter", 0))


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Ask for so many ops at once; one runs after the other."""
    _asked["inter"] = num_threads


def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """Call functions of ``tf.function`` as they are, or trace them."""
    _asked["eagerly"] = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions are called as they are."""
    return bool(_asked.get("eagerly", False))


_POLICIES = ("silent", "silent_for_int32", "warn", "explicit")


def get_device_policy() -> str:
    """What was asked for tensors on another device than their op: ``"silent"`` unless anything was."""
    return str(_asked.get("policy", "silent"))


def set_device_policy(device_policy: str | None) -> None:
    """Ask for a policy; nothing changes, for there is one device.

    Raises:
      ValueError: there is no such policy.
    """
    if device_policy not in (None, *_POLICIES):
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    _asked["policy"] = device_policy or "silent"


def get_log_device_placement() -> bool:
    """Whether the devices of ops are logged, as asked."""
    return bool(_asked.get("log_device_placement", False))


def set_log_device_placement(enabled: bool) -> None:
    """Ask for the devices of ops: all are the CPU."""
    _asked["log_device_placement"] = enabled


def get_jit() -> bool:
    """Whether compilation was asked for by ``set_jit``."""
    return bool(_asked.get("jit", False))


def set_jit(enabled: bool) -> None:
    """Ask for compilation; what is worth it is compiled either way."""
    _asked["jit"] = enabled


_REWRITERS = {"disable_model_pruning": False, "disable_meta_optimizer": False}
_SWITCHES = {
    *("layout_optimizer", "constant_folding", "shape_optimization", "remapping", "arithmetic_optimization"),
    *("dependency_optimization", "loop_optimization", "function_optimization", "debug_stripper"),
    *("disable_model_pruning", "scoped_allocator_optimization", "pin_to_host_optimization"),
    *("implementation_selector", "auto_mixed_precision", "disable_meta_optimizer", "min_graph_nodes"),
}


def get_experimental_options() -> dict[str, bool]:
    """What was asked of TensorFlow's rewriter of graphs, which is not here."""
    return dict(_asked.get("rewriters", _REWRITERS))


def set_experimental_options(options: Any) -> None:
    """Ask the rewriter of graphs, which is not here: the numbers are those without it."""
    known = {name: bool(value) for name, value in options.items() if name in _SWITCHES}
    _asked["rewriters"] = {**get_experimental_options(), **known}
