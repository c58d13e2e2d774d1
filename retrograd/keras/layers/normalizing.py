"""Normalization and embeddings."""

from __future__ import annotations

from typing import Any

from retrograd.eager.lifted import LiftedGraph
from retrograd.graph.errors import taught
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.keras import backend as K
from retrograd.nn import embeddings
from retrograd.nn.keras import constraints, initializers, regularizers
from retrograd.nn.layers import normalization
from retrograd.nn.layers.base import KerasStyle
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.parameters import taking
from retrograd.nn.layers.phase import settled_by_functions
from retrograd.nn.moments import batch_normalization, moments
from retrograd.ops import arrays, casts, comparison


@taking(
    axis=-1, momentum=0.99, epsilon=1e-3, center=True, scale=True, beta_initializer="zeros", gamma_initializer="ones",
    moving_mean_initializer="zeros", moving_variance_initializer="ones", beta_regularizer=None, gamma_regularizer=None,
    beta_constraint=None, gamma_constraint=None, renorm=False, renorm_clipping=None, renorm_momentum=0.99, fused=None,
    trainable=True, virtual_batch_size=None, adjustment=None, name=None,
)  # fmt: skip
class BatchNormalization(KerasStyle, normalization.BatchNormalization):
    __doc__ = normalization.BatchNormalization.__doc__

    def call(self, inputs: Any, training: Any = None) -> Any:
        return super().call(inputs, training)


class BatchNormalizationV2(BatchNormalization):
    """Batch normalization that uses its moving averages, and keeps them, once it is not trainable.

    Raises:
      ValueError: it is to be fused and cannot be.
    """

    _is_in_version_2 = True

    def _fused_at_first(self, asked: Any) -> Any:
        reason = None
        if self.renorm:
            reason = "Passing both fused=True and renorm=True is unsupported"
        elif self.axis not in (-1, -3, 1, 3, [-1], [-3], [1], [3]):
            reason = "Passing fused=True is only supported when axis is 1 or 3"
        elif self.virtual_batch_size is not None:
            reason = "Passing fused=True is unsupported when virtual_batch_size is specified."
        elif self.adjustment is not None:
            reason = "Passing fused=True is unsupported when adjustment is specified."
        if asked and reason:
            raise taught(ValueError(reason), fix="fused=None: fused where it can be")
        return False if asked is None and reason else asked

    def _fused_for(self, rank: int) -> Any:
        if self.fused and rank != 4:
            error = ValueError("Batch normalization layers with fused=True only support 4D input tensors.")
            raise taught(error, fix="fused=None: fused where it can be")
        return rank == 4 if self.fused is None else self.fused

    def call(self, inputs: Any, training: Any = None) -> Any:
        if training is None:
            training = K.learning_phase()
        training = bool(training) if isinstance(training, int) else training
        return super().call(inputs, comparison.logical_and(training, self._trains()))

    def _trains(self) -> Any:
        """Whether the layer is trainable; in a model of eager execution, when a function of the model is made."""
        if not isinstance(default_graph(), LiftedGraph):
            return self.trainable
        return settled_by_functions(lambda: self.trainable, f"{self.name}_trainable")


BatchNormalizationV2.__name__ = "BatchNormalization"


