"""What several devices compute together: sums and products of all, all parts joined, one value for all.

The members of a group are ops of their own, on their devices, each with its own input.  In a run each of them reads the
inputs of all: ``meetings`` finds who belongs together, and ``met`` is what a member then computes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, no_derivative
from retrograd.graph.devices import canonical
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import device
from retrograd.graph.shapes import RawShape, TensorShape, as_shape
from retrograd.graph.shapes import shape_text as text_of
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules

_FOLDS = {
    "Add": np.add, "Mul": np.multiply, "sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum,
}  # fmt: skip
_TYPES = {"T": (dtypes.float32, dtypes.float16, dtypes.float64, dtypes.int32, dtypes.int64)}
_GROUP = {"group_size": REQUIRED, "group_key": REQUIRED, "instance_key": REQUIRED}
_HINT = {"communication_hint": "auto"}


# -- who belongs together ------------------------------------------------------------------------


def meetings(ops: Collection[Operation], loop_of: Mapping[Operation, Any]) -> dict[Operation, tuple[Operation, ...]]:
    """For each member of a group among ``ops`` all its members, by their devices: those of one iteration meet."""
    groups: dict[Any, list[Operation]] = defaultdict(list)
    for op in ops:
        if is_member(op):
            key = op.attrs["shared_name"] if op.type == "NcclAllReduce" else (
                op.attrs["group_key"], op.attrs["instance_key"],
            )  # fmt: skip
            groups[key, loop_of.get(op)].append(op)
    ordered = (sorted(group, key=lambda op: (canonical(op.device), op.index)) for group in groups.values())
    return {op: tuple(group) for group in ordered for op in group}


def is_member(op: Operation) -> bool:
    """Whether ``op`` is of a group."""
    return op.type in _MEMBERS


def met(op: Operation, members: Sequence[Operation], *inputs: Any) -> Any:
    """What ``op`` gives, where ``inputs`` are those of all members, in their order.

    Raises:
      FailedPreconditionError: fewer members are run than the group has, for which TensorFlow would wait for ever.
      InternalError: more are, or not one of them sends what the others receive.
      InvalidArgumentError: their shapes or dtypes differ, or they cannot be folded in this way.
    """
    _check_number(op, members)
    if op.type == "NcclAllReduce":
        return reduce(_FOLDS[op.attrs["reduction"]], inputs)
    if op.type.startswith("CollectiveBcast"):
        return _sent(op, members, inputs)
    _check_alike(op, members, [x.shape for x in inputs])
    if op.type == "CollectiveGather":
        return np.concatenate(inputs)
    merge = op.attrs["merge_op"]
    if merge not in _FOLDS:
        raise errors.invalid(f'merge_op must be one of {{"Add", "Mul"}} but got {merge}')
    folded = reduce(_FOLDS[merge], inputs)
    return _divided(folded, len(inputs)) if op.attrs["final_op"] == "Div" else folded


def _divided(x: Any, n: int) -> Any:
    """x / n; of whole numbers without the fraction."""
    if x.dtype.kind == "i":
        return np.sign(x) * (np.abs(x) // x.dtype.type(n))
    return x / x.dtype.type(n)


def _sent(op: Operation, members: Sequence[Operation], inputs: Sequence[Any]) -> Any:
    instance, sources = op.attrs["instance_key"], [i for i, x in enumerate(members) if x.type == "CollectiveBcastSend"]
    if not inputs:
        text = f"This could mean that there were group_size={len(members)} BcastRecvs but no BcastSend."
        raise errors.InternalError(None, None, f"Instance {instance} found no source for broadcast.  {text}")
    if len(inputs) > 1:
        claims = f"already has source {sources[0]}, received second claim from {sources[1]}"
        raise errors.InternalError(None, None, f"Instance {instance} {claims}")
    _check_alike(op, members, [as_shape(x.attrs["shape"])._raw for x in members])
    return inputs[0]


def _check_number(op: Operation, members: Sequence[Operation]) -> None:
    wanted, found = op.attrs["num_devices" if op.type == "NcclAllReduce" else "group_size"], len(members)
    if found < wanted:
        text = f"{op.type} waits for ever: its group has {wanted} members, and {found} of them are run"
        raise errors.FailedPreconditionError(None, None, text)
    if found > wanted:
        text = f"{op.name} is of a group of {wanted}, and {found} members of the group are run"
        raise errors.InternalError(None, None, f"Collective Op {text}")


def _check_alike(op: Operation, members: Sequence[Operation], shapes: Sequence[Any]) -> None:
    """Hold shapes, dtypes and types of all members to the first one's; a gathered shape is that of the result."""
    first = members[0]
    n = len(members) if op.type == "CollectiveGather" else 1
    full = [(shape[0] * n, *shape[1:]) if n > 1 and shape else shape for shape in shapes]
    for member, shape in zip(members, full, strict=True):
        if shape != full[0]:
            raise errors.invalid(
                f"Shape mismatch in the collective instance {op.attrs['instance_key']}. Op at device "
                f"{_place(first)} expected shape {text_of(full[0])} but another member in the group expected shape "
                f"{text_of(shape)}. This is likely due to different input shapes at different members of the "
                "collective op."
            )
        what = f"The members of collective instance {op.attrs['instance_key']} are of different"
        if member.attrs["T"] != first.attrs["T"]:
            raise errors.invalid(f"{what} dtypes: {first.attrs['T'].name}, {member.attrs['T'].name}")
        if member.type[:14] != first.type[:14]:
            raise errors.invalid(f"{what} types: {first.type}, {member.type}")


