"""``tf.Variable``: a value that a session keeps between runs."""

from __future__ import annotations

from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.scopes import add_to_collections, colocate_with, control_dependencies, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arrays, control, state


class Variable(TensorLike):
    """A reference variable."""

    def __init__(self, initial_value: Any = None, trainable: bool = True, collections: Any = None,
                 validate_shape: bool = True, caching_device: Any = None, name: str | None = None, dtype: Any = None) -> None:
        collections = list(collections or [GraphKeys.GLOBAL_VARIABLES])
        if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
        graph = default_graph()
        with control_dependencies(None), name_scope(name, "Variable", [] if callable(initial_value) else [initial_value]) as scope:
            if callable(initial_value):
                with graph._attr_scope({"_class": [f"loc:@{scope[:-1]}".encode()]}):
                    with name_scope("Initializer"), graph.device(None):
                        self._initial_value = as_tensor(initial_value(), dtype, name="initial_value")
                    self._variable = state.variable_op(self._initial_value.shape, self._initial_value.dtype.base_dtype, name=scope)
            else:
                self._initial_value = as_tensor(initial_value, dtype, name="initial_value")
                self._variable = state.variable_op(self._initial_value.shape, self._initial_value.dtype.base_dtype, name=scope)
            self._initializer_op = state.assign(self._variable, self._initial_value, validate_shape).op
            with colocate_with(self._variable.op):
                self._snapshot = arrays.identity(self._variable, name="read")
        add_to_collections(collections, self)
        self.trainable = trainable

    op = property(lambda self: self._variable.op)
    graph = property(lambda self: self._variable.graph)
    name = property(lambda self: self._variable.name)
    dtype = property(lambda self: self._variable.dtype)
    shape = property(lambda self: self._variable.shape)
    device = property(lambda self: self._variable.device)
    initializer = property(lambda self: self._initializer_op)
    initial_value = property(lambda self: self._initial_value)

    def _ref(self) -> Tensor:
        return self._variable

    def value(self) -> Tensor:
        return self._snapshot

    def get_shape(self) -> Any:
        return self.shape

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        return state.assign(self._variable, value, use_locking=use_locking, name=name)

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def _conversion(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    return value._ref() if as_ref else value.value()


register_tensor_conversion_function(Variable, _conversion)

for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    for _side in ("", "r"):
        def _operator(self: Any, other: Any, _n: str = f"__{_side}{_name}__") -> Any:
            return getattr(Tensor, _n)(self.value(), other)

        setattr(Variable, f"__{_side}{_name}__", _operator)


def global_variables_initializer() -> Any:
    variables = default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)
    return control.group(*[v.initializer for v in variables], name="init")
