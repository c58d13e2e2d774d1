"""Optimizers of ``tf.keras.optimizers``: hyperparameters that can be set while training."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras import first_optimizers
from retrograd.keras.optimizer_v2 import ApplyState, OptimizerV2, applied, mixed, mixed_rows, op_named
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
from retrograd.ops.scatters import scattered
from retrograd.state.initializers import Constant
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

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        state["momentum"] = arrays.identity(self._get_hyper("momentum", var_dtype))

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        if not self._momentum:
            return applied("ResourceApplyGradientDescent", var, state["lr_t"], grad)
        slot = self.get_slot(var, "momentum")
        return apply(
            op_named("ResourceApplyKerasMomentum"), var.handle, slot.handle, state["lr_t"], grad, state["momentum"],
            use_locking=True, use_nesterov=self.nesterov,
        )  # fmt: skip

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, var: Any, indices: Any, **kwargs: Any) -> Any:
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        rate = self._state(var, kwargs.get("apply_state"))["lr_t"]
        return scatters.resource_scatter(op_named("ResourceScatterAdd"), var, indices, -grad * rate)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        slot = self.get_slot(var, "momentum")
        return apply(
            op_named("ResourceSparseApplyKerasMomentum"), var.handle, slot.handle, state["lr_t"], grad, indices,
            state["momentum"], use_locking=True, use_nesterov=self.nesterov,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **self._values("learning_rate", "decay", "momentum"),
            "nesterov": self.nesterov,
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

    def set_weights(self, weights: Any) -> None:
        """Let them have these values; Keras' first ``Adam`` leaves largest squares, used or not."""
        slots = (len(self._weights) - 1) // 2
        super().set_weights(weights[: len(self._weights)] if len(weights) == 3 * slots + 1 else weights)

    def _create_slots(self, var_list: list[Any]) -> None:
        for name in ("m", "v", *(["vhat"] if self.amsgrad else [])):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        step = casts.cast(self.iterations + 1, var_dtype)
        beta_1 = arrays.identity(self._get_hyper("beta_1", var_dtype))
        beta_2 = arrays.identity(self._get_hyper("beta_2", var_dtype))
        power_1, power_2 = powers.pow_(beta_1, step), powers.pow_(beta_2, step)
        state.update(
            lr=state["lr_t"] * (powers.sqrt(1 - power_2) / (1 - power_1)),
            epsilon=as_tensor(self.epsilon, var_dtype, name="Const"), beta_1_t=beta_1, beta_1_power=power_1,
            one_minus_beta_1_t=1 - beta_1, beta_2_t=beta_2, beta_2_power=power_2, one_minus_beta_2_t=1 - beta_2,
        )  # fmt: skip

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        rest = [state[k] for k in ("beta_1_power", "beta_2_power", "lr_t", "beta_1_t", "beta_2_t", "epsilon")]
        if not self.amsgrad:
            return applied("ResourceApplyAdam", var, m, v, *rest, grad)
        return applied("ResourceApplyAdamWithAmsgrad", var, m, v, self.get_slot(var, "vhat"), *rest, grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = mixed(m, state["beta_1_t"], state["one_minus_beta_1_t"], indices, grad)
        v_t = mixed(v, state["beta_2_t"], state["one_minus_beta_2_t"], indices, grad * grad)
        spread: Any = v_t
        if self.amsgrad:
            vhat = self.get_slot(var, "vhat")
            spread = arithmetic.maximum(vhat, v_t)
            with control_dependencies([spread]):
                spread = vhat.assign(spread)
        root = powers.sqrt(spread)
        done = var.assign_sub(state["lr"] * m_t / (root + state["epsilon"]))
        return control.group(done, m_t, v_t, *([spread] if self.amsgrad else []))

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **self._values("learning_rate", "decay", "beta_1", "beta_2"),
            "epsilon": self.epsilon, "amsgrad": self.amsgrad,
        }  # fmt: skip


