"""Exporters: write SavedModels while a model is trained and evaluated, at the end, when it is best, or each time.

Source: ``tensorflow_estimator`` 1.15.1, ``exporter.py``.
"""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from retrograd.estimator.specs import LOSS_METRIC_KEY, ModeKeys, fn_args
from retrograd.graph import log
from retrograd.io.event_files import summary_iterator


class Exporter:
    """Is called after each evaluation of ``train_and_evaluate``."""

    @property
    def name(self) -> str:
        """The name of its folder below ``export`` in the model's."""
        raise NotImplementedError("name is not implemented.")

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        """Export the checkpoint into a new folder of ``export_path``, or not; the result is the folder, or None."""
        raise NotImplementedError("export is not implemented.")


class _SavedModelExporter(Exporter):
    """Exports each time."""

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Any,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
    ) -> None:
        self._name = name
        self._serving_input_receiver_fn = serving_input_receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text

    @property
    def name(self) -> str:
        return self._name

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        return estimator.export_saved_model(
            export_path,
            self._serving_input_receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )


class LatestExporter(_SavedModelExporter):
    """Exports after each evaluation, and keeps the latest ``exports_to_keep``.

    Raises:
      ValueError: ``exports_to_keep`` is not positive.
    """

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Any,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        self._exports_to_keep = exports_to_keep

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        made = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        remove_old_exports(export_path, self._exports_to_keep)
        return made


class FinalExporter(_SavedModelExporter):
    """Exports once, when the training has ended."""

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        if not is_the_final_export:
            return None
        log.info("Performing the final export in the end of training.")
        return super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)


def _loss_smaller(best_eval_result: Any, current_eval_result: Any) -> bool:
    """Whether the current loss is less than the best."""
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or LOSS_METRIC_KEY not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return bool(best_eval_result[LOSS_METRIC_KEY] > current_eval_result[LOSS_METRIC_KEY])


class BestExporter(_SavedModelExporter):
    """Exports what is better than all before it, those included that older event files tell of.

    Args:
      event_file_pattern: of the event files of evaluations, below the model's folder; None to look at none.
      compare_fn: ``compare_fn(best_eval_result, current_eval_result)``: whether the latter is better; by default
        if its loss is less.

    Raises:
      ValueError: ``compare_fn`` takes other arguments, or ``exports_to_keep`` is not positive.
    """

    def __init__(
        self,
        name: str = "best_exporter",
        serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[..., bool] | None = _loss_smaller,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        wanted = ("best_eval_result", "current_eval_result")
        names = fn_args(compare_fn)
        for argument in wanted:
            if argument not in names:
                raise ValueError(f"compare_fn ({compare_fn}) must include {argument} argument.")
        unknown = [n for n in names if n not in wanted]
        if unknown:
            raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {unknown}")
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"`exports_to_keep`, if provided, must be a positive number. Got {exports_to_keep}")
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._exports_to_keep = exports_to_keep
        self._model_dir: str | None = None
        self._best_eval_result: Any = None

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Any, is_the_final_export: bool
    ) -> Any:
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            log.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best_eval_result = self._best_before(os.path.join(estimator.model_dir, self._event_file_pattern))
        if self._best_eval_result is not None and not self._compare_fn(
            best_eval_result=self._best_eval_result, current_eval_result=eval_result
        ):
            return None
        log.info("Performing best model export.")
        self._best_eval_result = eval_result
        made = super().export(estimator, export_path, checkpoint_path, eval_result, is_the_final_export)
        remove_old_exports(export_path, self._exports_to_keep)
        return made

    def _best_before(self, pattern: str) -> Any:
        """The best result in event files."""
        best: Any = None
        for result in numbers_of_events(pattern):
            if best is None or self._compare_fn(best_eval_result=best, current_eval_result=result):
                best = result
        return best


def numbers_of_events(pattern: str) -> Iterator[dict[str, float]]:
    """The numbers of each event that has some, in the event files of a pattern."""
    for path in sorted(glob.glob(pattern)):
        yield from filter(None, map(scalars_of, summary_iterator(path)))


def scalars_of(event: Any) -> dict[str, float]:
    """The numbers in an event, by their tags."""
    if not event.HasField("summary"):
        return {}
    return {value.tag: value.simple_value for value in event.summary.value if value.HasField("simple_value")}


def remove_old_exports(folder: Any, keep: int | None) -> None:
    """Remove all exports but the latest ``keep``; they are named by ten digits of seconds."""
    if keep is None:
        return
    exports = sorted(name for name in os.listdir(folder) if len(name) == 10 and name.isdigit())
    for name in exports[:-keep]:
        try:
            shutil.rmtree(os.path.join(folder, name))
        except OSError as error:
            log.warning("Can not delete %s recursively: %s", os.path.join(folder, name), error)


def export_saved_model_for_mode(
    estimator: Any,
    export_dir_base: Any,
    input_receiver_fn: Callable[[], Any],
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
    mode: str = ModeKeys.PREDICT,
) -> Any:
    """``estimator.export_saved_model`` of the graph of one mode."""
    return estimator.export_saved_model(
        export_dir_base, input_receiver_fn, assets_extra=assets_extra, as_text=as_text,
        checkpoint_path=checkpoint_path, experimental_mode=mode,
    )  # fmt: skip


def export_all_saved_models(
    estimator: Any,
    export_dir_base: Any,
    input_receiver_fn_map: Mapping[str, Callable[[], Any]],
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    checkpoint_path: str | None = None,
) -> Any:
    """``estimator.experimental_export_all_saved_models``."""
    return estimator.experimental_export_all_saved_models(
        export_dir_base, input_receiver_fn_map, assets_extra=assets_extra, as_text=as_text,
        checkpoint_path=checkpoint_path,
    )  # fmt: skip
