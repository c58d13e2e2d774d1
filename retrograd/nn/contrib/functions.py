"""``tf.contrib.nn`` and its like: losses over ranked classes, functions over structures, dropout, scaled softplus."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import as_shape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy, embeddings, sampling
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    candidates,
    casts,
    comparison,
    constants,
    exponentials,
    host,
    indexing,
    matrices,
    random,
    ranking,
    reductions,
)
from retrograd.ops import softmax as softmaxes
from retrograd.state.defun import Defun


def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Dropout that keeps mean and variance of what ``selu`` gives (Klambauer et al., 2017).

    Raises:
      ValueError: ``keep_prob`` is not above 0 and at most 1.
    """
    with name_scope(name, "alpha_dropout", [x]):
        x = as_tensor(x, name="x")
        if isinstance(keep_prob, int | float) and not 0 < keep_prob <= 1.0:
            raise ValueError(f"keep_prob must be a scalar tensor or a float in the range (0, 1], got {keep_prob:g}")
        keep = as_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep.shape.assert_has_rank(0)
        if constant_value(keep) == 1:
            return x
        alpha = -1.7580993408473766
        drawn = random.random_uniform(arrays.shape(x) if noise_shape is None else noise_shape, seed=seed, dtype=x.dtype)
        kept = casts.cast(comparison.greater_equal(drawn, 1 - keep), x.dtype)
        x = x * kept + alpha * (1 - kept)
        a = (keep + keep * (1 - keep) * alpha**2) ** -0.5
        b = -a * alpha * (1 - keep)
        y: Tensor = a * x + b
        return y


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Tensor:
    """``tf.nn.softmax_cross_entropy_with_logits`` with logits before labels."""
    return softmaxes.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Tensor:
    """``tf.nn.sparse_softmax_cross_entropy_with_logits`` with logits before labels."""
    return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(logits: Any, targets: Any, name: str | None = None) -> Tensor:
    """``tf.nn.sigmoid_cross_entropy_with_logits`` with logits before labels."""
    return cross_entropy.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


# -- softplus ------------------------------------------------------------------------------------


def _summed_to(gradient: Any, tensor: Any) -> Any:
    """A gradient summed over what was repeated."""
    shape = arrays.shape(tensor)
    axes, _ = apply(arithmetic.BROADCAST_GRADIENT_ARGS, shape, arrays.shape(gradient))
    return arrays.reshape(reductions.reduce_sum(gradient, axes), shape)


