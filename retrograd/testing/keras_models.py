"""Small models and data for tests of Keras, and the test of a layer: ``tensorflow.python.keras.testing_utils``.

A test says nothing of how its model is made and trained; ``model_type_scope``, ``run_eagerly_scope`` and
``experimental_run_tf_function_scope`` do, around it (``keras_modes``).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from retrograd.graph import stack
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.untracked import leave_untracked
from retrograd.keras import optimizers
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.layers.core import Dense
from retrograd.keras.models import Model
from retrograd.keras.sequential import Sequential
from retrograd.nn.layers import policies

# -- how models are made and trained -----------------------------------------------------------

_model_type: ContextVar[str | None] = ContextVar("model_type", default=None)
_run_eagerly: ContextVar[bool | None] = ContextVar("run_eagerly", default=None)
_run_tf_function: ContextVar[bool | None] = ContextVar("run_tf_function", default=None)


def _scope(variable: ContextVar[Any]) -> Callable[[Any], Any]:
    @contextmanager
    def scope(value: Any) -> Iterator[Any]:
        token = variable.set(value)
        try:
            yield value
        finally:
            variable.reset(token)

    return scope


model_type_scope = _scope(_model_type)
run_eagerly_scope = _scope(_run_eagerly)
experimental_run_tf_function_scope = _scope(_run_tf_function)


def _said(variable: ContextVar[Any], asked: str, scope: str, decorator: str) -> Any:
    value = variable.get()
    if value is None:
        raise ValueError(f"Cannot call `{asked}()` outside of a `{scope}()` or `{decorator}` decorator.")
    return value


def get_model_type() -> str:
    """How the test's models are made: "functional", "subclass", "subclass_custom_build" or "sequential"."""
    return _said(_model_type, "get_model_type", "model_type_scope", "run_with_all_model_types")


def should_run_eagerly() -> bool:
    """What the test hands to ``compile`` as ``run_eagerly``."""
    said = _said(_run_eagerly, "should_run_eagerly", "run_eagerly_scope", "run_all_keras_modes")
    return said and stack.default_graph().is_eager


def should_run_tf_function() -> bool:
    """What the test hands to ``compile`` as ``experimental_run_tf_function``."""
    scope = "experimental_run_tf_function_scope"
    said = _said(_run_tf_function, "should_run_tf_function", scope, "run_all_keras_modes")
    return said and stack.default_graph().is_eager


# -- models ------------------------------------------------------------------------------------


class _Layered(Model):
    """A model of one's own class whose layers are there from the start."""

    def __init__(self, make: Callable[[], list[Any]], **options: Any) -> None:
        inputs = options.pop("input_tensor", None)
        super().__init__(**options)
        leave_untracked(self, "chain")  # each layer is an attribute too
        self.chain = self._begin(make)
        if inputs is not None:
            self(inputs)

    def _begin(self, make: Callable[[], list[Any]]) -> list[Any] | None:
        for i, layer in enumerate(made := make()):
            setattr(self, f"layer{i}", layer)
        return made

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        return functools.reduce(lambda x, layer: layer(x), self.chain or [], inputs)


class _LateLayered(_Layered):
    """The same with layers that are made when it is built."""

    def _begin(self, make: Callable[[], list[Any]]) -> list[Any] | None:
        self._make = make
        return None

    def build(self, input_shape: Any = None) -> None:
        self.chain = self._make()


def _mlp_layers(num_hidden: int, num_classes: int, **options: Any) -> list[Any]:
    last = "sigmoid" if num_classes == 1 else "softmax"
    return [Dense(num_hidden, activation="relu", **options), Dense(num_classes, activation=last)]


def get_small_sequential_mlp(num_hidden: int, num_classes: int, input_dim: int | None = None) -> Any:
    """A perceptron with one hidden layer, as ``Sequential``."""
    model = Sequential()
    for layer in _mlp_layers(num_hidden, num_classes, **({"input_dim": input_dim} if input_dim else {})):
        model.add(layer)
    return model