def _place(op: Operation) -> str:
    return "/job:localhost/replica:0/task:0" + (canonical(op.device) or "/device:CPU:0")


# -- the ops -------------------------------------------------------------------------------------


def _alone(xp: Any, memory: Any, *inputs: Any) -> Any:
    """A member that something runs outside of a plan has met nobody."""
    text = "A collective op waits for ever where ops run at once: no other member of its group can come"
    raise errors.FailedPreconditionError(None, None, text)


def _member(name: str, inputs: str, shape: Callable[..., Any], attrs: Mapping[str, Any], **more: Any) -> Any:
    settings: dict[str, Any] = {"effect": Effect.HOST, "kernel": _alone, "gradient": no_derivative, **more}
    return define(name, inputs, "data: T", attrs=attrs, types=_TYPES, shape=shape, **settings)


def _gathered(x: Tensor, *, group_size: int, **_: Any) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 1)
    if dims is None:
        return None
    return (None if dims[0] is None else dims[0] * group_size, *dims[1:])


def _declared(*inputs: Tensor, shape: Any, **_: Any) -> RawShape:
    return as_shape(shape)._raw


REDUCE = _member(
    "CollectiveReduce", "input: T", shape_rules.same,
    {**_GROUP, "merge_op": REQUIRED, "final_op": REQUIRED, "subdiv_offsets": REQUIRED, "wait_for": [], **_HINT},
    choices={"merge_op": ("Min", "Max", "Mul", "Add"), "final_op": ("Id", "Div")},
)  # fmt: skip
GATHER = _member("CollectiveGather", "input: T", _gathered, {**_GROUP, "shape": REQUIRED, **_HINT})
SEND = _member("CollectiveBcastSend", "input: T", _declared, {**_GROUP, "shape": REQUIRED, **_HINT})
RECEIVE = _member("CollectiveBcastRecv", "", _declared, {"T": REQUIRED, **_GROUP, "shape": REQUIRED, **_HINT})

_REDUCTIONS = {"reduction": ("min", "max", "prod", "sum")}


def _check_sum(op: Operation) -> None:
    if op.attrs["reduction"] != "sum":
        raise LookupError(f"No gradient defined for {op.type} except sum.")


def _check_placed(tensor: Tensor, where: str | None = None) -> None:
    if not tensor.device:
        raise ValueError(f"Device assignment required for nccl collective ops: {tensor}")
    if where and where != tensor.device:
        raise ValueError(f"Expected device {where}, got {tensor.device} for tensor {tensor}.")


