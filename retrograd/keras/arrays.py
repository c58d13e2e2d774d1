"""Arrays, sparse ones and files as models take them: checked against a network's tensors, weighed, and cut in rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from retrograd.keras import backend as K
from retrograd.keras import composites
from retrograd.keras.composites import VALUES, RaggedTensor, RaggedTensorValue
from retrograd.nn.layers.nodes import history_of


def as_arrays(
    data: Any, names: list[str], tensors: list[Any], what: str, of_classes: Collection[str] = ()
) -> list[Any]:
    """One array for each name, inputs with the rank of their tensors; inputs that are too many are left aside.

    ``of_classes``: the names of those that hold numbers of classes, whose last dimension of one may be missing.

    Raises:
      ValueError: there are fewer, or more targets, or an input is of another shape.
    """
    if data is None:
        raise ValueError(f"No data provided for {names}.")
    if isinstance(data, dict):
        try:
            given = [data[name] for name in names]
        except KeyError as missing:
            raise ValueError(f'No data provided for "{missing.args[0]}". Need data for each key in: {names}') from None
    elif isinstance(data, list | tuple) and not isinstance(data, VALUES):
        given = list(data)
        if len(names) == 1 and given and isinstance(given[0], float | int):
            given = [np.asarray(data)]
        if len(given) != len(names) and not all(hasattr(d, "shape") for d in given):
            given = [data]
        if what == "input":
            given = given[: len(names)]
    else:
        given = [data]
    if len(given) != len(names):
        if len(names) != 1 or not isinstance(data, list | tuple) or hasattr(given[0], "shape"):
            raise ValueError(
                f"Error when checking model {what}: the list of Numpy arrays that you are passing to your model is not "
                f"the size the model expected. Expected to see {len(names)} array(s), but instead got the following "
                f"list of {len(given)} arrays: {str(given)[:200]}..."
            )
        given = [np.asarray(data)]
    return [
        _as_array(array, name, x, what, name in of_classes)
        for array, name, x in zip(given, names, tensors, strict=True)
    ]


def _as_array(array: Any, name: str, tensor: Any, what: str, of_classes: bool) -> Any:
    if hasattr(array, "tocoo"):  # a sparse matrix of SciPy
        if not K.is_sparse(tensor):
            return array.toarray()
        _check_sizes(array, history_of(tensor).layer._batch_input_shape, name, what)
        return array
    if hasattr(array, "dense_shape"):
        if K.is_sparse(tensor) and history_of(tensor) is not None:
            dims = history_of(tensor).layer._batch_input_shape
            _check_known(np.asarray(array.dense_shape).tolist(), dims, name, what)
        return array
    if isinstance(array, RaggedTensorValue) != isinstance(tensor, RaggedTensor):
        raise ValueError(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {_told(array)}\n\n"
            f"Second structure: {_told(tensor)}"
        )
    if isinstance(array, RaggedTensorValue):
        _check_ragged(array, tensor, name, what)
        return array
    values = np.asarray(array.values if hasattr(array, "iloc") else array)
    rank = tensor.shape.ndims
    if values.ndim == 1 and rank != 1:
        values = np.expand_dims(values, 1)
    if rank is None or K.is_sparse(tensor):
        return values
    if values.ndim != rank:
        if what == "target" and values.ndim == 2 and rank == 1:
            return values[:, 0]
        if of_classes and values.ndim == rank - 1:
            return values[..., np.newaxis]
        if what == "target":
            return values  # a loss may compare what it likes
        raise ValueError(
            f"Error when checking {what}: expected {name} to have {rank} dimensions, but got array with shape "
            f"{values.shape}"
        )
    _check_sizes(values, tensor.shape.as_list(), name, what)
    return values


def _told(x: Any) -> str:
    return f"type={type(x).__name__} str={x}"


def _check_ragged(array: RaggedTensorValue, tensor: Any, name: str, what: str) -> None:
    rank = tensor.shape.ndims
    if len(array.shape) != rank:
        raise ValueError(
            f"Error when checking {what}: expected {name} to have {rank} dimensions, but got array with shape "
            f"{array.shape}"
        )
    if array.ragged_rank != tensor.ragged_rank:
        raise ValueError(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {_told(array)}\n\n"
            f"Second structure: {_told(tensor)}"
        )
    _check_known(array.shape, tensor.shape.as_list(), name, what)


def _check_known(sizes: Any, dims: Any, name: str, what: str) -> None:
    """Check the sizes that are known of both, but for the first."""
    pairs = zip(tuple(dims or ())[1:], tuple(sizes)[1:], strict=False)
    if any(None not in (wanted, size) and wanted != size for wanted, size in pairs):
        raise ValueError(
            f"Error when checking {what}: expected {name} to have shape {tuple(dims)[1:]} but got array with shape "
            f"{tuple(sizes)[1:]}"
        )


def _check_sizes(values: Any, dims: Any, name: str, what: str) -> None:
    known = tuple(dims)[1:]
    if any(k is not None and k != n for k, n in zip(known, values.shape[1:], strict=True)):
        raise ValueError(
            f"Error when checking {what}: expected {name} to have shape {known} but got array with shape "
            f"{values.shape[1:]}"
        )


def weights_of(target: np.ndarray, weight: Any, by_class: Any, mode: Any = None) -> np.ndarray:
    """The weights of examples: those given, times those of their classes.

    Raises:
      ValueError: a class has no weight, or the weights are of another shape.
    """
    if by_class is not None and target.ndim > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    weight = None if weight is None else np.asarray(weight, K.floatx())
    if mode == "temporal":
        if target.ndim < 3:
            raise ValueError(
                f"Found a sample_weight array for an input with shape {target.shape}. Timestep-wise sample weighting "
                '(use of sample_weight_mode="temporal") is restricted to outputs that are at least 3D, i.e. that have '
                "a time dimension."
            )
        if weight is not None and weight.ndim != 2:
            raise ValueError(
                f"Found a sample_weight array with shape {weight.shape}. In order to use timestep-wise sample "
                "weighting, you should pass a 2D sample_weight array."
            )
        return np.ones(target.shape[:2], K.floatx()) if weight is None else _fitting(weight, target)
    if weight is not None and weight.ndim != 1:
        raise ValueError(
            f"Found a sample_weight array with shape {weight.shape}. In order to use timestep-wise sample weights, you "
            'should specify sample_weight_mode="temporal" in compile(). If you just mean to use sample-wise weights, '
            "make sure your sample_weight array is 1D."
        )
    result = np.ones(len(target), K.floatx()) if weight is None else _fitting(weight, target)
    if not isinstance(by_class, dict):
        return result
    classes = np.argmax(target, axis=1) if target.ndim == 2 and target.shape[1] > 1 else target.reshape(-1)
    missing = set(classes.tolist()) - set(by_class)
    if missing:
        raise ValueError(
            f"`class_weight` must contain all classes in the data. The classes {missing} exist in the data but not in "
            "`class_weight`."
        )
    return result * np.asarray([by_class[c] for c in classes.tolist()], K.floatx())


def _fitting(weight: np.ndarray, target: np.ndarray) -> np.ndarray:
    if weight.shape != target.shape[: weight.ndim]:
        raise ValueError(
            f"Found a sample_weight array with shape {weight.shape} for an input with shape {target.shape}. "
            "sample_weight cannot be broadcast."
        )
    return weight


def rows_of(array: Any, rows: Any) -> Any:
    """Some examples; of a file, which must be read in order, those in between too."""
    if isinstance(array, VALUES):
        return composites.rows_of(array, rows)
    if type(array).__module__.startswith("h5py") or not hasattr(array, "shape"):
        return array[np.sort(rows).tolist()]
    return (array.tocsr() if hasattr(array, "tocsr") else array)[rows]
