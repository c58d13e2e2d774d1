"""``tf.compat.v1.wrap_function``: a piece of a TensorFlow 1 program as a function, and parts of its graph as others.

Variables that the piece makes are made once, outside of the graph, and kept.  Source: TensorFlow 1.15.5, observed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.graph import nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.functions import Body, FunctionGraph, ops_behind
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors, in_order
from retrograd.graph.scopes import add_to_collections
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.state import concrete
from retrograd.state.concrete import ConcreteFunction
from retrograd.state.function_specs import spec_of
from retrograd.state.lifting import not_liftable
from retrograd.state.scopes import get_variable_scope
from retrograd.state.variables import collections_of, variable_creator_scope


class WrappedFunction(ConcreteFunction):
    """A piece of a program with its graph: ``wrapped(*tensors)`` computes it, ``prune`` cuts functions out."""

    def __init__(self, made: ConcreteFunction, variables: Sequence[Any], arg_keywords: Any = None) -> None:
        super().__init__(
            made.body, made.captured_inputs, name=made.name, base_name=made._base_name,
            structured_input_signature=made.structured_input_signature, output_specs=made.output_specs,
            arg_keywords=arg_keywords,
        )  # fmt: skip
        self._variables = list(variables)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the piece."""
        return tuple(self._variables)

    def _filtered_call(self, args: Any, kwargs: Any) -> Any:
        """The same for arguments in the structure of the signature: tensors, or values of them."""
        flat = nest.flatten((args, kwargs), expand_composites=True)
        return self._call_flat([as_tensor(x) for x in flat])

    def prune(self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None) -> WrappedFunction:
        """The function from ``feeds`` to ``fetches``, which are tensors of the graph, or their names.

        Args:
          fetches: any structure of tensors, and of ops, which a call runs and which give None.
          input_signature: the specs by which the arguments are known, if others than those of ``feeds``.

        Raises:
          TypeError: a feed is no tensor.
          KeyError: the graph has no op of that name.
          UnliftableError: a fetch depends on a placeholder that is not fed.
        """
        graph = self.graph
        inputs = [graph.as_graph_element(x) for x in nest.flatten(feeds, expand_composites=True)]
        if any(not isinstance(x, Tensor) for x in inputs):
            raise TypeError(f"Feeds must be tensors. Got: {feeds}")
        fetched = nest.map_structure(lambda x: _element(graph, x), fetches)
        leaves = nest.flatten(fetched, expand_composites=True)
        outputs = [y for y in leaves if isinstance(y, Tensor)]
        captured = list(graph.captured.values())
        inputs = [x for x in inputs if x not in captured]  # what is captured is given by itself
        every = [*inputs, *captured]
        ops = _between(every, leaves)
        names = [x.op.name for x in inputs]
        specs = [TensorSpec(x.shape, x.dtype, name) for x, name in zip(inputs, names, strict=True)]
        signature: Any = (tuple(specs) if input_signature is None else input_signature, {})
        pruned = ConcreteFunction(
            Body(graph, every, outputs, ops), list(graph.captured),
            name=f"__inference_{name or 'pruned'}_{uid()}", base_name=name or "pruned",
            structured_input_signature=signature, output_specs=nest.map_structure(_told, fetched),
            arg_keywords=names,
        )  # fmt: skip
        return WrappedFunction(pruned, self._variables, names)


def _element(graph: FunctionGraph, fetch: Any) -> Any:
    return fetch if isinstance(fetch, CompositeTensor) else graph.as_graph_element(fetch)


def _told(fetch: Any) -> Any:
    """What is known of a result: the spec of a tensor, nothing of an op."""
    return None if isinstance(fetch, Operation) else spec_of(fetch)


def _between(inputs: Sequence[Tensor], fetches: Iterable[Any]) -> list[Operation]:
    """The ops that compute ``fetches`` from ``inputs``, in order.

    Raises:
      UnliftableError: one of them is a placeholder.
    """
    given = set(inputs)
    fed = {x.op for x in given}
    wanted = [y.op if isinstance(y, Tensor) else y for y in fetches if y not in given and y not in fed]
    needed = ancestors(wanted, given)
    missing = next((op for op in in_order(needed) if op.type in ("Placeholder", "PlaceholderV2")), None)
    if missing is not None:
        fetch = next(y for y in wanted if missing in ancestors([y], given))
        asked = next(y for y in fetches if (y.op if isinstance(y, Tensor) else y) is fetch)
        raise not_liftable(fetch, missing, given, asked)
    return in_order(needed)


def wrap_function(fn: Callable[..., Any], signature: Any, name: str | None = None) -> WrappedFunction:
    """``fn``, built once for tensors like those of ``signature``.

    >>> import retrograd.tf as tf
    >>> double = tf.compat.v1.wrap_function(lambda x: 2.0 * x, [tf.TensorSpec([], tf.float32)])
    >>> print(tf.Session().run(double(tf.constant(3.0))))
    6.0

    Args:
      signature: the shapes and dtypes of the arguments (``tf.TensorSpec``), in a list.
      name: what the function is called.
    """
    variables: list[Any] = []

    def kept(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        variable = next_creator(**kwargs)
        variables.append(variable)
        if default_graph() is not variable.graph:  # the collections of the piece list what was made outside of it
            add_to_collections(collections_of(kwargs.get("collections"), variable.trainable), variable)
        return variable

    def piece(*args: Any) -> Any:
        get_variable_scope().set_use_resource(True)
        with variable_creator_scope(kept):
            return nest.map_structure(_as_tensor, fn(*args))

    names = ["placeholder"] * len(signature)
    made = concrete.built(
        piece, name or "wrapped_function", tuple(signature), {}, names, orders_effects=False, shares_names=False
    )
    body = made.body
    body.ops = ops_behind([*body.inputs, *body.outputs])  # what nothing returned depends on does not run
    return WrappedFunction(made, variables)


def _as_tensor(result: Any) -> Any:
    if isinstance(result, Operation):
        raise TypeError(
            "To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; found "
            f"return value of type {type(result)}, which is not a Tensor."
        )
    return result if result is None or isinstance(result, CompositeTensor) else as_tensor(result)
