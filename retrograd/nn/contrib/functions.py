"""``tf.contrib.nn``: dropout for self-normalizing networks, softplus with a scale, older argument orders."""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy
from retrograd.ops import activations, arithmetic, arrays, casts, comparison, exponentials, random, reductions
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
