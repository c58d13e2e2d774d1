"""What the optimizers of Keras share: hyperparameters that can be set while training, slots, steps."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.derivatives.tape import GradientTape
from retrograd.eager import deferred
from retrograd.grad.gradients import gradients
from retrograd.graph import dtypes, log, nest
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import known
from retrograd.graph.errors import taught
from retrograd.graph.modes import executing_eagerly_outside_functions, init_scope
from retrograd.graph.scopes import colocate_with, control_dependencies, device, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.schedules import LearningRateSchedule, schedule_of
from retrograd.nn.keras import initializers
from retrograd.ops import (
    arrays,
    casts,
    clipping,
    indexing,
    segments,
    uniqueness,
)
from retrograd.ops.scatters import scattered
from retrograd.state.initializers import Zeros
from retrograd.state.variables import VariableAggregation, VariableSynchronization, VariableV1, VariableV2
from retrograd.train.loss_scale import wrappers

ApplyState = dict[tuple[Any, Any], dict[str, Any]]  # (device, dtype): what the steps of its variables share


class OptimizerV2:
    """What all have in common: hyperparameters, which are variables, slots, clipping, and the count of steps.

    Args:
      clipnorm, clipvalue: bounds of each gradient's norm, or of its elements.
      decay: the learning rate is divided by ``1 + decay * iterations``.
      lr: an older name of ``learning_rate``.
    """

    _object_identifier = "optimizer"  # its kind in a SavedModel
    _clips = True
    _first_counted = True  # whether the weights of Keras' first optimizer of this name begin with the count of steps

    def __init__(self, name: str, **kwargs: Any) -> None:
        for key in kwargs:
            if key not in {"clipnorm", "clipvalue", "lr", "decay"}:
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(key))
            if kwargs[key] < 0:
                raise ValueError(f"Expected {key} >= 0, received: {kwargs[key]}")
        self._name = name
        self._hyper: dict[str, Any] = {}  # numbers become variables when they are first needed
        self._has_hypers = False
        self._slots: dict[int, dict[str, Any]] = {}
        self._weights: list[Any] = []
        self._iterations: Any = None
        decay = kwargs.pop("decay", 0.0)
        self._initial_decay = decay
        for key in ("clipnorm", "clipvalue"):
            if key in kwargs:
                setattr(self, key, kwargs.pop(key))

    # -- hyperparameters -----------------------------------------------------------------------

    def _set_hyper(self, name: str, value: Any) -> None:
        known = self._hyper.get(name)
        if isinstance(known, VariableV2) and not isinstance(value, Tensor) and not callable(value):
            K.set_value(known, value)
        else:
            self._hyper[name] = value

    def _get_hyper(self, name: str, dtype: Any = None) -> Any:
        self._create_hypers()
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return value
        if callable(value):
            value = value()
        return casts.cast(value, dtype) if dtype else value

    def __getattr__(self, name: str) -> Any:
        if name == "lr":
            name = "learning_rate"
        if name in self.__dict__.get("_hyper", {}):
            return self._get_hyper(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "lr":
            name = "learning_rate"
        if name in self.__dict__.get("_hyper", {}):
            self._set_hyper(name, value)
        else:
            super().__setattr__(name, value)

    def _create_hypers(self) -> None:
        if self._has_hypers or not self._hyper:
            return
        with default_graph().as_default():
            for name, value in sorted(self._hyper.items()):
                if isinstance(value, Tensor | VariableV2 | LearningRateSchedule) or callable(value):
                    continue
                self._hyper[name] = self.add_weight(name, (), initializer=value, trainable=False)
        self._has_hypers = True

    def add_weight(
        self, name: str, shape: Any, dtype: Any = None, initializer: Any = "zeros", trainable: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO, aggregation: Any = VariableAggregation.NONE,
    ) -> Any:  # fmt: skip
        """A variable of the optimizer's own; ``initializer`` may be a value."""
        dtype = dtypes.as_dtype(dtype or dtypes.float32)
        value = initializer
        if isinstance(initializer, str) or callable(initializer):
            made_of = initializers.get(initializer)
            value = lambda: made_of(shape, dtype=dtype)  # noqa: E731
        on_read = synchronization == VariableSynchronization.ON_READ
        if on_read and trainable:
            raise ValueError(
                "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
                "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
            )
        made = VariableV1(
            value, dtype=dtype, trainable=not on_read and trainable is not False, name=name, use_resource=True,
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        K.track_variable(made)
        return made

    @property
    def iterations(self) -> Any:
        """The number of steps so far, a variable."""
        if self._iterations is None:
            self._iterations = self.add_weight("iter", (), dtypes.int64, trainable=False)
            self._weights.append(self._iterations)
            with init_scope():
                deferred.variables_made()
        return self._iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        if self._iterations is not None:
            raise RuntimeError(
                "Cannot set `iterations` to a new Variable after the Optimizer weights have been created"
            )
        self._iterations = variable
        self._weights.append(variable)

    def _decayed_lr(self, dtype: Any) -> Any:
        rate = self._get_hyper("learning_rate", dtype)
        if isinstance(rate, LearningRateSchedule):
            rate = casts.cast(rate(casts.cast(self.iterations, dtype)), dtype)
        if self._initial_decay > 0.0:
            steps = casts.cast(self.iterations, dtype)
            rate = rate / (1.0 + self._get_hyper("decay", dtype) * steps)
        return rate

    # -- slots ---------------------------------------------------------------------------------

    def add_slot(self, var: Any, slot_name: str, initializer: Any = "zeros") -> Any:
        """A variable of the shape of ``var``."""
        slots = self._slots.setdefault(id(var), {})
        if slot_name not in slots:
            first = Zeros() if initializer == "zeros" else initializer
            with colocate_with(var.op):
                shape, kind = var.shape.as_list(), var.dtype.base_dtype
                made = VariableV1(
                    lambda: first(shape, dtype=kind), dtype=kind, trainable=False, use_resource=True,
                    name=f"{var.op.name}/{slot_name}",
                )  # fmt: skip
            K.track_variable(made)
            slots[slot_name] = made
            self._weights.append(made)
        return slots[slot_name]

    def _slot_with(self, var: Any, slot_name: str, value: Any) -> Any:
        """The slot of ``var``, made of a value from a checkpoint if it is not there."""
        return self.add_slot(var, slot_name, lambda shape, dtype: as_tensor(value, dtype))

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The variable that ``add_slot`` made."""
        return self._slots[id(var)][slot_name]

    def get_slot_names(self) -> list[str]:
        """The names of slots."""
        return sorted({name for slots in self._slots.values() for name in slots})

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The variables that are made by now, under the names that checkpoints have for them; slots stand apart."""
        counted = [] if self._iterations is None else [("iter", self._iterations)]
        return [
            *counted,
            *sorted((name, value) for name, value in self._hyper.items() if isinstance(value, VariableV2)),
        ]

    def _create_slots(self, var_list: list[Any]) -> None:
        pass

    @property
    def weights(self) -> list[Any]:
        """The count of steps and the slots."""
        return self._weights

    def variables(self) -> list[Any]:
        """The same."""
        return self._weights

    def get_weights(self) -> list[Any]:
        """Their values."""
        return K.batch_get_value(self._weights)

    def set_weights(self, weights: Any) -> None:
        """Let them have these values, or those of Keras' first optimizer of this name, which may not count steps.

        Raises:
          ValueError: they are more, or fewer.
        """
        if not self._first_counted and len(weights) == len(self._weights) - 1:
            weights = [np.array(0), *weights]
        if len(self._weights) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list of length "
                f"{len(weights)}, but the optimizer was expecting {len(self._weights)} weights."
            )
        K.batch_set_value(zip(self._weights, weights, strict=True))

    # -- steps ---------------------------------------------------------------------------------

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The derivatives of ``loss``, clipped.

        Raises:
          ValueError: one of ``params`` has none, and ops do not run at once.
        """
        params = nest.flatten(params)
        with name_scope(f"{self._name}/gradients"):
            grads = gradients(loss, params)
            for grad, param in zip(grads, params, strict=True):
                if grad is None and not executing_eagerly_outside_functions():
                    raise ValueError(
                        f"Variable {param} has `None` for gradient. Please make sure that all of your ops have a "
                        "gradient defined (i.e. are differentiable). Common ops without gradient: K.argmax, K.round, "
                        "K.eval."
                    )
            return self._clipped(grads)

    @contextmanager
    def unclipped(self) -> Iterator[None]:
        """Let derivatives in the block be as they are, whatever ``clipnorm`` and ``clipvalue`` say."""
        self._clips = False
        try:
            yield
        finally:
            self._clips = True

    def _clipped(self, grads: list[Any]) -> list[Any]:
        if not self._clips:
            return grads
        if hasattr(self, "clipnorm"):
            grads = [None if g is None else clipping.clip_by_norm(g, self.clipnorm) for g in grads]
        if hasattr(self, "clipvalue"):
            grads = [None if g is None else clipping.clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The op of one step, in a list."""
        grads = self.get_gradients(loss, params)
        return [self.apply_gradients(list(zip(grads, params, strict=True)))]

    def minimize(self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None) -> Any:
        """The op of one step that makes ``loss`` smaller; it may be a function."""
        return self.apply_gradients(self._compute_gradients(loss, var_list=var_list, grad_loss=grad_loss), name=name)

    def _compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None) -> list[tuple[Any, Any]]:
        """Each variable with the derivative of ``loss``; optimizers of programs put their own in its place."""
        if default_graph().is_eager:
            with GradientTape() as tape:
                if not callable(var_list):
                    tape.watch(var_list)
                value = loss()
            variables = nest.flatten(var_list() if callable(var_list) else var_list)
            return list(zip(self._clipped(tape.gradient(value, variables, grad_loss)), variables, strict=True))
        value = loss() if callable(loss) else loss
        variables = var_list() if callable(var_list) else var_list
        variables = list(variables) if isinstance(variables, list | tuple) else [variables]
        with name_scope(f"{self._name}/gradients"):
            grads = self._clipped(gradients(value, variables, grad_loss))
        return list(zip(grads, variables, strict=True))

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Any:
        """The op that changes each variable by its gradient.

        Raises:
          NotImplementedError: something to change is a tensor.
          ValueError: there are variables, and none of them has one.
        """
        grads_and_vars = list(grads_and_vars)
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if grads_and_vars and not pairs:
            raise ValueError(f"No gradients provided for any variable: {[v.name for _, v in grads_and_vars]}.")
        if len(pairs) < len(grads_and_vars):
            without = [v.name for g, v in grads_and_vars if g is None]
            log.warning("Gradients do not exist for variables %s when minimizing the loss.", without)
        for tensor in (v for _, v in pairs if isinstance(v, Tensor)):
            raise taught(NotImplementedError("Trying to update a Tensor ", tensor), fix="tf.Variable(...)")
        with name_scope(self._name):
            _ = self.iterations
            self._create_hypers()
            self._create_slots([v for _, v in pairs])
            with init_scope():
                deferred.variables_made()
            state = self._prepare([v for _, v in pairs])
            updates = []
            with name_scope(name or self._name):
                for grad, var in pairs:
                    with name_scope("update_" + var.op.name), colocate_with(var.op):
                        updates.append(self._updated(grad, var, state))
                with control_dependencies(updates):
                    counted = self.iterations.assign_add(1)
                    return counted if default_graph().is_eager else counted.op

    def _updated(self, grad: Any, var: Any, state: ApplyState) -> Any:
        constraint = getattr(var, "constraint", None)
        if isinstance(grad, VariableV2):
            grad = as_tensor(grad)
        if isinstance(grad, IndexedSlices):
            if constraint is not None:
                error = RuntimeError("Cannot use a constraint function on a sparse variable.")
                raise taught(
                    error, why=f"the gradient of {var.name} moves some rows only", fix="leave the constraint out"
                )
            shared = {"apply_state": state} if _takes_state(self._resource_apply_sparse) else {}
            return self._resource_apply_sparse_duplicate_indices(grad.values, var, grad.indices, **shared)
        shared = {"apply_state": state} if _takes_state(self._resource_apply_dense) else {}
        op = self._resource_apply_dense(grad, var, **shared)
        if constraint is None:
            return op
        with control_dependencies([op]):
            return var.assign(constraint(var)).op

    # -- what a kind of optimizer says -----------------------------------------------------------

    def _prepare(self, var_list: list[Any]) -> ApplyState:
        """What the steps of all variables of a device and a dtype share."""
        state: ApplyState = {}
        for key in dict.fromkeys((v.device, v.dtype.base_dtype) for v in var_list):
            state[key] = {}
            with device(key[0]):
                self._prepare_local(*key, state)
        return state

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        if "learning_rate" in self._hyper:
            apply_state[var_device, var_dtype]["lr_t"] = arrays.identity(self._decayed_lr(var_dtype))

    def _fallback_apply_state(self, var_device: Any, var_dtype: Any) -> dict[str, Any]:
        """The same for one variable, where an optimizer derived from another does not hand it on."""
        state: ApplyState = {(var_device, var_dtype): {}}
        self._prepare_local(var_device, var_dtype, state)
        return state[var_device, var_dtype]

    def _state(self, var: Any, apply_state: ApplyState | None) -> dict[str, Any]:
        key = (var.device, var.dtype.base_dtype)
        return (apply_state or {}).get(key) or self._fallback_apply_state(*key)

    def _resource_apply_dense(self, grad: Any, handle: Any, apply_state: Any) -> Any:
        """The op that changes the variable ``handle`` by ``grad``."""
        raise NotImplementedError

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any, apply_state: Any) -> Any:
        """The op that changes the rows ``indices``, each named once, of the variable ``handle``."""
        raise NotImplementedError

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, var: Any, indices: Any, **kwargs: Any) -> Any:
        """The same of rows that may be named more than once; their slices are added up."""
        unique, places = uniqueness.unique(indices)
        total = segments.unsorted_segment_sum(grad, places, arrays.shape(unique)[0])
        return self._resource_apply_sparse(total, var, unique, **kwargs)

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> Any:
        return scattered("ResourceScatterAdd", x, i, v)

    def _resource_scatter_update(self, x: Any, i: Any, v: Any) -> Any:
        return scattered("ResourceScatterUpdate", x, i, v)

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same optimizer."""
        config: dict[str, Any] = {"name": self._name}
        for key in ("clipnorm", "clipvalue"):
            if hasattr(self, key):
                config[key] = getattr(self, key)
        return config

    def _serialize_hyperparameter(self, name: str) -> Any:
        """A hyperparameter as a number."""
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return {"class_name": type(value).__name__, "config": value.get_config()}
        if isinstance(value, VariableV2):
            return K.get_value(value)
        return value() if callable(value) else value

    def _values(self, *names: str) -> dict[str, Any]:
        return {name: self._serialize_hyperparameter(name) for name in names}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The optimizer with these arguments, which are changed in ``config`` to those of today."""
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = schedule_of(config["learning_rate"], custom_objects)
        return cls(**config)


