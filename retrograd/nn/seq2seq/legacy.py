"""Networks from sequence to sequence, unrolled: lists of steps in, lists of steps out."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension
from retrograd.graph.tensor import Tensor
from retrograd.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from retrograd.nn.embeddings import embedding_lookup
from retrograd.nn.recurrent.linear import Linear
from retrograd.nn.recurrent.wrappers import EmbeddingWrapper, OutputProjectionWrapper
from retrograd.nn.rnn import static_rnn
from retrograd.ops import arrays, casts, constants, joining, ranking, reductions, softmax
from retrograd.ops.biases import xw_plus_b
from retrograd.ops.conditions import cond
from retrograd.ops.convolution import conv2d
from retrograd.ops.sums import add_n
from retrograd.ops.trigonometry import tanh
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope

LoopFunction = Callable[[Any, int], Any]
Outputs = tuple[list[Any], Any]

# -- decoders ----------------------------------------------------------------------------------


def _extract_argmax_and_embed(
    embedding: Any, output_projection: Any = None, update_embedding: bool = True
) -> LoopFunction:
    """What a decoder reads that is fed its own outputs: the embedding of the largest."""

    def read(previous: Any, _: int) -> Any:
        if output_projection is not None:
            previous = xw_plus_b(previous, output_projection[0], output_projection[1])
        read = embedding_lookup(embedding, ranking.argmax(previous, 1))
        return read if update_embedding else arrays.stop_gradient(read)

    return read


def _check_projection(output_projection: Any, num_symbols: int, dtype: Any, both: bool = True) -> None:
    if output_projection is None:
        return
    if both:
        weights = as_tensor(output_projection[0], dtype=dtype)
        weights.shape.assert_is_compatible_with([None, num_symbols])
    biases = as_tensor(output_projection[1], dtype=dtype)
    biases.shape.assert_is_compatible_with([num_symbols])


def rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, loop_function: Any = None, scope: Any = None
) -> Outputs:
    """The outputs of ``cell`` for each input, and the last state; ``loop_function(output, i)`` replaces input i."""
    with variable_scope(scope or "rnn_decoder"):
        state, outputs, previous = initial_state, [], None
        for i, x in enumerate(decoder_inputs):
            if loop_function is not None and previous is not None:
                with variable_scope("loop_function", reuse=True):
                    x = loop_function(previous, i)
            if i > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(x, state)
            outputs.append(output)
            if loop_function is not None:
                previous = output
    return outputs, state


def embedding_rnn_decoder(
    decoder_inputs: Any, initial_state: Any, cell: Any, num_symbols: int, embedding_size: int,
    output_projection: Any = None, feed_previous: bool = False, update_embedding_for_previous: bool = True,
    scope: Any = None,
) -> Outputs:  # fmt: skip
    """``rnn_decoder`` on embedded symbols; with ``feed_previous``, on its own outputs after the first."""
    with variable_scope(scope or "embedding_rnn_decoder") as opened:
        _check_projection(output_projection, num_symbols, opened.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = _extract_argmax_and_embed(embedding, output_projection, update_embedding_for_previous)
        embedded = (embedding_lookup(embedding, i) for i in decoder_inputs)
        return rnn_decoder(embedded, initial_state, cell, loop_function=loop_function)


def attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, output_size: Any = None,
    num_heads: int = 1, loop_function: Any = None, dtype: Any = None, scope: Any = None,
    initial_state_attention: bool = False,
) -> Outputs:  # fmt: skip
    """A decoder that at each step attends to ``attention_states [batch, length, size]`` (Vinyals et al., 2014).

    Raises:
      ValueError: there are no inputs or heads, or a size is not known.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if attention_states.shape[2].value is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    if output_size is None:
        output_size = cell.output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as opened:
        dtype = opened.dtype
        batch = arrays.shape(decoder_inputs[0])[0]
        heads = _Heads(attention_states, num_heads, dtype)
        state, outputs, previous = initial_state, [], None
        zeros = joining.stack([batch, heads.size])
        attentions = [constants.zeros(zeros, dtype=dtype) for _ in range(num_heads)]
        for attention in attentions:
            attention.set_shape([None, heads.size])
        if initial_state_attention:
            attentions = heads(initial_state)
        for i, x in enumerate(decoder_inputs):
            if i > 0:
                get_variable_scope().reuse_variables()
            if loop_function is not None and previous is not None:
                with variable_scope("loop_function", reuse=True):
                    x = loop_function(previous, i)
            size = x.shape.with_rank(2)[1]
            if size.value is None:
                raise ValueError(f"Could not infer input size from input: {x.name}")
            read = [casts.cast(part, dtype) for part in [x, *attentions]]
            output, state = cell(Linear(read, size, True)(read), state)
            if i == 0 and initial_state_attention:
                with variable_scope(get_variable_scope(), reuse=True):
                    attentions = heads(state)
            else:
                attentions = heads(state)
            with variable_scope("AttnOutputProjection"):
                said = [casts.cast(output, dtype), *attentions]
                output = Linear(said, output_size, True)(said)
            if loop_function is not None:
                previous = output
            outputs.append(output)
    return outputs, state


