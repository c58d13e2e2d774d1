"""Recurrent models of sequences: ``RNNClassifier`` and ``RNNEstimator``.

Source: ``tensorflow_estimator`` 1.15.1: names, order of nodes, rate and norm of its graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.estimator.canned.heads import binary_or_multi_class_head
from retrograd.estimator.canned.linear import SLICE_OF_COLUMNS, check_features, servers
from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.specs import EstimatorSpec
from retrograd.estimator.towers import clip_gradients_by_norm
from retrograd.feature_column.models import input_layer
from retrograd.feature_column.sequence import concatenate_context_input
from retrograd.feature_column.steps import sequence_input_layer
from retrograd.graph import dtypes
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.layers.core import dense
from retrograd.nn.losses import Reduction
from retrograd.nn.rnn import dynamic_rnn
from retrograd.nn.rnn_cells import BasicLSTMCell, BasicRNNCell, GRUCell, RNNCell
from retrograd.nn.rnn_wrappers import MultiRNNCell
from retrograd.ops import arrays, casts, constants, indexing
from retrograd.state.initializers import GlorotUniform
from retrograd.state.partitioned import min_max_variable_partitioner
from retrograd.state.scopes import variable_scope

_LEARNING_RATE = 0.05
_LARGEST_NORM = 5.0
_CELLS: dict[Any, type[RNNCell]] = {"basic_rnn": BasicRNNCell, "lstm": BasicLSTMCell, "gru": GRUCell}
_NOT_GIVEN = object()


def _cell_maker(num_units: Any, cell_type: Any, rnn_cell_fn: Any) -> Callable[[str], Any]:
    """A function from a mode to the cell.

    Raises:
      ValueError: cells are given both by a function and by their sizes or type.
    """
    if rnn_cell_fn:
        if num_units or cell_type is not _NOT_GIVEN:
            raise ValueError("num_units and cell_type must not be specified when using rnn_cell_fn")
        return rnn_cell_fn  # type: ignore[no-any-return]
    kind = "basic_rnn" if cell_type is _NOT_GIVEN else cell_type

    def make(mode: str) -> RNNCell:
        cells = [_cell(units, kind) for units in num_units]
        return cells[0] if len(cells) == 1 else MultiRNNCell(cells)

    return make


def _cell(units: int, kind: Any) -> RNNCell:
    cell: Any = _CELLS.get(kind, kind) if isinstance(kind, str) else kind
    if cell is None or not issubclass(cell, RNNCell):
        raise ValueError(f"Supported cell types are {list(_CELLS)}; got {kind}")
    return cell(num_units=units)  # type: ignore[no-any-return]


def _last_steps(outputs: Tensor, lengths: Tensor) -> Tensor:
    """[batch, units] of [batch, time, units]: the last output of each sequence, of its first ``lengths`` steps."""
    with name_scope("select_last_activations", values=[outputs, lengths]):
        shape = arrays.shape(outputs)
        batch, time, units = shape[0], shape[1], shape[2]
        last = casts.to_int64(constants.range_(batch) * time) + casts.cast(lengths, dtypes.int64) - 1
        return indexing.gather(arrays.reshape(outputs, [batch * time, units]), last)


def _logits(
    features: dict[str, Any], mode: str, units: int, make_cell: Callable[[str], Any], sequence_columns: Sequence[Any],
    context_columns: Sequence[Any], partitioner: Any,
) -> Tensor:  # fmt: skip
    with variable_scope("sequence_input_layer", values=tuple(features.values()), partitioner=partitioner):
        steps, lengths = sequence_input_layer(features, sequence_columns)
        summaries.histogram("sequence_length", lengths)
        if context_columns:
            steps = concatenate_context_input(input_layer(features, context_columns), steps)
    outputs, _ = dynamic_rnn(make_cell(mode), steps, lengths, dtype=dtypes.float32)
    last = _last_steps(outputs, lengths)
    with variable_scope("logits", values=(last,)):
        return dense(last, units, activation=None, kernel_initializer=GlorotUniform())  # type: ignore[no-any-return]


def _recurrent_model(
    features: Any, labels: Any, mode: str, head: Any, make_cell: Callable[[str], Any],
    sequence_columns: tuple[Any, ...], context_columns: tuple[Any, ...], optimizer: Any, input_layer_partitioner: Any,
    config: Any,
) -> EstimatorSpec:  # fmt: skip
    check_features(features)
    optimizer = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
    partitioner = min_max_variable_partitioner(max_partitions=servers(config))
    with variable_scope("rnn", values=tuple(features.values()), partitioner=partitioner):
        of_columns = input_layer_partitioner or min_max_variable_partitioner(
            max_partitions=servers(config), min_slice_size=SLICE_OF_COLUMNS
        )
        logits = _logits(
            features, mode, head.logits_dimension, make_cell, sequence_columns, context_columns, of_columns
        )
        return head.create_estimator_spec(  # type: ignore[no-any-return]
            features=features, mode=mode, labels=labels, logits=logits,
            optimizer=clip_gradients_by_norm(optimizer, _LARGEST_NORM),
        )  # fmt: skip


class _Recurrent(Estimator):
    def __init__(
        self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any, make_cell: Callable[[str], Any],
        model_dir: Any, optimizer: Any, input_layer_partitioner: Any, config: Any,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _recurrent_model(
                features, labels, mode, head, make_cell, tuple(sequence_feature_columns or ()),
                tuple(context_feature_columns or ()), optimizer, input_layer_partitioner, config,
            )  # fmt: skip

        super().__init__(model_fn, model_dir=model_dir, config=config)


class RNNClassifier(_Recurrent):
    """Classes of sequences, by the last output of a recurrent network.

    Args:
      sequence_feature_columns: what the network reads at each step; columns of ``tf.contrib.feature_column``, those
        of categories as embeddings or one-hot.
      context_feature_columns: what it reads at every step alike.
      num_units: the sizes of its layers.
      cell_type: ``"basic_rnn"`` (the default), ``"lstm"``, ``"gru"``, or a class of cells.
      rnn_cell_fn: a function from the mode to a cell, instead of sizes and type.
      n_classes: how many classes there are; labels are the numbers below, or words of ``label_vocabulary``.
      weight_column: the feature that weighs the examples.
      optimizer: an optimizer, a function that makes one, or a name; gradients are scaled down to a norm of 5 together.
      input_layer_partitioner: cuts the variables of columns into parts.

    Raises:
      ValueError: cells are given both by a function and by their sizes or type; at the first use, a column or a type
        of cells is none.
    """

    def __init__(
        self, sequence_feature_columns: Any, context_feature_columns: Any = None, num_units: Any = None,
        cell_type: Any = _NOT_GIVEN, rnn_cell_fn: Any = None, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad",
        loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, input_layer_partitioner: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        make_cell = _cell_maker(num_units, cell_type, rnn_cell_fn)
        head = binary_or_multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            head, sequence_feature_columns, context_feature_columns, make_cell, model_dir, optimizer,
            input_layer_partitioner, config,
        )  # fmt: skip


class RNNEstimator(_Recurrent):
    """A recurrent network under a head of the user; other arguments as of ``RNNClassifier``.

    Raises:
      ValueError: also where ``return_sequences`` is true: no head takes the outputs of all steps.
    """

    def __init__(
        self, head: Any, sequence_feature_columns: Any, context_feature_columns: Any = None, num_units: Any = None,
        cell_type: Any = _NOT_GIVEN, rnn_cell_fn: Any = None, return_sequences: bool = False, model_dir: Any = None,
        optimizer: Any = "Adagrad", input_layer_partitioner: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        make_cell = _cell_maker(num_units, cell_type, rnn_cell_fn)
        if return_sequences:
            raise ValueError("Provided head must be a `_SequentialHead` object when `return_sequences` is set to True.")
        super().__init__(
            head, sequence_feature_columns, context_feature_columns, make_cell, model_dir, optimizer,
            input_layer_partitioner, config,
        )  # fmt: skip
