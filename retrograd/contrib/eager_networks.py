"""``tf.contrib.eager.Network``: a composition of layers, each of which is tracked by name.

A network's variables are called ``<network>/<layer>/kernel``; layers without a name of their own are numbered
within their network.
"""

from __future__ import annotations

import inspect
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.names import to_snake_case, unique_object_name
from retrograd.state.scopes import VariableScope, get_variable_scope, get_variable_scope_store, variable_scope

_UNSUPPORTED = (
    "{} is not supported in Network class yet. Please file an issue at "
    "https://github.com/tensorflow/tensorflow/issues/new if this is important to you"
)


class Network(Layer):
    """Layers that are made in ``__init__``, passed to ``track_layer`` and called in ``call``.

    Raises:
      ValueError: the name holds a ``/``, or is a scope.

    >>> from retrograd.eager.context import eager_mode
    >>> from retrograd.nn.layers.core import Dense
    >>> from retrograd.ops.constants import ones
    >>> class Doubled(Network):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = self.track_layer(Dense(1))
    ...     def call(self, inputs):
    ...         return 2 * self.dense(inputs)
    >>> with eager_mode():
    ...     net = Doubled()
    ...     _ = net(ones([1, 3]))
    ...     print([v.name for v in net.variables])
    ['doubled/dense/kernel:0', 'doubled/dense/bias:0']
    """

    def __init__(self, name: str | None = None) -> None:
        if isinstance(name, VariableScope):
            raise ValueError("VariableScopes are not valid Network names.")
        if name is not None and "/" in name:
            raise ValueError("Forward slashes ('/') are not allowed in Network names.")
        self._tracked: list[Any] = []
        self._counts: dict[str, int] = defaultdict(int)
        self._owned: dict[str, Any] = {}
        self._parent: Any = None
        self._restorations: list[Any] = []
        super().__init__(name=name)
        self._outer_scope = get_variable_scope()
        self._opened = get_variable_scope_store().variable_scopes_count  # what opens later in this block joins it

    def _init_set_name(self, name: Any, zero_based: bool = False) -> None:
        self._name = name
        self._base_name = None

    @property
    def name(self) -> str:
        """The name.

        Raises:
          ValueError: it is not settled yet.
        """
        if self._name is None:
            raise ValueError(
                "The network does not yet have a final name, but a name was requested for it. Networks get a name when "
                "they are added to another Network via track_layer, or when they are first called/built."
            )
        return str(self._name)

    def _settle_name(self, parent: Network | None) -> None:
        base = to_snake_case(type(self).__name__)
        if not self._name:
            self._name = parent._numbered(base) if parent is not None else self._unopened(base)
        self._base_name = self._name
        if parent is not None and self._parent is None:
            self._parent = weakref.ref(parent)

    def _unopened(self, base: str) -> str:
        """A name that nothing else has in the scope around."""
        around = f"{self._outer_scope.name}/" if self._outer_scope.name else ""
        while True:
            name = unique_object_name(around + base, zero_based=True)
            if name not in self._opened:
                return name.removeprefix(around)

    def _settle_name_alone(self) -> None:
        """Have a name, although nobody may ever call or track it."""
        if self._name is None:
            self._settle_name(None)

    def _numbered(self, base: str) -> str:
        while True:
            number = self._counts[base]
            self._counts[base] += 1
            name = base if not number else f"{base}_{number}"
            if name not in self._owned:
                return name

    def track_layer(self, layer: Any) -> Any:
        """Let ``layer`` be one of the network's layers; it is given back.

        Raises:
          RuntimeError: ``__init__`` has not been called.
          TypeError: it is no layer.
          ValueError: there is one of that name.
        """
        if not hasattr(self, "_tracked"):
            raise RuntimeError("Need to call Network.__init__ before adding layers")
        if not isinstance(layer, Layer):
            raise TypeError(f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer")
        if isinstance(layer, Network):
            layer._settle_name(self)
            is_mine = layer._parent is not None and layer._parent() is self
        else:
            is_mine = not layer.built and layer._scope is None and not hasattr(layer, "_tracked_by")
            if is_mine:
                if layer._name != layer._base_name:  # it was numbered among all layers
                    layer._name = layer._base_name = self._numbered(to_snake_case(type(layer).__name__))
                layer._tracked_by = weakref.ref(self)  # type: ignore[attr-defined]
        if is_mine and not layer.built and self._owned.setdefault(layer.name, layer) is not layer:
            raise ValueError(f"Attempt to add two Layers with the name '{layer.name}' to the same Network.")
        self._tracked.append(layer)
        for restoration in self._restorations:
            _restore_later(layer, restoration)
        return layer

    def restore_later(self, restoration: Any) -> None:
        """Let the variables that the layers make take the values that wait for them; the last come first."""
        self._restorations.append(restoration)
        for layer in self._tracked:
            _restore_later(layer, restoration)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        raise NotImplementedError(
            "tfe.Network does not support object-based checkpointing.\n"
            "  Fix:   class ...(tf.keras.Model): it needs no track_layer"
        )

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """The layer of that name or number.

        Raises:
          ValueError: there is none, or not one of the two is given.
        """
        if index is not None:
            if name is not None:
                raise ValueError("Exactly one of 'index' or 'name' must be provided")
            if len(self._tracked) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self._tracked)} layers."
                )
            return self._tracked[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self._tracked:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}")

    # -- scopes --------------------------------------------------------------------------------

    def _set_scope(self, scope: Any = None) -> None:
        if self._scope is not None:
            return
        if scope is not None:
            raise ValueError("Networks may not be created with explicit scopes.")
        parent = None if self._parent is None else self._parent()
        if parent is None:
            self._settle_name(None)
        else:
            parent._set_scope()
        with variable_scope(self._outer_scope if parent is None else parent._scope) as around:
            if f"{around.name}/{self._name}".lstrip("/") in self._opened:
                raise self._name_taken()
            with variable_scope(None, use_resource=True, default_name=self._name) as self._scope:
                pass
            if self._scope.name.rpartition("/")[2] != self._name:
                raise self._name_taken()
        if parent is None and self._scope.name != self._name:
            self._name = self._scope.name
        for layer in self._tracked:
            owner = layer._tracked_by() if hasattr(layer, "_tracked_by") else None
            if owner is not None and owner is not self and layer._scope is None:
                owner._set_scope()  # a layer that two share lies with the first
            elif owner is None and layer._scope is None and hasattr(layer, "_tracked_by"):
                raise ValueError(
                    f"The parent of a Layer added to Network {self.name} was garbage collected before the Layer was "
                    "built. If this limitation bothers you please file a feature request."
                )
        for layer in self._owned.values():
            if not isinstance(layer, Network) and layer._scope is None:
                with (
                    variable_scope(self._scope),
                    variable_scope(
                        None, use_resource=True, default_name=layer.name, custom_getter=_getter_of(layer)
                    ) as own,
                ):
                    layer._scope = own
                layer._name_scope = lambda layer=layer: f"{layer._current_scope.name}/"

    def _name_taken(self) -> ValueError:
        return ValueError(
            f"A Network named '{self._name}' already exists (or a variable_scope was created with this name). Names "
            "must be unique."
        )

    def _name_scope(self) -> str:
        assert self._current_scope is not None
        return f"{self._current_scope.name}/"

    # -- what its layers have ------------------------------------------------------------------

    @property
    def trainable(self) -> bool:
        """True: the layers say what is trained."""
        return True

    @trainable.setter
    def trainable(self, value: bool) -> None:
        if not value:
            raise AttributeError("cannot mark Network as not trainable")

    @property
    def layers(self) -> list[Any]:
        """The layers that are tracked."""
        return self._tracked

    def _of_all(self, attribute: str) -> list[Any]:
        return [item for layer in self._tracked for item in getattr(layer, attribute)]

    @property
    def weights(self) -> list[Any]:
        """The variables of the layers."""
        return self._of_all("weights")

    variables = weights

    @property
    def trainable_weights(self) -> list[Any]:
        """Those that training changes."""
        return self._of_all("trainable_weights")

    @property
    def non_trainable_weights(self) -> list[Any]:
        """Those that it leaves alone."""
        return self._of_all("non_trainable_weights")

    @property
    def losses(self) -> list[Any]:
        """The losses of the layers."""
        return self._of_all("losses")

    @property
    def updates(self) -> list[Any]:
        """The updates of the layers."""
        return self._of_all("updates")

    def add_variable(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: a network has the variables of its layers.

        Raises:
          RuntimeError: always.
        """
        raise RuntimeError(_UNSUPPORTED.format("add_variable"))

    def add_loss(self, losses: Any, inputs: Any = None) -> NoReturn:
        """Refused: a network has the losses of its layers.

        Raises:
          RuntimeError: always.
        """
        raise RuntimeError(_UNSUPPORTED.format("add_loss"))


def _restore_later(layer: Any, restoration: Any) -> None:
    if isinstance(layer, Network):
        layer.restore_later(restoration)
    else:
        vars(layer).setdefault("_restorations", []).append(restoration)


def _getter_of(layer: Any) -> Callable[..., Any]:
    """What makes the variables of a layer: with the values that wait for them."""

    def made(getter: Any, name: str, **arguments: Any) -> Any:
        for restoration in reversed(vars(layer).get("_restorations", [])):
            if restoration.holds(name):
                return restoration.make(getter, name, arguments)
        return getter(name, **arguments)

    return made


class Sequential(Network):
    """Layers and functions, one after the other.

    Raises:
      TypeError: something is neither.
    """

    def __init__(self, layers_funcs: Iterable[Any] | None = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._steps: list[tuple[bool, Callable[..., Any]]] = []
        for step in layers_funcs or ():
            self.add(step)

    def add(self, layer_func: Any) -> None:
        """Put a layer or function at the end."""
        if isinstance(layer_func, Layer):
            parameters = inspect.signature(layer_func.call).parameters
            self.track_layer(layer_func)
        elif callable(layer_func):
            parameters = inspect.signature(layer_func).parameters
        else:
            raise TypeError(
                f"Sequential.add() takes only tf.layers.Layer objects or callables; not '{layer_func}' of type "
                f"'{type(layer_func)}'."
            )
        self._steps.append(("training" in parameters, layer_func))

    def call(self, inputs: Any, training: Any = None) -> Any:
        """The output of the last one."""
        for takes_training, step in self._steps:
            inputs = step(inputs, training) if takes_training and training is not None else step(inputs)
        return inputs
