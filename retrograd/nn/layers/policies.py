"""Which dtypes layers compute in and keep their variables in: ``tf.keras.mixed_precision.experimental.Policy``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.eager.context import enabled
from retrograd.graph import log
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.state.loss_scales import LossScale, loss_scale_of

USE_DEFAULT = "USE_DEFAULT"
_SUFFIX = "_with_float32_vars"

_floatx = ["float32"]
# what asks for half precision: the graph rewriter, or a policy of all layers; never both
halved = {"rewrite": False, "policy": False}
_global: list[Any] = [None]
_version_2: list[bool | None] = [None]


def floatx() -> str:
    """The dtype of floats in models."""
    return _floatx[0]


def set_floatx(value: str) -> None:
    """Let floats in models have this dtype."""
    if value not in {"float16", "float32", "float64"}:
        raise ValueError("Unknown floatx type: " + str(value))
    _floatx[0] = str(value)


# -- whether layers settle their dtypes themselves -------------------------------------------------


def enable_v2_dtype_behavior() -> None:
    """Let layers be of ``floatx()`` unless they are told otherwise, and cast their inputs to it."""
    _version_2[0] = True


def disable_v2_dtype_behavior() -> None:
    """Let layers be of the dtype of their first input unless they are told otherwise."""
    _version_2[0] = False


@contextmanager
def v2_dtype_behavior(is_on: bool) -> Iterator[None]:
    """Let layers of the block settle their dtypes themselves, or not."""
    before, _version_2[0] = _version_2[0], is_on
    try:
        yield
    finally:
        _version_2[0] = before


def v2_dtype_behavior_enabled() -> bool:
    """Whether layers settle their dtypes themselves; by default with all else of TensorFlow 2."""
    return enabled() if _version_2[0] is None else _version_2[0]


# -- policies --------------------------------------------------------------------------------------


class Policy:
    """What layers compute in and keep their variables in, by name.

    Args:
      name: a dtype; one with ``_with_float32_vars``, which the variables then are; ``mixed_float16``, the same as
        ``float16_with_float32_vars`` with a dynamic loss scale; ``mixed_bfloat16``; ``infer``, for the dtype of the
        first input.
      loss_scale: what models scale their losses by, see ``tf.train.experimental.LossScale``.

    Raises:
      TypeError: the name is no string.
      ValueError: it is none of these names.

    >>> Policy("mixed_bfloat16").compute_dtype
    'bfloat16'
    """

    def __init__(self, name: str, loss_scale: Any = USE_DEFAULT) -> None:
        if isinstance(name, DType):
            raise TypeError(f"'name' must be a string, not a DType. Instead, pass DType.name. Got: {name.name}")
        if not isinstance(name, str):
            raise TypeError(f"'name' must be a string, but got: {name}")
        name = {"infer_float32_vars": "infer" + _SUFFIX, "float32" + _SUFFIX: "float32"}.get(name, name)
        self._name = name
        self._compute_dtype, self._variable_dtype = _dtypes_of(name)
        if isinstance(loss_scale, str) and loss_scale == USE_DEFAULT:
            loss_scale = "dynamic" if name == "mixed_float16" else None
        if loss_scale and self._compute_dtype not in (None, "float16"):
            log.warning(
                f"Creating a Policy with a loss scale is only useful for float16 policies. You passed loss_scale="
                f"{loss_scale!r} for policy {name}. Consider not passing any loss_scale instead."
            )
        self._loss_scale = loss_scale_of(loss_scale)

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def compute_dtype(self) -> str | None:
        """What layers compute in; None before it follows from the first input."""
        return self._compute_dtype

    @property
    def variable_dtype(self) -> str | None:
        """What layers keep their variables in; None before it follows from the first input."""
        return self._variable_dtype

    @property
    def should_cast_variables(self) -> bool:
        """Whether the two differ."""
        return self.variable_dtype != self.compute_dtype

    @property
    def loss_scale(self) -> LossScale | None:
        """What models scale their losses by."""
        return self._loss_scale

    def __repr__(self) -> str:
        return f'<Policy "{self._name}", loss_scale={self.loss_scale}>'


def _dtypes_of(name: str) -> tuple[str | None, str | None]:
    """What is computed in, and what variables are kept in."""
    if name in ("mixed_float16", "mixed_bfloat16"):
        return name.removeprefix("mixed_"), "float32"
    base, is_mixed = name.removesuffix(_SUFFIX), name.endswith(_SUFFIX)
    if base == "infer":
        return None, "float32" if is_mixed else None
    try:
        dtype = as_dtype(base).name
    except TypeError:
        more = f" The value {name} ends with {_SUFFIX}, but {base} cannot be converted to a DType" if is_mixed else ""
        raise ValueError(
            f"Cannot convert value {name} to a mixed precision Policy. Valid policies include include those in the "
            f'form "<dtype>" and "<dtype>{_SUFFIX}", where <dtype> is the name of a dtype.{more}'
        ) from None
    return dtype, "float32" if is_mixed else dtype


def with_input_dtype(policy: Policy, dtype: Any) -> Policy:
    """What a policy that infers becomes by an input of this dtype."""
    name = as_dtype(dtype).name
    return Policy(name if policy.variable_dtype is None else name + _SUFFIX)


# -- the policy of all layers ----------------------------------------------------------------------


def global_policy() -> Policy:
    """The policy of layers that are given none."""
    if _global[0] is not None:
        return _global[0]
    return Policy(floatx() if v2_dtype_behavior_enabled() else "infer")


def policy_defaults_to_floatx() -> bool:
    """Whether ``global_policy()`` follows ``floatx()``."""
    return _global[0] is None and v2_dtype_behavior_enabled()


def set_policy(policy: Any) -> None:
    """Let layers that are given no policy have this one, or that of this name.

    Raises:
      ValueError: the graph rewriter was asked for half precision, or layers do not settle their dtypes themselves.
    """
    if halved["rewrite"]:
        raise ValueError(
            "The mixed precision policy cannot be set, because the mixed precision graph rewrite has already been "
            "enabled.\nAt most, one of the following functions can be called:\n\n"
            "  1. tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called this first)\n"
            "  2. tf.keras.mixed_precision.experimental.set_policy() (You called this second)\n\n"
            "You called both functions, which is an error, because both functions enable you to use mixed precision. "
            "The first function enables mixed precision in the graph with a graph rewrite. However it is currently not "
            "very customizable, and does not support eager. The second function is for Keras layers, but is not yet "
            "fully complete."
        )
    if policy is not None and not isinstance(policy, Policy):
        policy = Policy(policy)
    if policy is not None and not v2_dtype_behavior_enabled() and policy.compute_dtype:
        raise ValueError("The global policy can only be set to a non-infer policy in TensorFlow 2")
    _global[0], halved["policy"] = policy, policy is not None


@contextmanager
def policy_scope(policy: Any) -> Iterator[None]:
    """``set_policy`` for a block."""
    before = _global[0]
    try:
        set_policy(policy)
        yield
    finally:
        set_policy(before)
