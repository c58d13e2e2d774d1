"""SavedModels of ``tf.contrib.learn``'s models, and the strategies by which an ``Experiment`` writes them.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/utils/saved_model_export_utils.py``, ``export_strategy.py``.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from retrograd.estimator.estimator import Estimator as NewEstimator
from retrograd.estimator.export_outputs import copy_assets, get_temp_export_dir, get_timestamped_export_dir
from retrograd.estimator.exporters import numbers_of_events, remove_old_exports
from retrograd.estimator.older.arrays import InputFnOps, build_parsing_serving_input_fn
from retrograd.estimator.older.bases import NotFittedError
from retrograd.estimator.older.keys import MetricKey, PredictionKey, ProblemType
from retrograd.estimator.receivers import build_parsing_serving_input_receiver_fn
from retrograd.estimator.specs import ModeKeys, fn_args
from retrograd.feature_column.older_columns import create_feature_spec_for_parsing
from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.saved_model import signature_constants, signatures
from retrograd.io.saved_model.builder import SavedModelBuilder
from retrograd.io.saver import Saver
from retrograd.run.session import Session
from retrograd.sessions.scaffold import Scaffold
from retrograd.train.training_util import create_global_step

DEFAULT_INPUT_ALTERNATIVE_KEY = "default_input_alternative"
FEATURES_INPUT_ALTERNATIVE_KEY = "features_input_alternative"
DEFAULT_OUTPUT_ALTERNATIVE_KEY = "default_output_alternative"
INPUT_FEATURE_KEYS = "input_feature_keys"

# -- signatures --------------------------------------------------------------------------------


def get_input_alternatives(input_ops: Any) -> tuple[dict[str, Any], Any]:
    """The inputs by which a model can be asked, and its features.

    Raises:
      ValueError: there are no features.
    """
    alternatives = {}
    if isinstance(input_ops, InputFnOps):
        features = input_ops.features
        alternatives[DEFAULT_INPUT_ALTERNATIVE_KEY] = input_ops.default_inputs
    else:
        features, _ = input_ops
    if not features:
        raise ValueError("Features must be defined.")
    return alternatives, features


def get_output_alternatives(
    model_fn_ops: Any, default_output_alternative_key: str | None = None
) -> tuple[dict[str, Any], str]:
    """The answers that a model can give, by the names of its heads, and the name of the one that is given unasked.

    Raises:
      ValueError: there is no answer of the name, or there are several and no name.
    """
    alternatives, wanted = model_fn_ops.output_alternatives, default_output_alternative_key
    if not alternatives:
        if wanted:
            raise ValueError(
                f"Requested default_output_alternative: {wanted}, but available output_alternatives are: []"
            )
        outputs = model_fn_ops.predictions
        if not isinstance(outputs, dict):
            outputs = {PredictionKey.GENERIC: outputs}
        key = DEFAULT_OUTPUT_ALTERNATIVE_KEY
        return {key: (ProblemType.UNSPECIFIED, outputs)}, key
    if wanted:
        if wanted not in alternatives:
            raise ValueError(
                f"Requested default_output_alternative: {wanted}, but available output_alternatives are: "
                f"{sorted(alternatives)}"
            )
        return alternatives, wanted
    if len(alternatives) > 1:
        raise ValueError(
            "Please specify a default_output_alternative.  Available output_alternatives are: "
            f"{sorted(alternatives, key=str)}"
        )
    return alternatives, next(iter(alternatives))


def build_standardized_signature_def(input_tensors: Any, output_tensors: Any, problem_type: int) -> Any:
    """The signature of a classification or regression of serialized examples where it can be one, else of predictions.

    Raises:
      ValueError: there are no inputs or no outputs.
    """
    if not input_tensors:
        raise ValueError("input_tensors must be provided.")
    if not output_tensors:
        raise ValueError("output_tensors must be provided.")
    examples, outputs = next(iter(input_tensors.values())), list(output_tensors.values())
    if len(input_tensors) == 1 and problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes, scores = _classes_and_scores(output_tensors)
        if classes is None and scores is None and len(outputs) == 1:
            classes, scores = (outputs[0], None) if outputs[0].dtype == dtypes.string else (None, outputs[0])
        if classes is not None or scores is not None:
            return signatures.classification_signature_def(examples, classes, scores)
    if len(input_tensors) == len(outputs) == 1 and problem_type == ProblemType.LINEAR_REGRESSION:
        return signatures.regression_signature_def(examples, outputs[0])
    return signatures.predict_signature_def(input_tensors, output_tensors)


def _classes_and_scores(outputs: Mapping[str, Any]) -> tuple[Any, Any]:
    """The classes, if they are strings, as servers want them, and the scores; None for what is not there."""
    classes, scores = outputs.get(PredictionKey.CLASSES), outputs.get(PredictionKey.SCORES)
    if classes is not None and classes.dtype != dtypes.string:
        classes = None
    return classes, outputs.get(PredictionKey.PROBABILITIES) if scores is None else scores


def build_all_signature_defs(
    input_alternatives: Mapping[str, Any],
    output_alternatives: Mapping[str, Any],
    actual_default_output_alternative_key: str,
) -> dict[str, Any]:
    """A signature for each input and answer, ``input:answer``, and the one that is asked for without a name.

    Raises:
      ValueError: there is no default input.
    """
    made = {
        f"{given}:{answer or 'None'}": build_standardized_signature_def(inputs, outputs, problem)
        for given, inputs in input_alternatives.items()
        for answer, (problem, outputs) in output_alternatives.items()
    }
    inputs = input_alternatives.get(DEFAULT_INPUT_ALTERNATIVE_KEY)
    if not inputs:
        raise ValueError("A default input_alternative must be provided.")
    problem, outputs = output_alternatives[actual_default_output_alternative_key]
    key = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    made[key] = build_standardized_signature_def(inputs, outputs, problem)
    return made


def export(
    estimator: Any,
    export_dir_base: Any,
    serving_input_fn: Callable[[], Any] | None,
    default_output_alternative_key: str | None,
    assets_extra: Mapping[str, str] | None,
    as_text: bool,
    checkpoint_path: str | None,
    strip_default_attrs: bool,
) -> bytes:
    """Write a SavedModel of an older estimator into a new folder of ``export_dir_base``; the result is its path."""
    if serving_input_fn is None:
        raise ValueError("serving_input_fn must be defined.")
    checkpoint_path = checkpoint_path or latest_checkpoint(estimator.model_dir)
    if not checkpoint_path:
        raise NotFittedError(f"Couldn't find trained model at {estimator.model_dir}.")
    folder = get_timestamped_export_dir(export_dir_base)
    temporary = get_temp_export_dir(folder)
    builder = SavedModelBuilder(temporary)
    with Graph().as_default() as graph:
        create_global_step(graph)
        inputs = serving_input_fn()
        input_alternatives, features = get_input_alternatives(inputs)
        for key in inputs.features:
            add_to_collection(INPUT_FEATURE_KEYS, key)
        ops = estimator._call_model_fn(features, None, ModeKeys.PREDICT)
        outputs, default = get_output_alternatives(ops, default_output_alternative_key)
        main_op = Scaffold.default_local_init_op()
        signature_defs = build_all_signature_defs(input_alternatives, outputs, default)
        with Session() as session:
            saver = getattr(ops.scaffold, "saver", None) or Saver(sharded=True)
            saver.restore(session, checkpoint_path)
            builder.add_meta_graph_and_variables(
                session, ("serve",), signature_def_map=signature_defs,
                assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS), main_op=main_op,
                strip_default_attrs=strip_default_attrs,
            )  # fmt: skip
    builder.save(as_text)
    copy_assets(assets_extra, temporary)
    os.rename(temporary, folder)
    return folder


# -- strategies --------------------------------------------------------------------------------


class _Strategy(NamedTuple):
    name: str
    export_fn: Callable[..., Any]
    strip_default_attrs: bool | None


class ExportStrategy(_Strategy):
    """What an ``Experiment`` exports: ``export_fn(estimator, folder)``, which may name further arguments.

    These are ``checkpoint_path``, behind it ``eval_result``, and ``strip_default_attrs``.
    """

    __slots__ = ()

    def __new__(
        cls, name: str, export_fn: Callable[..., Any], strip_default_attrs: bool | None = None
    ) -> ExportStrategy:
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: str | None = None, eval_result: Any = None
    ) -> Any:
        """Call the function with those of the arguments that it names.

        Raises:
          ValueError: it names ``eval_result`` and not ``checkpoint_path``.
        """
        named = fn_args(self.export_fn)
        if "eval_result" in named and "checkpoint_path" not in named:
            raise ValueError("An export_fn accepting eval_result must also accept checkpoint_path.")
        said = {
            "checkpoint_path": checkpoint_path,
            "eval_result": eval_result,
            "strip_default_attrs": self.strip_default_attrs,
        }
        return self.export_fn(estimator, export_path, **{k: v for k, v in said.items() if k in named})


def make_export_strategy(
    serving_input_fn: Callable[[], Any],
    default_output_alternative_key: str | None = None,
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """The strategy ``Servo``: a SavedModel each time, of which the latest ``exports_to_keep`` are kept.

    Its function raises ``ValueError`` for a name of an answer of a ``tf.estimator.Estimator``.
    """

    def export_fn(
        estimator: Any, export_dir_base: Any, checkpoint_path: str | None = None, strip_default_attrs: bool = False
    ) -> Any:
        said: dict[str, Any] = {
            "assets_extra": assets_extra,
            "as_text": as_text,
            "checkpoint_path": checkpoint_path,
            "strip_default_attrs": strip_default_attrs,
        }
        if not isinstance(estimator, NewEstimator):
            said["default_output_alternative_key"] = default_output_alternative_key
        elif default_output_alternative_key is not None:
            raise ValueError(
                "default_output_alternative_key is not supported in core Estimator. Given: "
                f"{default_output_alternative_key}"
            )
        made = estimator.export_savedmodel(export_dir_base, serving_input_fn, **said)
        remove_old_exports(export_dir_base, exports_to_keep)
        return made

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


def make_parsing_export_strategy(
    feature_columns: Any,
    default_output_alternative_key: str | None = None,
    assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False,
    exports_to_keep: int | None = 5,
    target_core: bool = False,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """``make_export_strategy`` of a model that is fed serialized examples with these columns' features."""
    spec = create_feature_spec_for_parsing(feature_columns)
    make = build_parsing_serving_input_receiver_fn if target_core else build_parsing_serving_input_fn
    return make_export_strategy(
        make(spec), default_output_alternative_key, assets_extra, as_text, exports_to_keep, strip_default_attrs
    )


