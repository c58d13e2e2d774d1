"""First and second derivatives of the loss of each example by its logits, as boosted trees take them."""

from __future__ import annotations

from typing import Any

from retrograd.grad.gradients import gradients as gradients_of
from retrograd.ops import arrays, joining
from retrograd.ops.constants import range_
from retrograd.ops.contraction import trace
from retrograd.ops.gradient_tree_values import TREE_PER_CLASS
from retrograd.ops.indexing import gather
from retrograd.ops.permuting import transpose
from retrograd.ops.reductions import reduce_sum


def hessians_of(gradients: Any, predictions: Any, count: int, is_full: bool, strategy: int) -> Any:
    """The second derivatives: [batch, 1] of one logit, [batch, count, count] in full, or the diagonal of that."""
    if count == 1 and strategy == TREE_PER_CLASS:
        return gradients_of(gradients, predictions, name="Hessian")[0]
    found = []
    for row, of_row in enumerate(joining.unstack(gradients, num=count, axis=1)):
        whole = gradients_of(of_row, predictions, name=f"Hessian_{row}")[0]
        found.append(whole if is_full else transpose(whole)[row])
    return joining.stack(found, axis=1)


def class_columns(gradients: Any, hessians: Any, class_id: Any, count: int, strategy: int) -> tuple[Any, Any]:
    """Of one logit, or of the class that a tree is for, a number for each example; otherwise all."""
    if strategy != TREE_PER_CLASS:
        return gradients, hessians
    if count == 1:
        return arrays.squeeze(gradients, axis=[1]), arrays.squeeze(hessians, axis=[1])
    return arrays.squeeze(column_of(gradients, class_id)), arrays.squeeze(column_of(hessians, class_id))


def column_of(tensor: Any, indices: Any) -> Any:
    """Columns of a matrix by their numbers."""
    shape = arrays.shape(tensor)
    firsts = arrays.reshape(range_(0, shape[0]) * shape[1], [-1, 1])
    places = arrays.reshape(firsts + indices, [-1])
    return arrays.reshape(gather(arrays.reshape(tensor, [-1]), places), [shape[0], -1])


def weights_of(hessian_shape: Any, hessians: Any) -> Any:
    """What examples weigh where quantiles are taken."""
    if hessian_shape.rank == 0:
        return hessians
    return reduce_sum(hessians, axis=1) if hessian_shape.rank == 1 else trace(hessians)