def _all_reduce_gradient(op: Operation, dy: Tensor) -> list[Any]:
    """y_i = sum_j x_j for each member, hence dx_i = sum_j dy_j: another group, of the gradients."""
    _check_sum(op)
    _check_placed(dy, op.device)
    with device(op.device):
        return [nccl_all_reduce(dy, "sum", op.attrs["num_devices"], f"{op.attrs['shared_name']}_grad")]


def _reduce_gradient(op: Operation, dy: Tensor) -> list[Any]:
    """y = sum_j x_j, hence dx_j = dy, sent to all devices."""
    _check_sum(op)
    _check_placed(dy, op.device)
    with device(op.device):
        sent = nccl_broadcast(dy, dy.shape)
    return [sent] * len(op.inputs)


def _broadcast_gradient(op: Operation, dy: Tensor) -> list[Any]:
    """y = x on several devices, hence dx is the sum of what they send back: the terms that ``dy`` was made of."""
    terms = list(dy.op.inputs)
    for term in terms:
        _check_placed(term)
    with device(op.device):
        return [nccl_reduce(terms, "sum")]


def _folded(xp: Any, xs: Sequence[Any], *, reduction: str) -> Any:
    return reduce(getattr(xp, _FOLDS[reduction].__name__), xs)


ALL_REDUCE = _member(
    "NcclAllReduce", "input: T", shape_rules.same,
    {"reduction": REQUIRED, "num_devices": REQUIRED, "shared_name": REQUIRED},
    choices=_REDUCTIONS, gradient=_all_reduce_gradient,
)  # fmt: skip
NCCL_REDUCE = define(
    "NcclReduce", "input: num_devices*T", "data: T", attrs={"reduction": REQUIRED}, types=_TYPES, choices=_REDUCTIONS,
    shape=lambda xs, **_: shape_rules.same(xs[0]), kernel=_folded, gradient=_reduce_gradient,
)  # fmt: skip
NCCL_BROADCAST = define(
    "NcclBroadcast", "input: T", "output: T", attrs={"shape": REQUIRED}, types=_TYPES, shape=_declared,
    kernel=lambda xp, x: x, gradient=_broadcast_gradient,
)  # fmt: skip
_MEMBERS = frozenset(each.name for each in (REDUCE, GATHER, SEND, RECEIVE, ALL_REDUCE))


# -- their functions -----------------------------------------------------------------------------


def _check_member(t: Any, group_size: int, name: str) -> None:
    if not t.device:
        raise ValueError("Device assignment required for collective ops")
    _check_size(group_size, name)


def _check_size(group_size: int, name: str) -> None:
    if group_size <= 1:
        raise ValueError(f"Parameter group_size to {name} must be at least 2.")


def all_reduce(
    t: Any, group_size: int, group_key: int, instance_key: int, merge_op: str, final_op: str,
    subdiv_offsets: Sequence[int] = (0,), communication_hint: str = "auto",
) -> Tensor:  # fmt: skip
    """The sum or product of the group's tensors, for its member on the device of ``t``.

    Args:
      group_size: the number of members, each with a call of its own, on its device.
      group_key: the same number for all groups of the same devices.
      instance_key: a number for what the members of the group compute together.
      merge_op: ``"Add"`` or ``"Mul"``.
      final_op: ``"Id"``, or ``"Div"``: by the number of members.
      subdiv_offsets, communication_hint: ways through the network, of which there is none.

    Raises:
      ValueError: the tensor stands on no device, or the group has one member.
    """
    _check_member(t, group_size, "all_reduce")
    return collective_reduce(
        t, group_size, group_key, instance_key, merge_op, final_op, subdiv_offsets,
        communication_hint=communication_hint.lower(),
    )  # fmt: skip


def all_gather(t: Any, group_size: int, group_key: int, instance_key: int, communication_hint: str = "auto") -> Tensor:
    """The group's tensors, of one shape, one behind the other in the order of their devices' names.

    Arguments and errors as of ``all_reduce``.
    """
    _check_member(t, group_size, "all_gather")
    return collective_gather(t, group_size, group_key, instance_key, [0], communication_hint.lower())