class _Heads:
    """``sum(softmax(v tanh(W h + linear(query))) h)`` over the states h, once for each head."""

    def __init__(self, states: Tensor, count: int, dtype: Any) -> None:
        length = states.shape[1].value
        self.length = arrays.shape(states)[1] if length is None else length
        self.size, self.dtype = states.shape[2].value, dtype
        self.hidden = arrays.reshape(states, [-1, self.length, 1, self.size])
        self.features, self.v = [], []
        for a in range(count):
            w = get_variable(f"AttnW_{a}", [1, 1, self.size, self.size], dtype=dtype)
            self.features.append(conv2d(self.hidden, w, [1, 1, 1, 1], "SAME"))
            self.v.append(get_variable(f"AttnV_{a}", [self.size], dtype=dtype))

    def __call__(self, query: Any) -> list[Tensor]:
        if nest.is_nested(query):
            query = joining.concat(nest.flatten(query), 1)
        means = []
        for a, (features, v) in enumerate(zip(self.features, self.v, strict=True)):
            with variable_scope(f"Attention_{a}"):
                y = arrays.reshape(Linear(query, self.size, True)(query), [-1, 1, 1, self.size])
                score = reductions.reduce_sum(v * tanh(features + casts.cast(y, self.dtype)), [2, 3])
                weights = casts.cast(softmax.softmax(casts.cast(score, dtypes.float32)), self.dtype)
                weights = arrays.reshape(weights, [-1, self.length, 1, 1])
                mean = reductions.reduce_sum(weights * self.hidden, [1, 2])
                means.append(arrays.reshape(mean, [-1, self.size]))
        return means


def embedding_attention_decoder(
    decoder_inputs: Any, initial_state: Any, attention_states: Any, cell: Any, num_symbols: int, embedding_size: int,
    num_heads: int = 1, output_size: Any = None, output_projection: Any = None, feed_previous: bool = False,
    update_embedding_for_previous: bool = True, dtype: Any = None, scope: Any = None,
    initial_state_attention: bool = False,
) -> Outputs:  # fmt: skip
    """``attention_decoder`` on embedded symbols; with ``feed_previous``, on its own outputs after the first."""
    if output_size is None:
        output_size = cell.output_size
    _check_projection(output_projection, num_symbols, dtype, both=False)
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = _extract_argmax_and_embed(embedding, output_projection, update_embedding_for_previous)
        embedded = [embedding_lookup(embedding, i) for i in decoder_inputs]
        return attention_decoder(
            embedded, initial_state, attention_states, cell, output_size=output_size, num_heads=num_heads,
            loop_function=loop_function, initial_state_attention=initial_state_attention,
        )  # fmt: skip


# -- encoder and decoder -----------------------------------------------------------------------