def get_small_functional_mlp(num_hidden: int, num_classes: int, input_dim: int) -> Any:
    """The perceptron as a functional model."""
    inputs = Input(shape=(input_dim,))
    return Model(inputs, functools.reduce(lambda x, layer: layer(x), _mlp_layers(num_hidden, num_classes), inputs))


class _SmallSubclassMLP(Model):
    def __init__(self, num_hidden: int, num_classes: int) -> None:
        super().__init__()
        self.layer_a, self.layer_b = _mlp_layers(num_hidden, num_classes)

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        return self.layer_b(self.layer_a(inputs))


class _LateSubclassMLP(_SmallSubclassMLP):
    def __init__(self, num_hidden: int, num_classes: int) -> None:
        super(_SmallSubclassMLP, self).__init__()
        self._sizes = num_hidden, num_classes

    def build(self, input_shape: Any = None) -> None:
        self.layer_a, self.layer_b = _mlp_layers(*self._sizes)


def get_small_subclass_mlp(num_hidden: int, num_classes: int) -> Any:
    """The perceptron as a class of its own."""
    return _SmallSubclassMLP(num_hidden, num_classes)


def get_small_subclass_mlp_with_custom_build(num_hidden: int, num_classes: int) -> Any:
    """The perceptron as a class of its own that makes its layers in ``build``."""
    return _LateSubclassMLP(num_hidden, num_classes)


def get_small_mlp(num_hidden: int, num_classes: int, input_dim: int) -> Any:
    """The perceptron in the test's model type."""
    kind = get_model_type()
    if kind == "subclass":
        return get_small_subclass_mlp(num_hidden, num_classes)
    if kind == "subclass_custom_build":
        return get_small_subclass_mlp_with_custom_build(num_hidden, num_classes)
    if kind == "sequential":
        return get_small_sequential_mlp(num_hidden, num_classes, input_dim)
    if kind == "functional":
        return get_small_functional_mlp(num_hidden, num_classes, input_dim)
    raise ValueError(f"Unknown model type {kind}")


def get_model_from_layers(
    layers: list[Any], input_shape: Any = None, input_dtype: Any = None, name: str | None = None,
    input_ragged: Any = None, input_sparse: Any = None,
) -> Any:  # fmt: skip
    """These layers, one on the other, in the test's model type."""
    kind = get_model_type()
    options = {"dtype": input_dtype, "ragged": input_ragged, "sparse": input_sparse}
    if kind == "subclass":
        inputs = Input(shape=input_shape, **options) if input_ragged or input_sparse else None
        return _Layered(lambda: layers, name=name, input_tensor=inputs)
    if kind == "subclass_custom_build":
        return _LateLayered(lambda: layers, name=name)
    if kind == "sequential":
        model = Sequential(name=name)
        for layer in [*([InputLayer(input_shape=input_shape, **options)] if input_shape else []), *layers]:
            model.add(layer)
        return model
    if kind == "functional":
        if not input_shape:
            raise ValueError("Cannot create a functional model from layers with no input shape.")
        inputs = Input(shape=input_shape, **options)
        return Model(inputs, functools.reduce(lambda x, layer: layer(x), layers, inputs), name=name)
    raise ValueError(f"Unknown model type {kind}")


def _branched(inputs: Any, before: Any, branches: Any, after: Any) -> Any:
    """``after(branch_a(x_a), branch_b(x_b))``; with layers before, both branches take what these give."""
    for layer in before or ():
        inputs = layer(inputs)
    pair = (inputs, inputs) if before is not None else inputs
    outputs: Any = [functools.reduce(lambda x, layer: layer(x), b, x) for b, x in zip(branches, pair, strict=True)]
    for layer in after or ():
        outputs = layer(outputs)
    return outputs


class _Branched(Model):
    def __init__(self, *parts: Any) -> None:
        super().__init__()
        self._branch_a, self._branch_b, self._before, self._after = parts

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        return _branched(inputs, self._before, (self._branch_a, self._branch_b), self._after)


