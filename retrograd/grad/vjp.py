"""The derivative of an op that has a kernel and no rule: the kernel itself, differentiated by JAX.

A ``VJP`` node says of which op it is the derivative (its attribute ``f``: op type and attributes).  It takes
that op's inputs, apart from them those whose values shape the result, and the gradients of its outputs.
Being an op without a rule itself it is differentiated in the same way, so every order exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply, grouped
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY, REQUIRED, OpDef, define
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops.forms import of_xla_alone

SMOOTH = frozenset(
    [dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64, dtypes.complex128]
)


def is_smooth(tensor: Any) -> bool:
    """Whether the values of a tensor, or of an array, form a continuum."""
    return dtypes.as_dtype(tensor.dtype).base_dtype in SMOOTH


def has_vjp(op: Operation) -> bool:
    """Whether ``op`` maps continua to continua and has a kernel that says how, and nothing else happens in it."""
    return (
        op.definition.is_pure
        and op.definition.kernel is not None
        and any(map(is_smooth, op.inputs))
        and any(map(is_smooth, op.outputs))
    )


def vjp_gradient(op: Operation, *dys: Any) -> list[Any]:
    """dx = dy * dy/dx for each smooth input whose value does not shape the result, as a ``VJP`` node."""
    fixed = op.definition.are_static(op.attrs)
    static = [x for x, is_static in zip(op.inputs, fixed, strict=True) if is_static]
    inputs = [x for x, is_static in zip(op.inputs, fixed, strict=True) if not is_static]
    dxs = apply(
        VJP,
        static,
        inputs,
        [as_tensor(dy) for y, dy in zip(op.outputs, dys, strict=True) if is_smooth(y)],
        f=_named(op),
        Tdx=[x.dtype.base_dtype for x in inputs if is_smooth(x)],
    )
    arrived = iter(dxs)
    moving = [is_smooth(x) and not is_static for x, is_static in zip(op.inputs, fixed, strict=True)]
    return [next(arrived) if moves else None for moves in moving]


def _named(op: Operation) -> Any:
    """The op type with its attributes, as the protos write a function."""
    from tensorboard.compat.proto.attr_value_pb2 import NameAttrList

    from retrograd.graph.protos import attr_value

    f = NameAttrList(name=op.type)
    for name, value in op.attrs.items():
        if not name.startswith("_"):
            f.attr[name].CopyFrom(attr_value(value, isinstance(op.definition.attrs.get(name), float)))
    return f


@lru_cache(maxsize=1024)
def _forward(written: bytes) -> tuple[OpDef, dict[str, Any]]:
    """The op type that ``f`` names, and the attributes."""
    from tensorboard.compat.proto.attr_value_pb2 import NameAttrList

    from retrograd.graph.protos import plain_value

    f = NameAttrList.FromString(written)
    return REGISTRY[f.name], {name: plain_value(value) for name, value in f.attr.items()}


def _like_the_inputs(static: Sequence[Tensor], inputs: Sequence[Tensor], dys: Sequence[Tensor]) -> list[RawShape]:
    return [x.dims for x in inputs if is_smooth(x)]


def _pulled_back(xp: Any, static: list[Any], inputs: list[Any], dys: list[Any], *, f: Any) -> list[Any]:
    """dx = conj(J^T conj(dy)), J the derivative of the op ``f`` at its inputs."""
    from retrograd.ops.jax_start import jax

    written = f.SerializeToString(deterministic=True)
    if xp is not np:
        return _by_jax(written, static, inputs, dys)
    with jax.enable_x64(True):
        if all(map(is_smooth, inputs)):
            shaping = tuple((x.dtype, x.shape, x.tobytes()) for x in map(np.asarray, static))
            dxs = _compiled(written, shaping)(inputs, dys)
        else:
            dxs = _by_jax(written, static, inputs, dys)
        return [np.asarray(dx) for dx in dxs]


@lru_cache(maxsize=256)
def _compiled(written: bytes, shaping: tuple[Any, ...]) -> Any:
    """``_by_jax`` for inputs that are all smooth: nothing is read of them but through JAX."""
    from retrograd.ops.jax_start import jax

    static = [np.frombuffer(content, dtype).reshape(dims) for dtype, dims, content in shaping]
    return jax.jit(lambda inputs, dys: _by_jax(written, static, inputs, dys))


def _by_jax(written: bytes, static: list[Any], inputs: list[Any], dys: list[Any]) -> list[Any]:
    from retrograd.ops.jax_start import jax, jnp

    definition, attrs = _forward(written)
    fixed = definition.are_static(attrs)
    read = {name: attrs[name] for name in definition.kernel_attrs}
    smooth = [i for i, x in enumerate(inputs) if is_smooth(x)]

    def forward(*varying: Any) -> list[Any]:
        moving = list(inputs)
        for i, x in zip(smooth, varying, strict=True):
            moving[i] = x
        sources = {True: iter(static), False: iter(moving)}
        values = [next(sources[at]) for at in fixed]
        assert definition.kernel is not None
        results = definition.listed(definition.kernel(jnp, *grouped(definition, attrs, values), **read))
        return [y for y in results if is_smooth(y)]

    try:
        with of_xla_alone():  # no library's work can be differentiated
            _, pull = jax.vjp(forward, *[jnp.asarray(inputs[i]) for i in smooth])
    except jax.errors.JAXTypeError as error:
        words = "was to be taken through its kernel, which JAX cannot follow; give it a rule:"
        message = f'The derivative of {definition.name} {words}  @tf.RegisterGradient("{definition.name}")'
        raise errors.UnimplementedError(None, None, message) from error
    dxs = pull([jnp.conj(jnp.asarray(dy)) for dy in dys])
    return [jnp.conj(dx) for dx in dxs]


VJP = define(
    "VJP", "static: *Tstatic, inputs: *Tin, dys: *Tdy", "dxs: *Tdx", attrs={"f": REQUIRED, "Tdx": REQUIRED},
    static=("static",), shape=_like_the_inputs, kernel=_pulled_back,
)  # fmt: skip
