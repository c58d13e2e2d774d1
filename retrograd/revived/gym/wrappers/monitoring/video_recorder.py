"""Films of environments."""

from __future__ import annotations

from typing import Any


class VideoRecorder:
    """Takes part in a program that films its environment; a film itself needs an encoder, which is not here.

    Raises:
      RuntimeError: ``enabled`` is true and a frame is to be captured.
    """

    def __init__(
        self,
        env: Any,
        path: str | None = None,
        metadata: dict[str, Any] | None = None,
        enabled: bool = True,
        base_path: str | None = None,
    ) -> None:
        if path is not None and base_path is not None:
            raise ValueError("path and base_path are two ways to say where the film goes: give one")
        self.env, self.path, self.metadata, self.enabled = env, path, metadata or {}, enabled
        if path is None and base_path is not None:
            self.path = base_path + ".mp4"
        self.functional = enabled

    def capture_frame(self) -> None:
        """The next frame of the film."""
        if self.enabled:
            raise RuntimeError("no film without an encoder; render the environment, and keep the images: env.render()")

    def close(self) -> None:
        """The end of the film."""