class _LateBranched(_Branched):
    def __init__(self, *parts: Any) -> None:
        super().__init__(None, None, None, None)
        self._parts = lambda: parts

    def build(self, input_shape: Any = None) -> None:
        self._branch_a, self._branch_b, self._before, self._after = self._parts()


def get_multi_io_model(
    branch_a: list[Any], branch_b: list[Any], shared_input_branch: Any = None, shared_output_branch: Any = None
) -> Any:
    """Two branches of layers in the test's model type.

    Each branch begins with its ``Input``, or the shared input branch with the only one.
    """
    if shared_input_branch:
        inputs, *shared_input_branch = shared_input_branch
    else:
        shared_input_branch = None
        inputs = branch_a[0], branch_b[0]
        branch_a, branch_b = branch_a[1:], branch_b[1:]
    kind = get_model_type()
    parts = (branch_a, branch_b, shared_input_branch, shared_output_branch)
    if kind in ("subclass", "subclass_custom_build"):
        return (_Branched if kind == "subclass" else _LateBranched)(*parts)
    if kind == "sequential":
        raise ValueError("Cannot use `get_multi_io_model` to construct sequential models")
    if kind == "functional":
        outputs = _branched(inputs, shared_input_branch, (branch_a, branch_b), shared_output_branch)
        return Model(inputs, outputs if shared_output_branch else tuple(outputs))
    raise ValueError(f"Unknown model type {kind}")


_OPTIMIZERS = {
    name.lower(): getattr(optimizers, name)
    for name in ("Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD")
}


def get_v2_optimizer(name: str, **kwargs: Any) -> Any:
    """The Keras optimizer of this name in small letters."""
    if name not in _OPTIMIZERS:
        raise ValueError(f"Could not find requested v2 optimizer: {name}\nValid choices: {list(_OPTIMIZERS)}")
    return _OPTIMIZERS[name](**kwargs)


def get_expected_metric_variable_names(var_names: list[str], name_suffix: str = "") -> list[str]:
    """The names of a metric's variables; those of a graph are unique by ``name_suffix``."""
    suffix = "" if stack.default_graph().is_eager else name_suffix
    return [f"{name}{suffix}:0" for name in var_names]


