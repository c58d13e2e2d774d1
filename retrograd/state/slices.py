"""Which part of a larger variable a variable holds."""

from __future__ import annotations

from typing import Any


class SaveSliceInfo:
    """Which part of a larger variable a variable holds, for saving it under the larger one's name."""

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Any = None,
        var_offset: Any = None,
        var_shape: Any = None,
        save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if save_slice_info_def is not None:
            self.full_name: str | None = in_scope(save_slice_info_def.full_name, import_scope)
            self.full_shape = list(save_slice_info_def.full_shape)
            self.var_offset = list(save_slice_info_def.var_offset)
            self.var_shape = list(save_slice_info_def.var_shape)
        else:
            self.full_name = full_name
            self.full_shape = full_shape
            self.var_offset = var_offset
            self.var_shape = var_shape

    @property
    def spec(self) -> str:
        """``full shape offset,length:offset,length``, as checkpoints name a slice."""
        full = " ".join(f"{n}" for n in self.full_shape) + " "
        return full + ":".join(f"{o},{n}" for o, n in zip(self.var_offset, self.var_shape, strict=True))

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A ``SaveSliceInfoDef``, or None if the variable is not inside ``export_scope``."""
        from tensorboard.compat.proto import variable_pb2

        if export_scope is not None and not (self.full_name or "").startswith(export_scope):
            return None
        return variable_pb2.SaveSliceInfoDef(
            full_name=without_scope(self.full_name or "", export_scope), full_shape=self.full_shape,
            var_offset=self.var_offset, var_shape=self.var_shape,
        )  # fmt: skip


def in_scope(name: str, scope: str | None) -> str:
    """``scope/name``; ``name`` itself if there is no scope."""
    return f"{scope.rstrip('/')}/{name}" if scope else name


def without_scope(name: str, scope: str | None) -> str:
    """``name`` without a leading ``scope/``."""
    return name.removeprefix(f"{scope.rstrip('/')}/") if scope else name
