"""Optimizers of ``tf.keras.optimizers``: hyperparameters that can be set while training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.derivatives.tape import GradientTape
from retrograd.grad.gradients import gradients
from retrograd.graph import dtypes, log, nest
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import known
from retrograd.graph.errors import taught
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.nn.keras.lookup import found
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    clipping,
    constants,
    control,
    indexing,
    powers,
    rounding,
    scatters,
    segments,
    uniqueness,
)
from retrograd.state.initializers import Constant, Ones, Zeros
from retrograd.state.variables import VariableV1
from retrograd.train import learning_rates
from retrograd.train.optimizer import Optimizer as TrainOptimizer


class OptimizerV2:
    """What all have in common: hyperparameters, which are variables, slots, clipping, and the count of steps.

    Args:
      clipnorm, clipvalue: bounds of each gradient's norm, or of its elements.
      decay: the learning rate is divided by ``1 + decay * iterations``.
      lr: an older name of ``learning_rate``.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        for key in kwargs:
            if key not in {"clipnorm", "clipvalue", "lr", "decay"}:
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(key))
            if kwargs[key] < 0:
                raise ValueError(f"Expected {key} >= 0, received: {kwargs[key]}")
        self._name = name
        self._hyper: dict[str, Any] = {}
        self._hyper_variables: dict[str, Any] = {}
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
        if name not in self._hyper:
            self._hyper[name] = value
            return
        variable = self._hyper_variables.get(name)
        if variable is not None and not isinstance(value, Tensor) and not callable(value):
            K.set_value(variable, value)
        else:
            self._hyper[name] = value

    def _get_hyper(self, name: str, dtype: Any = None) -> Any:
        self._make_hypers()
        value = self._hyper_variables.get(name, self._hyper[name])
        if isinstance(value, LearningRateSchedule):
            return value
        if callable(value):
            value = value()
        return casts.cast(value, dtype) if dtype else value

    def __getattr__(self, name: str) -> Any:
        if name == "lr":
            name = "learning_rate"
        hypers = self.__dict__.get("_hyper", {})
        if name in hypers:
            return self._hyper_variables.get(name, hypers[name])
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "lr":
            name = "learning_rate"
        if name in self.__dict__.get("_hyper", {}):
            self._set_hyper(name, value)
        else:
            super().__setattr__(name, value)

    def _make_hypers(self) -> None:
        if self._hyper_variables or not self._hyper:
            return
        with default_graph().as_default():
            _ = self.iterations
            for name, value in sorted(self._hyper.items()):
                if isinstance(value, Tensor | LearningRateSchedule) or callable(value):
                    continue
                self._hyper_variables[name] = self._made(name, value, dtypes.float32)

    def _add_weight(self, name: str, shape: Any, initializer: Any, dtype: Any = dtypes.float32) -> Any:
        return self._made(name, lambda: initializer(shape, dtype=dtype), dtype)

    def _made(self, name: str, value: Any, dtype: Any) -> Any:
        made = VariableV1(value, dtype=dtype, trainable=False, name=name, use_resource=True)
        K.track_variable(made)
        return made

    @property
    def iterations(self) -> Any:
        """The number of steps so far, a variable."""
        if self._iterations is None:
            self._iterations = self._add_weight("iter", (), Zeros(), dtypes.int64)
            self._weights.append(self._iterations)
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

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The variable that ``add_slot`` made."""
        return self._slots[id(var)][slot_name]

    def get_slot_names(self) -> list[str]:
        """The names of slots."""
        return sorted({name for slots in self._slots.values() for name in slots})

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
        """Let them have these values."""
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
          ValueError: one of ``params`` has none.
        """
        with name_scope(f"{self._name}/gradients"):
            grads = gradients(loss, params)
            for grad, param in zip(grads, params, strict=True):
                if grad is None:
                    raise ValueError(
                        f"Variable {param} has `None` for gradient. Please make sure that all of your ops have a "
                        "gradient defined (i.e. are differentiable). Common ops without gradient: K.argmax, K.round, "
                        "K.eval."
                    )
            return self._clipped(grads)

    def _clipped(self, grads: list[Any]) -> list[Any]:
        if hasattr(self, "clipnorm"):
            grads = [clipping.clip_by_norm(g, self.clipnorm) for g in grads]
        if hasattr(self, "clipvalue"):
            grads = [clipping.clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The op of one step, in a list."""
        grads = self.get_gradients(loss, params)
        return [self.apply_gradients(list(zip(grads, params, strict=True)))]

    def minimize(self, loss: Any, var_list: Any, grad_loss: Any = None, name: str | None = None) -> Any:
        """The op of one step that makes ``loss`` smaller; it may be a function."""
        if default_graph().is_eager:
            with GradientTape() as tape:
                if not callable(var_list):
                    tape.watch(var_list)
                value = loss()
            variables = nest.flatten(var_list() if callable(var_list) else var_list)
            return self.apply_gradients(list(zip(self._clipped(tape.gradient(value, variables, grad_loss)), variables,
                                                 strict=True)), name=name)  # fmt: skip
        value = loss() if callable(loss) else loss
        variables = var_list() if callable(var_list) else var_list
        variables = list(variables) if isinstance(variables, list | tuple) else [variables]
        with name_scope(f"{self._name}/gradients"):
            grads = self._clipped(gradients(value, variables, grad_loss))
        return self.apply_gradients(list(zip(grads, variables, strict=True)), name=name)

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Any:
        """The op that changes each variable by its gradient.

        Raises:
          ValueError: there are variables, and none of them has one.
        """
        grads_and_vars = list(grads_and_vars)
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if grads_and_vars and not pairs:
            raise ValueError(f"No gradients provided for any variable: {[v.name for _, v in grads_and_vars]}.")
        if len(pairs) < len(grads_and_vars):
            without = [v.name for g, v in grads_and_vars if g is None]
            log.warning("Gradients do not exist for variables %s when minimizing the loss.", without)
        with name_scope(self._name):
            self._make_hypers()
            self._create_slots([v for _, v in pairs])
            states = {dtype: self._prepared(dtype) for dtype in dict.fromkeys(v.dtype.base_dtype for _, v in pairs)}
            updates = []
            with name_scope(name or self._name):
                for grad, var in pairs:
                    with name_scope("update_" + var.op.name), colocate_with(var.op):
                        updates.append(self._updated(grad, var, states[var.dtype.base_dtype]))
                with control_dependencies(updates):
                    counted = self.iterations.assign_add(1)
                    return counted if default_graph().is_eager else counted.op

    def _updated(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        constraint = getattr(var, "constraint", None)
        if isinstance(grad, IndexedSlices):
            if constraint is not None:
                error = RuntimeError("Cannot use a constraint function on a sparse variable.")
                raise taught(
                    error, why=f"the gradient of {var.name} moves some rows only", fix="leave the constraint out"
                )
            return self._sparse_repeated(grad.values, var, grad.indices, state)
        op = self._dense(grad, var, state)
        if constraint is None:
            return op
        with control_dependencies([op]):
            return var.assign(constraint(var)).op

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        """What the steps of all variables of a dtype share."""
        return {"lr": arrays.identity(self._decayed_lr(dtype))}

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _sparse_repeated(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        """``_sparse`` with each index once, its slices added up."""
        unique, places = uniqueness.unique(indices)
        total = segments.unsorted_segment_sum(grad, places, arrays.shape(unique)[0])
        return self._sparse(total, var, unique, state)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same optimizer."""
        config: dict[str, Any] = {"name": self._name}
        for key in ("clipnorm", "clipvalue"):
            if hasattr(self, key):
                config[key] = getattr(self, key)
        return config

    def _value(self, name: str) -> Any:
        """A hyperparameter as a number."""
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return {"class_name": type(value).__name__, "config": value.get_config()}
        variable = self._hyper_variables.get(name)
        if variable is not None:
            return float(str(K.get_value(variable)))  # the shortest decimal: 0.01, not the nearest double
        return value() if callable(value) else value

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The optimizer with these arguments."""
        config = dict(config)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = schedule_of(config["learning_rate"])
        return cls(**config)


def _scattered(name: str, x: Any, indices: Any, values: Any) -> Any:
    """A variable's value after an op on some of its rows."""
    with control_dependencies([scatters.resource_scatter(_op(name), x, indices, values)]):
        return x.value()


def _mixed(x: Any, rate: Any, rest: Any, indices: Any, values: Any) -> Any:
    """``x = rate * x``, and ``rest * values`` added to rows."""
    scaled = values * rest
    with control_dependencies([x.assign(x * rate)]):
        return _scattered("ResourceScatterAdd", x, indices, scaled)


def _mixed_rows(x: Any, rate: Any, rest: Any, indices: Any, values: Any) -> tuple[Any, Any]:
    """``_mixed``, and its rows."""
    scaled = values * rest
    with control_dependencies([x.assign(x * rate)]):
        mixed = _scattered("ResourceScatterAdd", x, indices, scaled)
        return mixed, indexing.gather(mixed, indices)


def _op(name: str) -> Any:
    return known(name)


def _apply(name: str, *args: Any) -> Any:
    handles = [getattr(a, "handle", a) for a in args]
    return apply(_op(name), *handles, use_locking=True)


class SGD(OptimizerV2):
    """``v = momentum * v - lr * g; w += v``; without momentum ``w -= lr * g``."""

    def __init__(
        self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: bool = False, name: str = "SGD", **kwargs: Any
    ) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._momentum = isinstance(momentum, Tensor) or callable(momentum) or momentum > 0
        if isinstance(momentum, int | float) and (momentum < 0 or momentum > 1):
            raise ValueError("`momentum` must be between [0, 1].")
        self._set_hyper("momentum", momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list: list[Any]) -> None:
        if self._momentum:
            for var in var_list:
                self.add_slot(var, "momentum")

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        return {**super()._prepared(dtype), "momentum": arrays.identity(self._get_hyper("momentum", dtype))}

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        if not self._momentum:
            return _apply("ResourceApplyGradientDescent", var, state["lr"], grad)
        slot = self.get_slot(var, "momentum")
        return apply(
            _op("ResourceApplyKerasMomentum"), var.handle, slot.handle, state["lr"], grad, state["momentum"],
            use_locking=True, use_nesterov=self.nesterov,
        )  # fmt: skip

    def _sparse_repeated(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        if self._momentum:
            return super()._sparse_repeated(grad, var, indices, state)
        return scatters.resource_scatter(_op("ResourceScatterAdd"), var, indices, -grad * state["lr"])

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        slot = self.get_slot(var, "momentum")
        return apply(
            _op("ResourceSparseApplyKerasMomentum"), var.handle, slot.handle, state["lr"], grad, indices,
            state["momentum"], use_locking=True, use_nesterov=self.nesterov,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "learning_rate": self._value("learning_rate"), "decay": self._value("decay"),
            "momentum": self._value("momentum"), "nesterov": self.nesterov,
        }  # fmt: skip


class Adam(OptimizerV2):
    """Kingma and Ba, 2014: steps of the mean of gradients over the root of the mean of their squares."""

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = 1e-7,
        amsgrad: bool = False, name: str = "Adam", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon, self.amsgrad = epsilon or K.epsilon(), amsgrad

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("m", "v", *(["vhat"] if self.amsgrad else [])):
            for var in var_list:
                self.add_slot(var, name)

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        rate = super()._prepared(dtype)["lr"]
        step = casts.cast(self.iterations + 1, dtype)
        beta_1 = arrays.identity(self._get_hyper("beta_1", dtype))
        beta_2 = arrays.identity(self._get_hyper("beta_2", dtype))
        power_1, power_2 = powers.pow_(beta_1, step), powers.pow_(beta_2, step)
        return {
            "lr_t": rate, "corrected": rate * (powers.sqrt(1 - power_2) / (1 - power_1)),
            "epsilon": as_tensor(self.epsilon, dtype, name="Const"), "beta_1": beta_1, "rest_1": 1 - beta_1,
            "beta_2": beta_2, "rest_2": 1 - beta_2, "power_1": power_1, "power_2": power_2,
        }  # fmt: skip

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        rest = [state[k] for k in ("power_1", "power_2", "lr_t", "beta_1", "beta_2", "epsilon")]
        if not self.amsgrad:
            return _apply("ResourceApplyAdam", var, m, v, *rest, grad)
        return _apply("ResourceApplyAdamWithAmsgrad", var, m, v, self.get_slot(var, "vhat"), *rest, grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = _mixed(m, state["beta_1"], state["rest_1"], indices, grad)
        v_t = _mixed(v, state["beta_2"], state["rest_2"], indices, grad * grad)
        spread: Any = v_t
        if self.amsgrad:
            vhat = self.get_slot(var, "vhat")
            spread = arithmetic.maximum(vhat, v_t)
            with control_dependencies([spread]):
                spread = vhat.assign(spread)
        root = powers.sqrt(spread)
        done = var.assign_sub(state["corrected"] * m_t / (root + state["epsilon"]))
        return control.group(done, m_t, v_t, *([spread] if self.amsgrad else []))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "learning_rate": self._value("learning_rate"), "decay": self._value("decay"),
            "beta_1": self._value("beta_1"), "beta_2": self._value("beta_2"), "epsilon": self.epsilon,
            "amsgrad": self.amsgrad,
        }  # fmt: skip


class RMSprop(OptimizerV2):
    """``r = rho * r + (1 - rho) * g^2; w -= lr * g / (sqrt(r) + epsilon)``; with momentum, by way of a velocity."""

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.9, momentum: Any = 0.0, epsilon: float = 1e-7,
        centered: bool = False, name: str = "RMSprop", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self._momentum = isinstance(momentum, Tensor) or callable(momentum) or momentum > 0
        if isinstance(momentum, int | float) and (momentum < 0 or momentum > 1):
            raise ValueError("`momentum` must be between [0, 1].")
        self._set_hyper("momentum", momentum)
        self.epsilon, self.centered = epsilon or K.epsilon(), centered

    def _create_slots(self, var_list: list[Any]) -> None:
        names = ["rms", *(["momentum"] if self._momentum else []), *(["mg"] if self.centered else [])]
        for name in names:
            for var in var_list:
                self.add_slot(var, name)

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        before = super()._prepared(dtype)
        rho = arrays.identity(self._get_hyper("rho", dtype))
        return {
            **before, "less": -before["lr"], "rho": rho, "epsilon": as_tensor(self.epsilon, dtype, name="Const"),
            "momentum": arrays.identity(self._get_hyper("momentum", dtype)), "rest": 1.0 - rho,
        }  # fmt: skip

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        rms = self.get_slot(var, "rms")
        if self._momentum:
            rest = [state[k] for k in ("lr", "rho", "momentum", "epsilon")]
            slot = self.get_slot(var, "momentum")
            if self.centered:
                mg = self.get_slot(var, "mg")
                return _apply("ResourceApplyCenteredRMSProp", var, mg, rms, slot, *rest, grad)
            return _apply("ResourceApplyRMSProp", var, rms, slot, *rest, grad)
        rms_t = rms.assign(state["rho"] * rms + state["rest"] * powers.square(grad))
        spread: Any = rms_t
        if self.centered:
            mg = self.get_slot(var, "mg")
            mg_t = mg.assign(state["rho"] * mg + state["rest"] * grad)
            spread = rms_t - powers.square(mg_t)
        return var.assign(var - state["lr"] * grad / (powers.sqrt(spread) + state["epsilon"])).op

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        rms = self.get_slot(var, "rms")
        if self._momentum:
            rest = [state[k] for k in ("lr", "rho", "momentum", "epsilon")]
            slot = self.get_slot(var, "momentum")
            if self.centered:
                mg = self.get_slot(var, "mg")
                return _apply("ResourceSparseApplyCenteredRMSProp", var, mg, rms, slot, *rest, grad, indices)
            return _apply("ResourceSparseApplyRMSProp", var, rms, slot, *rest, grad, indices)
        rms_t, spread = _mixed_rows(rms, state["rho"], state["rest"], indices, grad * grad)
        averages = [rms_t]
        if self.centered:
            mg_t, rows = _mixed_rows(self.get_slot(var, "mg"), state["rho"], state["rest"], indices, grad)
            spread = spread - powers.square(rows)
            averages.append(mg_t)
        step = state["less"] * grad / (powers.sqrt(spread) + state["epsilon"])
        return control.group(_scattered("ResourceScatterAdd", var, indices, step), *averages)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "learning_rate": self._value("learning_rate"), "decay": self._value("decay"),
            "rho": self._value("rho"), "momentum": self._value("momentum"), "epsilon": self.epsilon,
            "centered": self.centered,
        }  # fmt: skip


class Adagrad(OptimizerV2):
    """Duchi et al., 2011: ``a += g^2; w -= lr * g / (sqrt(a) + epsilon)``."""

    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: float = 0.1, epsilon: float = 1e-7,
        name: str = "Adagrad", **kwargs: Any,
    ) -> None:  # fmt: skip
        if initial_accumulator_value < 0.0:
            raise ValueError(f"initial_accumulator_value must be non-negative: {initial_accumulator_value}")
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._initial, self.epsilon = initial_accumulator_value, epsilon or K.epsilon()

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial))

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        before = super()._prepared(dtype)
        epsilon = as_tensor(self.epsilon, dtype, name="Const")
        return {**before, "epsilon": epsilon, "less": -before["lr"], "zero": constants.zeros((), dtypes.int64)}

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        accumulator = self.get_slot(var, "accumulator")
        return _apply("ResourceApplyAdagradV2", var, accumulator, state["lr"], state["epsilon"], grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        accumulator = self.get_slot(var, "accumulator")
        return _apply("ResourceSparseApplyAdagradV2", var, accumulator, state["lr"], state["epsilon"], grad, indices)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "learning_rate": self._value("learning_rate"), "decay": self._value("decay"),
            "initial_accumulator_value": self._initial, "epsilon": self.epsilon,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The optimizer with these arguments; here the accumulators begin with 0, as in TensorFlow."""
        return super().from_config({"initial_accumulator_value": 0.0, **config}, custom_objects)


class Adadelta(OptimizerV2):
    """Zeiler, 2012: steps of the size of earlier steps."""

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: float = 1e-7, name: str = "Adadelta", **kwargs: Any
    ) -> None:
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("rho", rho)
        self.epsilon = epsilon or K.epsilon()

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("accum_grad", "accum_var"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        return {
            **super()._prepared(dtype), "epsilon": as_tensor(self.epsilon, dtype, name="Const"),
            "rho": arrays.identity(self._get_hyper("rho", dtype)),
        }  # fmt: skip

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "accum_grad"), self.get_slot(var, "accum_var")
        return _apply("ResourceApplyAdadelta", var, *slots, state["lr"], state["rho"], state["epsilon"], grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "accum_grad"), self.get_slot(var, "accum_var")
        rest = [state[k] for k in ("lr", "rho", "epsilon")]
        return _apply("ResourceSparseApplyAdadelta", var, *slots, *rest, grad, indices)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "learning_rate": self._value("learning_rate"), "decay": self._value("decay"),
            "rho": self._value("rho"), "epsilon": self.epsilon,
        }  # fmt: skip


class Adamax(OptimizerV2):
    """Adam with the largest gradient in the place of the root mean square."""

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = 1e-7,
        name: str = "Adamax", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, **kwargs)
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)
        self.epsilon = epsilon or K.epsilon()

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        before = super()._prepared(dtype)
        step = casts.cast(self.iterations + 1, dtype)
        beta_1 = arrays.identity(self._get_hyper("beta_1", dtype))
        beta_2 = arrays.identity(self._get_hyper("beta_2", dtype))
        power = powers.pow_(beta_1, step)
        return {
            **before, "less": -before["lr"] / (1 - power), "epsilon": as_tensor(self.epsilon, dtype, name="Const"),
            "beta_1": beta_1, "power": power, "rest_1": 1 - beta_1, "beta_2": beta_2,
            "zero": constants.zeros((), dtypes.int64),
        }  # fmt: skip

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "m"), self.get_slot(var, "v")
        rest = [state[k] for k in ("power", "lr", "beta_1", "beta_2", "epsilon")]
        return _apply("ResourceApplyAdaMax", var, *slots, *rest, grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = indexing.gather(m, indices, axis=state["zero"]) * state["beta_1"] + grad * state["rest_1"]
        with control_dependencies([m_rows]):
            m_t = _scattered("ResourceScatterUpdate", m, indices, m_rows)
        v_rows = indexing.gather(v, indices, axis=state["zero"]) * state["beta_2"]
        v_rows = arithmetic.maximum(v_rows, rounding.abs_(grad))
        with control_dependencies([v_rows]):
            v_t = _scattered("ResourceScatterUpdate", v, indices, v_rows)
        step = state["less"] * (m_rows / (v_rows + state["epsilon"]))
        with control_dependencies([step]):
            done = _scattered("ResourceScatterAdd", var, indices, step)
        return control.group(done, m_t, v_t)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "learning_rate": self._value("learning_rate"), "decay": self._value("decay"),
            "beta_1": self._value("beta_1"), "beta_2": self._value("beta_2"), "epsilon": self.epsilon,
        }  # fmt: skip


class Nadam(Adamax):
    """Adam with Nesterov's momentum (Dozat, 2015)."""

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: float = 1e-7,
        name: str = "Nadam", **kwargs: Any,
    ) -> None:  # fmt: skip
        decay = kwargs.pop("schedule_decay", 0.004)
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **{**kwargs, "decay": decay})
        self._cache: Any = None

    def _create_slots(self, var_list: list[Any]) -> None:
        if self._cache is None:
            self._cache = self._add_weight("momentum_cache", (), Ones(), var_list[0].dtype.base_dtype)
            self._weights.append(self._cache)
        super()._create_slots(var_list)

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        read = arrays.identity(self._cache)
        rate = arrays.identity(self._get_hyper("learning_rate", dtype))
        beta_1, beta_2 = (arrays.identity(self._get_hyper(k, dtype)) for k in ("beta_1", "beta_2"))
        step, next_step = (casts.cast(self.iterations + k, dtype) for k in (1, 2))
        base = casts.cast(0.96, dtype)
        u_t = beta_1 * (1.0 - 0.5 * powers.pow_(base, self._initial_decay * step))
        u_next = beta_1 * (1.0 - 0.5 * powers.pow_(base, self._initial_decay * next_step))
        schedule = arrays.identity(self._cache.assign(casts.cast(read, dtype) * u_t))
        schedule_next = schedule * u_next
        return {
            "lr": rate, "less": -rate, "epsilon": as_tensor(self.epsilon, dtype, name="Const"), "beta_1": beta_1,
            "beta_2": beta_2, "u_next": u_next, "rest_1": 1 - beta_1, "rest_2": 1 - beta_2, "rest_u": 1.0 - u_t,
            "rest_schedule": 1.0 - schedule, "rest_next": 1.0 - schedule_next,
            "spread": 1.0 - powers.pow_(beta_2, step),
        }  # fmt: skip

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / state["rest_schedule"]
        m_t = m.assign(state["beta_1"] * m + state["rest_1"] * grad)
        m_prime = m_t / state["rest_next"]
        v_t = v.assign(state["beta_2"] * v + state["rest_2"] * powers.square(grad))
        v_prime = v_t / state["spread"]
        m_bar = state["rest_u"] * g_prime + state["u_next"] * m_prime
        return var.assign(var - state["lr"] * m_bar / (powers.sqrt(v_prime) + state["epsilon"])).op

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / state["rest_schedule"]
        _, m_rows = _mixed_rows(m, state["beta_1"], state["rest_1"], indices, grad)
        m_prime = m_rows / state["rest_next"]
        m_bar = state["rest_u"] * g_prime + state["u_next"] * m_prime
        v_t, v_rows = _mixed_rows(v, state["beta_2"], state["rest_2"], indices, grad * grad)
        root = powers.sqrt(v_rows / state["spread"]) + state["epsilon"]
        done = _scattered("ResourceScatterAdd", var, indices, state["less"] * m_bar / root)
        return control.group(done, m_bar, v_t)