def basic_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, dtype: Any = dtypes.float32, scope: Any = None
) -> Outputs:
    """A cell over the encoder's inputs, and from its last state another such cell over the decoder's."""
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, loop_function: Any = None, dtype: Any = dtypes.float32,
    scope: Any = None,
) -> Outputs:  # fmt: skip
    """``basic_rnn_seq2seq`` with the same variables on both sides."""
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def _chosen(feed_previous: Any, decode: Callable[[bool], Outputs]) -> tuple[list[Any], list[Any]]:
    """Outputs and parts of the last state of the decoder that a run chooses; both share variables."""
    lengths = []

    def flat(feed: bool) -> list[Any]:
        with variable_scope(get_variable_scope(), reuse=None if feed else True):
            outputs, state = decode(feed)
            lengths.append(len(outputs))
            return [*outputs, *(nest.flatten(state) if nest.is_nested(state) else [state])]

    both = cond(feed_previous, lambda: flat(True), lambda: flat(False))
    return both[: lengths[0]], both[lengths[0] :]


def _packed(structure: Any, parts: list[Any]) -> Any:
    return nest.pack_sequence_as(structure, parts) if nest.is_nested(structure) else parts[0]


def embedding_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: int, num_decoder_symbols: int,
    embedding_size: int, output_projection: Any = None, feed_previous: Any = False, dtype: Any = None,
    scope: Any = None,
) -> Outputs:  # fmt: skip
    """``basic_rnn_seq2seq`` on embedded symbols.

    Args:
      output_projection: ``(w, b)``, if the outputs are to stay those of the cell and be projected outside.
      feed_previous: whether the decoder reads its own outputs: a bool, or a tensor that a run decides by.
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as opened:
        if dtype is not None:
            opened.set_dtype(dtype)
        else:
            dtype = opened.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        _, state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed: bool) -> Outputs:
            return embedding_rnn_decoder(
                decoder_inputs, state, cell, num_decoder_symbols, embedding_size,
                output_projection=output_projection, feed_previous=feed, update_embedding_for_previous=settled,
            )  # fmt: skip

        settled = isinstance(feed_previous, bool)
        if settled:
            return decode(feed_previous)
        outputs, parts = _chosen(feed_previous, decode)
        return outputs, _packed(state, parts)


def embedding_tied_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_symbols: int, embedding_size: int,
    num_decoder_symbols: Any = None, output_projection: Any = None, feed_previous: Any = False, dtype: Any = None,
    scope: Any = None,
) -> Outputs:  # fmt: skip
    """``tied_rnn_seq2seq`` on embedded symbols, with one table for both sides."""
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        _check_projection(output_projection, num_symbols, dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        read = [embedding_lookup(embedding, x) for x in encoder_inputs]
        given = [embedding_lookup(embedding, x) for x in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

        def decode(feed: bool) -> Outputs:
            loop_function = _extract_argmax_and_embed(embedding, output_projection, settled) if feed else None
            return tied_rnn_seq2seq(read, given, cell, loop_function=loop_function, dtype=dtype)

        settled = isinstance(feed_previous, bool)
        if settled:
            return decode(feed_previous)
        outputs, parts = _chosen(feed_previous, decode)
        batch = Dimension(None)
        for x in encoder_inputs:
            batch = batch.merge_with(x.shape[0])
        rows: Any = batch.value
        if rows is None:
            rows = arrays.shape(encoder_inputs[0])[0]
        return outputs, _packed(cell.zero_state(rows, dtype), parts)


def embedding_attention_seq2seq(
    encoder_inputs: Any, decoder_inputs: Any, cell: Any, num_encoder_symbols: int, num_decoder_symbols: int,
    embedding_size: int, num_heads: int = 1, output_projection: Any = None, feed_previous: Any = False,
    dtype: Any = None, scope: Any = None, initial_state_attention: bool = False,
) -> Outputs:  # fmt: skip
    """``embedding_rnn_seq2seq`` whose decoder attends to the outputs of the encoder."""
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        encoder = EmbeddingWrapper(copy.deepcopy(cell), num_encoder_symbols, embedding_size)
        said, state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        states = joining.concat([arrays.reshape(y, [-1, 1, cell.output_size]) for y in said], 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feed: bool) -> Outputs:
            return embedding_attention_decoder(
                decoder_inputs, state, states, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                output_size=output_size, output_projection=output_projection, feed_previous=feed,
                update_embedding_for_previous=settled, initial_state_attention=initial_state_attention,
            )  # fmt: skip

        settled = isinstance(feed_previous, bool)
        if settled:
            return decode(feed_previous)
        outputs, parts = _chosen(feed_previous, decode)
        return outputs, _packed(state, parts)


def one2many_rnn_seq2seq(
    encoder_inputs: Any, decoder_inputs_dict: Any, enc_cell: Any, dec_cells_dict: Any, num_encoder_symbols: int,
    num_decoder_symbols_dict: Any, embedding_size: int, feed_previous: Any = False, dtype: Any = None,
    scope: Any = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:  # fmt: skip
    """One encoder and several decoders: by name, the outputs and the last state of each."""
    all_outputs, states = {}, {}
    with variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as opened:
        dtype = opened.dtype
        encoder = EmbeddingWrapper(enc_cell, num_encoder_symbols, embedding_size)
        _, state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with variable_scope(f"one2many_decoder_{name}"):
                cell = OutputProjectionWrapper(dec_cells_dict[name], symbols)

                def decode(
                    feed: bool, given: Any = decoder_inputs, cell: Any = cell, symbols: int = symbols
                ) -> Outputs:
                    return embedding_rnn_decoder(given, state, cell, symbols, embedding_size, feed_previous=feed)

                if isinstance(feed_previous, bool):
                    all_outputs[name], states[name] = decode(feed_previous)
                else:
                    all_outputs[name], parts = _chosen(feed_previous, decode)
                    states[name] = _packed(state, parts)
    return all_outputs, states


# -- losses ------------------------------------------------------------------------------------


def sequence_loss_by_example(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True, softmax_loss_function: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The weighted cross entropy of each sequence: lists of the steps' logits, targets and weights.

    Raises:
      ValueError: the lists are not of one length.
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        )
    with name_scope(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        losses = []
        for logit, target, weight in zip(logits, targets, weights, strict=True):
            if softmax_loss_function is None:
                target = arrays.reshape(target, [-1])
                loss = sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                loss = softmax_loss_function(labels=target, logits=logit)
            losses.append(loss * weight)
        total = add_n(losses)
        if average_across_timesteps:
            total = total / (add_n(weights) + 1e-12)
    return total


def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True, average_across_batch: bool = True,
    softmax_loss_function: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sum, or the mean over the batch, of ``sequence_loss_by_example``."""
    with name_scope(name, "sequence_loss", [*logits, *targets, *weights]):
        cost = reductions.reduce_sum(
            sequence_loss_by_example(
                logits, targets, weights, average_across_timesteps=average_across_timesteps,
                softmax_loss_function=softmax_loss_function,
            )
        )  # fmt: skip
        if average_across_batch:
            return cost / casts.cast(arrays.shape(targets[0])[0], cost.dtype)
        return cost


