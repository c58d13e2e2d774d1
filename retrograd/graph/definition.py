"""The record of an op: its signature, shape rule, kernel, gradient and effect.

A signature is written as TensorFlow writes its own: ``"values: N*T, axis: Tidx"``.

=====================  ==================================================================
``x: T``               a tensor whose dtype is the type attribute ``T``
``x: int32``           a tensor of a fixed dtype
``values: N*T``        a list of ``N`` tensors of one dtype; the kernel gets a Python list
``input: *T``          a list of tensors, each of its own dtype; ``T`` is the list of dtypes
``ref: ref T``         a reference to a variable; the kernel gets the variable's cell
=====================  ==================================================================
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache, cached_property, wraps
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import shape_text
from retrograd.graph.values import in_array

Demands = Mapping[str, str | tuple[str, ...]]  # of inputs, the ranks that they must have and what to say of others


class Effect(Enum):
    """What an op does besides computing its outputs."""

    READ = "reads a variable"
    WRITE = "writes a variable"
    RANDOM = "draws random numbers"
    HOST = "runs on the host"
    CHECK = "fails on bad values"
    MAKE = "makes something new in every run"


OF_OUR_OWN = frozenset(  # TensorFlow has no such op
    ("JoinHistory", "LoopHistory", "LoopRecall", "OuterResource", "SplitHistory", "VJP")
)
REQUIRED = object()  # the default of an attribute that every op must give
_OF_WHOLE_NUMBERS = frozenset((  # attributes that have no default to tell it, or a list
    "block_size", "concat_dim", "dilations", "ksize", "ksizes", "limit", "num_buckets", "rates", "seq_dim", "strides",
))  # fmt: skip


@dataclass(frozen=True)
class Argument:
    """One input or output of a signature."""

    name: str
    dtype: DType | None = None  # fixed dtype
    type_attr: str | None = None  # or the type attribute that holds it
    number_attr: str | None = None  # a list of this many
    is_list: bool = False
    is_ref: bool = False

    def count(self, attrs: Mapping[str, Any]) -> int:
        """How many tensors an op with ``attrs`` has for this argument."""
        if not self.is_list:
            return 1
        return attrs[self.number_attr] if self.number_attr else len(attrs[self.type_attr or ""])


def parse_arguments(text: str) -> tuple[Argument, ...]:
    """The arguments that a signature names: ``"a: T, b: T"``."""
    return tuple(_argument(part) for part in text.split(",")) if text else ()


def _argument(text: str) -> Argument:
    name, kind = (part.strip() for part in text.split(":"))
    is_ref = kind.startswith("ref ")
    kind = kind[4:] if is_ref else kind
    number, star, base = kind.rpartition("*")
    dtype = _DTYPE_NAMES.get(base)
    return Argument(name, dtype, None if dtype else base, number or None, bool(star), is_ref)


_DTYPE_NAMES: dict[str, DType] = {
    name: getattr(dtypes, name)
    for name in [
        "float32",
        "float64",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "complex64",
        "bool",
        "string",
        "resource",
        "variant",
    ]
}


def not_differentiable(op: Any, *output_gradients: Any) -> None:
    """The gradient of an op whose outputs do not vary smoothly with its inputs: none flows."""


def no_derivative(op: Any, *output_gradients: Any) -> None:
    """The gradient of an op between continua that has none: it is an error to ask for it."""


@dataclass(frozen=True, eq=False)
class OpDef:
    """Everything that retrograd knows about one op type."""

    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    attrs: Mapping[str, Any]
    types: Mapping[str, tuple[DType, ...]]
    choices: Mapping[str, tuple[str, ...]]
    lengths: Mapping[str, int]
    shape: Callable[..., Any] | None
    kernel: Callable[..., Any] | None
    gradient: Callable[..., Any] | None
    static: frozenset[str]
    effect: Effect | None
    failure: Callable[..., str] | None
    remedy: str
    body: Callable[[Any, Any], Any] | None = None  # of an op that calls a function: ``body(op, library)``
    ranks: Demands = field(default_factory=dict)  # what to say of an input that has another rank
    removed: tuple[int, str] | None = None  # the GraphDef version from which on TensorFlow lacks the op; what to use
    prepared: Callable[..., Callable[..., Any]] | None = None  # the kernel for static inputs whose values are known
    has_lists: bool = field(init=False)
    has_refs: bool = field(init=False)
    has_one_output: bool = field(init=False)  # its kernel and shape rule give it bare, not in a list

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_lists", any(a.is_list for a in self.inputs))
        object.__setattr__(self, "has_refs", any(a.is_ref for a in self.inputs + self.outputs))
        object.__setattr__(self, "has_one_output", len(self.outputs) == 1 and not self.outputs[0].is_list)

    def of_inputs(self, attrs: Mapping[str, Any]) -> list[Argument]:
        """For each input of an op with ``attrs``, the argument that it belongs to."""
        return [a for a in self.inputs for _ in range(a.count(attrs))]

    def are_static(self, attrs: Mapping[str, Any]) -> list[bool]:
        """For each input of an op with ``attrs``, whether its value shapes the result."""
        return [a.name in self.static for a in self.of_inputs(attrs)]

    def listed(self, result: Any) -> list[Any]:
        """What a kernel or a shape rule gave, one item for each output."""
        return [in_array(result)] if self.has_one_output else [in_array(r) for r in result]

    @cached_property
    def result(self) -> Callable[..., Any]:
        """The type of its outputs as a named tuple."""
        return namedtuple(self.name, [a.name for a in self.outputs])

    @property
    def is_pure(self) -> bool:
        """The outputs follow from the inputs alone."""
        return self.effect is None and not self.has_refs and self.body is None

    @cached_property
    def input_types(self) -> frozenset[str]:
        """The type attributes that inputs settle."""
        return frozenset(a.type_attr for a in self.inputs if a.type_attr)

    @cached_property
    def allowed(self) -> Mapping[str, frozenset[int]]:
        """For each type attribute the ids of the dtypes that it allows: there is one object per dtype."""
        return {key: frozenset(map(id, dtypes)) for key, dtypes in self.types.items()}

    @cached_property
    def demands(self) -> list[tuple[str | None, DType | None, frozenset[int] | None]] | None:
        """For each input its type attribute, dtype and the ids of those allowed; None if there are lists or refs."""
        if self.has_lists or self.has_refs:
            return None
        return [(a.type_attr, a.dtype, self.allowed.get(a.type_attr or "")) for a in self.inputs]

    @cached_property
    def defaults(self) -> tuple[tuple[str, Any], ...]:
        """The attributes with their defaults."""
        return tuple(self.attrs.items())

    @cached_property
    def numbers(self) -> Mapping[str, type]:
        """The attributes that hold numbers or lists of them: whole ones (int), or real ones (float)."""
        defaults = {key: type(value) for key, value in self.attrs.items() if type(value) in (int, float)}
        counts = {a.number_attr: int for a in self.inputs + self.outputs if a.number_attr}
        return {**dict.fromkeys(_OF_WHOLE_NUMBERS & self.attrs.keys(), int), **counts, **defaults}

    @cached_property
    def kernel_attrs(self) -> tuple[str, ...]:
        """The attributes that the kernel reads: its keyword-only parameters."""
        return keyword_names(self.kernel)

    @cached_property
    def shape_attrs(self) -> tuple[str, ...]:
        """The attributes that the shape rule reads."""
        return keyword_names(self.shape)


def keyword_names(function: Callable[..., Any] | None) -> tuple[str, ...]:
    """The names of the keyword-only parameters of ``function``."""
    if function is None:
        return ()
    parameters = inspect.signature(function).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


REGISTRY: dict[str, OpDef] = {}


def known(op_type: str) -> OpDef | None:
    """The record of an op type, though nothing may have imported its module yet; None of an unknown one."""
    if op_type not in REGISTRY:
        import_every_op()
    return REGISTRY.get(op_type)


_IMPORTS_JAX = "retrograd.ops.jax_start"  # and defines no op
_CALLS_OF_FUNCTIONS = (  # ops that stand above ``ops/``, because what they run is built there
    "retrograd.grad.functions", "retrograd.state.function_calls", "retrograd.state.partitioned_calls",
    "retrograd.state.batched_calls", "retrograd.eager.python_functions",
)  # fmt: skip


@cache
def import_every_op() -> None:
    """Import the modules of ops that no program has asked for by their functions."""
    ops = importlib.import_module("retrograd.ops")
    topics = (module.name for module in pkgutil.iter_modules(ops.__path__, f"{ops.__name__}."))
    for name in (*(topic for topic in topics if topic != _IMPORTS_JAX), *_CALLS_OF_FUNCTIONS):
        importlib.import_module(name)


ANY_REMEDY = "tf.reshape(...) one of them, or build it with the shape that the op takes"


def define(
    name: str,
    inputs: str,
    outputs: str,
    *,
    attrs: Mapping[str, Any] | None = None,
    types: Mapping[str, Iterable[DType]] | None = None,
    choices: Mapping[str, tuple[str, ...]] | None = None,
    lengths: Mapping[str, int] | None = None,
    shape: Callable[..., Any] | None = None,
    kernel: Callable[..., Any] | None = None,
    gradient: Callable[..., Any] | None = None,
    static: Iterable[str] = (),
    effect: Effect | None = None,
    failure: Callable[..., str] | None = None,
    remedy: str = ANY_REMEDY,
    body: Callable[[Any, Any], Any] | None = None,
    ranks: Demands | None = None,
    removed: tuple[int, str] | None = None,
    prepared: Callable[..., Callable[..., Any]] | None = None,
) -> OpDef:
    """Record an op type under its TensorFlow name.

    Args:
      inputs, outputs: signatures, see the module's docstring.
      attrs: attribute names with their defaults (``REQUIRED`` where there is none); a type
        attribute is listed only if it has a default.
      types: the dtypes that a type attribute allows.
      choices: the words that a string attribute allows.
      lengths: the smallest length that a list attribute allows.
      shape: ``shape(*inputs, **attrs)``: the raw shape of the output, or a list of them.
      kernel: ``kernel(xp, *inputs, **attrs)``: the output, or a list of them.  Its keyword-only
        parameters name the attributes that it reads.  Before the inputs, a random op's kernel gets the
        op's ``Stream``, and a host op's a dict of its own; both last as long as the session.
      gradient: ``gradient(op, *output_gradients)``: the gradient of each input, ``None`` where
        no derivative flows; ``not_differentiable`` where none can, ``no_derivative`` where asking for it
        is an error.  Without it a pure op between continua is differentiated through its kernel.
      static: the inputs whose values shape the result.
      failure: ``failure(*shape_texts)``: what is wrong when the kernel cannot combine inputs of these shapes.
      remedy: what to type when the shapes of the inputs do not fit.
      body: ``body(op, library)``: the ``Body`` that the op calls, where ``library`` is the graph whose
        functions it may name; the kernel gets a function that runs it before the inputs.
      ranks: of inputs, the rank and what a run says of another one: ``"4: it must be 4-D{}"``, where
        ``{}`` is the shape, ``{rank}`` the rank and ``{size}`` the number of elements; ``"2+: ..."`` for a least
        rank, ``"[?,4]: ..."`` for sizes; of several in a tuple the first counts that is not met.
      removed: the version of GraphDefs from which on TensorFlow has the op no longer, and what it says instead.
      prepared: ``prepared(*static inputs, **attrs)``: where these are the same in every run, what the kernel does
        on NumPy's arrays, with what follows from them worked out: a function of all inputs, those of lists one by one.
    """
    return _recorded(
        OpDef(
            name=name,
            inputs=parse_arguments(inputs),
            outputs=parse_arguments(outputs),
            attrs=attrs or {},
            types={k: tuple(v) for k, v in (types or {}).items()},
            choices=choices or {},
            lengths=lengths or {},
            shape=shape,
            kernel=_checking(kernel, parse_arguments(inputs), ranks) if kernel and ranks and effect is None else kernel,
            gradient=gradient,
            static=frozenset(static),
            effect=effect,
            failure=failure,
            remedy=remedy,
            body=body,
            ranks=ranks or {},
            removed=removed,
            prepared=prepared,
        )
    )


def _checking(kernel: Callable[..., Any], arguments: tuple[Argument, ...], ranks: Demands) -> Any:
    """``kernel`` that first looks at the ranks of its inputs."""
    demands = [(i, _only_rank(ranks[a.name]), ranks[a.name]) for i, a in enumerate(arguments) if a.name in ranks]

    @wraps(kernel)
    def checked(xp: Any, *inputs: Any, **attrs: Any) -> Any:
        for i, rank, demand in demands:
            x = inputs[i]
            words = None if type(x) is np.ndarray and x.ndim == rank else unmet(demand, x)
            if words is not None:
                raise InvalidArgumentError(None, None, words)
        return kernel(xp, *inputs, **attrs)

    checked.of_any_rank = kernel  # type: ignore[attr-defined]
    return checked


def unmet(demands: str | tuple[str, ...], value: Any) -> str | None:
    """What the first of ``demands`` says that ``value`` does not meet; None if it meets all."""
    shape = value.shape if type(value) is np.ndarray else np.shape(value)
    for demand in (demands,) if isinstance(demands, str) else demands:
        if not _meets(demand, shape):
            words = demand.partition(": ")[2].replace("{rank}", str(np.ndim(value)))
            return words.replace("{}", shape_text(np.shape(value))).replace("{size}", str(np.size(value)))
    return None


def _meets(demand: str, shape: tuple[int, ...]) -> bool:
    least, most, sizes = _bounds(demand.partition(":")[0])
    return least <= len(shape) <= most and (
        sizes is None or all(n in (m, None) for n, m in zip(sizes, shape, strict=True))
    )


def _only_rank(demand: str | tuple[str, ...]) -> int | None:
    """The rank that meets a demand which asks for one rank and no more."""
    least, most, sizes = _bounds(demand.partition(":")[0]) if isinstance(demand, str) else (0, -1, None)
    return least if least == most and sizes is None else None


@cache
def _bounds(number: str) -> tuple[int, int, tuple[int | None, ...] | None]:
    """The least and the greatest rank that a demand allows, and the sizes if it says them."""
    if number.startswith("["):
        sizes = tuple(None if n == "?" else int(n) for n in number[1:-1].split(","))
        return len(sizes), len(sizes), sizes
    least, _, most = number.partition("-")
    return (int(number[:-1]), sys.maxsize, None) if number[-1] == "+" else (int(least), int(most or least), None)


def renamed(definition: OpDef, name: str, removed: tuple[int, str] | None = None, **changes: Any) -> OpDef:
    """Record an op that is another one under an older or newer name, but for what ``changes`` say of its record."""
    for key in changes.keys() & {"inputs", "outputs"}:
        changes[key] = parse_arguments(changes[key]) if isinstance(changes[key], str) else changes[key]
    return _recorded(replace(definition, name=name, removed=removed, **changes))


def _recorded(definition: OpDef) -> OpDef:
    if definition.name in REGISTRY:
        raise ValueError(f"op type {definition.name!r} is defined twice")
    REGISTRY[definition.name] = definition
    return definition
