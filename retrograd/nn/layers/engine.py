"""``Layer``: an object that makes its variables when it first meets an input, and is called with tensors."""

from __future__ import annotations

import functools
import inspect
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
from retrograd.graph.errors import OperatorNotAllowedInGraphError, nearest, taught
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers import nodes, phase, policies, session
from retrograd.nn.layers.added_losses import OfLosses, beside_models
from retrograd.nn.layers.calls import calls
from retrograd.nn.layers.containers import WRAPPERS
from retrograd.nn.layers.held_weights import distinct
from retrograd.nn.layers.input_spec import assert_input_compatibility
from retrograd.nn.layers.names import to_snake_case, unique_object_name
from retrograd.nn.layers.policies import Policy
from retrograd.nn.layers.wrapped_containers import assigned
from retrograd.ops import arrays, casts, constants
from retrograd.state.autocast import variables_read_as
from retrograd.state.variables import VariableV2


class Layer(nodes.OfNodes, OfLosses):
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
        self._losses_of_calls: list[Any] = []
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
        if isinstance(value, VariableV2 | list | tuple):
            session.track_own(value if isinstance(value, list | tuple) else [value])
        object.__setattr__(self, name, assigned(self, name, value) if type(value) in WRAPPERS else value)

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
        is_in_network = nodes.with_history(inputs, makes=not calls.stack)
        if is_in_network:
            nodes.settle_arguments([args, kwargs])
        given = dict(kwargs)
        training = self._training_argument(args, kwargs)
        masks = self._given_mask(args, kwargs)
        if masks is None:
            masks = nest.map_structure(lambda x: getattr(x, "_keras_mask", None), inputs)
            if all(m is None for m in nest.flatten(masks)):
                masks = None
            elif "mask" in parameters_of(type(self).call):
                kwargs["mask"] = masks
        if calls.noted is not None:
            calls.noted.append((self, (inputs, *args), given))
        if beside_models(default_graph()) and not calls.stack:
            self._forget_losses()
        with calls.entered(self, inputs, training):
            assert_input_compatibility(self.input_spec, inputs, self.name)
            with name_scope(self._name_scope()):
                self._maybe_build(inputs)
                call = self.call if default_graph().is_eager else converted(self.call)
                graph = default_graph()
                first = graph.version
                if self.dynamic and not graph.is_eager:
                    outputs = self._outputs_of_no_call(inputs)
                else:
                    with variables_read_as(self._compute_dtype), self._told_to_be_dynamic():
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

    def _outputs_of_no_call(self, inputs: Any) -> Any:
        """Placeholders for what a layer that runs in Python only would give."""
        shapes = self.compute_output_shape(nest.map_structure(lambda x: x.shape, inputs))
        return each_shape(lambda s: constants.placeholder(self.dtype or dtypes.float32, s), shapes)

    @contextmanager
    def _told_to_be_dynamic(self) -> Iterator[None]:
        """Say of Python's branches and loops over tensors, which no graph takes, what a layer can do about them.

        Raises:
          TypeError: there are some in the block.
        """
        try:
            yield
        except OperatorNotAllowedInGraphError as error:
            if self.dynamic:
                raise
            raise TypeError(
                "You are attempting to use Python control flow in a layer that was not declared to be dynamic. Pass "
                f'`dynamic=True` to the class constructor.\nEncountered error:\n"""\n{error}\n"""'
            ) from error

    def _forget_losses(self) -> None:
        """Begin a call that is none of a model's graph: the losses of the call before are past."""
        self._losses_of_calls.clear()
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
            if isinstance(x, VariableV2) and isinstance(default_graph(), LiftedGraph):
                return as_tensor(x)  # which is read when the network runs
            if id(x) not in own:
                return x
            with name_scope(self.name):
                copied = nest.map_structure(arrays.identity, x, expand_composites=True)
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
            given = calls.stack[-1][2] if calls.stack else None
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
            if isinstance(x, VariableV2):
                return as_tensor(x)
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
        return tuple(distinct(self._every_layer()))[1:]


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
    return isinstance(x, Tensor | CompositeTensor) and nodes.is_symbolic_tensor(x)


def _as_input(value: Any) -> Any:
    return as_tensor(value) if isinstance(value, np.ndarray | np.generic | float | int) else value