def model_with_buckets(
    encoder_inputs: Any, decoder_inputs: Any, targets: Any, weights: Any, buckets: Any, seq2seq: Any,
    softmax_loss_function: Any = None, per_example_loss: bool = False, name: str | None = None,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """``seq2seq(encoder_inputs, decoder_inputs)`` for each pair of lengths, with shared variables: outputs, losses.

    Raises:
      ValueError: there are fewer inputs, targets or weights than the last pair needs.
    """
    for words, given, needed in (
        ("encoder_inputs", encoder_inputs, buckets[-1][0]),
        ("targets", targets, buckets[-1][1]),
        ("weights", weights, buckets[-1][1]),
    ):
        if len(given) < needed:
            raise ValueError(f"Length of {words} ({len(given)}) must be at least that of last bucket ({needed}).")
    losses, outputs = [], []
    with name_scope(name, "model_with_buckets", [*encoder_inputs, *decoder_inputs, *targets, *weights]):
        for j, (read, said) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if j > 0 else None):
                found, _ = seq2seq(encoder_inputs[:read], decoder_inputs[:said])
                outputs.append(found)
                loss = sequence_loss_by_example if per_example_loss else sequence_loss
                losses.append(loss(found, targets[:said], weights[:said], softmax_loss_function=softmax_loss_function))
    return outputs, losses
