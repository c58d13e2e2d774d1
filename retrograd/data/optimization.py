"""``tensorflow.python.data.experimental.ops.optimization``: what a program says of the rewriting of a pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from retrograd.data.dataset import Dataset, _made
from retrograd.data.functions import ElementFunction
from retrograd.data.structures import DatasetSpec
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.ops import datasets as ops

Transformation = Callable[[Dataset], Dataset]


def assert_next(transformations: Any) -> Transformation:
    """The same elements; the transformations that follow are those of these names, or making an iterator fails.

    Of a pipeline that a function makes only the part inside of the function is looked at.

    Raises:
      ValueError: ``transformations`` is None.
    """

    def applied(dataset: Dataset) -> Dataset:
        if transformations is None:
            raise ValueError("At least one transformation should be specified")
        return dataset._same(ops.ASSERT_NEXT, as_tensor(transformations, dtypes.string, name="transformations"))

    return applied


def non_serializable() -> Transformation:
    """The same elements; what is before is not rewritten."""
    return lambda dataset: dataset._same(ops.NON_SERIALIZABLE)


def optimize(optimizations: Any = None) -> Transformation:
    """The same elements, of the pipeline rewritten by the rules of these names."""

    def applied(dataset: Dataset) -> Dataset:
        names = as_tensor([] if optimizations is None else optimizations, dtypes.string, name="optimizations")
        return dataset._same(ops.OPTIMIZE, names)

    return applied


class _ChooseFastestDataset(Dataset):
    """The elements that all of ``datasets`` have, from the one that was fastest in ``num_experiments`` elements."""

    def __init__(self, datasets: Sequence[Dataset], num_experiments: int = 10) -> None:
        inputs = list(datasets)
        variant = apply(
            ops.CHOOSE_FASTEST, [each._variant_tensor for each in inputs], num_experiments=num_experiments,
            **inputs[0]._flat_structure,
        )  # fmt: skip
        super().__init__(variant, inputs[0].element_spec, inputs)


class _ChooseFastestBranchDataset(Dataset):
    """What ``functions`` of a dataset make of it alike, by the one that was fastest.

    Args:
      ratio_numerator: so many elements of the dataset become ``ratio_denominator`` elements.
      num_elements_per_branch: how many elements each function gives before the fastest is known.

    Raises:
      ValueError: the ratio is not positive.
    """

    def __init__(
        self, input_dataset: Dataset, functions: Sequence[Callable[[Dataset], Dataset]], ratio_numerator: int = 1,
        ratio_denominator: int = 1, num_elements_per_branch: int | None = None,
    ) -> None:  # fmt: skip
        structure = DatasetSpec(input_dataset.element_spec)
        branches = [ElementFunction(function, "ChooseFastestV2", structure) for function in functions]
        if ratio_numerator <= 0 or ratio_denominator <= 0:
            raise ValueError("ratio must be positive.")
        count = 10 * ratio_denominator if num_elements_per_branch is None else num_elements_per_branch
        made = _made(
            ops.CHOOSE_FASTEST_BRANCH, [input_dataset], branches[0].output_spec._element_spec,
            input_dataset._variant_tensor, ratio_numerator, ratio_denominator,
            list(chain(*(branch.captured for branch in branches))), num_elements_per_branch=count,
            branches=[branch.attribute for branch in branches],
            other_arguments_lengths=[len(branch.captured) for branch in branches],
        )  # fmt: skip
        super().__init__(made._variant_tensor, made.element_spec, [input_dataset])
