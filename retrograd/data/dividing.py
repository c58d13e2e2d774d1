"""``tensorflow.python.data.experimental.ops``: pipelines divided among workers, replicas and threads."""

from __future__ import annotations

from typing import Any

from retrograd.data import nest, structures
from retrograd.data.dataset import Dataset
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.functions import as_attribute
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataset_dividing, dataset_threads, function_rows


class _AutoShardDataset(Dataset):
    """The part of worker ``index`` of ``num_workers``: files of its own, or elements where no files are read.

    A run raises ``InvalidArgumentError`` if there are fewer elements than workers.
    """

    def __init__(self, input_dataset: Dataset, num_workers: Any, index: Any) -> None:
        made = input_dataset._same(
            dataset_dividing.AUTO_SHARD, as_tensor(num_workers, dtypes.int64, name="num_workers"),
            as_tensor(index, dtypes.int64, name="index"),
        )  # fmt: skip
        super().__init__(made._variant_tensor, made.element_spec, [input_dataset])


class _RebatchDataset(Dataset):
    """Each batch in ``num_replicas`` parts of ceil(n / num_replicas) rows, while there are rows.

    Raises:
      ValueError: a part of the elements has no rows.
    """

    def __init__(self, input_dataset: Dataset, num_replicas: int, use_fallback: bool = True) -> None:
        shapes = nest.map_structure(lambda s: _divided(s, num_replicas), input_dataset.output_shapes)
        spec = structures.from_legacy(input_dataset.output_types, shapes, input_dataset.output_classes)
        variant = apply(
            dataset_dividing.REBATCH, input_dataset._variant_tensor,
            as_tensor(num_replicas, dtypes.int64, name="num_replicas"), use_fallback=use_fallback,
            output_types=structures.flat_types(spec), output_shapes=structures.flat_shapes(spec),
        )  # fmt: skip
        super().__init__(variant, spec, [input_dataset])


def _divided(shape: TensorShape, count: int) -> TensorShape:
    if shape.rank == 0:
        raise ValueError("Input shape should have at least one dimension. Perhaps your input dataset is not batched?")
    if shape.rank is None:
        return shape
    rows, *rest = shape.as_list()
    return TensorShape([None if rows is None or count <= 0 or rows % count else rows // count, *rest])


class PrivateThreadPool:
    """``num_threads`` threads for the pipelines that ``override_threadpool`` gives it to."""

    def __init__(self, num_threads: int, display_name: str | None = None, max_intra_op_parallelism: int = 1) -> None:
        self._resource = apply(
            dataset_threads.THREAD_POOL_HANDLE, num_threads=num_threads, display_name=display_name or "",
            max_intra_op_parallelism=1 if max_intra_op_parallelism is None else max_intra_op_parallelism,
        )  # fmt: skip


def override_threadpool(dataset: Dataset, thread_pool: PrivateThreadPool) -> Dataset:
    """The same elements, computed by the threads of ``thread_pool``."""
    return dataset._same(dataset_threads.THREAD_POOL, thread_pool._resource)


def map_defun(
    fn: Any, elems: Any, output_dtypes: Any, output_shapes: Any, max_intra_op_parallelism: int = 1
) -> list[Tensor]:  # fmt: skip
    """``fn``, a ``tf.function`` with a signature or a ``Defun``, of each row of ``elems``.

    Args:
      output_dtypes: what it gives, for each result.
      output_shapes: the shapes of one row's results; None is not known.

    Raises:
      ValueError: ``elems`` is no list, or the numbers of rows differ.
    """
    if not isinstance(elems, list):
        raise ValueError(f"`elems` must be a list of tensors, but was {elems}.")
    if not isinstance(output_dtypes, list) or not isinstance(output_shapes, list):
        raise ValueError("`output_dtypes` and `output_shapes` must be lists.")
    inputs = [as_tensor(x, name="elems") for x in elems]
    function = fn.get_concrete_function() if hasattr(fn, "get_concrete_function") else fn
    outputs: list[Tensor] = apply(
        function_rows.MAP_DEFUN, inputs, list(function.captured_inputs), output_types=output_dtypes,
        output_shapes=[TensorShape(s) for s in output_shapes], f=as_attribute(function),
        max_intra_op_parallelism=max_intra_op_parallelism,
    )  # fmt: skip
    return outputs
