"""``tf.train.CheckpointManager``: numbered checkpoints in a folder, the last of which are kept."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from retrograd.files.bundles import exists
from retrograd.graph import log
from retrograd.graph.text import as_text
from retrograd.io.checkpoint_files import get_checkpoint_state, remove_checkpoint, update_checkpoint_state_internal
from retrograd.io.object_checkpoints import Checkpoint
from retrograd.io.object_restoring import session_for


class CheckpointManager:
    """Saves numbered checkpoints of one ``Checkpoint`` to a folder, and keeps the last ``max_to_keep``.

    One of every ``keep_checkpoint_every_n_hours`` hours is kept for good.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_max_to_keep`, got {max_to_keep}.")
        self._checkpoint, self._directory = checkpoint, as_text(os.fspath(directory))
        self._max_to_keep, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._latest: str | None = None
        self._kept: dict[str, float] = {}  # those that may be deleted, and when they were written
        self._preserved = time.time()
        state = get_checkpoint_state(self._directory)
        if state is not None:
            self._latest = state.model_checkpoint_path
            self._go_on_from(state, self._preserved)

    def _go_on_from(self, state: Any, now: float) -> None:
        """Know the checkpoints of ``state`` as one's own, unless the clock went back since: then they stay."""
        times, paths = state.all_model_checkpoint_timestamps, state.all_model_checkpoint_paths
        behind = state.last_preserved_timestamp - now
        if behind > 0:
            log.warning(
                f"time.time() returned a value {behind:f} seconds behind the last preserved checkpoint timestamp."
            )
            return
        self._kept = {p: t for p, t in zip(paths, times, strict=False) if exists(p)}  # others are not its own
        self._preserved = state.last_preserved_timestamp or now

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the last checkpoint."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of those that are kept, oldest first; those kept for good are not among them."""
        return list(self._kept)

    @property
    def checkpoint_prefix(self) -> str:
        """What the paths begin with."""
        return self._prefix

    def save(self, checkpoint_number: Any = None) -> str:
        """Write a checkpoint and delete what is too much; its number is a count, or the one that is given."""
        session = session_for(None)
        count = self._checkpoint._next_number(session)
        if checkpoint_number is None:
            checkpoint_number = count
        elif not isinstance(checkpoint_number, int | np.integer):
            checkpoint_number = session.run(checkpoint_number)
        path = self._checkpoint.write(f"{self._prefix}-{int(checkpoint_number)}", session)
        now = time.time()
        self._kept.pop(path, None)
        self._kept[path], self._latest = now, path
        gone = self._overdue(now)
        update_checkpoint_state_internal(
            self._directory, path, all_model_checkpoint_paths=self.checkpoints,
            all_model_checkpoint_timestamps=list(self._kept.values()), last_preserved_timestamp=self._preserved,
            save_relative_paths=True,
        )  # fmt: skip
        for old in gone:
            remove_checkpoint(old)
        return path

    def _overdue(self, now: float) -> list[str]:
        gone = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            old, written = next(iter(self._kept.items()))
            del self._kept[old]
            if self._hours is not None and written - self._preserved >= self._hours * 3600:
                self._preserved = written
                log.info("%s is kept for good", old)
            else:
                gone.append(old)
        return gone
