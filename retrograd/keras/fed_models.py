"""What models make of the data that they are given: inputs, targets and weights by batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, log, nest
from retrograd.graph.errors import taught
from retrograd.graph.specs import TensorSpec
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.arrays import as_arrays, weights_of
from retrograd.keras.batches import (
    Ahead,
    ArrayBatches,
    DatasetBatches,
    GeneratedBatches,
    Source,
    TensorBatches,
    check_alone,
    gives_batches,
    inputs_of_batch,
    is_generator,
    is_symbolic,
    parts_of_batch,
    size_of_steps,
)
from retrograd.keras.checking import batch_size_of, check_entries
from retrograd.keras.compile_words import compares_classes
from retrograd.keras.composites import SYMBOLIC, VALUES, check_declared, length_of, with_values
from retrograd.keras.filed_models import FiledModel
from retrograd.keras.lifting import EagerBatches
from retrograd.keras.step_functions import Fed
from retrograd.nn.layers.engine import parameters_of
from retrograd.nn.layers.nodes import is_symbolic_tensor
from retrograd.ops import constants
from retrograd.state.variables import VariableV2


class FedModel(FiledModel):
    """A model whose inputs and outputs follow from data, where its layers do not say them."""

    _own_tensors: Any = None  # that a subclass was built on: its data where none are given
    _inputs_by_name = False  # whether it was built on a dict, and takes one when it is called

    def _settle_inputs(self, x: Any) -> None:
        """A subclass gets its inputs and outputs from the first data, and wider ones for data of other sizes."""
        if self._is_graph_network:
            return
        flat = nest.flatten(x) if isinstance(x, list | tuple | dict) and not isinstance(x, VALUES) else [x]
        if self._is_set:
            self._widen_inputs([a if hasattr(a, "shape") else np.asarray(a) for a in flat])
            return
        check_declared(x, flat)
        given = [a if hasattr(a, "dtype") and hasattr(a, "shape") else np.asarray(a) for a in flat]
        self._settle_placeholders(x, [(_kind_of(a), [None, *(_sizes_of(a)[1:] or [1])]) for a in given])

    def _widen_inputs(self, given: list[Any]) -> None:
        """Let sizes be unknown in which data differ from the inputs so far; layers are called on such inputs anew."""
        if len(given) != len(self.inputs) or not all(map(K.is_placeholder, self.inputs)):
            return
        sizes = [x.shape.as_list() if x.shape.ndims is not None else None for x in self.inputs]
        wider = [_common_sizes(known, a) for known, a in zip(sizes, given, strict=True)]
        if wider == sizes:
            return
        placed = [
            constants.placeholder(x.dtype, shape, name=x.op.name) for x, shape in zip(self.inputs, wider, strict=True)
        ]
        inputs = nest.pack_sequence_as(self._nested_inputs, placed)
        if self.run_eagerly:
            self._nested_inputs, self.inputs = inputs, nest.flatten(inputs)
            return
        self._note_ends(*self._called_on(inputs))
        self._keras_functions = {}
        if self._is_compiled:
            self._make_losses_again()

    def _settle_placeholders(self, x: Any, kinds: list[tuple[Any, Any]]) -> None:
        """The same for inputs in the structure of ``x``, of these dtypes and shapes."""
        placed = [constants.placeholder(dtype, shape, name=f"input_{i + 1}") for i, (dtype, shape) in enumerate(kinds)]
        self._settle_on(nest.pack_sequence_as(x, placed) if isinstance(x, list | tuple | dict) else placed[0])

    def _set_inputs(self, inputs: Any) -> None:
        """Give a subclass its inputs and outputs before there are data: these tensors, or inputs of an array's kind.

        Raises:
          ValueError: it has them.
        """
        if self._is_graph_network or self._is_set:
            raise ValueError("Model inputs are already set.")
        if is_symbolic(inputs):
            self._settle_on(inputs)
        else:
            self._settle_inputs(inputs)

    def _settle_on(self, x: Any) -> None:
        """The same with tensors as inputs, for which there are outputs, and with them losses."""
        self.inputs = nest.flatten(x)
        self._note_ends(*self._called_on(x))
        self._is_set = True
        if self._is_compiled:
            self._make_losses()

    def _called_on(self, inputs: Any) -> tuple[Any, Any]:
        """Inputs, and the outputs for them; None where a layer in Python only does not say their shapes."""
        takes = "training" in parameters_of(type(self).call)
        try:
            return inputs, self(inputs, training=K.learning_phase()) if takes else self(inputs)
        except NotImplementedError:
            if not self.dynamic:
                raise
            return inputs, None

    def _note_ends(self, inputs: Any, outputs: Any) -> None:
        """Let these be the inputs and the outputs."""
        self._nested_inputs = inputs
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        self._inputs_by_name = isinstance(inputs, dict)
        numbered = [f"input_{i + 1}" for i in range(len(self.inputs))]
        self.input_names = sorted(inputs) if self._inputs_by_name else numbered
        self.output_names = [f"output_{i + 1}" for i in range(len(self.outputs))]

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs for ``inputs``; a subclass has those of its first call on tensors of a graph from then on."""
        outputs = super().__call__(inputs, *args, **kwargs)
        if not self._is_graph_network and not self.inputs and all(map(is_symbolic_tensor, nest.flatten(inputs))):
            self._note_ends(inputs, outputs)
        return outputs

    def _standardized_batch(
        self, x: Any, y: Any, sample_weight: Any = None, class_weight: Any = None, are_tensors: bool = False
    ) -> Fed:
        """Inputs, targets and weights as arrays, in the order in which they are fed."""
        inputs, targets, weights = self._standardized_parts(x, y, sample_weight, class_weight, are_tensors)
        fed_values = Fed([*inputs, *targets, *(w for w in weights if w is not None)])
        fed_values.modes = self._modes_of(weights)
        return fed_values

    def _standardized_parts(
        self, x: Any, y: Any, sample_weight: Any, class_weight: Any, are_tensors: bool
    ) -> tuple[list[Any], list[Any], list[Any]]:
        """Inputs that are fed, targets that are, and for each output its weights or None.

        ``are_tensors``: they are the values of tensors, whose targets broadcast.
        """
        self._settle_inputs(x)
        placeholders = [(n, t) for n, t in zip(self.input_names, self.inputs, strict=True) if K.is_placeholder(t)]
        names, tensors = [n for n, _ in placeholders], [t for _, t in placeholders]
        inputs = as_arrays(x, names, tensors, "input") if placeholders or x is not None else []
        fed = [
            (name, target, mode)
            for name, target, mode in zip(self.output_names, self.targets, self._weight_modes, strict=True)
            if target is not None
        ]
        asked = [(n, t) for n, t, _ in fed if K.is_placeholder(t)]
        with_classes = {n for n, fn in zip(self.output_names, self.loss_functions, strict=True) if compares_classes(fn)}
        targets = as_arrays(y, [n for n, _ in asked], [t for _, t in asked], "target", with_classes) if asked else []
        self._check_lengths(inputs, targets)
        if not are_tensors and self._is_graph_network:
            self._check_targets(targets)
        self._settle_targets([t for _, t in asked], targets)
        weights: list[Any] = [None] * len(self.targets)
        if sample_weight is not None or class_weight is not None:
            check_entries(sample_weight, [n for n, _, _ in fed], "sample_weight")
            check_entries(class_weight, [n for n, _, _ in fed], "class_weight")
            of_outputs = _by_name(sample_weight, [n for n, _, _ in fed], "sample_weight")
            of_classes = _by_name(class_weight, [n for n, _, _ in fed], "class_weight")
            places = [i for i, t in enumerate(self.targets) if t is not None]
            for i, (_, _, mode), target, w, c in zip(places, fed, targets, of_outputs, of_classes, strict=False):
                weights[i] = weights_of(target, w, c, mode)
        return inputs, targets, weights

    def _standardize_user_data(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, **others: Any
    ) -> tuple[list[Any], list[Any], list[Any] | None]:
        """Inputs, targets and weights as the arrays that are fed; the last None where nothing weighs.

        Raises:
          RuntimeError: there are targets, and the model is not compiled.
          ValueError: they do not fit the model.
        """
        if y is None:
            return self._inputs_of(x), [], None
        self._check_compiled()
        inputs, targets, weights = self._standardized_parts(x, y, sample_weight, class_weight, False)
        return inputs, targets, weights if any(w is not None for w in weights) else None

    def _check_lengths(self, inputs: list[Any], targets: list[Any]) -> None:
        for what, arrays in (("input", inputs), ("target", targets)):
            lengths = {int(a.shape[0]) for a in arrays if hasattr(a, "shape")}
            if len(lengths) > 1:
                raise ValueError(
                    f"All {what} arrays (x) should have the same number of samples. Got array shapes: "
                    f"{[a.shape for a in arrays]}"
                )
        if inputs and targets and hasattr(inputs[0], "shape") and inputs[0].shape[0] != targets[0].shape[0]:
            raise ValueError(
                "Input arrays should have the same number of samples as target arrays. Found "
                f"{inputs[0].shape[0]} input samples and {targets[0].shape[0]} target samples."
            )

    def _settle_targets(self, places: list[Any], targets: list[Any]) -> None:
        """Let targets have as many dimensions as these, which losses of programs may compare as they like."""
        others = {
            id(x): constants.placeholder(x.dtype, [None] * y.ndim, name=x.op.name)
            for x, y in zip(places, targets, strict=True)
            if isinstance(y, np.ndarray) and x.shape.ndims not in (None, y.ndim)
        }
        if others:
            self.targets = [others.get(id(x), x) for x in self.targets]
            self._make_losses_again()

    def _check_targets(self, targets: list[Any]) -> None:
        """Targets have the shape of their outputs, where the loss compares element by element.

        Raises:
          ValueError: they have another shape.
        """
        fns = [fn for fn, target in zip(self.loss_functions, self.targets, strict=True) if K.is_placeholder(target)]
        outputs = [x for x, target in zip(self.outputs, self.targets, strict=True) if K.is_placeholder(target)]
        for target, output, fn in zip(targets, outputs, fns, strict=True):
            name = getattr(getattr(fn, "fn", fn), "__name__", "")
            if name not in ("mean_squared_error", "binary_crossentropy", "categorical_crossentropy"):
                continue
            if name == "categorical_crossentropy" and target.shape[-1] == 1:
                error = ValueError(
                    f"You are passing a target array of shape {target.shape} while using as loss `{name}`. `{name}` "
                    "expects targets to be binary matrices (1s and 0s) of shape (samples, classes). If your targets "
                    "are integer classes, you can convert them to the expected format via:\n```\nfrom keras.utils "
                    "import to_categorical\ny_binary = to_categorical(y_int)\n```\n\nAlternatively, you can use the "
                    "loss function `sparse_categorical_crossentropy` instead, which does expect integer targets."
                )
                raise taught(error, fix='model.compile(..., loss="sparse_categorical_crossentropy")')
            for n, k in zip(target.shape[1:], output.shape.as_list()[1:], strict=False):
                if k is not None and n != k:
                    raise ValueError(
                        f"A target array with shape {target.shape} was passed for an output of shape "
                        f"{tuple(output.shape.as_list())} while using as loss `{name}`. This loss expects targets to "
                        "have the same shape as the output."
                    )

    def _source_of_batches(
        self, x: Any, y: Any, sample_weight: Any, class_weight: Any, batch_size: int | None, steps: int | None,
        shuffle: Any, argument: str = "steps", epochs: int = 1, predicts: bool = False, ahead: Ahead | None = None,
    ) -> Source:  # fmt: skip
        """Where the batches come from."""

        check_alone(x, y, sample_weight, batch_size)
        if gives_batches(x) and not is_generator(x):
            class_weight = None  # TensorFlow gives elements of datasets no weights but their own
        if x is None and y is None and self._own_tensors is not None:
            x = self._own_tensors
        x = with_values(x)
        are_tensors = isinstance(x, EagerBatches) or (x is not None and not is_generator(x) and is_symbolic(x))

        def fed(element: Any) -> list[Any]:
            if predicts:
                return self._inputs_of(inputs_of_batch(element))
            inputs, targets, weights = parts_of_batch(element)
            return self._standardized_batch(inputs, targets, weights, class_weight, are_tensors)

        if isinstance(x, EagerBatches):
            self._settle_inputs(x.inputs)
            return DatasetBatches(self, x, steps, epochs, argument, fed)
        if is_generator(x):
            made = GeneratedBatches(self, x, steps, bool(shuffle), argument, fed, ahead or Ahead())
            if not self._is_graph_network and not self._is_set:
                element = made.first()
                self._settle_inputs(inputs_of_batch(element))
            return made
        if are_tensors:
            parts = x
            if nest.flatten(x)[0] is not x or isinstance(x, SYMBOLIC):
                parts = x if y is None else (x, y) if sample_weight is None else (x, y, sample_weight)
            source = TensorBatches(self, parts, steps, epochs, argument, fed)
            if not self._is_graph_network and not self._is_set:
                element = source.next
                self._settle_inputs(inputs_of_batch(element))
                self._own_tensors = parts
            return source
        data = self._inputs_of(x) if predicts else self._standardized_batch(x, y, sample_weight, class_weight)
        if steps is None and not data:
            error = ValueError(f"If your data is in the form of symbolic tensors, you should specify `{argument}`.")
            raise taught(error, fix=f"{argument}=100")
        size = batch_size_of(self, batch_size)
        if self._goes_on_between_epochs:
            size = (size or 32) if steps is None else size_of_steps(length_of(data[0]), size, steps)
            return ArrayBatches(data, size, shuffle, None, steps, argument == "steps_per_epoch", tells=True)
        if steps is not None:
            log.warning(
                "When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use "
                "`batch_size` instead."
            )
        return ArrayBatches(data, size or 32, shuffle, steps)

    def _inputs_of(self, x: Any) -> list[Any]:
        self._settle_inputs(x)
        fed = [(n, t) for n, t in zip(self.input_names, self.inputs, strict=True) if K.is_placeholder(t)]
        return as_arrays(x, [n for n, _ in fed], [t for _, t in fed], "input") if fed else []


