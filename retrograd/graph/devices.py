"""Device names: ``/job:worker/replica:0/task:1/device:GPU:0`` and their merging."""

from __future__ import annotations

from typing import Any


class DeviceSpec:
    """A possibly partial description of a device.

    >>> DeviceSpec(job="ps", device_type="CPU", device_index=0).to_string()
    '/job:ps/device:CPU:0'
    """

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        self.job = job
        self.replica = None if replica is None else int(replica)
        self.task = None if task is None else int(task)
        self.device_type = device_type.upper() if device_type in ("cpu", "gpu") else device_type
        self.device_index = None if device_index is None else int(device_index)

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The description that a device name gives.

        Raises:
          ValueError: a part of the name is unknown, or two device types are named.
        """
        return cls().parse_from_string(spec)

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """Replace this description by that of ``spec``; returns ``self``."""
        self.__init__()  # type: ignore[misc]
        for part in filter(None, spec.split("/")):
            key, *rest = part.split(":")
            if key == "job" and len(rest) == 1:
                self.job = rest[0]
            elif key in ("replica", "task") and len(rest) == 1:
                setattr(self, key, int(rest[0]))
            elif key.lower() in _TYPES and len(rest) < 2:
                self._set_type(spec, key.upper(), rest[0] if rest else "*")
            elif key == "device" and len(rest) == 2:
                self._set_type(spec, rest[0], rest[1])
            elif part:
                raise ValueError(f"Unknown attribute: '{key}' in '{spec}'")
        return self

    def _set_type(self, spec: str, device_type: str, index: str) -> None:
        if self.device_type is not None:
            raise ValueError(f"Cannot specify multiple device types: {spec}")
        self.device_type = device_type.upper() if device_type in ("cpu", "gpu") else device_type
        self.device_index = None if index == "*" else int(index)

    def merge_from(self, dev: DeviceSpec) -> None:
        """Take every part that ``dev`` states."""
        for key in _PARTS:
            value = getattr(dev, key)
            if value is not None:
                setattr(self, key, value)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """A new description: the parts of ``dev``, then those of ``self``."""
        merged = DeviceSpec(**{key: getattr(self, key) for key in _PARTS})
        merged.merge_from(dev)
        return merged

    def replace(self, **parts: Any) -> DeviceSpec:
        """A new description with these parts in the place of its own."""
        return DeviceSpec(**{key: getattr(self, key) for key in _PARTS} | parts)

    def to_string(self) -> str:
        """The device's name."""
        text = "".join(
            f"/{key}:{getattr(self, key)}" for key in ("job", "replica", "task") if getattr(self, key) is not None
        )
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())


_PARTS = ("job", "replica", "task", "device_type", "device_index")
_TYPES = ("cpu", "gpu", "tpu", "xla_cpu", "xla_gpu")


def canonical(device: Any) -> str:
    """The full spelling of a device name: ``/gpu:0`` is ``/device:GPU:0``."""
    if device is None:
        return ""
    if isinstance(device, DeviceSpec):
        return device.to_string()
    return DeviceSpec.from_string(device).to_string()


class MergeDevice:
    """A device function: fill in what the op's device leaves open."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec if isinstance(spec, DeviceSpec) else DeviceSpec.from_string(spec or "")

    def __call__(self, op: Any) -> str:
        return self.spec.make_merged_spec(DeviceSpec.from_string(op.device)).to_string()


def merge_device(spec: Any) -> MergeDevice:
    """A device function that merges ``spec`` into each op's device."""
    return MergeDevice(spec)