def enable_v2_dtype_behavior(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A test of layers that settle their dtypes and cast their inputs, as in TensorFlow 2."""
    return _with_dtype_behavior(fn, True)


def disable_v2_dtype_behavior(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A test of layers of the dtype of their first input."""
    return _with_dtype_behavior(fn, False)


def _with_dtype_behavior(fn: Callable[..., Any], is_on: bool) -> Callable[..., Any]:
    @functools.wraps(fn)
    def tested(*args: Any, **kwargs: Any) -> Any:
        with policies.v2_dtype_behavior(is_on):
            return fn(*args, **kwargs)

    return tested


# -- data and layers ---------------------------------------------------------------------------


def get_test_data(
    train_samples: int, test_samples: int, input_shape: tuple[int, ...], num_classes: int, random_seed: Any = None
) -> Any:
    """``(x_train, y_train), (x_test, y_test)``: noise of deviation 1 around one random centre for each class."""
    if random_seed is not None:
        np.random.seed(random_seed)
    total = train_samples + test_samples
    centres = 2 * num_classes * np.random.random((num_classes, *input_shape))
    y = np.random.randint(0, num_classes, size=(total,))
    x = np.zeros((total, *input_shape), np.float32)
    for i in range(total):
        x[i] = centres[y[i]] + np.random.normal(loc=0, scale=1.0, size=input_shape)
    return (x[:train_samples], y[:train_samples]), (x[train_samples:], y[train_samples:])


def layer_test(
    layer_cls: Any, kwargs: Any = None, input_shape: Any = None, input_dtype: Any = None, input_data: Any = None,
    expected_output: Any = None, expected_output_dtype: Any = None, expected_output_shape: Any = None,
    validate_training: bool = True, adapt_data: Any = None,
) -> Any:  # fmt: skip
    """What a layer with one input and one output computes, after all that every layer must be able to do.

    Its weights can be read and set, its shape and dtype are what it says they are, it works in a functional
    model and in a sequential one, both survive their configs, and it can be trained.

    Raises:
      AssertionError: one of these does not hold.
      ValueError: there is neither data nor the shape of data.
    """
    if input_data is None:
        if input_shape is None:
            raise ValueError("input_shape is None")
        input_dtype = input_dtype or "float32"
        sizes = [np.random.randint(1, 4) if n is None else n for n in input_shape]
        input_data = 10 * np.random.random(sizes)
        if input_dtype.startswith("float"):
            input_data -= 0.5
        input_data = input_data.astype(input_dtype)
    elif input_shape is None:
        input_shape = input_data.shape
    input_dtype = input_data.dtype if input_dtype is None else input_dtype
    expected_output_dtype = input_dtype if expected_output_dtype is None else expected_output_dtype
    kwargs = kwargs or {}
    layer = _made(layer_cls, kwargs, adapt_data)

    def require(holds: bool, what: str, found: Any, expected: Any) -> None:
        if not holds:
            raise AssertionError(
                f"When testing layer {layer_cls.__name__}, for input {input_shape}, found {what}={found} "
                f"but expected to find {expected}.\nFull kwargs: {kwargs}"
            )

    def same_shape(expected: Any, found: Any) -> None:
        expected, found = TensorShape(expected).as_list(), TensorShape(found).as_list()
        fits = len(expected) == len(found) and all(n is None or n == m for n, m in zip(expected, found, strict=True))
        require(fits, "output_shape", found, expected)

    def computed(model: Any) -> Any:
        output = model.predict(input_data)
        if expected_output is not None:
            np.testing.assert_allclose(output, expected_output, rtol=1e-3, atol=1e-6)
        recovered = type(model).from_config(model.get_config())
        if model.weights:
            recovered.set_weights(model.get_weights())
            np.testing.assert_allclose(recovered.predict(input_data), output, rtol=1e-3, atol=1e-6)
        return output

    x = Input(shape=input_shape[1:], dtype=input_dtype)
    y = layer(x)
    require(as_dtype(y.dtype) == as_dtype(expected_output_dtype), "output dtype", y.dtype, expected_output_dtype)
    if expected_output_shape is not None:
        same_shape(expected_output_shape, y.shape)
    shape = tuple(layer.compute_output_shape(TensorShape(input_shape)).as_list())
    signature = layer.compute_output_signature(TensorSpec(shape=input_shape, dtype=input_dtype))
    output = computed(Model(x, y))
    same_shape(shape, output.shape)
    same_shape(signature.shape, output.shape)
    require(signature.dtype == output.dtype, "output_dtype", output.dtype, signature.dtype)
    if validate_training:
        model = Model(x, layer(x))
        options = {} if _run_eagerly.get() is None else {"run_eagerly": should_run_eagerly()}
        model.compile("rmsprop", "mse", weighted_metrics=["acc"], **options)
        model.train_on_batch(input_data, output)
    config = layer.get_config()
    config["batch_input_shape"] = input_shape
    first = type(layer).from_config(config)
    if adapt_data is not None:
        first.adapt(adapt_data)
    sequential = Sequential()
    sequential.add(first)
    output = computed(sequential)
    same_shape(shape, output.shape)
    return output


def _made(layer_cls: Any, kwargs: dict[str, Any], adapt_data: Any) -> Any:
    """The layer, made once more from its own weights if its class takes some."""
    layer = layer_cls(**kwargs)
    if adapt_data is not None:
        layer.adapt(adapt_data)
    weights = layer.get_weights()
    layer.set_weights(weights)
    if "weights" in inspect.signature(layer_cls.__init__).parameters:
        kwargs["weights"] = weights
        layer = layer_cls(**kwargs)
    return layer