def _softplus_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = (1 - e) dy and dalpha = (z e - (1 - e) log(1 - e)) dy, with z = y / alpha and e = exp(-z)."""
    y, x, alpha, *clips = op.inputs
    with control_dependencies([dy]):
        y = arrays.identity(y)
    of_clip = []
    if clips:
        below = casts.cast(y < clips[0], dy.dtype)
        of_clip = [_summed_to(dy * (1.0 - below), clips[0])]
        dy = dy * below
    y = y / alpha
    e = exponentials.exp(-y)
    slope = 1.0 - e
    of_alpha = y * e - slope * exponentials.log(slope + 1e-8)
    return [None, _summed_to(dy * slope, x), _summed_to(dy * of_alpha, alpha), *of_clip]


def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> Tensor:
    """``min(alpha * log(1 + exp(x / alpha)), clip)``, with a gradient that needs only the result."""
    with name_scope(name, "scaled_softplus", [x, alpha, *([] if clip is None else [clip])]):
        x = as_tensor(x, name="x")
        kind = x.dtype
        alpha = as_tensor(alpha, dtype=kind, name="alpha")
        y = alpha * activations.softplus(x / alpha)
        settings: dict[str, Any] = {
            "shape_func": lambda op: [op.inputs[0].shape],
            "python_grad_func": _softplus_gradient,
        }
        if clip is None:

            @Defun(kind, kind, kind, func_name=f"ScaledSoftplusHelper_{kind.name}", **settings)
            def helper(y: Any, x: Any, alpha: Any) -> Any:
                return y

            return helper(y, x, alpha)  # type: ignore[no-any-return]
        clip = as_tensor(clip, dtype=kind, name="clip")
        y = arithmetic.minimum(y, clip)

        @Defun(kind, kind, kind, kind, func_name=f"ScaledSoftplusHelper_clip_{kind.name}", **settings)
        def clipped_helper(y: Any, x: Any, alpha: Any, clip: Any) -> Any:
            return y

        return clipped_helper(y, x, alpha, clip)  # type: ignore[no-any-return]


# -- losses over sampled classes -----------------------------------------------------------------


def _highest_ranked(
    weights: Any, biases: Any, inputs: Any, sampled_values: Any, count: int, temperature: Any, partition_strategy: str
) -> tuple[Tensor, Tensor, Tensor]:
    """Of the sampled classes the ``count`` that score highest over the whole batch, with their expected counts."""
    sampled, true_expected, sampled_expected = sampled_values
    sampled = casts.cast(arrays.stop_gradient(sampled), dtypes.int64)
    true_expected, sampled_expected = arrays.stop_gradient(true_expected), arrays.stop_gradient(sampled_expected)
    weighted = inputs / temperature

    def scores(rows: Tensor) -> Tensor:
        logits = matrices.matmul(rows, weighted, transpose_b=True)
        return reductions.reduce_logsumexp(logits, axis=1, keepdims=False)

    found = embeddings._embedding_lookup_and_transform(weights, sampled, partition_strategy, transform_fn=scores)
    offsets = arrays.reshape(embeddings.embedding_lookup(biases, sampled, partition_strategy), [-1])
    found += offsets / temperature
    _, places = ranking.top_k(found, k=count, sorted=False)
    resampled = indexing.gather(sampled, indices=places)
    return resampled, true_expected, indexing.gather(sampled_expected, indices=places)


def rank_sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_resampled: int, num_classes: int,
    num_true: int, sampled_values: Any, resampling_temperature: Any, remove_accidental_hits: bool,
    partition_strategy: str, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Softmax over the true classes and those ``num_resampled`` of ``num_sampled`` that score highest.

    Raises:
      ValueError: a number is larger than the one that it is drawn from, or the strategy is unknown.
    """
    if num_sampled > num_classes:
        raise ValueError(f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})")
    if num_sampled <= num_resampled:
        raise ValueError(f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})")
    if partition_strategy not in ("div", "mod"):
        raise ValueError(f"unsupported partition_strategy ({partition_strategy})")
    given = [weights, biases, labels, inputs, sampled_values, resampling_temperature]
    with name_scope(name, "rank_sampled_softmax_loss", given) as name:
        if not sampled_values:
            sampled_values = candidates.learned_unigram_candidate_sampler(
                true_classes=labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes
            )
        resampled = _highest_ranked(
            weights, biases, inputs, sampled_values, num_resampled, resampling_temperature, partition_strategy
        )
        return sampling.sampled_softmax_loss(
            weights=weights, biases=biases, labels=labels, inputs=inputs, num_sampled=num_resampled,
            num_classes=num_classes, num_true=num_true, sampled_values=resampled,
            remove_accidental_hits=remove_accidental_hits, partition_strategy=partition_strategy, name=name,
        )  # fmt: skip


def sampled_sparse_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int,
    sampled_values: Any = None, remove_accidental_hits: bool = True, partition_strategy: str = "mod",
    name: str = "sampled_sparse_softmax_loss",
) -> Tensor:  # fmt: skip
    """Softmax over the one true class of each example and sampled ones."""
    logits, _ = sampling.compute_sampled_logits(
        weights=weights, biases=biases, labels=labels, inputs=inputs, num_sampled=num_sampled,
        num_classes=num_classes, num_true=1, sampled_values=sampled_values, subtract_log_q=True,
        remove_accidental_hits=remove_accidental_hits, partition_strategy=partition_strategy, name=name,
    )  # fmt: skip
    firsts = constants.zeros([arrays.shape(logits)[0], 1], dtype=dtypes.int64)
    return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=arrays.squeeze(firsts), logits=logits)


# -- Python functions over structures ------------------------------------------------------------


def py_func(
    func: Any, args: Any = (), kwargs: Any = None, output_types: Any = None, output_shapes: Any = None,
    stateful: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """``func(*args, **kwargs)`` of structures of tensors, called with NumPy values; gives a structure of tensors.

    ``output_types`` is that structure with dtypes in it, or a function of the arguments that gives one.

    Raises:
      TypeError: ``args`` is no list, or ``kwargs`` no dict.
    """
    kwargs = {} if kwargs is None else kwargs
    if not isinstance(args, list | tuple):
        raise TypeError(f"args must be list and not {type(args)}. args: {args}")
    if not isinstance(kwargs, dict):
        raise TypeError(f"kwargs must be dict and not {type(kwargs)}. args: {kwargs}")
    types = output_types(*args, **kwargs) if callable(output_types) else output_types
    wanted = output_shapes(*args, **kwargs) if callable(output_shapes) else output_shapes
    given = (args, kwargs)

    def call(*values: Any) -> list[Any]:
        packed, named = nest.pack_sequence_as(given, values)
        result = func(*packed, **named)
        nest.assert_shallow_structure(types, result)
        return list(nest.flatten(result))

    outputs = host.py_func(call, nest.flatten(given), nest.flatten(types), stateful=stateful, name=name)
    if wanted is not None:
        for output, shape in zip(outputs, nest.flatten(nest.map_structure_up_to(types, as_shape, wanted)), strict=True):
            output.set_shape(shape)
    return nest.pack_sequence_as(types, outputs)
