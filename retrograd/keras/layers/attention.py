"""Attention: means of values, weighted by how much their keys have in common with a query."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.shapes import TensorShape
from retrograd.keras import backend as K
from retrograd.nn.layers.engine import Layer
from retrograd.ops import arrays, casts, comparison, constants, joining, matrices, reductions, scans, softmax
from retrograd.ops import trigonometry as hyperbolic
from retrograd.state.initializers import GlorotUniform, Ones


class BaseDenseAttention(Layer):
    """``softmax(scores(query, key)) value`` of ``[query, value]`` or ``[query, value, key]``.

    Args:
      causal: no query sees the values behind its own place.

    Raises:
      ValueError: the inputs are no list of two or three tensors, or the masks no list of two.
    """

    def __init__(self, causal: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.causal, self.supports_masking = causal, True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        raise NotImplementedError

    def _apply_scores(self, scores: Any, value: Any, scores_mask: Any = None) -> Any:
        """``softmax(scores) value``, of the scores where ``scores_mask`` is True."""
        if scores_mask is not None:
            scores -= 1.0e9 * casts.cast(comparison.logical_not(scores_mask), dtype=K.floatx())
        return matrices.matmul(softmax.softmax(scores), value)

    def call(self, inputs: Any, mask: Any = None) -> Any:
        self._check(inputs, mask)
        query, value = inputs[:2]
        key = inputs[2] if len(inputs) > 2 else value
        query_mask, value_mask = (mask[0], mask[1]) if mask else (None, None)
        scores = self._calculate_scores(query, key)
        if value_mask is not None:
            value_mask = arrays.expand_dims(value_mask, axis=-2)
        allowed = value_mask
        if self.causal:
            sizes = arrays.shape(scores)
            earlier = lower_triangular_mask(joining.concat([constants.ones_like(sizes[:-2]), sizes[-2:]], axis=0))
            allowed = earlier if value_mask is None else comparison.logical_and(value_mask, earlier)
        result = self._apply_scores(scores, value, allowed)
        if query_mask is not None:
            query_mask = arrays.expand_dims(query_mask, axis=-1)
            result *= casts.cast(query_mask, dtype=result.dtype)
        return result

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        self._check(inputs, mask)
        if not mask or mask[0] is None:
            return None
        return as_tensor(mask[0])

    def _check(self, inputs: Any, mask: Any) -> None:
        name = type(self).__name__
        if not isinstance(inputs, list):
            raise ValueError(
                f"{name} layer must be called on a list of inputs, namely [query, value] or [query, value, key]."
            )
        if len(inputs) < 2 or len(inputs) > 3:
            raise ValueError(
                f"{name} layer accepts inputs list of length 2 or 3, namely [query, value] or [query, value, key]. "
                f"Given length: {len(inputs)}"
            )
        if mask and not isinstance(mask, list):
            raise ValueError(f"{name} layer mask must be a list, namely [query_mask, value_mask].")
        if mask and len(mask) not in (2, len(inputs)):
            raise ValueError(
                f"{name} layer mask must be a list of length 2, namely [query_mask, value_mask]. Given length: "
                f"{len(mask)}"
            )

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        query, value = (TensorShape(s).as_list() for s in input_shape[:2])
        return TensorShape([*query[:-1], value[-1]])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "causal": self.causal}


def lower_triangular_mask(shape: Any) -> Any:
    """True where the column is not behind the row."""
    rows = scans.cumsum(constants.ones(shape, dtype=dtypes.int32), axis=-2)
    columns = scans.cumsum(constants.ones(shape, dtype=dtypes.int32), axis=-1)
    return comparison.greater_equal(rows, columns)


class Attention(BaseDenseAttention):
    """Luong's attention: scores are products ``query key^T``, times a trained number with ``use_scale``."""

    def __init__(self, use_scale: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.use_scale = use_scale
        self.scale: Any = None

    def build(self, input_shape: Any) -> None:
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(), initializer=Ones(), dtype=self.dtype, trainable=True)
        self.built = True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        scores = matrices.matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "use_scale": self.use_scale}


class AdditiveAttention(BaseDenseAttention):
    """Bahdanau's attention: scores are sums of ``scale * tanh(query + key)``."""

    def __init__(self, use_scale: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.use_scale = use_scale
        self.scale: Any = None

    def build(self, input_shape: Any) -> None:
        if self.use_scale:
            width = TensorShape(input_shape[1])[-1].value
            self.scale = self.add_weight(
                name="scale", shape=[width], initializer=GlorotUniform(), dtype=self.dtype, trainable=True
            )
        self.built = True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        rows, columns = arrays.expand_dims(query, axis=-2), arrays.expand_dims(key, axis=-3)
        scale = self.scale if self.use_scale else 1.0
        return reductions.reduce_sum(scale * hyperbolic.tanh(rows + columns), axis=-1)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "use_scale": self.use_scale}
