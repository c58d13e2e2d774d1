"""What exported models of time series are fed with: arrays of times, values, features and the model's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.estimator.receivers import ServingInputReceiver
from retrograd.estimator.time_series.keys import State, TrainEvalFeatures
from retrograd.estimator.time_series.models import TimeSeriesModel
from retrograd.feature_column.protocol import make_parse_example_spec_v2
from retrograd.graph import dtypes, nest
from retrograd.graph.graph import Graph
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.ops import arrays, constants, joining, parsing, repeating
from retrograd.ops.constants import placeholder, placeholder_with_default


def _exogenous(model: TimeSeriesModel, batch_size: int | None, length: int | None) -> dict[str, Any]:
    """Placeholders of the features that the model's columns read."""
    if not model.exogenous_feature_columns:
        return {}
    with Graph().as_default():
        examples = placeholder(dtypes.string, [None])
        features = parsing.parse_example(examples, make_parse_example_spec_v2(model.exogenous_feature_columns))
        shapes = {key: (x.get_shape().with_rank_at_least(1).as_list()[1:], x.dtype) for key, x in features.items()}
    return {key: placeholder(dtype, [batch_size, length, *shape], name=key) for key, (shape, dtype) in shapes.items()}


def _start(model: TimeSeriesModel, batch_size: Any, static_size: int | None) -> dict[str, Any]:
    """Placeholders of the model's state, by default zeros for each series."""
    with Graph().as_default():
        model.initialize_graph()
        zeros = [constant_value(constants.zeros_like(x)) for x in nest.flatten(model.get_start_state())]
    found = {}
    for number, state in enumerate(zeros):
        copies = joining.concat([batch_size[None], constants.ones(np.ndim(state), dtype=dtypes.int32)], axis=0)
        name = f"{State.STATE_PREFIX}_{number:02d}"
        shape = TensorShape((static_size,)).concatenate(np.shape(state))
        found[name] = placeholder_with_default(repeating.tile(state[None, ...], copies), shape, name=name)
    return found


def raw_receiver(
    model: TimeSeriesModel, batch_size: int | None, length: int | None
) -> Callable[[], ServingInputReceiver]:
    """A function that makes the placeholders of an exported model; sizes are known where they are given."""

    def receiver() -> ServingInputReceiver:
        times = placeholder(dtypes.int64, [batch_size, length], name=TrainEvalFeatures.TIMES)
        nothing = constants.zeros([batch_size or 0, length or 0, model.num_features], dtype=model.dtype)
        values = placeholder_with_default(
            nothing, (batch_size, length, model.num_features), name=TrainEvalFeatures.VALUES
        )
        features = {
            TrainEvalFeatures.TIMES: times, TrainEvalFeatures.VALUES: values,
            **_exogenous(model, batch_size, length),
            **_start(model, arrays.shape(times)[0], batch_size),
        }  # fmt: skip
        return ServingInputReceiver(features, features)

    return receiver
