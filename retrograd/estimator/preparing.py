"""What an estimator begins with: inputs, hooks, its configuration, a checkpoint and first values from elsewhere.

Source: ``tensorflow_estimator`` 1.15.1, ``estimator.py`` and ``util.py``.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any, NamedTuple

from retrograd.data.dataset import Dataset
from retrograd.data.iterators import make_initializable_iterator
from retrograd.estimator.config import RunConfig, get_default_session_config
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.checkpoint_values import NewCheckpointReader
from retrograd.io.saved_model.messages import get_variables_path
from retrograd.sessions.hooks import SessionRunHook
from retrograd.sessions.saving_hooks import (
    CheckpointSaverListener,
    StepCounterHook,
    SummarySaverHook,
)
from retrograd.train.device_setter import STANDARD_PS_OPS, replica_device_setter

# -- input -------------------------------------------------------------------------------------


class InitializerHook(SessionRunHook):
    """Starts the iterator of a dataset."""

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._initializer)


def parse_input_fn_result(result: Any) -> tuple[Any, Any, list[SessionRunHook]]:
    """Features, labels and hooks of what an ``input_fn`` gives.

    Raises:
      ValueError: it is a tuple of another length than 2.
    """
    hooks: list[SessionRunHook] = []
    if isinstance(result, Dataset):
        iterator = make_initializable_iterator(result)
        hooks.append(InitializerHook(iterator))
        result = iterator.get_next()
    if not isinstance(result, list | tuple):
        return result, None, hooks
    if len(result) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return result[0], result[1], hooks


def check_hooks_type(hooks: Any) -> list[Any]:
    """``hooks`` as a list; raises ``TypeError`` if one is none."""
    return _all_of(SessionRunHook, hooks, "Hooks must be a SessionRunHook")


def check_listeners_type(listeners: Any) -> list[Any]:
    """``listeners`` of a saver as a list; raises ``TypeError`` if one is none."""
    return _all_of(CheckpointSaverListener, listeners, "saving_listeners must be a list of CheckpointSaverListener")


def _all_of(kind: type, given: Any, wanted: str) -> list[Any]:
    given = list(given or [])
    for each in given:
        if not isinstance(each, kind):
            raise TypeError(f"{wanted}, given: {each}")
    return given


# -- configuration -----------------------------------------------------------------------------


def with_folder(config: RunConfig | None, model_dir: Any) -> RunConfig:
    """The configuration with a folder and a session's configuration."""
    if config is None:
        config = RunConfig()
        log.info("Using default config.")
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config._session_config is None:
        config = RunConfig.replace(config, session_config=get_default_session_config())
    model_dir = None if model_dir is None else os.fspath(model_dir)
    known = getattr(config, "model_dir", None)
    if model_dir is not None and known is not None and known != model_dir:
        raise ValueError(
            "`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: "
            f"'{model_dir}', in `RunConfig`: '{known}' "
        )
    if model_dir:
        return RunConfig.replace(config, model_dir=model_dir)
    if known is None:
        model_dir = tempfile.mkdtemp()
        log.warning("Using temporary folder as model directory: %s", model_dir)
        return RunConfig.replace(config, model_dir=model_dir)
    return config


def device_setter(config: Any) -> Any:
    """The device function of a task of a cluster with parameter servers."""
    if not config.num_ps_replicas:
        return None
    return replica_device_setter(
        ps_tasks=config.num_ps_replicas,
        worker_device=f"/job:{config.task_type}/task:{config.task_id}",
        merge_devices=True,
        ps_ops=list(STANDARD_PS_OPS),
        cluster=config.cluster_spec,
    )


def reporting_hooks(config: Any, scaffold: Any) -> list[SessionRunHook]:
    """The hooks of the worker that writes the summaries in place of a master."""
    hooks: list[SessionRunHook] = []
    if config.save_summary_steps:
        hooks.append(
            SummarySaverHook(save_steps=config.save_summary_steps, output_dir=config.model_dir, scaffold=scaffold)
        )
    if config.log_step_count_steps:
        hooks.append(StepCounterHook(every_n_steps=config.log_step_count_steps, output_dir=config.model_dir))
    return hooks


# -- checkpoints -------------------------------------------------------------------------------


def check_checkpoint_available(model_dir: str) -> None:
    """Raises ``ValueError`` if nothing was saved in the folder."""
    if not latest_checkpoint(model_dir):
        raise ValueError(f"Could not find trained model in model_dir: {model_dir}.")


def saved_global_step(folder: str) -> int:
    """The global step of the latest checkpoint, 0 without one."""
    path = latest_checkpoint(folder)
    if path is None:
        return 0
    reader = NewCheckpointReader(path)
    return int(reader.get_tensor(GraphKeys.GLOBAL_STEP)) if reader.has_tensor(GraphKeys.GLOBAL_STEP) else 0


class _WarmStart(NamedTuple):
    ckpt_to_initialize_from: Any
    vars_to_warm_start: Any
    var_name_to_vocab_info: Any
    var_name_to_prev_var_name: Any


class WarmStartSettings(_WarmStart):
    """Where a training gets its first values from; see ``tf.train.warm_start``.

    Raises:
      ValueError: no checkpoint is given.
    """

    __slots__ = ()

    def __new__(
        cls,
        ckpt_to_initialize_from: Any,
        vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Any = None,
        var_name_to_prev_var_name: Any = None,
    ) -> WarmStartSettings:
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls,
            ckpt_to_initialize_from,
            vars_to_warm_start,
            var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )


def get_default_warm_start_settings(warm_start_from: Any) -> WarmStartSettings | None:
    """Settings from a path; that of a SavedModel means its variables."""
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, str | bytes):
        raise ValueError(
            f"warm_start_from must be a string or a WarmStartSettings, instead got {type(warm_start_from)}"
        )
    variables = get_variables_path(warm_start_from)
    if os.path.exists(variables + ".index"):
        log.info("Warm-starting from a SavedModel")
        return WarmStartSettings(ckpt_to_initialize_from=variables)
    return WarmStartSettings(ckpt_to_initialize_from=warm_start_from)
