"""Resources beside variables (tables, readers): which there are, and which are not initialized yet."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection, device, get_collection, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import comparison, constants, indexing, joining


class Resource(NamedTuple):
    """A handle, the op that creates what it stands for, and whether that is there."""

    handle: Tensor
    create: Operation
    is_initialized: Tensor


def register_resource(handle: Tensor, create_op: Operation, is_initialized_op: Tensor, is_shared: bool = True) -> None:
    """Let a resource be initialized and reported with the others of its graph."""
    key = GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES
    add_to_collection(key, Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list[Any]:
    """The resources that sessions share."""
    return get_collection(GraphKeys.RESOURCES)


def local_resources() -> list[Any]:
    """The resources of one process."""
    return get_collection(GraphKeys.LOCAL_RESOURCES)


def report_uninitialized_resources(
    resource_list: list[Any] | None = None, name: str = "report_uninitialized_resources"
) -> Tensor:
    """The names of the resources that are not initialized yet, as a vector of strings; by default of all."""
    resources = shared_resources() + local_resources() if resource_list is None else resource_list
    place = os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")
    with name_scope(name), device(place):
        if not resources:
            return constants.constant([], dtypes.string)
        missing = comparison.logical_not(joining.stack([r.is_initialized for r in resources]))
        names = constants.constant([r.handle.name for r in resources])
        return indexing.boolean_mask(names, missing)
