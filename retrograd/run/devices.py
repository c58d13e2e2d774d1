"""The devices that a session runs on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.devices import canonical
from retrograd.graph.operation import Operation

_HERE = "/job:localhost/replica:0/task:0"
CPU = f"{_HERE}/device:CPU:0"


class DeviceAttributes:
    """One device, as ``Session.list_devices`` describes it."""

    def __init__(self, name: str, device_type: str, memory_limit_bytes: int, incarnation: int) -> None:
        self.name = canonical(name)
        self.device_type = device_type
        self.memory_limit_bytes = memory_limit_bytes
        self.incarnation = incarnation

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


def list_local_devices(session_config: object = None) -> list[Any]:
    """The devices of this process as protocol buffers: the CPU."""
    from retrograd.files.messages import message

    found = []
    for i, device in enumerate(local_devices(session_config)):
        found.append(
            message("DeviceAttributes")(
                name=f"/device:CPU:{i}", device_type="CPU", memory_limit=device.memory_limit_bytes,
                incarnation=device.incarnation,
            )
        )  # fmt: skip
        found[-1].locality.SetInParent()
    return found


def local_devices(config: object = None, task: str = _HERE) -> list[DeviceAttributes]:
    """The CPU, as often as the ``device_count`` of a ``ConfigProto`` asks; the memory is TensorFlow's figure."""
    count = getattr(config, "device_count", {}).get("CPU", 1)
    return [DeviceAttributes(f"{task}/device:CPU:{i}", "CPU", 1 << 28, 1) for i in range(count)]


def placement(ops: Sequence[Operation]) -> str:
    """A line for each op, what it is and where it runs; those that make something of nothing come last."""
    makers = [op for op in ops if not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype.is_ref]
    return "\n".join(f"{op.name}: ({op.type}): {CPU}" for op in sorted(ops, key=set(makers).__contains__))
