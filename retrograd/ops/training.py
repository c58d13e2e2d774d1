"""The update steps of the optimizers: each rule stands once and gives four op types.

A rule is a pure function from the values of a variable and its slots to their new values.
``ApplyX`` applies it to whole variables, ``SparseApplyX`` to the rows that ``indices`` names,
one after the other; ``ResourceApplyX`` and ``ResourceSparseApplyX`` do so with handles.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, OpDef, define
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, resources, shape_rules
from retrograd.ops.requirements import require

Rule = Callable[..., Any]  # rule(xp, *cells, *inputs, **attrs) -> the new values of the cells

WHOLE_UPDATES: dict[str, int] = {}  # of the types that change whole variables, how many: a rule goes by element


def update(
    name: str, cells: str, inputs: str, rule: Rule, sparse: bool = True, ref: bool = True
) -> list[Callable[..., Any]]:
    """Record the op types of ``rule``; their public functions: dense, sparse, dense and sparse by handle.

    Args:
      cells: names of the variable and its slots, as ``"var, accum"``.
      inputs: names of the other inputs; one of them is ``grad`` or ``delta``.
      sparse, ref: whether TensorFlow has the sparse types, and those on reference variables.
    """
    places, others = cells.split(", "), inputs.split(", ")
    functions = []
    for by_handle in (False, True) if ref else (True,):
        for by_rows in (False, True) if sparse else (False,):
            definition = _record(name, places, others, rule, by_handle, by_rows)
            if not by_rows:
                WHOLE_UPDATES[definition.name] = len(places)
            functions.append(_public(definition, len(places)))
    return functions


def _record(name: str, cells: list[str], others: list[str], rule: Rule, by_handle: bool, by_rows: bool) -> OpDef:
    signature = [f"{cell}: {'resource' if by_handle else 'ref T'}" for cell in cells]
    gradient = next(i for i, other in enumerate(others) if other in ("grad", "delta"))
    for i, other in enumerate(others):
        if i == gradient and by_rows:
            signature += ["grad: T", "indices: Tindices"]
        else:
            signature.append(f"{other}: {'int64' if other == 'global_step' else 'T'}")
    return define(
        ("Resource" if by_handle else "") + ("Sparse" if by_rows else "") + "Apply" + name,
        ", ".join(signature),
        "" if by_handle else "out: ref T",
        attrs={"use_locking": False, **(rule.__kwdefaults__ or {})},
        types={"T": kinds.NUMERIC, "Tindices": kinds.INDEX},
        shape=_shape_rule(len(cells), gradient, by_handle, by_rows),
        kernel=_kernel(rule, len(cells), gradient, by_handle, by_rows),
        effect=Effect.WRITE,
    )


def _shape_rule(n_cells: int, gradient: int, by_handle: bool, by_rows: bool) -> Callable[..., Any]:
    def rule(*tensors: Tensor) -> Any:
        cells, others = tensors[:n_cells], list(tensors[n_cells:])
        grad = others.pop(gradient)
        whole = _dims(cells[0])
        for slot in cells[1:]:
            whole = shapes.merge(whole, _dims(slot))
        if by_rows:
            _check_rows(whole, grad, others.pop(gradient))
        else:
            whole = shapes.merge(whole, grad.dims)
        for scalar in others:
            shape_rules.with_rank(scalar, 0)
        return [] if by_handle else whole

    return rule


def _dims(cell: Tensor) -> RawShape:
    return resources.shape_of(cell) if cell.dtype == dtypes.resource else cell.dims


def _check_rows(whole: RawShape, grad: Tensor, indices: Tensor) -> None:
    """Gradient row i belongs to row indices[i] of the variable."""
    (count,) = shape_rules.with_rank(indices, 1)
    if whole is not None:
        shapes.merge((count, *whole[1:]), grad.dims)


def _kernel(rule: Rule, n_cells: int, gradient: int, by_handle: bool, by_rows: bool) -> Callable[..., Any]:
    grad_at, indices_at = gradient, gradient + 1

    def whole(xp: Any, *arguments: Any, **attrs: Any) -> Any:
        cells, others = arguments[:n_cells], list(arguments[n_cells:])
        old = _values(cells)
        grad = others[grad_at]
        if grad.shape != old[0].shape:
            raise _unlike(old[0], grad)
        others = _with_scalars(others, grad_at)
        for cell, value in zip(cells, rule(xp, *old, *others, **attrs), strict=True):
            cell.write(value)
        return [] if by_handle else cells[0]

    def rows(xp: Any, *arguments: Any, **attrs: Any) -> Any:
        cells, others = arguments[:n_cells], list(arguments[n_cells:])
        indices = others.pop(indices_at)
        grad = others[grad_at]
        _check_indices(xp, np.shape(_values(cells)[0]), grad, indices)
        if xp is not np:
            _change_in_turn(
                xp, cells, indices, grad, lambda g, old: rule(xp, *old, *_with(others, grad_at, g), **attrs)
            )
            return [] if by_handle else cells[0]
        others = _with_scalars(others, grad_at)
        for chosen in _without_repetition(indices):
            others[grad_at] = grad[chosen]
            at = indices[chosen]
            new = rule(xp, *[cell.value[at] for cell in cells], *others, **attrs)
            for cell, value in zip(cells, new, strict=True):
                cell.change_rows(at, _setting(value))
        return [] if by_handle else cells[0]

    kernel = rows if by_rows else whole
    if rule.__kwdefaults__:  # the attributes that the rule reads are what its kernel reads
        parameters = [inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY) for key in rule.__kwdefaults__]
        kernel.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return kernel


def _with(others: list[Any], at: int, item: Any) -> list[Any]:
    return [*others[:at], item, *others[at + 1 :]]


def _change_in_turn(xp: Any, cells: Any, indices: Any, grad: Any, rule: Callable[[Any, list[Any]], Any]) -> None:
    """Let the rows ``indices`` of the cells be ``rule(grad, their rows)``, where they lie; traced.

    A row that comes again waits for its turn, so the loop ends after one where none does.
    """
    from retrograd.ops.jax_start import lax

    def changed_at(rows: Any, values: list[Any]) -> list[Any]:
        old = [v.at[rows].get(mode="clip") for v in values]
        new = [n.astype(o.dtype) for n, o in zip(rule(grad, old), old, strict=True)]
        new = lax.optimization_barrier(new)  # rows are read before any is written, or XLA copies the whole
        return [v.at[rows].set(n, mode="drop") for v, n in zip(values, new, strict=True)]

    def change_all(rows: Any) -> list[Any]:
        values = [cell.value for cell in cells]
        if cells[0].present is not None:  # what counts comes once
            return changed_at(rows, values)
        turn = _turns(xp, indices)

        def body(state: tuple[Any, list[Any]]) -> tuple[Any, list[Any]]:
            now, values = state
            return now + 1, changed_at(xp.where(turn == now, rows, values[0].shape[0]), values)

        last = xp.max(turn, initial=-1)
        return list(lax.while_loop(lambda state: state[0] <= last, body, (xp.int32(0), values))[1])

    changed: list[Any] = []

    def change(value: Any, rows: Any) -> Any:
        if not changed:  # each cell hands in the same rows
            changed.extend(change_all(rows))
        return changed.pop(0)

    for cell in cells:
        cell.change_rows(indices, change)


def _turns(xp: Any, indices: Any) -> Any:
    """How often each of ``indices`` has come before."""
    order = xp.argsort(indices, stable=True)
    ordered = indices[order]
    earlier = xp.arange(len(indices)) - xp.searchsorted(ordered, ordered)
    return xp.zeros(len(indices), np.int32).at[order].set(earlier.astype(np.int32))


def _without_repetition(indices: np.ndarray) -> list[Any]:
    """Positions of ``indices`` in parts that name no row twice; taken in turn they act one by one."""
    if len(np.unique(indices)) == len(indices):
        return [slice(None)]
    turn = np.zeros(len(indices), np.intp)
    seen: dict[int, int] = {}
    for i, index in enumerate(indices.tolist()):
        turn[i] = seen[index] = seen.get(index, -1) + 1
    return [np.flatnonzero(turn == t) for t in range(turn.max() + 1)]


def _values(cells: Any) -> list[Any]:
    """The values of the variable and its slots.

    Raises:
      FailedPreconditionError: one has none yet.
    """
    for cell in cells:
        if not cell.is_initialized:
            raise errors.FailedPreconditionError(None, None, f"Attempting to use uninitialized variables: {cell.name}")
    return [cell.value for cell in cells]


def _with_scalars(others: list[Any], grad_at: int) -> list[Any]:
    """The inputs with hyperparameters as NumPy scalars, many times faster than arrays of one element."""
    scalars = []
    for i, other in enumerate(others):
        if i != grad_at and type(other) is np.ndarray:
            if other.ndim:
                raise errors.InvalidArgumentError(None, None, f"a hyperparameter is not a scalar: {_text(other)}")
            other = other[()]
        scalars.append(other)
    return scalars


def _unlike(var: Any, grad: Any) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, f"var and grad do not have the same shape{_text(var)} {_text(grad)}")


def _setting(value: Any) -> Callable[[np.ndarray, Any], None]:
    def change(array: np.ndarray, rows: Any) -> None:
        array[rows] = value

    return change


def _check_indices(xp: Any, var: tuple[int, ...], grad: Any, indices: Any) -> None:
    if not var:
        raise errors.InvalidArgumentError(None, None, "var must be at least 1 dimensional")
    if np.shape(grad) != (*indices.shape, *var[1:]):
        raise errors.InvalidArgumentError(
            None, None,
            "grad must have one row of var for each of indices: "
            f"{_text(grad)} {shapes.shape_text(var)} {_text(indices)}",
        )  # fmt: skip
    if xp is not np:
        require((indices >= 0) & (indices < var[0]))
        return
    outside = np.flatnonzero((indices < 0) | (indices >= var[0]))
    if len(outside):
        at = int(outside[0])
        raise errors.InvalidArgumentError(None, None, f"Index {indices[at]} at offset {at} in indices is out of range")


def _text(value: Any) -> str:
    return shapes.shape_text(np.shape(value))


def _public(definition: OpDef, n_cells: int) -> Callable[..., Any]:
    """The function that builds the op: its inputs in order, then its attributes, then the name."""
    inputs = [a.name for a in definition.inputs]
    parameters = [*inputs, *definition.attrs, "name"]
    options = frozenset((*definition.attrs, "name"))

    def function(*args: Any, **kwargs: Any) -> Any:
        if len(args) == len(inputs) and kwargs.keys() <= options:
            return apply(definition, *args, **{key: value for key, value in kwargs.items() if value is not None})
        given = dict(zip(parameters, args, strict=False)) | kwargs
        if len(args) > len(parameters) or not given.keys() >= set(inputs) or given.keys() - set(parameters):
            raise TypeError(f"{function.__name__}() takes ({', '.join(parameters)})")
        values = [given.pop(name) for name in inputs]
        return apply(definition, *values, **{key: value for key, value in given.items() if value is not None})

    function.__name__ = function.__qualname__ = _snake_case(definition.name)
    function.__doc__ = f"Build {definition.name}: change {', '.join(inputs[:n_cells])} as the rule says."
    return function


def _snake_case(name: str) -> str:
    letters = [
        "_" + c if i and c.isupper() and (name[i - 1].islower() or name[i + 1 : i + 2].islower()) else c
        for i, c in enumerate(name)
    ]
    return "".join(letters).lower()


def _rsqrt(xp: Any, x: Any) -> Any:
    return 1 / xp.sqrt(x)


def _nearer(x: Any, y: Any, share: Any) -> Any:
    """x + (y - x) * share, in one array."""
    moved = y - x
    moved *= share
    moved += x
    return moved


def _shrunk(xp: Any, x: Any, threshold: Any) -> Any:
    """x moved towards zero by ``threshold``, and zero where that is farther than x is."""
    return xp.sign(x) * xp.maximum(xp.abs(x) - threshold, 0)


# -- the rules ---------------------------------------------------------------------------------


def _gradient_descent(xp: Any, var: Any, alpha: Any, delta: Any) -> Any:
    """var -= alpha * delta."""
    return (var - delta * alpha,)


apply_gradient_descent, resource_apply_gradient_descent = update(
    "GradientDescent", "var", "alpha, delta", _gradient_descent, sparse=False
)


def _proximal_gradient_descent(xp: Any, var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Any:
    """var = shrink(var - alpha * delta, alpha * l1) / (1 + alpha * l2)."""
    return (_shrunk(xp, var - delta * alpha, alpha * l1) / (1 + l2 * alpha),)


(
    apply_proximal_gradient_descent,
    sparse_apply_proximal_gradient_descent,
    resource_apply_proximal_gradient_descent,
    resource_sparse_apply_proximal_gradient_descent,
) = update("ProximalGradientDescent", "var", "alpha, l1, l2, delta", _proximal_gradient_descent)


def _momentum(xp: Any, var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_nesterov: bool = False) -> Any:
    """accum = accum * momentum + grad;  var -= lr * accum, or lr * (grad + momentum * accum)."""
    accum = accum * momentum + grad
    step = grad * lr + accum * momentum * lr if use_nesterov else accum * lr
    return var - step, accum


apply_momentum, sparse_apply_momentum, resource_apply_momentum, resource_sparse_apply_momentum = update(
    "Momentum", "var, accum", "lr, grad, momentum", _momentum
)


def _keras_momentum(
    xp: Any, var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_nesterov: bool = False
) -> Any:
    """accum = accum * momentum - lr * grad;  var += accum, or momentum * accum - lr * grad."""
    accum = accum * momentum - grad * lr
    return var + (accum * momentum - grad * lr if use_nesterov else accum), accum


resource_apply_keras_momentum, resource_sparse_apply_keras_momentum = update(
    "KerasMomentum", "var, accum", "lr, grad, momentum", _keras_momentum, ref=False
)


def _adagrad(xp: Any, var: Any, accum: Any, lr: Any, grad: Any, *, update_slots: bool = True) -> Any:
    """accum += grad^2;  var -= lr * grad / sqrt(accum)."""
    if update_slots:
        accum = accum + grad * grad
    return var - grad * lr * _rsqrt(xp, accum), accum


apply_adagrad, sparse_apply_adagrad, resource_apply_adagrad, resource_sparse_apply_adagrad = update(
    "Adagrad", "var, accum", "lr, grad", _adagrad
)


def _adagrad_v2(xp: Any, var: Any, accum: Any, lr: Any, epsilon: Any, grad: Any, *, update_slots: bool = True) -> Any:
    """accum += grad^2;  var -= lr * grad / (sqrt(accum) + epsilon)."""
    if update_slots:
        accum = accum + grad * grad
    return var - grad * lr / (xp.sqrt(accum) + epsilon), accum


apply_adagrad_v2, sparse_apply_adagrad_v2, resource_apply_adagrad_v2, resource_sparse_apply_adagrad_v2 = update(
    "AdagradV2", "var, accum", "lr, epsilon, grad", _adagrad_v2
)


def _proximal_adagrad(xp: Any, var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any) -> Any:
    """accum += grad^2;  r = lr / sqrt(accum);  var = shrink(var - r * grad, r * l1) / (1 + r * l2)."""
    accum = accum + grad * grad
    rate = lr * _rsqrt(xp, accum)
    return _shrunk(xp, var - grad * rate, rate * l1) / (1 + l2 * rate), accum


(
    apply_proximal_adagrad,
    sparse_apply_proximal_adagrad,
    resource_apply_proximal_adagrad,
    resource_sparse_apply_proximal_adagrad,
) = update("ProximalAdagrad", "var, accum", "lr, l1, l2, grad", _proximal_adagrad)


def _adagrad_da(
    xp: Any, var: Any, total: Any, squares: Any, grad: Any, lr: Any, l1: Any, l2: Any, global_step: Any
) -> Any:
    """Dual averaging over t steps: total += grad;  squares += grad^2;
    var = -lr * shrink(total, l1 * t) / (l2 * t * lr + sqrt(squares)).
    """
    t = xp.asarray(global_step).astype(var.dtype)
    total, squares = total + grad, squares + grad * grad
    return -lr * _shrunk(xp, total, l1 * t) / (l2 * t * lr + xp.sqrt(squares)), total, squares


apply_adagrad_da, sparse_apply_adagrad_da, resource_apply_adagrad_da, resource_sparse_apply_adagrad_da = update(
    "AdagradDA",
    "var, gradient_accumulator, gradient_squared_accumulator",
    "grad, lr, l1, l2, global_step",
    _adagrad_da,
)


def _adadelta(xp: Any, var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any) -> Any:
    """accum = mean of grad^2;  u = grad * sqrt(accum_update + e) / sqrt(accum + e);
    accum_update = mean of u^2;  var -= lr * u; means decay by rho.
    """
    accum = accum * rho + grad * grad * (1 - rho)
    step = xp.sqrt(accum_update + epsilon) * _rsqrt(xp, accum + epsilon) * grad
    return var - step * lr, accum, accum_update * rho + step * step * (1 - rho)


apply_adadelta, sparse_apply_adadelta, resource_apply_adadelta, resource_sparse_apply_adadelta = update(
    "Adadelta", "var, accum, accum_update", "lr, rho, epsilon, grad", _adadelta
)


def _rms_prop(xp: Any, var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any) -> Any:
    """ms = mean of grad^2;  mom = momentum * mom + lr * grad / sqrt(ms + epsilon);  var -= mom."""
    ms = ms + (grad * grad - ms) * (1 - rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms + epsilon)
    return var - mom, ms, mom


apply_rms_prop, sparse_apply_rms_prop, resource_apply_rms_prop, resource_sparse_apply_rms_prop = update(
    "RMSProp", "var, ms, mom", "lr, rho, momentum, epsilon, grad", _rms_prop
)


def _centered_rms_prop(
    xp: Any, var: Any, mg: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any
) -> Any:
    """RMSProp by the variance: ms - mg^2, with mg the mean of grad, in place of ms."""
    ms = ms + (grad * grad - ms) * (1 - rho)
    mg = mg + (grad - mg) * (1 - rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


(
    apply_centered_rms_prop,
    sparse_apply_centered_rms_prop,
    resource_apply_centered_rms_prop,
    resource_sparse_apply_centered_rms_prop,
) = update("CenteredRMSProp", "var, mg, ms, mom", "lr, rho, momentum, epsilon, grad", _centered_rms_prop)


def _adam(
    xp: Any, var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any, beta2: Any,
    epsilon: Any, grad: Any, *, use_nesterov: bool = False,
) -> Any:  # fmt: skip
    """m = mean of grad, v = mean of grad^2;  r = lr * sqrt(1 - beta2^t) / (1 - beta1^t);
    var -= r * m / (sqrt(v) + epsilon), where Nesterov's takes beta1 * m + (1 - beta1) * grad for m.
    """
    rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = _nearer(m, grad, 1 - beta1)
    v = _nearer(v, grad * grad, 1 - beta2)
    step = (grad * (1 - beta1) + beta1 * m if use_nesterov else m) * rate
    scale = xp.sqrt(v)
    scale += epsilon
    step /= scale
    return var - step, m, v


apply_adam, resource_apply_adam = update(
    "Adam", "var, m, v", "beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad", _adam, sparse=False
)


def _adam_with_amsgrad(
    xp: Any, var: Any, m: Any, v: Any, vhat: Any, beta1_power: Any, beta2_power: Any, lr: Any, beta1: Any,
    beta2: Any, epsilon: Any, grad: Any,
) -> Any:  # fmt: skip
    """Adam that divides by the largest v so far."""
    rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = m + (grad - m) * (1 - beta1)
    v = v + (grad * grad - v) * (1 - beta2)
    vhat = xp.maximum(vhat, v)
    return var - m * rate / (xp.sqrt(vhat) + epsilon), m, v, vhat


(resource_apply_adam_with_amsgrad,) = update(
    "AdamWithAmsgrad", "var, m, v, vhat", "beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad",
    _adam_with_amsgrad, sparse=False, ref=False,
)  # fmt: skip


def _ada_max(
    xp: Any,
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
) -> Any:
    """m = mean of grad;  v = max(beta2 * v, |grad|);  var -= lr / (1 - beta1^t) * m / (v + epsilon)."""
    m = m + (grad - m) * (1 - beta1)
    v = xp.maximum(beta2 * v, xp.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


apply_ada_max, resource_apply_ada_max = update(
    "AdaMax", "var, m, v", "beta1_power, lr, beta1, beta2, epsilon, grad", _ada_max, sparse=False
)


def _ftrl(xp: Any, var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any) -> Any:
    """linear += grad - (n^p - accum^p) / lr * var with n = accum + grad^2 and p = -lr_power;
    var = (sign(linear) * l1 - linear) / (n^p / lr + 2 l2) where |linear| > l1, else 0.
    """
    return _ftrl_v2(xp, var, accum, linear, grad, lr, l1, l2, lr.dtype.type(0), lr_power)


def _raised(xp: Any, n: Any, power: Any) -> Any:
    """n^power, by its root where that is what is meant."""
    if xp is np:
        return np.sqrt(n) if power == 0.5 else np.power(n, power)
    return xp.where(power == 0.5, xp.sqrt(n), xp.power(n, power))


def _ftrl_v2(
    xp: Any,
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    l2_shrinkage: Any,
    lr_power: Any,
) -> Any:
    """FTRL whose linear term takes grad + 2 * l2_shrinkage * var for grad."""
    total = accum + grad * grad
    after, before = (_raised(xp, n, -lr_power) for n in (total, accum))
    linear = linear + (grad + 2 * l2_shrinkage * var) - (after - before) / lr * var
    solution = (xp.sign(linear) * l1 - linear) / (after / lr + 2 * l2)
    return xp.where(xp.abs(linear) > l1, solution, xp.zeros_like(solution)), total, linear


apply_ftrl, sparse_apply_ftrl, resource_apply_ftrl, resource_sparse_apply_ftrl = update(
    "Ftrl", "var, accum, linear", "grad, lr, l1, l2, lr_power", _ftrl
)
apply_ftrl_v2, sparse_apply_ftrl_v2, resource_apply_ftrl_v2, resource_sparse_apply_ftrl_v2 = update(
    "FtrlV2", "var, accum, linear", "grad, lr, l1, l2, l2_shrinkage, lr_power", _ftrl_v2
)


def _add_sign(xp: Any, var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """m = mean of grad;  var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad."""
    m = m * beta + grad * (1 - beta)
    return var - lr * (alpha + sign_decay * xp.sign(grad) * xp.sign(m)) * grad, m


apply_add_sign, resource_apply_add_sign = update(
    "AddSign", "var, m", "lr, alpha, sign_decay, beta, grad", _add_sign, sparse=False
)


def _power_sign(xp: Any, var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """m = mean of grad;  var -= lr * e^(logbase * sign_decay * sign(grad) * sign(m)) * grad."""
    m = m * beta + grad * (1 - beta)
    return var - lr * xp.exp(logbase * sign_decay * xp.sign(grad) * xp.sign(m)) * grad, m


apply_power_sign, resource_apply_power_sign = update(
    "PowerSign", "var, m", "lr, logbase, sign_decay, beta, grad", _power_sign, sparse=False
)
