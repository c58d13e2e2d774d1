"""``AttentionWrapper``: a cell that looks at memories."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.nn.contrib.shape_conditions import with_same_shape
from retrograd.nn.layers.core import Dense
from retrograd.nn.rnn_cells import RNNCell, assert_like_rnncell, zero_states
from retrograd.nn.seq2seq.attention import AttentionMechanism, known_or_dynamic
from retrograd.ops import arrays, checks, constants, joining, matrices


class AttentionWrapperState(
    namedtuple(
        "AttentionWrapperState",
        ("cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"),
    )
):
    """The state of an ``AttentionWrapper``; what stands for the mechanisms is a tuple if there are several."""

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """A state with other parts, whose shapes must be the old ones: in a graph what is unknown is checked in runs.

        Raises:
          ValueError: a shape is another.
        """

        def with_shape(old: Any, new: Any) -> Any:
            if not (hasattr(old, "set_shape") and hasattr(new, "set_shape")):
                return new
            if not executing_eagerly():
                return with_same_shape(old, new)
            if old.shape.as_list() != new.shape.as_list():
                raise ValueError(
                    f"The shape of the AttentionWrapperState is expected to be same as the one to clone. "
                    f"self.shape: {old.shape}, input.shape: {new.shape}"
                )
            return new

        return nest.map_structure(with_shape, self, super()._replace(**kwargs))


def _compute_attention(mechanism: Any, cell_output: Any, attention_state: Any, attention_layer: Any) -> Any:
    """The mean of the values by alignment, through the layer if there is one; alignments; next state."""
    alignments, following = mechanism(cell_output, state=attention_state)
    context = arrays.squeeze(matrices.matmul(arrays.expand_dims(alignments, 1), mechanism.values), [1])
    if attention_layer is None:
        return context, alignments, following
    return attention_layer(joining.concat([cell_output, context], 1)), alignments, following


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


class AttentionWrapper(RNNCell):
    """A cell that reads, beside its input, what attention found at the step before.

    Args:
      attention_mechanism: one, or a list of them.
      attention_layer_size: the size of a layer on output and context; without one, attention is the context.
      alignment_history: keep the alignments of all steps.
      cell_input_fn: joins input and attention, by default by ``concat``.
      output_attention: give attention as output (Luong), not that of the cell (Bahdanau).
      initial_cell_state: what ``zero_state`` gives for the cell.
      attention_layer: a layer, or a list of them, instead of ``attention_layer_size``.
      attention_fn: instead of the usual mean.

    Raises:
      TypeError: an argument is not of its kind.
      ValueError: sizes and mechanisms are not as many, or both sizes and layers are given.
    """

    def __init__(
        self,
        cell: Any,
        attention_mechanism: Any,
        attention_layer_size: Any = None,
        alignment_history: bool = False,
        cell_input_fn: Any = None,
        output_attention: bool = True,
        initial_cell_state: Any = None,
        name: Any = None,
        attention_layer: Any = None,
        attention_fn: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, list | tuple)
        mechanisms = self._attention_mechanisms = _as_tuple(attention_mechanism)
        for mechanism in mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                words = (
                    "attention_mechanism must contain only instances of AttentionMechanism, saw type: "
                    if self._is_multi
                    else "attention_mechanism must be an AttentionMechanism or list of multiple AttentionMechanism "
                    "instances, saw type: "
                )
                raise TypeError(words + type(mechanism).__name__)
        if cell_input_fn is None:
            cell_input_fn = lambda inputs, attention: joining.concat([inputs, attention], -1)  # noqa: E731
        elif not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}")
        self._attention_layers, self._attention_layer_size = self._layers_of(
            cell, attention_layer_size, attention_layer
        )
        self._cell, self._cell_input_fn, self._output_attention = cell, cell_input_fn, output_attention
        self._attention_fn = attention_fn or _compute_attention
        self._alignment_history = alignment_history
        with name_scope(name, "AttentionWrapperInit"):
            self._initial_cell_state = None
            if initial_cell_state is not None:
                batch = known_or_dynamic(nest.flatten(initial_cell_state)[-1], 0)
                message = (
                    f"When constructing AttentionWrapper {self._base_name}: Non-matching batch sizes between the "
                    "memory (encoder output) and initial_cell_state.  Are you using the BeamSearchDecoder?  You may "
                    "need to tile your initial state via the tf.contrib.seq2seq.tile_batch function with argument "
                    "multiple=beam_width."
                )
                with control_dependencies(self._batch_size_checks(batch, message)):
                    self._initial_cell_state = nest.map_structure(
                        lambda s: arrays.identity(s, name="check_initial_cell_state"), initial_cell_state
                    )

    def _layers_of(self, cell: Any, sizes: Any, layers: Any) -> tuple[Any, int]:
        """The layers on top of attention, and the size of all that attention gives."""
        mechanisms = self._attention_mechanisms
        if sizes is not None and layers is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        if sizes is not None:
            sizes = _as_tuple(sizes)
            self._check_number("attention_layer_size", "integer", sizes)
            made = [
                Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
                for size, mechanism in zip(sizes, mechanisms, strict=True)
            ]
            return tuple(made), sum(sizes)
        if layers is None:
            return None, sum(mechanism.values.shape[-1].value for mechanism in mechanisms)
        layers = _as_tuple(layers)
        self._check_number("attention_layer", "layer", layers)
        given = [TensorShape([None, cell.output_size + mechanism.values.shape[-1].value]) for mechanism in mechanisms]
        outputs = [layer.compute_output_shape(shape) for layer, shape in zip(layers, given, strict=True)]
        return layers, sum(shape[-1].value for shape in outputs)

    def _check_number(self, argument: str, kind: str, values: Any) -> None:
        if len(values) != len(self._attention_mechanisms):
            raise ValueError(
                f"If provided, {argument} must contain exactly one {kind} per attention_mechanism, saw: "
                f"{len(values)} vs {len(self._attention_mechanisms)}"
            )

    def _batch_size_checks(self, batch_size: Any, message: str) -> list[Any]:
        return [checks.assert_equal(batch_size, m.batch_size, message=message) for m in self._attention_mechanisms]

    def _item_or_tuple(self, values: Any) -> Any:
        values = tuple(values)
        return values if self._is_multi else values[0]

    @property
    def output_size(self) -> Any:
        """The size of what ``output_attention`` asks for."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """The sizes of the parts of the state."""
        mechanisms = self._attention_mechanisms
        return AttentionWrapperState(
            cell_state=self._cell.state_size, time=TensorShape([]), attention=self._attention_layer_size,
            alignments=self._item_or_tuple(m.alignments_size for m in mechanisms),
            attention_state=self._item_or_tuple(m.state_size for m in mechanisms),
            alignment_history=self._item_or_tuple(
                m.alignments_size if self._alignment_history else () for m in mechanisms
            ),
        )  # fmt: skip

    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """The initial state for a batch as large as that of the memory."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            state = self._initial_cell_state
            if state is None:
                state = self._cell.zero_state(batch_size, dtype)
            message = (
                f"When calling zero_state of AttentionWrapper {self._base_name}: Non-matching batch sizes between the "
                "memory (encoder output) and the requested batch size.  Are you using the BeamSearchDecoder?  If so, "
                "make sure your encoder output has been tiled to beam_width via tf.contrib.seq2seq.tile_batch, and the "
                "batch_size= argument passed to zero_state is batch_size * beam_width."
            )
            with control_dependencies(self._batch_size_checks(batch_size, message)):
                state = nest.map_structure(lambda s: arrays.identity(s, name="checked_cell_state"), state)
            mechanisms = self._attention_mechanisms
            alignments = [m.initial_alignments(batch_size, dtype) for m in mechanisms]
            return AttentionWrapperState(
                cell_state=state, time=constants.zeros([], dtype=dtypes.int32),
                attention=zero_states(self._attention_layer_size, batch_size, dtype),
                alignments=self._item_or_tuple(alignments),
                attention_state=self._item_or_tuple(m.initial_state(batch_size, dtype) for m in mechanisms),
                alignment_history=self._item_or_tuple(
                    TensorArray(dtype, size=0, dynamic_size=True, element_shape=a.shape)
                    if self._alignment_history
                    else ()
                    for a in alignments
                ),
            )  # fmt: skip

    def call(self, inputs: Any, state: Any) -> Any:
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                f"Expected state to be instance of AttentionWrapperState. Received type {type(state)} instead."
            )
        cell_output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        batch = known_or_dynamic(cell_output, 0)
        message = (
            f"When applying AttentionWrapper {self.name}: Non-matching batch sizes between the memory (encoder output) "
            "and the query (decoder output).  Are you using the BeamSearchDecoder?  You may need to tile your memory "
            "input via the tf.contrib.seq2seq.tile_batch function with argument multiple=beam_width."
        )
        with control_dependencies(self._batch_size_checks(batch, message)):
            cell_output = arrays.identity(cell_output, name="checked_cell_output")
        before = state.attention_state if self._is_multi else [state.attention_state]
        histories = state.alignment_history if self._is_multi else [state.alignment_history]
        found = []
        for i, mechanism in enumerate(self._attention_mechanisms):
            layer = self._attention_layers[i] if self._attention_layers else None
            attention, alignments, following = self._attention_fn(mechanism, cell_output, before[i], layer)
            history = histories[i].write(state.time, alignments) if self._alignment_history else ()
            found.append((attention, alignments, following, history))
        attentions, alignments, following, history = zip(*found, strict=True)
        attention = joining.concat(attentions, 1)
        next_state = AttentionWrapperState(
            time=state.time + 1, cell_state=cell_state, attention=attention,
            attention_state=self._item_or_tuple(following), alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(history),
        )  # fmt: skip
        return (attention if self._output_attention else cell_output), next_state
