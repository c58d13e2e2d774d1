"""Wrappers of ``tf.contrib.rnn``: cells with embedded or projected inputs and outputs, attention, highways."""

from __future__ import annotations

import math
from typing import Any

from retrograd.graph import nest
from retrograd.graph.log import warn
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.nn.recurrent.linear import Linear
from retrograd.nn.rnn_cells import RNNCell, assert_like_rnncell
from retrograd.ops import arrays, exponentials, joining, reductions, slicing, softmax
from retrograd.ops.biases import xw_plus_b
from retrograd.ops.convolution import conv2d
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import constant_initializer, random_uniform_initializer
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope


class _Around(RNNCell):
    """A cell that calls another one, with variables of its own."""

    _cell: Any

    state_size = property(lambda self: self._cell.state_size, doc="The wrapped cell's.")
    output_size = property(lambda self: self._cell.output_size, doc="The wrapped cell's.")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The wrapped cell's."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


class EmbeddingWrapper(_Around):
    """A cell that reads numbers of symbols, ``[batch]`` or ``[batch, 1]``.

    Raises:
      ValueError: a size is not positive.
    """

    def __init__(
        self, cell: Any, embedding_classes: int, embedding_size: int, initializer: Any = None, reuse: Any = None
    ) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                f"Both embedding_classes and embedding_size must be > 0: {embedding_classes}, {embedding_size}."
            )
        self._cell, self._embedding_classes, self._embedding_size = cell, embedding_classes, embedding_size
        self._initializer_of_table = initializer

    def call(self, inputs: Any, state: Any) -> Any:
        if self._initializer_of_table:
            initializer = self._initializer_of_table
        elif get_variable_scope().initializer:
            initializer = get_variable_scope().initializer
        else:
            spread = math.sqrt(3)  # uniform numbers of variance 1
            initializer = random_uniform_initializer(-spread, spread)
        dtype = (state[0] if isinstance(state, tuple) else state).dtype
        shape = [self._embedding_classes, self._embedding_size]
        table = get_variable("embedding", shape, initializer=initializer, dtype=dtype)
        return self._cell(embedding_lookup(table, arrays.reshape(inputs, [-1])), state)


