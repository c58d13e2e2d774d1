"""``tf.contrib.learn.learn_runner``: an experiment made and run by the name of one of its methods.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/learn_runner.py``: arguments, schedules, messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.config import TaskType
from retrograd.estimator.older.experiments import Experiment
from retrograd.estimator.older.run_configs import RunConfig
from retrograd.graph.errors import taught
from retrograd.train.hparams import HParams

_SCHEDULES = {TaskType.MASTER: "train_and_evaluate", TaskType.PS: "run_std_server", TaskType.WORKER: "train"}


def run(
    experiment_fn: Callable[..., Experiment],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: Any = None,
    hparams: Any = None,
) -> Any:
    """Make an experiment, and call its method ``schedule``, by default the one of this task of the cluster.

    Args:
      experiment_fn: takes ``output_dir`` by this name, or a configuration and hyperparameters by their places.
      run_config: a ``tf.contrib.learn.RunConfig`` with a folder, which the estimator takes.
      hparams: a ``tf.contrib.training.HParams``.

    Raises:
      ValueError: the arguments do not belong together, or there is no such schedule.
      TypeError: ``experiment_fn`` is no function, or makes something else; the schedule is no method.
      RuntimeError: the estimator was made with another configuration.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if run_config is not None:
        _check(run_config, hparams)
        made = _made(experiment_fn, run_config, hparams)
        _check_config(run_config, getattr(made.estimator, "config", None))
    else:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        made = _made(experiment_fn, output_dir=output_dir)
    schedule = schedule or _schedule_of(getattr(made.estimator, "config", None))
    if not hasattr(made, schedule):
        names = [n for n in dir(made) if not n.startswith("_") and callable(getattr(made, n))]
        error = ValueError(f"Schedule references non-existent task {schedule}")
        raise taught(error, fix=f"schedule={' or '.join(repr(n) for n in names)}")
    task = getattr(made, schedule)
    if not callable(task):
        raise TypeError(f"Schedule references non-callable member {schedule}")
    return task()


def _made(experiment_fn: Any, *places: Any, **names: Any) -> Experiment:
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    made = experiment_fn(*places, **names)
    if not isinstance(made, Experiment):
        raise TypeError(f"Experiment builder did not return an Experiment instance, got {type(made)} instead.")
    return made


def _check(run_config: Any, hparams: Any) -> None:
    if not isinstance(run_config, RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not run_config.model_dir:  # type: ignore[attr-defined]
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    if hparams is not None and not isinstance(hparams, HParams):
        raise ValueError("`hparams` must be `HParams` instance")


def _check_config(given: RunConfig, used: Any) -> None:
    if not hasattr(used, "uid"):
        raise RuntimeError(
            "Pass `run_config` argument of the `experiment_fn` to the Estimator in Experiment. It is likely a "
            "different `RunConfig` is passed to `Estimator` or the `config` constructor argument in `Estimator` is "
            "not set."
        )
    if used.uid() != given.uid():
        raise RuntimeError(
            "`RunConfig` instance is expected to be used by the `Estimator` inside the `Experiment`. expected "
            f"{given.uid()}, but got {used.uid()}"
        )


def _schedule_of(config: Any) -> str:
    """What a task does if nobody says: masters train and evaluate, workers train, and so does who is alone."""
    cluster = config.cluster_spec if config else None
    if not cluster or sum(cluster.num_tasks(job) for job in cluster.jobs) < 2:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("Must specify a schedule")
    if config.task_type not in _SCHEDULES:
        raise ValueError(f"No default schedule for task type: {config.task_type}")
    return _SCHEDULES[config.task_type]
