"""``Layer``: an object that makes its variables when it first meets an input, and is called with tensors."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from retrograd.autograph.converting import converted
from retrograd.autograph.ordering import in_turn
from retrograd.eager import deferred
from retrograd.eager.lifted import LiftedGraph
from retrograd.graph import dtypes, log, nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import nearest, taught
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.graph.untracked import hold, untracked_names
from retrograd.nn.keras import constraints, initializers, regularizers
from retrograd.nn.layers import nodes, phase, policies, session
from retrograd.nn.layers.input_spec import assert_input_compatibility
from retrograd.nn.layers.names import to_snake_case, unique_object_name
from retrograd.nn.layers.policies import Policy
from retrograd.ops import arrays, casts, conditions, constants, control
from retrograd.state.autocast import AutoCastVariable, variables_read_as
from retrograd.state.initializers import GlorotUniform, Zeros
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.variables import VariableAggregation, VariableSynchronization, VariableV1, VariableV2


class _Calls(threading.local):
    """The layers that are being called in this thread, each with its inputs and its ``training``."""

    def __init__(self) -> None:
        self.stack: list[tuple[Any, Any, Any]] = []
        self.noted: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] | None = None

    @contextmanager
    def entered(self, layer: Any, inputs: Any, training: Any) -> Iterator[None]:
        self.stack.append((layer, inputs, training))
        try:
            yield
        finally:
            self.stack.pop()


_calls = _Calls()


@contextmanager
def noted_calls() -> Iterator[list[tuple[Any, tuple[Any, ...], dict[str, Any]]]]:
    """The layers that are called in the block, in order, each with its arguments."""
    before, _calls.noted = _calls.noted, []
    try:
        yield _calls.noted
    finally:
        _calls.noted = before


class Layer(nodes.OfNodes):
    """``build`` makes the variables, ``call`` the outputs; calling the layer does first the one, then the other.

    Args:
      trainable: whether its variables are.
      name: by default the name of the class, made unique.
      dtype: of its variables, by default of its first input.

    Raises:
      TypeError: there is an argument that no layer takes.
    """

    _allowed_keywords = frozenset(
        ["input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast"]
    )

    _masks_its_outputs = False  # in ``call``
    _builds_outside = True  # of the graph that it is called in, where ops run at once
    _dtype_policy: Policy

    def __init__(
        self, trainable: bool = True, name: Any = None, dtype: Any = None, dynamic: bool = False, **kwargs: Any
    ) -> None:
        for key in kwargs:
            if key not in self._allowed_keywords:
                near = nearest(key, inspect.signature(type(self)).parameters)
                error = TypeError("Keyword argument not understood:", key)
                raise taught(error, fix=f"did you mean {near!r}?" if near else f"leave out {key}")
        self._trainable = trainable
        self._dynamic = dynamic
        self.stateful = False
        self.built = False
        self.input_spec: Any = None
        self.supports_masking = False
        self._init_set_name(name)
        self._activity_regularizer = kwargs.pop("activity_regularizer", None)
        self._updates: list[Any] = []
        self._losses: list[Any] = []
        self._callable_losses: list[Callable[[], Any]] = []
        self._metrics: list[Any] = []
        self._trainable_weights: list[Any] = []
        self._non_trainable_weights: list[Any] = []
        self._set_dtype_policy(dtype)
        self._autocast = kwargs.get("autocast", policies.v2_dtype_behavior_enabled())
        self._initial_weights = kwargs.get("weights")
        self._inbound_nodes: list[Any] = []
        self._outbound_nodes: list[Any] = []
        if "input_shape" in kwargs or "batch_input_shape" in kwargs:
            given = kwargs.get("batch_input_shape") or (kwargs.get("batch_size"), *kwargs["input_shape"])
            self._batch_input_shape = tuple(given)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a layer of ``tf.layers`` that becomes one makes resource variables from now on."""
        if isinstance(value, Layer) and hasattr(value, "_use_resource_variables"):
            value._use_resource_variables = True
        object.__setattr__(self, name, value)

    def _init_set_name(self, name: Any, zero_based: bool = True) -> None:
        self._name = name or unique_object_name(to_snake_case(type(self).__name__), zero_based)

    # -- what a kind of layer defines ----------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Make the variables that inputs of this shape need."""
        self.built = True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs for the inputs, which come first."""
        return args[0]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for an input of this shape; unless a class says it, of a call that is tried.

        Raises:
          NotImplementedError: the class does not say it, and there is a graph that a call would grow.
        """
        if not default_graph().is_eager:
            raise NotImplementedError
        with LiftedGraph().as_default():
            given = each_shape(lambda s: constants.placeholder(self.dtype or dtypes.float32, s), input_shape)
            return nest.map_structure(lambda y: y.shape, self(given))

    def compute_output_signature(self, input_signature: Any) -> Any:
        """The shape and the dtype of the output for an input of this ``TensorSpec``.

        Raises:
          TypeError: there is something else in the signature.
        """
        for spec in nest.flatten(input_signature):
            if not isinstance(spec, TensorSpec):
                raise TypeError(
                    f"Only TensorSpec signature types are supported, but saw signature signature entry: {spec}."
                )
        shape = self.compute_output_shape(nest.map_structure(lambda spec: spec.shape, input_signature))
        dtype = self._compute_dtype or nest.flatten(input_signature)[0].dtype
        return each_shape(lambda s: TensorSpec(s, dtype), shape)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output; without ``supports_masking`` there may be none."""
        if not self.supports_masking and any(m is not None for m in nest.flatten(mask)):
            raise TypeError(f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}")
        return mask

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same layer.

        Raises:
          NotImplementedError: the class has arguments of its own and does not say what they are.
        """
        names = set(inspect.signature(type(self).__init__).parameters) - {"self", "kwargs", "args"}
        config = shared_config(self)
        if names - config.keys() - {"dynamic"} and type(self).get_config is Layer.get_config:
            raise NotImplementedError("Layers with arguments in `__init__` must override `get_config`.")
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The layer with these arguments."""
        return cls(**config)

    # -- calling it ----------------------------------------------------------------------------

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs for ``inputs``; the first call makes the variables.

        Raises:
          ValueError: the inputs are not what the layer asks for, or ``call`` gives nothing.
        """
        if default_graph().is_eager:
            graph = next((x.graph for x in nest.flatten(inputs) if _is_symbolic(x)), None)
            if graph is not None:
                with graph.as_default():
                    return self(inputs, *args, **kwargs)
        inputs = nest.map_structure(_as_input, inputs)
        is_in_network = not _calls.stack and nodes.with_history(inputs)
        given = dict(kwargs)
        training = self._training_argument(args, kwargs)
        masks = self._given_mask(args, kwargs)
        if masks is None:
            masks = nest.map_structure(lambda x: getattr(x, "_keras_mask", None), inputs)
            if all(m is None for m in nest.flatten(masks)):
                masks = None
            elif "mask" in parameters_of(type(self).call):
                kwargs["mask"] = masks
        if _calls.noted is not None:
            _calls.noted.append((self, (inputs, *args), given))
        if default_graph().is_eager and not _calls.stack:
            self._forget_losses()
        with _calls.entered(self, inputs, training):
            assert_input_compatibility(self.input_spec, inputs, self.name)
            with name_scope(self._name_scope()):
                self._maybe_build(inputs)
                call = self.call if default_graph().is_eager else converted(self.call)
                graph = default_graph()
                first = graph.version
                with variables_read_as(self._compute_dtype):
                    outputs = call(self._cast_inputs(inputs), *args, **kwargs)
                if self._does_all_it_builds(graph):
                    outputs = self._behind_effects(graph, first, outputs)
                if outputs is None:
                    raise ValueError(
                        "A layer's `call` method should return a Tensor or a list of Tensors, not None "
                        f"(layer: {self.name})."
                    )
                if is_in_network:
                    outputs = self._outputs_of_node(inputs, outputs, args, given)
                self._handle_activity_regularization(inputs, outputs)
                self._set_masks(inputs, outputs, masks)
        return outputs

    def _forget_losses(self) -> None:
        """Begin a call where ops run at once: the losses of the call before are past."""
        self._losses.clear()
        for layer in self._layers_inside:
            layer._forget_losses()

    def _set_masks(self, inputs: Any, outputs: Any, masks: Any) -> None:
        """Let the outputs have the masks that follow from those of the inputs."""
        if type(self).compute_mask is Layer.compute_mask and (masks is None or not self.supports_masking):
            return
        if self._masks_its_outputs:
            return
        flat = nest.flatten(outputs)
        if all(hasattr(x, "_keras_mask") for x in flat):
            return
        found = self.compute_mask(inputs, masks)
        for x, mask in zip(flat, [None] * len(flat) if found is None else nest.flatten(found), strict=False):
            if isinstance(x, Tensor):
                x._keras_mask = mask  # type: ignore[attr-defined]

    def _outputs_of_node(self, inputs: Any, outputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The outputs, which know from now on which call made them; none of them is an input."""
        names = parameters_of(type(self).call)[2:]
        arguments = {**dict(zip(names, args, strict=False)), **kwargs}
        own = {id(x) for x in nest.flatten(inputs)}

        def apart(x: Any) -> Any:
            if id(x) not in own:
                return x
            with name_scope(self.name):
                copied = arrays.identity(x)
            copied._keras_mask = getattr(x, "_keras_mask", None)  # type: ignore[attr-defined]
            return copied

        outputs = nest.map_structure(apart, outputs)
        nodes.Node(self, inputs, outputs, arguments)
        return outputs

    @classmethod
    def _given_mask(cls, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The mask that a call is given, by name or in its place."""
        parameters = parameters_of(cls.call)
        if "mask" not in parameters:
            return None
        place = parameters.index("mask") - 2  # behind self and inputs
        return kwargs.get("mask", args[place] if len(args) > place >= 0 else None)

    def _training_argument(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call's ``training``: given, or that of the layer inside whose call it is made, or the phase.

        A layer whose ``call`` has no such argument hands it on to the layers inside.
        """
        parameters = parameters_of(type(self).call)
        place = parameters.index("training") - 2 if "training" in parameters else len(args)  # behind self and inputs
        given = kwargs.get("training", args[place] if len(args) > place >= 0 else None)
        if "training" not in parameters and not takes_any(type(self).call):
            kwargs.pop("training", None)
        if given is None:
            given = _calls.stack[-1][2] if _calls.stack else None
            given = phase.training_of_calls() if given is None else given
            if given is not None and "training" in parameters and len(args) <= place:
                kwargs["training"] = given
        return given

    def _name_scope(self) -> str:
        return str(self.name)

    def _does_all_it_builds(self, graph: Any) -> bool:
        """Whether what ``call`` does to variables is done with its outputs: in classes of programs, in eager models."""
        return isinstance(graph, LiftedGraph) and not type(self).__module__.startswith("retrograd.")

    def _behind_effects(self, graph: Any, first: int, outputs: Any) -> Any:
        """The outputs, once all is done that ops since the ``first`` do; layers of Keras see to their own updates."""
        own = {u for x in self._every_layer() if type(x).__module__.startswith("retrograd.") for u in x._updates}
        built = [op for op in graph.get_operations()[first:] if op not in own]
        if not any(op.definition.effect is Effect.WRITE for op in built):
            return outputs

        def behind(x: Any) -> Any:
            if not isinstance(x, Tensor):
                return x
            done = arrays.identity(x)
            if hasattr(x, "_keras_mask"):
                done._keras_mask = x._keras_mask  # type: ignore[attr-defined]
            return done

        with control_dependencies(in_turn(built, graph._scopes.context)):
            return nest.map_structure(behind, outputs)

    def _every_layer(self) -> Iterator[Layer]:
        """This layer, and all that are inside of it."""
        yield self
        for layer in self._layers_inside:
            yield from layer._every_layer()

    def _cast_inputs(self, inputs: Any) -> Any:
        """The inputs as ``call`` gets them: floats in the dtype that the layer computes in, if it casts them."""
        wanted = self._compute_dtype
        if not self._autocast or wanted is None or not as_dtype(wanted).is_floating:
            return inputs

        def cast(x: Any) -> Any:
            is_tensor = isinstance(x, Tensor | CompositeTensor)
            given = x.dtype.base_dtype if is_tensor else None
            if given is None or not given.is_floating or given.name == wanted:
                return x
            if self._is_of_floatx:
                self._warn_of_cast(given.name)
            if hasattr(x, "with_flat_values"):  # ragged
                return x.with_flat_values(casts.cast(x.flat_values, wanted))
            return casts.cast(x, wanted)

        return nest.map_structure(cast, inputs)

    def _warn_of_cast(self, given: str) -> None:
        """Say once that the layer is of ``floatx()`` although its inputs are not."""
        self._is_of_floatx = False
        log.warning(
            f"Layer {self.name} is casting an input tensor from dtype {given} to the layer's dtype of "
            f"{self._compute_dtype}, which is new behavior in TensorFlow 2.  The layer has dtype "
            f"{self._compute_dtype} because it's dtype defaults to floatx.\n\nIf you intended to run this layer in "
            f"{self._compute_dtype}, you can safely ignore this warning. If in doubt, this warning is likely only an "
            "issue if you are porting a TensorFlow 1.X model to TensorFlow 2.\n\nTo change all layers to have dtype "
            f"{given} by default, call `tf.keras.backend.set_floatx('{given}')`. To change just this layer, pass "
            f"dtype='{given}' to the layer constructor. If you are the author of this layer, you can disable "
            "autocasting by passing autocast=False to the base Layer constructor.\n"
        )

    def _maybe_build(self, inputs: Any) -> None:
        if self.built:
            return
        flat = nest.flatten(inputs)
        if flat and self._compute_dtype is None and hasattr(flat[0], "dtype"):
            self._dtype_policy = policies.with_input_dtype(self._dtype_policy, flat[0].dtype.base_dtype)
        if type(self).build is not Layer.build and not hasattr(type(self).build, "_is_default"):
            shapes = nest.map_structure(lambda x: x.shape, inputs) if all(hasattr(x, "shape") for x in flat) else None
            # what a layer keeps of it is used in other graphs too, and where ops run at once
            with init_scope() if self._builds_outside and executing_eagerly_outside_functions() else nullcontext():
                self.build(shapes)
        self.built = True
        deferred.variables_made()
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The same as calling the layer."""
        return self.__call__(inputs, *args, **kwargs)

    # -- variables -----------------------------------------------------------------------------

    def add_weight(
        self,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        partitioner: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        **kwargs: Any,
    ) -> Any:
        """A new variable of this layer.

        Raises:
          TypeError: an argument is not known.
          ValueError: a variable that is synchronized when read cannot be trainable, or no initializer fits its dtype.
        """
        for key in kwargs:
            if key not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", key)
        dtype = as_dtype(dtype or self.dtype or policies.floatx())
        if self._dtype_policy.variable_dtype is None:
            self._dtype = dtype
        trainable = trainable_by_default(trainable, synchronization)
        made: Any = kwargs.get("getter", _made)(
            name, shape=() if shape is None else shape, dtype=dtype, trainable=trainable,
            initializer=self._initializer_of(name, dtype, initializers.get(initializer)),
            constraint=constraints.get(constraint), partitioner=partitioner, use_resource=use_resource,
            collections=kwargs.get("collections"), synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        is_cast = self._dtype_policy.should_cast_variables and kwargs.get("experimental_autocast", True)
        variable = AutoCastVariable(made) if is_cast else made
        penalty = regularizers.get(regularizer)
        if penalty is not None:
            self._handle_weight_regularization(getattr(variable, "op", variable).name, variable, penalty)
        session.track_own(parts_of(variable))
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        if name is not None:
            self._track_trackable(variable, name, overwrite=True)
        return variable

    _track_trackable = hold

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """The same as ``add_weight``."""
        return self.add_weight(*args, **kwargs)

    def _initializer_of(self, name: Any, dtype: Any, given: Any) -> Any:
        if given is not None:
            return given
        if dtype.is_floating:
            return GlorotUniform()
        if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
            return Zeros()
        raise ValueError(
            f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer {self.name}"
        )

    def _handle_weight_regularization(self, name: str, variable: Any, regularizer: Any) -> None:
        def penalty(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        for part in parts_of(variable):
            self.add_loss(functools.partial(penalty, part))

    @property
    def _layers_inside(self) -> list[Layer]:
        """The layers among this one's attributes, also in lists and dictionaries."""
        return _distinct(v for v in self._values_of_attributes() if isinstance(v, Layer))

    @property
    def _layers(self) -> Any:
        """The same, under the name that it has in TensorFlow; what a class of the program has put there, if it has."""
        return self.__dict__.get("_given_layers", self._layers_inside)

    @_layers.setter
    def _layers(self, value: Any) -> None:
        self._given_layers = value

    def _values_of_attributes(self) -> Iterator[Any]:
        untracked = untracked_names(self)
        for key, value in list(self.__dict__.items()):
            if key not in OWN_LISTS and key not in untracked:
                yield from inside(value)

    def _with_those_inside(self, own: list[Any], name: str) -> list[Any]:
        return _distinct([*own, *(v for layer in self._layers_inside for v in getattr(layer, name))])

    def _own_weights(self, trainable: bool) -> list[Any]:
        """Those made by ``add_weight``, then the variables among the attributes."""
        made, other = self._trainable_weights, self._non_trainable_weights
        if not trainable:
            made, other = other, made
        known = {id(v) for v in (*made, *other)}
        found = (v for v in self._values_of_attributes() if isinstance(v, VariableV2) and id(v) not in known)
        return [*made, *(v for v in found if v.trainable == trainable)]

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes: none unless the layer is trainable."""
        return self._with_those_inside(self._own_weights(True), "trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that training leaves alone."""
        if self.trainable:
            return self._with_those_inside(self._own_weights(False), "non_trainable_weights")
        return self._with_those_inside([*self._own_weights(True), *self._own_weights(False)], "weights")

    @property
    def weights(self) -> list[Any]:
        """All variables."""
        return _distinct([*self.trainable_weights, *self.non_trainable_weights])

    variables = weights

    @property
    def trainable_variables(self) -> list[Any]:
        """The same as ``trainable_weights``."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The same as ``non_trainable_weights``."""
        return self.non_trainable_weights

    @property
    def trainable(self) -> bool:
        """Whether training changes the layer."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        for layer in self._layers_inside:
            layer.trainable = value

    def count_params(self) -> int:
        """The number of elements of all variables.

        Raises:
          ValueError: the layer has no variables yet.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it "
                f"manually via: `{self.name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(w.shape.as_list()) for w in self.weights))

    def get_weights(self) -> list[Any]:
        """The values of the variables in the session of Keras, which is the default session if there is one."""
        return session.batch_get_value(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Let the variables have these values in the session of Keras.

        Raises:
          ValueError: there are more or fewer values, or one is of another shape.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of length '
                f"{len(weights)}, but the layer was expecting {len(own)} weights. Provided weights: "
                f"{str(weights)[:50]}..."
            )
        for variable, value in zip(own, weights, strict=True):
            if tuple(variable.shape.as_list()) != np.shape(value):
                raise ValueError(
                    f"Layer weight shape {tuple(variable.shape.as_list())} not compatible with provided weight shape "
                    f"{np.shape(value)}"
                )
        session.batch_set_value(zip(own, weights, strict=True))

    # -- losses and updates --------------------------------------------------------------------

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses: tensors, or functions without arguments that make them."""
        for loss in nest.flatten(losses):
            if callable(loss) and not isinstance(loss, TensorLike):
                self._callable_losses.append(loss)
            elif loss is not None:
                loss = as_tensor(loss, dtype=None if isinstance(loss, TensorLike) else dtypes.float32)
                _mark(loss, "_unconditional_loss", inputs is None)
                self._losses.append(loss)

    @property
    def losses(self) -> list[Any]:
        """The losses of this layer and those in it; penalties of variables are made anew at each look."""
        made = [_unconditional(loss()) for loss in self._callable_losses]
        own = [*self._losses, *(loss for loss in made if loss is not None)]
        return [*own, *(loss for layer in self._layers_inside for loss in layer.losses)]

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add ops that training runs along; where ops run at once, functions run now, unless the layer is frozen."""
        if default_graph().is_eager:
            if not all(layer.trainable for layer, _, _ in _calls.stack):
                return
            for update in updates if isinstance(updates, list | tuple) else [updates]:
                if callable(update) and not isinstance(update, TensorLike | Operation):
                    update()
            return
        inside = next((entered for entered in reversed(_calls.stack) if entered[0] is self), None)
        sources = nest.flatten(inside[1]) if inside else []
        for update in updates if isinstance(updates, list | tuple) else [updates]:
            if callable(update) and not isinstance(update, TensorLike | Operation):
                update = self._unless_frozen(update) if inside else update()
            op = update if isinstance(update, Operation) else getattr(update, "op", None) or as_tensor(update).op
            _mark(op, "_unconditional_update", op not in reachable_from(sources))
            self._updates.append(op)

    def _unless_frozen(self, update: Callable[[], Any]) -> Any:
        """The update; where it would run along with the outputs, it does so only if the layer is trainable."""
        if not self._does_all_it_builds(default_graph()):
            return update()
        trains = phase.settled_by_functions(lambda: self.trainable, f"{self.name}_trainable")
        return conditions.cond(trains, lambda: control.group(update()), control.no_op)

    @property
    def updates(self) -> list[Any]:
        """The updates of this layer and those in it; none unless it is trainable."""
        if not self.trainable and not self.stateful:
            return []
        return [*self._updates, *(u for layer in self._layers_inside for u in layer.updates)]

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on ``inputs``; for None, those that depend on no input."""
        if inputs is None:
            return [u for u in self.updates if u._unconditional_update]
        reached = reachable_from(nest.flatten(inputs))
        return [u for u in self.updates if not u._unconditional_update and u in reached]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on ``inputs``; for None, those that depend on no input."""
        if inputs is None:
            return [loss for loss in self.losses if loss._unconditional_loss]
        reached = reachable_from(nest.flatten(inputs))
        return [loss for loss in self.losses if not loss._unconditional_loss and loss.op in reached]

    def _handle_activity_regularization(self, inputs: Any, outputs: Any) -> None:
        """Add the penalty of each output, by example, to the losses."""
        if not self._activity_regularizer:
            return
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                penalty = self._activity_regularizer(output)
                examples = casts.cast(arrays.shape(output)[0], penalty.dtype)
                self.add_loss(penalty / examples, inputs=inputs)

    @property
    def activity_regularizer(self) -> Any:
        """The penalty of the outputs."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    # -- metrics -------------------------------------------------------------------------------

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Let a tensor be reported by the models that this layer is in.

        Args:
          value: a tensor, or what a metric object gave when it was called.
          aggregation: ``"mean"``: its mean over the batches of an epoch.

        Raises:
          ValueError: the metric has no name, or another aggregation.
        """
        if aggregation is not None and aggregation != "mean":
            raise ValueError(
                "We currently support only `mean` sample-wise metric aggregation. You provided aggregation=`"
                f"{aggregation}`"
            )
        of_object = getattr(value, "_metric_obj", None)
        if name is None and of_object is None:
            error = ValueError(
                "Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), "
                "name='mean_activation', aggregation='mean')`"
            )
            raise taught(error, fix="self.add_metric(..., name='mean_activation', aggregation='mean')")
        if of_object is not None:
            of_object._call_result = value
            self._metrics.append(of_object)
            return
        if aggregation is None:
            error = ValueError(
                "We do not support adding an aggregated metric result tensor that is not the output of a "
                "`tf.keras.metrics.Metric` metric instance. Without having access to the metric instance we cannot "
                "reset the state of a metric after every epoch during training. You can create a "
                "`tf.keras.metrics.Metric` instance and pass the result here or pass an un-aggregated result with "
                "`aggregation` parameter set as `mean`. For example: `self.add_metric(tf.reduce_sum(inputs), "
                "name='mean_activation', aggregation='mean')`"
            )
            raise taught(error, fix="self.add_metric(..., name='mean_activation', aggregation='mean')")
        for known in self._metrics:
            if known.name == name:
                known(value)
                return
        self._metrics.append(metric_makers[0](value, str(name)))

    @property
    def metrics(self) -> list[Any]:
        """The metrics of this layer, those among its attributes first, and of the layers in it."""
        return self._added_metrics()

    def _added_metrics(self) -> list[Any]:
        """The metrics that were added to this layer and to the layers in it."""
        own = self._metrics
        if own:
            known = {id(m) for m in own}
            own = [*(v for v in self._values_of_attributes() if id(v) in known), *own]
        return _distinct([*own, *(m for layer in self._layers_inside for m in layer._added_metrics())])

    # -- what it is ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The layer's name; its variables' scope may have a number more."""
        return self._name

    @property
    def dtype(self) -> str | None:
        """The dtype of the variables, by name; None before it follows from the first input."""
        return self._dtype_policy.variable_dtype

    @property
    def _dtype(self) -> str | None:
        return self._dtype_policy.variable_dtype

    @_dtype.setter
    def _dtype(self, value: Any) -> None:
        self._dtype_policy = Policy(as_dtype(value).name)

    def _take_dtype(self, outer: Layer) -> None:
        """Be of the dtype of the layer that this one is in, if that is of floats and this has none yet."""
        if self._dtype is None and outer._dtype is not None and as_dtype(outer._dtype).is_floating:
            self._dtype = outer._dtype

    @property
    def _compute_dtype(self) -> str | None:
        """The dtype that ``call`` computes in."""
        return self._dtype_policy.compute_dtype

    def _set_dtype_policy(self, dtype: Any) -> None:
        """Settle what is computed in and what variables are kept in: by a ``Policy``, a dtype, or for all layers."""
        if isinstance(dtype, Policy):
            self._dtype_policy = dtype
        else:
            self._dtype_policy = Policy(as_dtype(dtype).name) if dtype else policies.global_policy()
        self._is_of_floatx = not dtype and policies.policy_defaults_to_floatx()

    @property
    def dynamic(self) -> bool:
        """Whether the layer runs in Python only."""
        return self._dynamic

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The layers inside, at any depth."""
        return tuple(_distinct(self._every_layer()))[1:]


metric_makers: list[Callable[[Any, str], Any]] = []  # of a tensor and a name; Keras' metrics stand below

OWN_LISTS = frozenset(
    (
        "_updates", "_losses", "_callable_losses", "_trainable_weights", "_non_trainable_weights", "_inbound_nodes",
        "_outbound_nodes", "_metrics", "_compiled_metrics", "_metrics_by_output", "_weighted_by_output", "_loss_means",
        "_compile_metrics", "_weighted_metrics", "_compiled_trainable",
    )
)  # fmt: skip


def _made(name: str, **arguments: Any) -> Any:
    """A variable that is named by name scopes alone."""
    initializer, shape = arguments.pop("initializer"), arguments.pop("shape")
    arguments.pop("partitioner")
    if isinstance(initializer, type):
        initializer = initializer()
    if callable(initializer):
        initializer = functools.partial(initializer, shape, dtype=arguments["dtype"])
    resource = arguments.pop("use_resource")
    return VariableV1(initializer, name=name, use_resource=True if resource is None else resource, **arguments)


def trainable_by_default(trainable: bool | None, synchronization: Any) -> bool:
    """Whether a variable is trainable where nothing is said.

    Raises:
      ValueError: it is to be trainable and to be synchronized when read.
    """
    if synchronization != VariableSynchronization.ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
            "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
        )
    return False


def each_shape(function: Callable[[TensorShape], Any], shapes: Any) -> Any:
    """``function`` of each shape in lists, tuples and dicts of shapes; a tuple of sizes is one shape."""
    if isinstance(shapes, dict):
        return {key: each_shape(function, s) for key, s in shapes.items()}
    if isinstance(shapes, list | tuple) and not all(n is None or isinstance(n, int | Dimension) for n in shapes):
        found = [each_shape(function, s) for s in shapes]
        return type(shapes)(*found) if hasattr(shapes, "_fields") else type(shapes)(found)
    return function(TensorShape(shapes))


@functools.cache
def parameters_of(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


@functools.cache
def takes_any(function: Any) -> bool:
    """Whether a function takes arguments of any name."""
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())


def shared_config(layer: Layer) -> dict[str, Any]:
    """The arguments that all layers have."""
    config: dict[str, Any] = {"name": layer.name, "trainable": layer.trainable}
    if hasattr(layer, "_batch_input_shape"):
        config["batch_input_shape"] = layer._batch_input_shape
    return {**config, "dtype": layer.dtype}


def _is_symbolic(x: Any) -> bool:
    """Whether it is a tensor that has no value yet."""
    return isinstance(x, Tensor) and not x.graph.is_eager


def _as_input(value: Any) -> Any:
    return as_tensor(value) if isinstance(value, np.ndarray | np.generic | float | int) else value


def parts_of(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable | list) else [variable]


def _mark(value: Any, name: str, truth: bool) -> Any:
    if value is not None:
        setattr(value, name, truth)
    return value


def _unconditional(loss: Any) -> Any:
    return _mark(loss, "_unconditional_loss", True)


def inside(value: Any) -> Iterator[Any]:
    """What a structure of lists, tuples and dictionaries holds."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from inside(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from inside(item)
    else:
        yield value


def _distinct(values: Any) -> list[Any]:
    return list({id(v): v for v in values}.values())


def reachable_from(inputs: Any) -> set[Any]:
    """The ops and tensors that depend on ``inputs``, and these."""
    reached: set[Any] = set()
    waiting = list(inputs)
    while waiting:
        x = waiting.pop()
        if isinstance(x, VariableV2):
            x = x.op if x.op.outputs == [] else x.op.outputs[0]
        if x in reached:
            continue
        reached.add(x)
        if isinstance(x, Tensor):
            reached.add(x.op)
            waiting += x.readers
        elif isinstance(x, Operation):
            waiting += [*x.outputs, *x.control_readers]
    return reached
