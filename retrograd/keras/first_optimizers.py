"""The optimizers that Keras had first, under ``tensorflow.python.keras.optimizers``: variables as hyperparameters.

``tf.keras.optimizers`` has those of ``optimizers``, whose arguments, defaults and names differ. In the equations g is
the gradient of a variable w, and t the number of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.grad.gradients import gradients
from retrograd.graph.errors import taught
from retrograd.graph.scopes import control_dependencies
from retrograd.keras import backend as K
from retrograd.ops import arithmetic, casts, clipping, powers


class Optimizer:
    """A rule for steps of variables, built once.

    Args:
      clipnorm: the longest that a gradient may be.
      clipvalue: the largest that an element of a gradient may be.

    Raises:
      TypeError: there is another argument.
      ValueError: a limit is negative.
    """

    _hyper: tuple[str, ...] = ()

    def __init__(self, **kwargs: Any) -> None:
        for key, value in kwargs.items():
            if key not in ("clipnorm", "clipvalue"):
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(key))
            if value is not None and value < 0:
                raise ValueError(f"Expected {key} >= 0, received: {value}")
            setattr(self, key, value)
        self.updates: list[Any] = []
        self.weights: list[Any] = []

    def _set_up(self, decay: float | None, **hyper: float) -> None:
        """Make variables of the hyperparameters; the rate falls by ``decay``, unless that is None."""
        with K.name_scope_(type(self).__name__):
            self.iterations = K.variable(0, dtype="int64", name="iterations")
            for name, value in hyper.items():
                setattr(self, name, K.variable(value, name=name))
            if decay is not None:
                self.decay = K.variable(decay, name="decay")
        self.initial_decay = decay or 0.0
        self._hyper = tuple(hyper)

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The derivatives of ``loss``, cut to their limits.

        Raises:
          ValueError: the loss does not depend on one of the variables.
        """
        with K.name_scope_(f"{type(self).__name__}/gradients"):
            found = gradients(loss, params)
        if None in found:
            error = ValueError(
                "An operation has `None` for gradient. Please make sure that all of your ops have a gradient defined "
                "(i.e. are differentiable). Common ops without gradient: K.argmax, K.round, K.eval."
            )
            raise taught(error, fix="leave the variables out that the loss does not depend on")
        if getattr(self, "clipnorm", None):
            found = [clipping.clip_by_norm(g, self.clipnorm) for g in found]
        if getattr(self, "clipvalue", None):
            found = [clipping.clip_by_value(g, -self.clipvalue, self.clipvalue) for g in found]
        return found

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The ops of one step."""
        raise NotImplementedError

    clipnorm: Any
    clipvalue: Any
    lr: Any
    decay: Any
    rho: Any
    momentum: Any
    beta_1: Any
    beta_2: Any

    def _begin(self) -> tuple[Any, Any]:
        """t, counted from 1, and ``lr / (1 + decay t)``; counting is the first of the updates."""
        step = self.iterations.assign_add(1)
        self.updates = [step]
        with control_dependencies([step]):
            t = casts.cast(self.iterations, K.floatx())
        return t, self.lr * (1.0 / (1.0 + self.decay * t)) if self.initial_decay else self.lr

    def _move(self, w: Any, new: Any) -> None:
        """Let w be ``new``, as far as its constraint lets it."""
        constraint = getattr(w, "constraint", None)
        self.updates.append(w.assign(constraint(new) if constraint is not None else new))

    @staticmethod
    def _zeros(params: Any) -> list[Any]:
        return [K.zeros(K.int_shape(w), dtype=K.dtype(w)) for w in params]

    def set_weights(self, weights: Any) -> None:
        """Let the optimizer's variables have these values.

        Raises:
          ValueError: there are more or fewer, or one is of another shape.
        """
        if len(self.weights) != len(weights):
            raise ValueError(
                f"Length of the specified weight list ({len(weights)}) does not match the number of weights of the "
                f"optimizer ({len(self.weights)})"
            )
        for value, now in zip(weights, K.batch_get_value(self.weights), strict=True):
            if now.shape != value.shape:
                raise ValueError(
                    f"Optimizer weight shape {now.shape} not compatible with provided weight shape {value.shape}"
                )
        K.batch_set_value(list(zip(self.weights, weights, strict=True)))

    def get_weights(self) -> list[Any]:
        """The values of the optimizer's variables."""
        return list(K.batch_get_value(self.weights))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same optimizer, with the present values of its hyperparameters."""
        config = {name: float(K.get_value(getattr(self, name))) for name in self._hyper}
        if hasattr(self, "decay"):
            config["decay"] = float(K.get_value(self.decay))
        return {**self._clips(), **config}

    def _clips(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in ("clipnorm", "clipvalue") if hasattr(self, key)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The optimizer with these arguments."""
        return cls(**config)