def _takes_state(function: Any) -> bool:
    """Whether an optimizer's rule, which may be a program's own, takes what the steps share."""
    return "apply_state" in inspect.signature(function).parameters


def mixed(x: Any, rate: Any, rest: Any, indices: Any, values: Any) -> Any:
    """``x = rate * x``, and ``rest * values`` added to rows."""
    scaled = values * rest
    with control_dependencies([x.assign(x * rate)]):
        return scattered("ResourceScatterAdd", x, indices, scaled)


def mixed_rows(x: Any, rate: Any, rest: Any, indices: Any, values: Any) -> tuple[Any, Any]:
    """``_mixed``, and its rows."""
    scaled = values * rest
    with control_dependencies([x.assign(x * rate)]):
        mixed = scattered("ResourceScatterAdd", x, indices, scaled)
        return mixed, indexing.gather(mixed, indices)


def op_named(name: str) -> Any:
    return known(name)


def applied(name: str, *args: Any) -> Any:
    handles = [getattr(a, "handle", a) for a in args]
    return apply(op_named(name), *handles, use_locking=True)


def _scaled(opt: Any, loss_scale: Any) -> Any:
    from retrograd.keras.loss_scale_optimizer import LossScaleOptimizer

    return LossScaleOptimizer(opt, loss_scale)


wrappers[OptimizerV2] = _scaled