class RMSprop(OptimizerV2):
    """``r = rho * r + (1 - rho) * g^2; w -= lr * g / (sqrt(r) + epsilon)``; with momentum, by way of a velocity."""

    _first_counted = False

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

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        rho = arrays.identity(self._get_hyper("rho", var_dtype))
        state.update(
            neg_lr_t=-state["lr_t"], epsilon=as_tensor(self.epsilon, var_dtype, name="Const"), rho=rho,
            momentum=arrays.identity(self._get_hyper("momentum", var_dtype)), one_minus_rho=1.0 - rho,
        )  # fmt: skip

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        rms = self.get_slot(var, "rms")
        if self._momentum:
            rest = [state[k] for k in ("lr_t", "rho", "momentum", "epsilon")]
            slot = self.get_slot(var, "momentum")
            if self.centered:
                mg = self.get_slot(var, "mg")
                return applied("ResourceApplyCenteredRMSProp", var, mg, rms, slot, *rest, grad)
            return applied("ResourceApplyRMSProp", var, rms, slot, *rest, grad)
        rms_t = rms.assign(state["rho"] * rms + state["one_minus_rho"] * powers.square(grad))
        spread: Any = rms_t
        if self.centered:
            mg = self.get_slot(var, "mg")
            mg_t = mg.assign(state["rho"] * mg + state["one_minus_rho"] * grad)
            spread = rms_t - powers.square(mg_t)
        return var.assign(var - state["lr_t"] * grad / (powers.sqrt(spread) + state["epsilon"])).op

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        rms = self.get_slot(var, "rms")
        if self._momentum:
            rest = [state[k] for k in ("lr_t", "rho", "momentum", "epsilon")]
            slot = self.get_slot(var, "momentum")
            if self.centered:
                mg = self.get_slot(var, "mg")
                return applied("ResourceSparseApplyCenteredRMSProp", var, mg, rms, slot, *rest, grad, indices)
            return applied("ResourceSparseApplyRMSProp", var, rms, slot, *rest, grad, indices)
        rms_t, spread = mixed_rows(rms, state["rho"], state["one_minus_rho"], indices, grad * grad)
        averages = [rms_t]
        if self.centered:
            mg_t, rows = mixed_rows(self.get_slot(var, "mg"), state["rho"], state["one_minus_rho"], indices, grad)
            spread = spread - powers.square(rows)
            averages.append(mg_t)
        step = state["neg_lr_t"] * grad / (powers.sqrt(spread) + state["epsilon"])
        return control.group(scattered("ResourceScatterAdd", var, indices, step), *averages)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **self._values("learning_rate", "decay", "rho", "momentum"),
            "epsilon": self.epsilon, "centered": self.centered,
        }  # fmt: skip