class Ftrl(OptimizerV2):
    """McMahan et al., 2013: follow the regularized leader."""

    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_power: float = -0.5, initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0, name: str = "Ftrl",
        l2_shrinkage_regularization_strength: float = 0.0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, **kwargs)
        if initial_accumulator_value < 0.0:
            raise ValueError(f"initial_accumulator_value {initial_accumulator_value} needs to be positive or zero")
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power} needs to be negative or zero")
        self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self._initial, self._shrinkage = initial_accumulator_value, l2_shrinkage_regularization_strength

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial))
            self.add_slot(var, "linear")

    def _prepared(self, dtype: Any) -> dict[str, Any]:
        names = ("learning_rate_power", "l1_regularization_strength", "l2_regularization_strength")
        before = super()._prepared(dtype)
        before.update({k: arrays.identity(self._get_hyper(k, dtype)) for k in names})
        return {**before, "shrinkage": casts.cast(self._shrinkage, dtype)}

    def _rest(self, state: dict[str, Any]) -> list[Any]:
        shrinkage = [] if self._shrinkage <= 0.0 else [state["shrinkage"]]
        l1, l2 = state["l1_regularization_strength"], state["l2_regularization_strength"]
        return [state["lr"], l1, l2, *shrinkage, state["learning_rate_power"]]

    def _dense(self, grad: Any, var: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "accumulator"), self.get_slot(var, "linear")
        version = "" if self._shrinkage <= 0.0 else "V2"
        return _apply(f"ResourceApplyFtrl{version}", var, *slots, grad, *self._rest(state))

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "accumulator"), self.get_slot(var, "linear")
        version = "" if self._shrinkage <= 0.0 else "V2"
        return _apply(f"ResourceSparseApplyFtrl{version}", var, *slots, grad, indices, *self._rest(state))

    def get_config(self) -> dict[str, Any]:
        names = (
            "learning_rate", "decay", "learning_rate_power", "l1_regularization_strength",
            "l2_regularization_strength",
        )  # fmt: skip
        return {
            **super().get_config(), **{k: self._value(k) for k in names}, "initial_accumulator_value": self._initial,
            "l2_shrinkage_regularization_strength": self._shrinkage,
        }  # fmt: skip