class InputProjectionWrapper(_Around):
    """A cell that reads a projection of its inputs to ``num_proj``."""

    def __init__(
        self, cell: Any, num_proj: int, activation: Any = None, input_size: Any = None, reuse: Any = None
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            warn("%s: The input_size parameter is deprecated.", self)
        assert_like_rnncell("cell", cell)
        self._cell, self._num_proj, self._activation = cell, num_proj, activation
        self._linear: Any = None

    def call(self, inputs: Any, state: Any) -> Any:
        if self._linear is None:
            self._linear = Linear(inputs, self._num_proj, True)
        projected = self._linear(inputs)
        return self._cell(self._activation(projected) if self._activation else projected, state)


class OutputProjectionWrapper(_Around):
    """A cell whose output is projected to ``output_size``.

    Raises:
      TypeError: ``cell`` is none.
      ValueError: the size is not positive.
    """

    def __init__(self, cell: Any, output_size: int, activation: Any = None, reuse: Any = None) -> None:
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._cell, self._output_size, self._activation = cell, output_size, activation
        self._linear: Any = None

    output_size = property(lambda self: self._output_size, doc="The size of the projection.")

    def call(self, inputs: Any, state: Any) -> Any:
        output, state = self._cell(inputs, state)
        if self._linear is None:
            self._linear = Linear(output, self._output_size, True)
        projected = self._linear(output)
        return (self._activation(projected) if self._activation else projected), state


class AttentionCellWrapper(RNNCell):
    """A cell that attends to its own last ``attn_length`` outputs (Rocktaschel et al., 2015).

    Raises:
      TypeError: ``cell`` is none.
      ValueError: the length is not positive, or the cell's state is a tuple and this one's is not to be.
    """

    def __init__(
        self, cell: Any, attn_length: int, attn_size: Any = None, attn_vec_size: Any = None, input_size: Any = None,
        state_is_tuple: bool = True, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: "
                f"{cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        if not state_is_tuple:
            warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._cell, self._attn_length, self._input_size = cell, attn_length, input_size
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._state_is_tuple = state_is_tuple
        self._linear1: Any = None
        self._linear2: Any = None
        self._linear3: Any = None

    @property
    def state_size(self) -> Any:
        """The sizes of the cell's state, of the last attention, and of the outputs remembered."""
        sizes = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return sizes if self._state_is_tuple else sum(sizes)

    output_size = property(lambda self: self._attn_size, doc="The size of attention.")

    def call(self, inputs: Any, state: Any) -> Any:
        if self._state_is_tuple:
            state, attention, states = state
        else:
            whole, n = state, self._cell.state_size
            state = slicing.slice_(whole, [0, 0], [-1, n])
            attention = slicing.slice_(whole, [0, n], [-1, self._attn_size])
            states = slicing.slice_(whole, [0, n + self._attn_size], [-1, self._attn_size * self._attn_length])
        states = arrays.reshape(states, [-1, self._attn_length, self._attn_size])
        size = self._input_size if self._input_size is not None else inputs.shape.as_list()[1]
        read = [inputs, attention]
        if self._linear1 is None:
            self._linear1 = Linear(read, size, True)
        output, new_state = self._cell(self._linear1(read), state)
        if self._state_is_tuple:
            whole_state = joining.concat(nest.flatten(new_state), 1)
        else:
            whole_state = new_state
        attention, states = self._attention(whole_state, states)
        with variable_scope("attn_output_projection"):
            said = [output, attention]
            if self._linear2 is None:
                self._linear2 = Linear(said, self._attn_size, True)
            output = self._linear2(said)
        states = joining.concat([states, arrays.expand_dims(output, 1)], 1)
        states = arrays.reshape(states, [-1, self._attn_length * self._attn_size])
        parts = (new_state, attention, states)
        return output, parts if self._state_is_tuple else joining.concat(list(parts), 1)

    def _attention(self, query: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        """The mean of the states by what the query makes of them; the states without the oldest."""
        with variable_scope("attention"):
            w = get_variable("attn_w", [1, 1, self._attn_size, self._attn_vec_size])
            v = get_variable("attn_v", [self._attn_vec_size])
            hidden = arrays.reshape(states, [-1, self._attn_length, 1, self._attn_size])
            features = conv2d(hidden, w, [1, 1, 1, 1], "SAME")
            if self._linear3 is None:
                self._linear3 = Linear(query, self._attn_vec_size, True)
            y = arrays.reshape(self._linear3(query), [-1, 1, 1, self._attn_vec_size])
            weights = softmax.softmax(reductions.reduce_sum(v * tanh(features + y), [2, 3]))
            mean = reductions.reduce_sum(arrays.reshape(weights, [-1, self._attn_length, 1, 1]) * hidden, [1, 2])
            kept = slicing.slice_(states, [0, 1, 0], [-1, -1, -1])
            return arrays.reshape(mean, [-1, self._attn_size]), kept


class HighwayWrapper(_Around):
    """``input carry + output transform``, gates of the input (Srivastava et al., 2015).

    Coupled, ``transform = 1 - carry``; ``carry_bias_init`` is where the bias of the gates starts.
    """

    def __init__(self, cell: Any, couple_carry_transform_gates: bool = True, carry_bias_init: float = 1.0) -> None:
        self._cell = cell
        self._couple_carry_transform_gates, self._carry_bias_init = couple_carry_transform_gates, carry_bias_init

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        outputs, state = self._cell(inputs, state, scope=scope)
        nest.assert_same_structure(inputs, outputs)
        nest.map_structure(lambda i, o: i.shape.assert_is_compatible_with(o.shape), inputs, outputs)
        return nest.map_structure(self._highway, inputs, outputs), state

    def _highway(self, x: Tensor, y: Tensor) -> Tensor:
        n = x.shape[-1].value
        weights = get_variable("carry_w", [n, n])
        start = constant_initializer(self._carry_bias_init)
        biases = get_variable("carry_b", [n], initializer=start)
        carry = exponentials.sigmoid(xw_plus_b(x, weights, biases))
        if self._couple_carry_transform_gates:
            transform = 1 - carry
        else:
            weights = get_variable("transform_w", [n, n])
            biases = get_variable("transform_b", [n], initializer=constant_initializer(-self._carry_bias_init))
            transform = exponentials.sigmoid(xw_plus_b(x, weights, biases))
        return x * carry + y * transform


class CompiledWrapper(_Around):
    """A cell that asks to be compiled as one; here every run is, so it is the cell."""

    def __init__(self, cell: Any, compile_stateful: bool = False) -> None:
        self._cell = cell
        self._compile_stateful = compile_stateful

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        return self._cell(inputs, state, scope=scope)