def _loss_smaller(best: Any, candidate: Any) -> bool:
    for name, result in (("curr_best_eval_result", best), ("cand_eval_result", candidate)):
        if not result or MetricKey.LOSS not in result:
            raise ValueError(f"{name} cannot be empty or no loss is found in it.")
    return bool(best[MetricKey.LOSS] > candidate[MetricKey.LOSS])


class BestModelSelector:
    """Keeps the best result: ``compare_fn(best, candidate)`` says whether the candidate is better.

    It begins with the best one in the event files of a pattern.
    """

    def __init__(
        self, event_file_pattern: str | None = None, compare_fn: Callable[[Any, Any], bool] | None = None
    ) -> None:
        self._is_better = compare_fn or _loss_smaller
        self._best: Any = None
        for numbers in numbers_of_events(event_file_pattern) if event_file_pattern else ():
            self._keep(numbers)

    def _keep(self, result: Any) -> bool:
        better = self._best is None or self._is_better(self._best, result)
        if better:
            self._best = result
        return better

    def update(self, checkpoint_path: str, eval_result: Any) -> tuple[str, Any]:
        """The checkpoint and its result if it is the best so far, else ``("", None)``.

        Raises:
          ValueError: one of them is missing.
        """
        if not checkpoint_path:
            raise ValueError("Checkpoint path is empty.")
        if eval_result is None:
            raise ValueError("%s has empty evaluation results.", checkpoint_path)
        return (checkpoint_path, eval_result) if self._keep(eval_result) else ("", None)


