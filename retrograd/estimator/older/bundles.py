"""Session bundles of ``tf.contrib.learn``'s models, as ``Estimator.export`` writes them, and their signatures.

A signature function is ``(examples, features, predictions) -> (default signature, named signatures)``.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/utils/export.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.older.signatures import parsed
from retrograd.estimator.specs import ModeKeys
from retrograd.feature_column.older_models import parse_feature_columns_from_examples
from retrograd.graph import dtypes, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.errors import taught
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.lookup import tables_initializer
from retrograd.io.saver import Saver
from retrograd.io.session_bundles import (
    Exporter,
    classification_signature,
    generic_signature,
    largest_export_versions,
    regression_signature,
)
from retrograd.ops.constants import placeholder
from retrograd.ops.control import group
from retrograd.run.session import Session
from retrograd.state.initialization import local_variables_initializer
from retrograd.train.training_util import create_global_step, get_global_step

Signatures = tuple[Any, dict[str, Any]]

# -- signatures --------------------------------------------------------------------------------


def _checked(examples: Any) -> Any:
    if examples is None:
        raise taught(
            ValueError("examples cannot be None when using this signature fn."),
            fix="estimator.export(..., input_feature_key='examples')",
        )
    return examples


def _under(predictions: Any, key: str) -> Any:
    return predictions[key] if isinstance(predictions, dict) else predictions


def generic_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Signatures:
    """The examples as ``inputs``, and all predictions, one alone as ``outputs``."""
    outputs = predictions if isinstance(predictions, dict) else {"outputs": predictions}
    return generic_signature({"inputs": _checked(examples), **outputs}), {}


def classification_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Signatures:
    """A classification by the predicted classes."""
    return classification_signature(_checked(examples), classes_tensor=_under(predictions, "classes")), {}


def classification_signature_fn_with_prob(examples: Any, unused_features: Any, predictions: Any) -> Signatures:
    """A classification by the predicted probabilities."""
    return classification_signature(_checked(examples), scores_tensor=_under(predictions, "probabilities")), {}


def regression_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Signatures:
    """A regression."""
    return regression_signature(_checked(examples), predictions), {}


def logistic_regression_signature_fn(examples: Any, unused_features: Any, predictions: Any) -> Signatures:
    """A regression to the second column of the predicted probabilities, shape ``[batch, 2]``."""
    probabilities = _under(predictions, "probabilities")
    _checked(examples)
    if probabilities.rank != 2:
        log.fatal(
            "Expected predictions to have rank 2, but received predictions with rank: "
            f"{probabilities.rank} and shape: {probabilities.shape}"
        )
    if probabilities.shape[1] != 2:
        log.fatal(
            f"Expected predictions to have 2nd dimension: 2, but received predictions with 2nd dimension: "
            f"{probabilities.shape[1]} and shape: {probabilities.shape}. Did you mean to use regression_signature_fn "
            "or classification_signature_fn_with_prob instead?"
        )
    return regression_signature(examples, probabilities[:, 1]), {}


# -- bundles -----------------------------------------------------------------------------------


def parsed_by(feature_columns: Any) -> Callable[[Any, Any], dict[Any, Any]]:
    """The ``input_fn`` of a model of these columns: the features that they read of serialized examples."""
    return lambda estimator, examples: parse_feature_columns_from_examples(examples, feature_columns)


def _as_trained(estimator: Any, examples: Any) -> Any:
    """The features that the model was trained on, as examples hold them."""
    if estimator._features_read is None:
        raise taught(
            ValueError("Features information missing, was fit() ever called?"),
            why="a model of a function does not know what its examples hold",
            fix="estimator.export(..., input_fn=lambda estimator, examples: tf.parse_example(examples, features))",
        )
    return parsed(estimator._features_read, examples)


def export_estimator(
    estimator: Any,
    export_dir: Any,
    signature_fn: Callable[..., Signatures] | None = None,
    input_fn: Callable[..., Any] | None = None,
    default_batch_size: int | None = 1,
    exports_to_keep: int | None = None,
    input_feature_key: str | None = None,
    use_deprecated_input_fn: bool = True,
    prediction_key: str | None = None,
    checkpoint_path: str | None = None,
) -> bytes:
    """Write a session bundle of an older estimator into a folder of ``export_dir`` named by the step: its path.

    Args:
      input_fn: ``(estimator, examples) -> features`` of serialized examples, shape ``[default_batch_size]``; without
        ``use_deprecated_input_fn``, ``() -> (features, labels)``.
      exports_to_keep: of how many steps bundles stay.
      input_feature_key: the feature that holds the examples, of an ``input_fn`` without arguments.
      prediction_key: the one prediction that ``signature_fn`` gets, instead of all.

    Raises:
      ValueError: there is no ``input_fn``, or it gives nothing, or there is no checkpoint.
    """
    if input_fn is None and not use_deprecated_input_fn:
        raise ValueError("input_fn must be defined.")
    read: Any = input_fn or _as_trained
    checkpoint_path = checkpoint_path or latest_checkpoint(estimator.model_dir)
    with Graph().as_default() as graph:
        create_global_step(graph)
        if use_deprecated_input_fn:
            examples: Any = placeholder(dtypes.string, [default_batch_size], name="input_example_tensor")
            features = read(estimator, examples)
        else:
            features, _ = read()
            examples = None if input_feature_key is None else features.pop(input_feature_key)
        if not features and examples is None:
            raise ValueError("Either features or examples must be defined.")
        predictions = estimator._call_model_fn(features, None, ModeKeys.PREDICT).predictions
        if prediction_key is not None:
            predictions = predictions[prediction_key]
        default, named = (signature_fn or generic_signature_fn)(examples, features, predictions)
        keep = None if exports_to_keep is None else largest_export_versions(exports_to_keep)
        return _written(checkpoint_path, export_dir, default, named, keep)


def _written(checkpoint_path: str | None, export_dir: Any, default: Any, named: Any, keep: Any) -> bytes:
    """The path of the bundle of the graph that is built."""
    saver = next(iter(get_collection(GraphKeys.SAVERS)), None)
    if saver is None:
        saver = Saver()
        add_to_collection(GraphKeys.SAVERS, saver)
    with Session() as session:
        saver.restore(session, checkpoint_path)
        exporter = Exporter(saver)
        exporter.init(
            init_op=group(local_variables_initializer(), tables_initializer()), default_graph_signature=default,
            named_graph_signatures=named, assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS),
        )  # fmt: skip
        path: bytes = exporter.export(export_dir, get_global_step(), session, exports_to_keep=keep)
        return path
