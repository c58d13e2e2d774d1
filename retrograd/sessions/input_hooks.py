"""A hook that saves where the iterators of a graph stand, beside an estimator's checkpoints but not in them."""

from __future__ import annotations

from typing import Any

from retrograd.graph.scopes import get_collection
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.saved_iterators import saveable_of
from retrograd.io.saver import Saver
from retrograd.sessions.hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from retrograd.sessions.saving_hooks import CheckpointSaverHook


class CheckpointInputPipelineHook(SessionRunHook):
    """Saves the iterators whenever ``estimator`` saves its model, and lets them go on where they stood."""

    def __init__(self, estimator: Any) -> None:
        config = estimator._config
        prefix = "input"
        if config.num_worker_replicas > 1:
            prefix += f"_{config.task_type}_{config.task_id}"
        self._checkpoint_saver_hook = CheckpointSaverHook(
            estimator.model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
            checkpoint_basename=f"{prefix}.ckpt",
        )  # fmt: skip
        self._latest_filename = f"checkpoint_{prefix}"
        self._is_first = True

    def begin(self) -> None:
        hook = self._checkpoint_saver_hook
        if hook._saver is None and hook._scaffold is None:
            saveables = [saveable_of(resource) for resource in get_collection("iterators")]
            hook._saver = _SaverOfItsOwn(saveables, self._latest_filename)
        hook.begin()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        hook = self._checkpoint_saver_hook
        if self._is_first:
            self._is_first = False
            path = latest_checkpoint(hook._checkpoint_dir, self._latest_filename)
            if path:
                hook._get_saver().restore(run_context.session, path)
            else:
                step = run_context.session.run(hook._global_step_tensor)
                hook._save(run_context.session, step)
                hook._timer.update_last_triggered_step(step)
        return hook.before_run(run_context)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._checkpoint_saver_hook.after_run(run_context, run_values)

    def end(self, session: Any) -> None:
        self._checkpoint_saver_hook.end(session)


class _SaverOfItsOwn(Saver):
    """A saver whose list of checkpoints is a file of its own, so that the model's stays as it is."""

    def __init__(self, saveables: list[Any], latest_filename: str) -> None:
        super().__init__(saveables)
        self._latest_filename = latest_filename

    def save(self, sess: Any, save_path: str, global_step: Any = None, latest_filename: str | None = None,
             *args: Any, **kwargs: Any) -> str | None:  # fmt: skip
        """Write the iterators of ``sess`` to a checkpoint."""
        return super().save(sess, save_path, global_step, latest_filename or self._latest_filename, *args, **kwargs)