def make_best_model_export_strategy(
    serving_input_fn: Callable[[], Any],
    exports_to_keep: int | None = 1,
    model_dir: str | None = None,
    event_file_pattern: str | None = None,
    compare_fn: Callable[[Any, Any], bool] | None = None,
    default_output_alternative_key: str | None = None,
    strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """The strategy ``best_model``: a SavedModel, below a folder of the checkpoint's name, if it is the best so far."""
    strategy = make_export_strategy(
        serving_input_fn, default_output_alternative_key, exports_to_keep=exports_to_keep,
        strip_default_attrs=strip_default_attrs,
    )  # fmt: skip
    pattern = os.path.join(model_dir, event_file_pattern) if model_dir and event_file_pattern else None
    selector = BestModelSelector(pattern, compare_fn)

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: str | None, eval_result: Any = None) -> Any:
        path, result = selector.update(checkpoint_path or latest_checkpoint(estimator.model_dir) or "", eval_result)
        if not path or result is None:
            return ""
        folder = os.path.join(os.fsdecode(export_dir_base), os.path.basename(path))
        return strategy.export(estimator, folder, path, result)

    return ExportStrategy("best_model", export_fn)


def extend_export_strategy(
    base_export_strategy: ExportStrategy, post_export_fn: Callable[[Any, Any], Any], post_export_name: str | None = None
) -> ExportStrategy:
    """A strategy that calls ``post_export_fn(exported folder, folder for the result)`` behind another one.

    Its function raises ``ValueError`` where the result is elsewhere, ``RuntimeError`` where a folder is taken.
    """

    def export_fn(estimator: Any, export_dir_base: Any, checkpoint_path: str | None = None) -> Any:
        base, now = os.fsdecode(export_dir_base), int(time.time())
        first, second = (os.path.join(base, f"temp-{kind}-export-{now}") for kind in ("base", "post"))
        _make_new(first, "base export")
        exported = base_export_strategy.export(estimator, first, checkpoint_path)
        _make_new(second, "temp export")
        made = os.fsdecode(post_export_fn(exported, second))
        if not made.startswith(second):
            raise ValueError(f"post_export_fn must return a sub-directory of {second}")
        final = os.path.join(base, os.path.relpath(made, second))
        if os.path.exists(final):
            raise RuntimeError("Failed to obtain final export directory")
        os.rename(made, final)
        shutil.rmtree(first)
        shutil.rmtree(second)
        return final

    return ExportStrategy(post_export_name or base_export_strategy.name, export_fn)


def _make_new(folder: str, what: str) -> None:
    if os.path.exists(folder):
        raise RuntimeError(f"Failed to obtain {what} directory")
    os.makedirs(folder)