def broadcast_send(
    t: Any, shape: Any, dtype: Any, group_size: int, group_key: int, instance_key: int,
    communication_hint: str = "auto",
) -> Tensor:  # fmt: skip
    """``t``, which the group's other members receive; arguments and errors as of ``all_reduce``.

    Raises:
      ValueError: ``shape`` or ``dtype`` are not those of ``t``.
    """
    _check_member(t, group_size, "broadcast_send")
    if t.shape != as_shape(shape):
        raise ValueError("Shape of broadcast_send tensor not equal to delcared shape")
    if t.dtype != dtypes.as_dtype(dtype):
        raise ValueError("Type of broadcast_send tensor not equal to declared type")
    return collective_bcast_send(t, group_size, group_key, instance_key, shape, communication_hint.lower())


def broadcast_recv(
    shape: Any, dtype: Any, group_size: int, group_key: int, instance_key: int, communication_hint: str = "auto"
) -> Tensor:
    """What the member of the group that sends has; arguments as of ``all_reduce``.

    Raises:
      ValueError: the group has one member.
    """
    _check_size(group_size, "broadcast_send")  # as TensorFlow says it
    return collective_bcast_recv(dtype, group_size, group_key, instance_key, shape, communication_hint.lower())


def collective_reduce(
    input: Any, group_size: int, group_key: int, instance_key: int, merge_op: str, final_op: str,
    subdiv_offsets: Sequence[int], wait_for: Sequence[int] = [], communication_hint: str = "auto",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The op of ``all_reduce``; of instances to wait for there is none that a run does not know."""
    return apply(
        REDUCE, input, group_size=group_size, group_key=group_key, instance_key=instance_key, merge_op=merge_op,
        final_op=final_op, subdiv_offsets=list(subdiv_offsets), wait_for=list(wait_for),
        communication_hint=communication_hint, name=name,
    )  # fmt: skip


def collective_gather(
    input: Any, group_size: int, group_key: int, instance_key: int, shape: Any, communication_hint: str = "auto",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The op of ``all_gather``, which does not look at ``shape``."""
    keys = {"group_size": group_size, "group_key": group_key, "instance_key": instance_key}
    return apply(GATHER, input, **keys, shape=TensorShape(shape), communication_hint=communication_hint, name=name)


def collective_bcast_send(
    input: Any, group_size: int, group_key: int, instance_key: int, shape: Any, communication_hint: str = "auto",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The op of ``broadcast_send``."""
    keys = {"group_size": group_size, "group_key": group_key, "instance_key": instance_key}
    return apply(SEND, input, **keys, shape=as_shape(shape), communication_hint=communication_hint, name=name)


def collective_bcast_recv(
    T: Any, group_size: int, group_key: int, instance_key: int, shape: Any, communication_hint: str = "auto",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The op of ``broadcast_recv``."""
    keys = {"group_size": group_size, "group_key": group_key, "instance_key": instance_key}
    made = {"T": dtypes.as_dtype(T), **keys, "shape": as_shape(shape), "communication_hint": communication_hint}
    return apply(RECEIVE, **made, name=name)


def nccl_all_reduce(input: Any, reduction: str, num_devices: int, shared_name: str, name: str | None = None) -> Tensor:
    """``"sum"``, ``"prod"``, ``"min"`` or ``"max"`` of the tensors of all ops of one ``shared_name``."""
    return apply(ALL_REDUCE, input, reduction=reduction, num_devices=num_devices, shared_name=shared_name, name=name)


def nccl_reduce(input: Sequence[Any], reduction: str, name: str | None = None) -> Tensor:
    """``"sum"``, ``"prod"``, ``"min"`` or ``"max"`` of tensors, on one device."""
    return apply(NCCL_REDUCE, input, reduction=reduction, name=name)


def nccl_broadcast(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """``input``, to be read on other devices."""
    return apply(NCCL_BROADCAST, input, shape=as_shape(shape), name=name)
