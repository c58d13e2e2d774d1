"""``tf.keras.estimator``: a compiled model of Keras as an estimator, which starts from the model's weights.

Each graph of the estimator holds a copy of the model on the features: with the optimizer's iterations being the
global step, and with the phase of training as a number.  Source: TensorFlow 1.15.5, observed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

from retrograd.estimator.config import RunConfig
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.export_outputs import PredictOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph import log, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.saver import Saver
from retrograd.keras import backend as K
from retrograd.keras import optimizers
from retrograd.keras.cloning import clone_and_build_model
from retrograd.keras.filed_models import load_model
from retrograd.keras.optimizers import TFOptimizer
from retrograd.keras.utils import custom_object_scope
from retrograd.nn.layers.session import were_looked_at
from retrograd.ops.random import set_random_seed
from retrograd.run.session import Session
from retrograd.train.training_util import create_global_step, get_or_create_global_step


def _ordered(values: Any, names: list[str], what: str) -> Any:
    """Features or labels in the order of the model's inputs or outputs.

    Raises:
      KeyError: there are others, or one is missing.
    """
    if not isinstance(values, dict):
        return None if values is None else nest.flatten(values)
    expected, found = set(names), set(values)
    if expected != found:
        raise KeyError(
            f"The dictionary passed into {what} does not have the expected "
            f"{'inputs' if what == 'features' else 'outputs'} keys defined in the keras model.\n\tExpected keys: "
            f"{expected}\n\t{what} keys: {found}\n\tDifference: {expected ^ found}"
        )
    return [values[name] for name in names]


def _in_floatx(x: Any) -> Any:
    return K.cast(x, K.floatx()) if isinstance(x, Tensor) and x.dtype.is_floating else x


def _copy(model: Any, features: Any, labels: Any, mode: str, custom_objects: Any, described: Any = None) -> Any:
    """The model on other inputs, compiled as it is unless the outputs alone are asked for.

    ``described`` is its optimizer as a configuration, which is read where the optimizer has its values.
    """
    step = None if mode == ModeKeys.PREDICT else get_or_create_global_step()
    K.set_learning_phase(int(mode == ModeKeys.TRAIN))
    given = None if features is None else [_in_floatx(x) for x in _ordered(features, model.input_names, "features")]
    targets = None if mode == ModeKeys.PREDICT else _ordered(labels, model.output_names, "labels")
    return clone_and_build_model(
        model, given, None if targets is None else [_in_floatx(y) for y in targets], custom_objects,
        compile_clone=mode != ModeKeys.PREDICT, optimizer_iterations=step, optimizer_config=described,
    )  # fmt: skip


def _model_fn(model: Any, custom_objects: Any) -> Callable[..., EstimatorSpec]:
    """What builds the model of an estimator."""
    described = None if isinstance(model.optimizer, TFOptimizer) else optimizers.serialize(model.optimizer)

    def model_fn(features: Any, labels: Any, mode: str) -> EstimatorSpec:
        copied = _copy(model, features, labels, mode, custom_objects, described)
        loss = train_op = None
        metrics: dict[str, Any] = {}
        if mode != ModeKeys.PREDICT:
            function = copied._make_train_function() if mode == ModeKeys.TRAIN else copied._make_test_function()
            loss, train_op = copied.total_loss, function.updates_op if mode == ModeKeys.TRAIN else None
            for _ in range(2):  # TensorFlow asks twice, and takes the second answer
                metrics = {m.name: (m.result(), m.updates[0]) for m in copied.metrics}
            for metric in copied.metrics:
                for variable in metric.variables:
                    default_graph().add_to_collection(GraphKeys.LOCAL_VARIABLES, variable)
        predictions = dict(zip(copied.output_names, copied.outputs, strict=True))
        return EstimatorSpec(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics,
            export_outputs={"serving_default": PredictOutput(predictions)},
        )  # fmt: skip

    return model_fn


def _first_checkpoint(model: Any, folder: str, custom_objects: Any, seed: int | None) -> str:
    """Write the weights from which the estimator starts; those of an earlier program stay.

    They are the model's; where it has none yet, a copy's, made with the seed of the estimator.
    """
    place = os.path.join(folder, "keras")
    found = latest_checkpoint(place)
    if found:
        return str(found)
    weights = model.get_weights() if were_looked_at(model.weights) else None
    described = None if isinstance(model.optimizer, TFOptimizer) else optimizers.serialize(model.optimizer)
    with Graph().as_default(), Session() as session:
        set_random_seed(seed)
        step = create_global_step()
        copied = _copy(model, None, None, ModeKeys.TRAIN, custom_objects, described)
        if weights is not None:
            copied.set_weights(weights)
        copied._make_train_function()
        K.get_session()
        session.run(step.initializer)
        os.makedirs(place, exist_ok=True)
        return str(Saver().save(session, os.path.join(place, "keras_model.ckpt")))


def model_to_estimator(
    keras_model: Any = None,
    keras_model_path: str | None = None,
    custom_objects: Any = None,
    model_dir: str | None = None,
    config: Any = None,
    checkpoint_format: str = "saver",
) -> Estimator:
    """An estimator of a compiled model, or of one in a file.

    Args:
      custom_objects: classes and functions of the program that the model names.
      checkpoint_format: ``"saver"``, the names that ``tf.train.Saver`` gives.

    Raises:
      ValueError: not one of model and path is given, or the model is not compiled.
      NotImplementedError: the model is a class of its own, or another form of checkpoints is asked for.
    """
    if not keras_model and not keras_model_path:
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model and keras_model_path:
        raise ValueError("Please specity either `keras_model` or `keras_model_path`, but not both.")
    if checkpoint_format not in (None, "saver"):
        raise NotImplementedError("Estimators write checkpoints as tf.train.Saver does: checkpoint_format='saver'.")
    if keras_model_path:
        log.info("Loading models from %s", keras_model_path)
        with custom_object_scope(custom_objects or {}):
            keras_model = load_model(keras_model_path)
    else:
        log.info("Using the Keras model provided.")
    if not keras_model._is_compiled:
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with `model.compile()` before "
            "calling `model_to_estimator()`."
        )
    if not keras_model._is_graph_network:
        raise NotImplementedError(
            "A model that is a class of its own cannot be copied into an estimator's graphs: build it by "
            "tf.keras.Model(inputs, outputs), or call it in a model_fn of tf.estimator.Estimator."
        )
    config = config or RunConfig()
    folder = model_dir or config.model_dir or tempfile.mkdtemp()
    config = config.replace(model_dir=folder)
    start = _first_checkpoint(keras_model, folder, custom_objects, config.tf_random_seed)
    return Estimator(_model_fn(keras_model, custom_objects), config=config, warm_start_from=start)
