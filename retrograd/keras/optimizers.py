"""Optimizers of ``tf.keras.optimizers``: hyperparameters that can be set while training."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.optimizer_v2 import OptimizerV2, applied, mixed, mixed_rows, op_named, scattered
from retrograd.nn.keras.lookup import found
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    constants,
    control,
    indexing,
    powers,
    rounding,
    scatters,
)
from retrograd.state.initializers import Constant, Ones
from retrograd.train.optimizer import Optimizer as TrainOptimizer


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
            return applied("ResourceApplyGradientDescent", var, state["lr"], grad)
        slot = self.get_slot(var, "momentum")
        return apply(
            op_named("ResourceApplyKerasMomentum"), var.handle, slot.handle, state["lr"], grad, state["momentum"],
            use_locking=True, use_nesterov=self.nesterov,
        )  # fmt: skip

    def _sparse_repeated(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        if self._momentum:
            return super()._sparse_repeated(grad, var, indices, state)
        return scatters.resource_scatter(op_named("ResourceScatterAdd"), var, indices, -grad * state["lr"])

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        slot = self.get_slot(var, "momentum")
        return apply(
            op_named("ResourceSparseApplyKerasMomentum"), var.handle, slot.handle, state["lr"], grad, indices,
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
            return applied("ResourceApplyAdam", var, m, v, *rest, grad)
        return applied("ResourceApplyAdamWithAmsgrad", var, m, v, self.get_slot(var, "vhat"), *rest, grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = mixed(m, state["beta_1"], state["rest_1"], indices, grad)
        v_t = mixed(v, state["beta_2"], state["rest_2"], indices, grad * grad)
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
                return applied("ResourceApplyCenteredRMSProp", var, mg, rms, slot, *rest, grad)
            return applied("ResourceApplyRMSProp", var, rms, slot, *rest, grad)
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
                return applied("ResourceSparseApplyCenteredRMSProp", var, mg, rms, slot, *rest, grad, indices)
            return applied("ResourceSparseApplyRMSProp", var, rms, slot, *rest, grad, indices)
        rms_t, spread = mixed_rows(rms, state["rho"], state["rest"], indices, grad * grad)
        averages = [rms_t]
        if self.centered:
            mg_t, rows = mixed_rows(self.get_slot(var, "mg"), state["rho"], state["rest"], indices, grad)
            spread = spread - powers.square(rows)
            averages.append(mg_t)
        step = state["less"] * grad / (powers.sqrt(spread) + state["epsilon"])
        return control.group(scattered("ResourceScatterAdd", var, indices, step), *averages)

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
        return applied("ResourceApplyAdagradV2", var, accumulator, state["lr"], state["epsilon"], grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        accumulator = self.get_slot(var, "accumulator")
        return applied("ResourceSparseApplyAdagradV2", var, accumulator, state["lr"], state["epsilon"], grad, indices)

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
        return applied("ResourceApplyAdadelta", var, *slots, state["lr"], state["rho"], state["epsilon"], grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "accum_grad"), self.get_slot(var, "accum_var")
        rest = [state[k] for k in ("lr", "rho", "epsilon")]
        return applied("ResourceSparseApplyAdadelta", var, *slots, *rest, grad, indices)

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
        return applied("ResourceApplyAdaMax", var, *slots, *rest, grad)

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = indexing.gather(m, indices, axis=state["zero"]) * state["beta_1"] + grad * state["rest_1"]
        with control_dependencies([m_rows]):
            m_t = scattered("ResourceScatterUpdate", m, indices, m_rows)
        v_rows = indexing.gather(v, indices, axis=state["zero"]) * state["beta_2"]
        v_rows = arithmetic.maximum(v_rows, rounding.abs_(grad))
        with control_dependencies([v_rows]):
            v_t = scattered("ResourceScatterUpdate", v, indices, v_rows)
        step = state["less"] * (m_rows / (v_rows + state["epsilon"]))
        with control_dependencies([step]):
            done = scattered("ResourceScatterAdd", var, indices, step)
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
        _, m_rows = mixed_rows(m, state["beta_1"], state["rest_1"], indices, grad)
        m_prime = m_rows / state["rest_next"]
        m_bar = state["rest_u"] * g_prime + state["u_next"] * m_prime
        v_t, v_rows = mixed_rows(v, state["beta_2"], state["rest_2"], indices, grad * grad)
        root = powers.sqrt(v_rows / state["spread"]) + state["epsilon"]
        done = scattered("ResourceScatterAdd", var, indices, state["less"] * m_bar / root)
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
        return applied(f"ResourceApplyFtrl{version}", var, *slots, grad, *self._rest(state))

    def _sparse(self, grad: Any, var: Any, indices: Any, state: dict[str, Any]) -> Any:
        slots = self.get_slot(var, "accumulator"), self.get_slot(var, "linear")
        version = "" if self._shrinkage <= 0.0 else "V2"
        return applied(f"ResourceSparseApplyFtrl{version}", var, *slots, grad, indices, *self._rest(state))

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


# -- by name ---------------------------------------------------------------------------------------


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
    """The optimizer of a configuration, whose class name is written in small letters if it is one of Keras' own."""
    if config["class_name"].lower() in _BY_NAME:
        config["class_name"] = config["class_name"].lower()
    return found(config, {**_BY_NAME, **(custom_objects or {})}, "optimizer")


def serialize(optimizer: Any) -> Any:
    """The configuration of an optimizer."""
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}
