"""The devices that a session runs on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """One device, as ``Session.list_devices`` describes it; ``memory_limit_bytes`` is TensorFlow's figure for a CPU."""

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int

    def __repr__(self) -> str:
        return f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, {self.incarnation})"


def local_devices() -> list[Device]:
    """The interpreter's: one CPU."""
    return [Device("/job:localhost/replica:0/task:0/device:CPU:0", "CPU", 1 << 28, 1)]