class LayerNormalization(Layer):
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` over ``axis`` of each example."""

    def __init__(
        self,
        axis: Any = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, int | list | tuple):
            raise ValueError(
                f"Expected an int or a list/tuple of ints for the argument 'axis', but received instead: {axis}"
            )
        self.axis: Any = axis if isinstance(axis, int) else list(axis)
        self.epsilon, self.center, self.scale, self.supports_masking = epsilon, center, scale, True
        self.beta_initializer, self.gamma_initializer = (
            initializers.get(beta_initializer),
            initializers.get(gamma_initializer),
        )
        self.beta_regularizer, self.gamma_regularizer = (
            regularizers.get(beta_regularizer),
            regularizers.get(gamma_regularizer),
        )
        self.beta_constraint, self.gamma_constraint = (
            constraints.get(beta_constraint),
            constraints.get(gamma_constraint),
        )
        self.beta: Any = None
        self.gamma: Any = None

    def build(self, input_shape: Any) -> None:
        shape = TensorShape(input_shape)
        if shape.ndims is None:
            raise ValueError(f"Input shape {input_shape} has undefined rank.")
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self.axis = axes = [a + shape.ndims if a < 0 else a for a in axes]
        for axis in axes:
            if not 0 <= axis < shape.ndims:
                raise ValueError(f"Invalid axis: {axis}")
        if len(axes) != len(set(axes)):
            raise ValueError(f"Duplicate axis: {tuple(axes)}")
        sizes = [shape[a].value for a in self.axis]
        if self.scale:
            self.gamma = self.add_weight(
                name="gamma", shape=sizes, initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint, trainable=True,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                name="beta", shape=sizes, initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint, trainable=True,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        rank = len(inputs.shape)
        mean, variance = moments(inputs, self.axis, keep_dims=True)
        sizes = [inputs.shape[i].value if i in self.axis else 1 for i in range(rank)]

        def spread(v: Any) -> Any:
            if v is not None and len(v.shape) != rank and self.axis != [rank - 1]:
                return arrays.reshape(v, sizes)
            return v

        scale, offset = spread(self.gamma), spread(self.beta)
        outputs = batch_normalization(inputs, mean, variance, offset, scale, self.epsilon)
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "axis": self.axis, "epsilon": self.epsilon, "center": self.center,
            "scale": self.scale, "beta_initializer": initializers.serialize(self.beta_initializer),
            "gamma_initializer": initializers.serialize(self.gamma_initializer),
            "beta_regularizer": regularizers.serialize(self.beta_regularizer),
            "gamma_regularizer": regularizers.serialize(self.gamma_regularizer),
            "beta_constraint": constraints.serialize(self.beta_constraint),
            "gamma_constraint": constraints.serialize(self.gamma_constraint),
        }  # fmt: skip


class Embedding(Layer):
    """Row ``i`` of a matrix for each integer ``i`` of the inputs; with ``mask_zero``, 0 is masked."""

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None,
        activity_regularizer: Any = None,
        embeddings_constraint: Any = None,
        mask_zero: bool = False,
        input_length: Any = None,
        **kwargs: Any,
    ) -> None:
        if "input_shape" not in kwargs and "batch_input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if input_length else (None,)
        dtype = kwargs.pop("dtype", K.floatx())
        kwargs["autocast"] = False  # integers given as floats stay exact
        super().__init__(dtype=dtype, activity_regularizer=regularizers.get(activity_regularizer), **kwargs)
        self.input_dim, self.output_dim = input_dim, output_dim
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.mask_zero, self.supports_masking, self.input_length = mask_zero, mask_zero, input_length

    def build(self, input_shape: Any) -> None:
        self.embeddings = self.add_weight(
            shape=(self.input_dim, self.output_dim), initializer=self.embeddings_initializer, name="embeddings",
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip
        self.built = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return comparison.not_equal(inputs, 0) if self.mask_zero else None

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        sizes = TensorShape(input_shape).as_list()
        if self.input_length is not None and len(sizes) == 2:
            sizes[1] = sizes[1] or (self.input_length if isinstance(self.input_length, int) else self.input_length[0])
        return TensorShape([*sizes, self.output_dim])

    def call(self, inputs: Any) -> Any:
        if K.dtype(inputs) not in ("int32", "int64"):
            inputs = casts.cast(inputs, "int32")
        return embeddings.embedding_lookup(self.embeddings, inputs)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "input_dim": self.input_dim, "output_dim": self.output_dim,
            "embeddings_initializer": initializers.serialize(self.embeddings_initializer),
            "embeddings_regularizer": regularizers.serialize(self.embeddings_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "embeddings_constraint": constraints.serialize(self.embeddings_constraint), "mask_zero": self.mask_zero,
            "input_length": self.input_length,
        }  # fmt: skip