class Adagrad(OptimizerV2):
    """Duchi et al., 2011: ``a += g^2; w -= lr * g / (sqrt(a) + epsilon)``."""

    _first_counted = False

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

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        state["epsilon"] = as_tensor(self.epsilon, var_dtype, name="Const")
        state.update(neg_lr_t=-state["lr_t"], zero=constants.zeros((), dtypes.int64))

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        accumulator = self.get_slot(var, "accumulator")
        return applied("ResourceApplyAdagradV2", var, accumulator, state["lr_t"], state["epsilon"], grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        accumulator = self.get_slot(var, "accumulator")
        return applied("ResourceSparseApplyAdagradV2", var, accumulator, state["lr_t"], state["epsilon"], grad, indices)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **self._values("learning_rate", "decay"),
            "initial_accumulator_value": self._initial, "epsilon": self.epsilon,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The optimizer with these arguments; here the accumulators begin with 0, as in TensorFlow."""
        config.setdefault("initial_accumulator_value", 0.0)
        return super().from_config(config, custom_objects)


class Adadelta(OptimizerV2):
    """Zeiler, 2012: steps of the size of earlier steps."""

    _first_counted = False

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

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        state["epsilon"] = as_tensor(self.epsilon, var_dtype, name="Const")
        state["rho"] = arrays.identity(self._get_hyper("rho", var_dtype))

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        slots = self.get_slot(var, "accum_grad"), self.get_slot(var, "accum_var")
        return applied("ResourceApplyAdadelta", var, *slots, state["lr_t"], state["rho"], state["epsilon"], grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        slots = self.get_slot(var, "accum_grad"), self.get_slot(var, "accum_var")
        rest = [state[k] for k in ("lr_t", "rho", "epsilon")]
        return applied("ResourceSparseApplyAdadelta", var, *slots, *rest, grad, indices)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **self._values("learning_rate", "decay", "rho"),
            "epsilon": self.epsilon,
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

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        step = casts.cast(self.iterations + 1, var_dtype)
        beta_1 = arrays.identity(self._get_hyper("beta_1", var_dtype))
        beta_2 = arrays.identity(self._get_hyper("beta_2", var_dtype))
        power = powers.pow_(beta_1, step)
        state.update(
            neg_scaled_lr=-state["lr_t"] / (1 - power), epsilon=as_tensor(self.epsilon, var_dtype, name="Const"),
            beta_1_t=beta_1, beta_1_power=power, one_minus_beta_1_t=1 - beta_1, beta_2_t=beta_2,
            zero=constants.zeros((), dtypes.int64),
        )  # fmt: skip

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        slots = self.get_slot(var, "m"), self.get_slot(var, "v")
        rest = [state[k] for k in ("beta_1_power", "lr_t", "beta_1_t", "beta_2_t", "epsilon")]
        return applied("ResourceApplyAdaMax", var, *slots, *rest, grad)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = indexing.gather(m, indices, axis=state["zero"]) * state["beta_1_t"]
        m_rows = m_rows + grad * state["one_minus_beta_1_t"]
        with control_dependencies([m_rows]):
            m_t = scattered("ResourceScatterUpdate", m, indices, m_rows)
        v_rows = indexing.gather(v, indices, axis=state["zero"]) * state["beta_2_t"]
        v_rows = arithmetic.maximum(v_rows, rounding.abs_(grad))
        with control_dependencies([v_rows]):
            v_t = scattered("ResourceScatterUpdate", v, indices, v_rows)
        step = state["neg_scaled_lr"] * (m_rows / (v_rows + state["epsilon"]))
        with control_dependencies([step]):
            done = scattered("ResourceScatterAdd", var, indices, step)
        return control.group(done, m_t, v_t)

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(),
            **self._values("learning_rate", "decay", "beta_1", "beta_2"),
            "epsilon": self.epsilon,
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
            self._cache = self.add_weight("momentum_cache", (), var_list[0].dtype.base_dtype, "ones", trainable=False)
            self._weights.append(self._cache)
        super()._create_slots(var_list)

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        rate = arrays.identity(self._get_hyper("learning_rate", var_dtype))
        beta_1, beta_2 = (arrays.identity(self._get_hyper(k, var_dtype)) for k in ("beta_1", "beta_2"))
        step, next_step = (casts.cast(self.iterations + k, var_dtype) for k in (1, 2))
        base = casts.cast(0.96, var_dtype)
        u_t = beta_1 * (1.0 - 0.5 * powers.pow_(base, self._initial_decay * step))
        u_next = beta_1 * (1.0 - 0.5 * powers.pow_(base, self._initial_decay * next_step))
        schedule = arrays.identity(self._cache.assign(casts.cast(self._cache_read, var_dtype) * u_t))
        schedule_next = schedule * u_next
        apply_state[var_device, var_dtype] = {
            "lr_t": rate, "neg_lr_t": -rate, "epsilon": as_tensor(self.epsilon, var_dtype, name="Const"),
            "beta_1_t": beta_1, "beta_2_t": beta_2, "m_t": u_t, "m_t_1": u_next, "one_minus_beta_1_t": 1 - beta_1,
            "one_minus_beta_2_t": 1 - beta_2, "one_minus_m_t": 1.0 - u_t, "one_minus_m_schedule_new": 1.0 - schedule,
            "one_minus_m_schedule_next": 1.0 - schedule_next,
            "v_t_prime_denominator": 1.0 - powers.pow_(beta_2, step),
        }  # fmt: skip

    def _prepare(self, var_list: list[Any]) -> ApplyState:
        self._cache_read = arrays.identity(self._cache)
        return super()._prepare(var_list)

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / state["one_minus_m_schedule_new"]
        m_t = m.assign(state["beta_1_t"] * m + state["one_minus_beta_1_t"] * grad)
        m_prime = m_t / state["one_minus_m_schedule_next"]
        v_t = v.assign(state["beta_2_t"] * v + state["one_minus_beta_2_t"] * powers.square(grad))
        v_prime = v_t / state["v_t_prime_denominator"]
        m_bar = state["one_minus_m_t"] * g_prime + state["m_t_1"] * m_prime
        return var.assign(var - state["lr_t"] * m_bar / (powers.sqrt(v_prime) + state["epsilon"])).op

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / state["one_minus_m_schedule_new"]
        _, m_rows = mixed_rows(m, state["beta_1_t"], state["one_minus_beta_1_t"], indices, grad)
        m_prime = m_rows / state["one_minus_m_schedule_next"]
        m_bar = state["one_minus_m_t"] * g_prime + state["m_t_1"] * m_prime
        v_t, v_rows = mixed_rows(v, state["beta_2_t"], state["one_minus_beta_2_t"], indices, grad * grad)
        root = powers.sqrt(v_rows / state["v_t_prime_denominator"]) + state["epsilon"]
        done = scattered("ResourceScatterAdd", var, indices, state["neg_lr_t"] * m_bar / root)
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
        self._set_hyper("learning_rate", learning_rate)  # TensorFlow takes no ``lr`` for it here
        self._set_hyper("decay", self._initial_decay)
        self._set_hyper("learning_rate_power", learning_rate_power)
        self._set_hyper("l1_regularization_strength", l1_regularization_strength)
        self._set_hyper("l2_regularization_strength", l2_regularization_strength)
        self._initial, self._shrinkage = initial_accumulator_value, l2_shrinkage_regularization_strength

    def _create_slots(self, var_list: list[Any]) -> None:
        for var in var_list:
            self.add_slot(var, "accumulator", Constant(self._initial))
            self.add_slot(var, "linear")

    def _prepare_local(self, var_device: Any, var_dtype: Any, apply_state: ApplyState) -> None:
        names = ("learning_rate_power", "l1_regularization_strength", "l2_regularization_strength")
        super()._prepare_local(var_device, var_dtype, apply_state)
        state = apply_state[var_device, var_dtype]
        state.update({k: arrays.identity(self._get_hyper(k, var_dtype)) for k in names})
        state["l2_shrinkage_regularization_strength"] = casts.cast(self._shrinkage, var_dtype)

    def _rest(self, state: dict[str, Any]) -> list[Any]:
        shrinkage = [] if self._shrinkage <= 0.0 else [state["l2_shrinkage_regularization_strength"]]
        l1, l2 = state["l1_regularization_strength"], state["l2_regularization_strength"]
        return [state["lr_t"], l1, l2, *shrinkage, state["learning_rate_power"]]

    def _resource_apply_dense(self, grad: Any, var: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        slots = self.get_slot(var, "accumulator"), self.get_slot(var, "linear")
        version = "" if self._shrinkage <= 0.0 else "V2"
        return applied(f"ResourceApplyFtrl{version}", var, *slots, grad, *self._rest(state))

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any, apply_state: Any = None) -> Any:
        state = self._state(var, apply_state)
        slots = self.get_slot(var, "accumulator"), self.get_slot(var, "linear")
        version = "" if self._shrinkage <= 0.0 else "V2"
        return applied(f"ResourceSparseApplyFtrl{version}", var, *slots, grad, indices, *self._rest(state))

    def get_config(self) -> dict[str, Any]:
        names = ("learning_rate_power", "l1_regularization_strength", "l2_regularization_strength")
        return {
            **super().get_config(), **self._values("learning_rate", "decay"),
            "initial_accumulator_value": self._initial, **self._values(*names),
            "l2_shrinkage_regularization_strength": self._shrinkage,
        }  # fmt: skip


class TFOptimizer:
    """An optimizer of ``tf.train`` in a model."""

    def __init__(self, optimizer: Any, iterations: Any = None) -> None:
        self.optimizer, self.iterations = optimizer, iterations
        if iterations is None:
            with K.name_scope_("TFOptimizer"):
                self.iterations = K.variable(0, dtype="int64", name="iterations")

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """What checkpoints have of it, under the names under which they do."""
        return [("optimizer", self.optimizer), ("global_step", self.iterations)]

    @property
    def weights(self) -> list[Any]:
        """The optimizer's variables, of which there is no list.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The derivatives of ``loss``."""
        return [g for g, _ in self.optimizer.compute_gradients(loss, params)]

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The op of one step, in a list."""
        if not params:
            return [self.iterations.assign_add(1)]
        pairs = self.optimizer.compute_gradients(loss, params)
        step = self.optimizer.apply_gradients(pairs, global_step=self.iterations)
        track_tf_optimizer(self)
        return [step]

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError

    def from_config(self, config: Any) -> Any:
        raise NotImplementedError


def track_tf_optimizer(tf_optimizer: TFOptimizer) -> None:
    """Let the session of Keras give the optimizer's variables their first values."""
    for variable in tf_optimizer.optimizer.variables():
        K.track_variable(variable)


# -- by name ---------------------------------------------------------------------------------------


_BY_NAME: dict[str, Any] = {
    kind.__name__.lower(): kind for kind in (Adadelta, Adagrad, Adam, Adamax, Nadam, RMSprop, SGD, Ftrl)
}


def get(identifier: Any) -> Any:
    """The optimizer of a name or a configuration, or the one given.

    Raises:
      ValueError: there is none of this name.
    """
    if isinstance(identifier, OptimizerV2 | TFOptimizer | first_optimizers.Optimizer):
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
    if str(config["class_name"]).lower() in _BY_NAME:
        config["class_name"] = config["class_name"].lower()
    return found(config, {**_BY_NAME, **(custom_objects or {})}, "optimizer")


def serialize(optimizer: Any) -> Any:
    """The configuration of an optimizer."""
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}