def _kind_of(data: Any) -> Any:
    kind = (
        data.dtype.base_dtype
        if isinstance(data, Tensor | VariableV2 | TensorSpec)
        else dtypes.as_dtype(np.asarray(data).dtype)
    )
    return K.floatx() if kind.is_floating or kind.is_bool else kind.name


def _sizes_of(data: Any) -> Any:
    """The sizes of data, or those that elements of a dataset have, as far as they are known."""
    return data.shape.as_list() if isinstance(data, Tensor | VariableV2 | TensorSpec) else np.shape(data)


def _common_sizes(known: Any, data: Any) -> Any:
    """The sizes of an input that data fit too; as they are where these have another rank."""
    if known is None or (isinstance(data, TensorSpec) and data.shape.ndims is None):
        return known
    given = [None, *(_sizes_of(data)[1:] or [1])]
    if len(given) != len(known):
        return known
    return [k if k == n else None for k, n in zip(known, given, strict=True)]


def _by_name(value: Any, names: list[str], what: str) -> list[Any]:
    """An item for each name: of a dictionary by name, of a list by place; one item is for the only output."""
    if value is None:
        return [None] * len(names)
    if isinstance(value, dict) and (what != "class_weight" or set(value) & set(names)):
        return [value.get(name) for name in names]
    if isinstance(value, list | tuple) and len(names) > 1:
        if len(value) != len(names):
            raise ValueError(
                f"Provided `{what}` was a list of {len(value)} elements, but the model has {len(names)} outputs. You "
                f"should provide one `{what}`array per model output."
            )
        return list(value)
    if isinstance(value, list | tuple) and len(value) == 1 and hasattr(value[0], "shape"):
        value = value[0]
    return [value] * len(names)