class TFOptimizer:
    """An optimizer of ``tf.train`` in a model."""

    def __init__(self, optimizer: Any, iterations: Any = None) -> None:
        self.optimizer, self.iterations = optimizer, iterations
        if iterations is None:
            with K.name_scope_("TFOptimizer"):
                self.iterations = K.variable(0, dtype="int64", name="iterations")

    @property
    def weights(self) -> list[Any]:
        """The optimizer's variables."""
        return list(self.optimizer.variables())

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The derivatives of ``loss``."""
        return [g for g, _ in self.optimizer.compute_gradients(loss, params)]

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The op of one step, in a list."""
        pairs = self.optimizer.compute_gradients(loss, params)
        step = self.optimizer.apply_gradients(pairs, global_step=self.iterations)
        for variable in self.optimizer.variables():
            K.track_variable(variable)
        return [step]

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError


# -- schedules -----------------------------------------------------------------------------------


class LearningRateSchedule:
    """A learning rate that follows from the count of steps."""

    def __call__(self, step: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same schedule."""
        raise NotImplementedError("Learning rate schedule must override get_config")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The schedule with these arguments."""
        return cls(**config)


class _Scheduled(LearningRateSchedule):
    """A schedule of ``tf.train``."""

    _rule: Callable[..., Any]
    _first: str

    def _arguments(self, **arguments: Any) -> None:
        self._config = arguments

    def __call__(self, step: Any) -> Any:
        rate = self._config["initial_learning_rate"]
        rest = {k: v for k, v in self._config.items() if k != "initial_learning_rate"}
        made = type(self)._rule(rate, step, **rest)
        return made() if callable(made) else made

    def get_config(self) -> dict[str, Any]:
        return dict(self._config)


class ExponentialDecay(_Scheduled):
    """``rate * decay_rate ** (step / decay_steps)``."""

    _rule = staticmethod(learning_rates.exponential_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate,
            staircase=staircase, name=name,
        )  # fmt: skip


class InverseTimeDecay(_Scheduled):
    """``rate / (1 + decay_rate * step / decay_steps)``."""

    _rule = staticmethod(learning_rates.inverse_time_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate,
            staircase=staircase, name=name,
        )  # fmt: skip


class PolynomialDecay(_Scheduled):
    """From the first rate to the last in so many steps."""

    _rule = staticmethod(learning_rates.polynomial_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, end_learning_rate: Any = 0.0001, power: float = 1.0,
        cycle: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps,
            end_learning_rate=end_learning_rate, power=power, cycle=cycle, name=name,
        )  # fmt: skip


class PiecewiseConstantDecay(LearningRateSchedule):
    """One rate up to each boundary."""

    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> Any:
        made = learning_rates.piecewise_constant(step, self.boundaries, self.values, name=self.name)
        return made() if callable(made) else made

    def get_config(self) -> dict[str, Any]:
        return {"boundaries": self.boundaries, "values": self.values, "name": self.name}


_SCHEDULES: dict[str, Any] = {
    s.__name__: s for s in (ExponentialDecay, InverseTimeDecay, PolynomialDecay, PiecewiseConstantDecay)
}


def schedule_of(config: Any, custom_objects: Any = None) -> Any:
    """The schedule of a configuration."""
    return found(config, {**_SCHEDULES, **(custom_objects or {})}, "decay")


def described_schedule(learning_rate_schedule: Any) -> Any:
    """The configuration of a schedule."""
    return {"class_name": type(learning_rate_schedule).__name__, "config": learning_rate_schedule.get_config()}


# -- by name -------------------------------------------------------------------------------------

_BY_NAME: dict[str, Any] = {
    kind.__name__.lower(): kind for kind in (Adadelta, Adagrad, Adam, Adamax, Nadam, RMSprop, SGD, Ftrl)
}


def get(identifier: Any) -> Any:
    """The optimizer of a name or a configuration, or the one given.

    Raises:
      ValueError: there is none of this name.
    """
    if isinstance(identifier, OptimizerV2 | TFOptimizer):
        return identifier
    if isinstance(identifier, TrainOptimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": str(identifier), "config": {}})
    raise ValueError("Could not interpret optimizer identifier:", identifier)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The optimizer of a configuration."""
    config = dict(config)
    if config["class_name"].lower() in _BY_NAME:
        config["class_name"] = config["class_name"].lower()
    return found(config, {**_BY_NAME, **(custom_objects or {})}, "optimizer")


def serialize(optimizer: Any) -> Any:
    """The configuration of an optimizer."""
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}