class SGD(Optimizer):
    """``v = momentum v - lr g; w += v``; with ``nesterov``, ``w += momentum v - lr g``."""

    def __init__(
        self, lr: float = 0.01, momentum: float = 0.0, decay: float = 0.0, nesterov: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._set_up(decay, lr=lr, momentum=momentum)
        self.nesterov = nesterov

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        grads = self.get_gradients(loss, params)
        _, rate = self._begin()
        moments = self._zeros(params)
        self.weights = [self.iterations, *moments]
        for w, g, m in zip(params, grads, moments, strict=True):
            v = self.momentum * m - rate * g
            self.updates.append(m.assign(v))
            self._move(w, w + self.momentum * v - rate * g if self.nesterov else w + v)
        return self.updates

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "nesterov": self.nesterov}


class _Small(Optimizer):
    """What keeps denominators away from 0: ``epsilon``, by default that of the backend."""

    def _set_epsilon(self, epsilon: float | None) -> None:
        self.epsilon = K.epsilon() if epsilon is None else epsilon

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "epsilon": self.epsilon}


class RMSprop(_Small):
    """``a = rho a + (1 - rho) g^2; w -= lr g / (sqrt(a) + epsilon)``."""

    def __init__(
        self, lr: float = 0.001, rho: float = 0.9, epsilon: float | None = None, decay: float = 0.0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._set_up(decay, lr=lr, rho=rho)
        self._set_epsilon(epsilon)

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        return self._scaled(loss, params, lambda a, g: self.rho * a + (1.0 - self.rho) * K.square(g))

    def _scaled(self, loss: Any, params: Any, accumulated: Callable[[Any, Any], Any]) -> list[Any]:
        """``w -= lr g / (sqrt(a) + epsilon)`` with a new a."""
        grads = self.get_gradients(loss, params)
        self.weights = self._zeros(params)
        _, rate = self._begin()
        for w, g, a in zip(params, grads, self.weights, strict=True):
            new = accumulated(a, g)
            self.updates.append(a.assign(new))
            self._move(w, w - rate * g / (K.sqrt(new) + self.epsilon))
        return self.updates


class Adagrad(RMSprop):
    """``a += g^2; w -= lr g / (sqrt(a) + epsilon)``."""

    def __init__(self, lr: float = 0.01, epsilon: float | None = None, decay: float = 0.0, **kwargs: Any) -> None:
        Optimizer.__init__(self, **kwargs)
        self._set_up(decay, lr=lr)
        self._set_epsilon(epsilon)

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        return self._scaled(loss, params, lambda a, g: a + K.square(g))


class Adadelta(_Small):
    """``a = rho a + (1 - rho) g^2; u = g sqrt(d + epsilon) / sqrt(a + epsilon); w -= lr u``.

    Then ``d = rho d + (1 - rho) u^2``.
    """

    def __init__(
        self, lr: float = 1.0, rho: float = 0.95, epsilon: float | None = None, decay: float = 0.0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._set_up(decay, lr=lr)
        self.rho = rho
        self._set_epsilon(epsilon)

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        grads = self.get_gradients(loss, params)
        squares, moved = self._zeros(params), self._zeros(params)
        self.weights = [*squares, *moved]
        _, rate = self._begin()
        for w, g, a, d in zip(params, grads, squares, moved, strict=True):
            new = self.rho * a + (1.0 - self.rho) * K.square(g)
            self.updates.append(a.assign(new))
            u = g * K.sqrt(d + self.epsilon) / K.sqrt(new + self.epsilon)
            self._move(w, w - rate * u)
            self.updates.append(d.assign(self.rho * d + (1.0 - self.rho) * K.square(u)))
        return self.updates

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        return {**{k: config.pop(k) for k in (*self._clips(), "lr")}, "rho": self.rho, **config}


class Adam(_Small):
    """``w -= lr sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + epsilon)``.

    There ``m = b1 m + (1 - b1) g`` and ``v = b2 v + (1 - b2) g^2``; with
    ``amsgrad`` the largest v so far stands in the place of v.
    """

    def __init__(
        self, lr: float = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float | None = None,
        decay: float = 0.0, amsgrad: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._set_up(decay, lr=lr, beta_1=beta_1, beta_2=beta_2)
        self._set_epsilon(epsilon)
        self.amsgrad = amsgrad

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        grads = self.get_gradients(loss, params)
        t, rate = self._begin()
        rate *= K.sqrt(1.0 - powers.pow_(self.beta_2, t)) / (1.0 - powers.pow_(self.beta_1, t))
        ms, vs = self._zeros(params), self._zeros(params)
        largest = self._zeros(params) if self.amsgrad else [K.zeros(1) for _ in params]
        self.weights = [self.iterations, *ms, *vs, *largest]
        for w, g, m, v, most in zip(params, grads, ms, vs, largest, strict=True):
            new_m = self.beta_1 * m + (1.0 - self.beta_1) * g
            new_v = used = self.beta_2 * v + (1.0 - self.beta_2) * K.square(g)
            if self.amsgrad:
                used = arithmetic.maximum(most, new_v)
                self.updates.append(most.assign(used))
            self.updates += [m.assign(new_m), v.assign(new_v)]
            self._move(w, w - rate * new_m / (K.sqrt(used) + self.epsilon))
        return self.updates

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "amsgrad": self.amsgrad}


class Adamax(_Small):
    """``m = b1 m + (1 - b1) g; u = max(b2 u, |g|); w -= lr / (1 - b1^t) m / (u + epsilon)``."""

    def __init__(
        self, lr: float = 0.002, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float | None = None,
        decay: float = 0.0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._set_up(decay, lr=lr, beta_1=beta_1, beta_2=beta_2)
        self._set_epsilon(epsilon)

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        grads = self.get_gradients(loss, params)
        t, rate = self._begin()
        rate /= 1.0 - powers.pow_(self.beta_1, t)
        ms, us = self._zeros(params), self._zeros(params)
        self.weights = [self.iterations, *ms, *us]
        for w, g, m, u in zip(params, grads, ms, us, strict=True):
            new_m = self.beta_1 * m + (1.0 - self.beta_1) * g
            new_u = arithmetic.maximum(self.beta_2 * u, K.abs_(g))
            self.updates += [m.assign(new_m), u.assign(new_u)]
            self._move(w, w - rate * new_m / (new_u + self.epsilon))
        return self.updates


class Nadam(_Small):
    """Adam with Nesterov's momentum (Dozat, 2016): ``mu = b1 (1 - 0.96^(t schedule_decay) / 2)``."""

    def __init__(
        self, lr: float = 0.002, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float | None = None,
        schedule_decay: float = 0.004, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._set_up(None, lr=lr, beta_1=beta_1, beta_2=beta_2)
        with K.name_scope_(type(self).__name__):
            self.m_schedule = K.variable(1.0, name="m_schedule")
        self._set_epsilon(epsilon)
        self.schedule_decay = schedule_decay

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        grads = self.get_gradients(loss, params)
        t, _ = self._begin()
        now, then = (
            self.beta_1 * (1.0 - 0.5 * powers.pow_(casts.cast(0.96, K.floatx()), k * self.schedule_decay))
            for k in (t, t + 1)
        )
        schedule = self.m_schedule * now
        next_schedule = self.m_schedule * now * then
        self.updates.append(self.m_schedule.assign(schedule))
        ms, vs = self._zeros(params), self._zeros(params)
        self.weights = [self.iterations, self.m_schedule, *ms, *vs]
        for w, g, m, v in zip(params, grads, ms, vs, strict=True):
            new_m = self.beta_1 * m + (1.0 - self.beta_1) * g
            new_v = self.beta_2 * v + (1.0 - self.beta_2) * K.square(g)
            self.updates += [m.assign(new_m), v.assign(new_v)]
            bar = (1.0 - now) * (g / (1.0 - schedule)) + then * (new_m / (1.0 - next_schedule))
            spread = K.sqrt(new_v / (1.0 - powers.pow_(self.beta_2, t)))
            self._move(w, w - self.lr * bar / (spread + self.epsilon))
        return self.updates

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "schedule_decay": self.schedule_decay}
