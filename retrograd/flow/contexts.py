"""The frame of a loop while it is built: what it carries, what it sees of outside, what it keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from retrograd.flow.guards import Guards, within_iteration
from retrograd.graph import context_protos
from retrograd.graph.collection_protos import register_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.contexts import ControlFlowContext, output_context
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, prepend_name_scope, strip_name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, constants, dataflow


@dataclass(eq=False)
class LoopVariable:
    """The nodes of one value that a loop carries from iteration to iteration."""

    enter: Tensor  # its first value, inside
    merge: Tensor  # its value where the condition is computed
    switch: Operation = field(init=False)  # gives it to the body, or to the exit
    value: Tensor = field(init=False)  # its value in the body
    following: Tensor = field(init=False)  # its value in the next iteration, behind NextIteration
    exit: Tensor | None = field(init=False)  # its last value, outside; of an imported loop perhaps nowhere

    @classmethod
    def found(cls, enter: Tensor, exit: Tensor | None) -> LoopVariable:
        """The nodes between the first and the last of a loop that is built; what nothing reads may be missing.

        Raises:
          ValueError: they are not what ``while_loop`` builds.
        """
        try:
            merge = next(op for op in enter.readers if op.type in dataflow.MERGES)
            first, following = merge.inputs
            switch = next(op for op in merge.outputs[0].readers if op.type in dataflow.SWITCHES)
        except (StopIteration, ValueError):
            raise ValueError(f"No loop variable begins with {enter.name}") from None
        if first is not enter or following.op.type not in dataflow.NEXT_ITERATIONS:
            raise ValueError(f"No loop variable begins with {enter.name}")
        variable = cls(enter, merge.outputs[0])
        variable.switch, variable.following = switch, following
        names = [op for op in switch.outputs[1].readers if op.type in ("Identity", "RefIdentity")]
        variable.value = names[0].outputs[0] if names else switch.outputs[1]
        exits = [op.outputs[0] for op in switch.outputs[0].readers if op.type in dataflow.EXITS]
        variable.exit = exit if exit is not None else exits[0] if exits else None
        return variable


class WhileContext(ControlFlowContext):
    """A loop.

    Args:
      maximum_iterations: how many iterations there are at most, where that is known outside.
      forward: the loop whose gradient this one computes; what is read of it here is what it was in the
        iteration that is gone through, the last one first.
    """

    message_field = "while_ctxt"

    def __init__(
        self,
        parallel_iterations: int = 10,
        back_prop: bool = True,
        swap_memory: bool = False,
        forward: WhileContext | None = None,
        name: str = "while_context",
        maximum_iterations: Tensor | None = None,
    ) -> None:
        super().__init__(name=name)
        self.parallel_iterations = parallel_iterations
        self.back_prop = back_prop
        self.swap_memory = swap_memory
        self.maximum_iterations = maximum_iterations
        self.forward = forward
        self.variables: list[LoopVariable] = []
        self.condition: Tensor | None = None
        self.histories: dict[Tensor, Tensor] = {}  # values of this loop -> what they are in all iterations
        self.recalls: list[Tensor] = []  # what is read of histories
        self.more_enters: list[Operation] = []  # of an imported loop: what brings in what is seen already
        self.guards = Guards(lambda op: op.context.loop.enters)  # type: ignore[union-attr]
        self.count: Tensor | None = None

    @property
    def loop(self) -> WhileContext:
        return self

    @property
    def pivot(self) -> Operation:  # type: ignore[override]
        """The first loop variable: where it is, the iteration has begun."""
        first = self.variables[0]
        return first.merge.op if self.condition is None else first.value.op

    @property
    def enters(self) -> list[Operation]:
        """The ops that bring values in: first values, and what the body sees of outside."""
        seen = [t.op for t in self.seen_as.values() if dataflow.is_invariant(t.op) and t.op.context is self]
        seen = list(dict.fromkeys(seen)) + self.more_enters
        return [v.enter.op for v in self.variables] + seen + [t.op for t in self.recalls]

    @property
    def loop_enters(self) -> list[Tensor]:
        return [v.enter for v in self.variables]

    @property
    def loop_exits(self) -> list[Tensor]:
        return [self.exit_of(v) for v in self.variables]

    def exit_of(self, variable: LoopVariable) -> Tensor:
        """The last value of a loop variable, outside; it is built if an imported loop has it nowhere."""
        if variable.exit is None:
            with control_dependencies(None), self.entered():
                variable.exit = dataflow.exit(variable.switch.outputs[0])
        return variable.exit

    def to_proto(self, export_scope: str | None = None) -> Any:
        if not context_protos.is_exported(self, export_scope):
            return None

        def stripped(tensor: Tensor) -> str:
            return strip_name_scope(tensor.name, export_scope)

        assert self.condition is not None
        proto = context_protos.WhileContextDef(
            parallel_iterations=self.parallel_iterations,
            back_prop=self.back_prop,
            swap_memory=self.swap_memory,
            pivot_name=stripped(self.condition),
            pivot_for_pred_name=stripped(self.variables[0].merge),
            pivot_for_body_name=stripped(self.variables[0].value),
            loop_exit_names=[stripped(t) for t in self.loop_exits],
            loop_enter_names=[stripped(t) for t in self.loop_enters],
        )
        if self.maximum_iterations is not None:
            proto.maximum_iterations_name = stripped(self.maximum_iterations)
        return context_protos.fill_common(proto, self, export_scope)

    @classmethod
    def from_proto(cls, proto: Any, import_scope: str | None = None) -> WhileContext:
        def named(name: str) -> Any:
            return default_graph().as_graph_element(prepend_name_scope(name, import_scope))

        enters = [named(name) for name in proto.loop_enter_names]
        most = named(proto.maximum_iterations_name) if proto.maximum_iterations_name else None
        context = cls(
            proto.parallel_iterations, proto.back_prop, proto.swap_memory, name="", maximum_iterations=most
        )  # fmt: skip
        found = enters[0].op.context if enters else None
        if isinstance(found, cls) and {v.enter for v in found.variables} == set(enters):  # by its frame
            found.parallel_iterations, found.maximum_iterations = context.parallel_iterations, most
            found.back_prop, found.swap_memory = context.back_prop, context.swap_memory
            found.outer, context = context.outer, found
        context.name = prepend_name_scope(proto.context_name, import_scope)
        context.condition = named(proto.pivot_name)
        exits = [named(name) for name in proto.loop_exit_names]
        context.variables = [LoopVariable.found(*ends) for ends in zip(enters, exits, strict=True)]
        context_protos.take_over(context, proto, import_scope)
        for op in context.enters:  # the frame has the name of the loop, which the scope has changed
            op.attrs["frame_name"] = context.name
        return context

    # -- what comes in -------------------------------------------------------------------------

    def brought_in(self, tensor: Tensor) -> Tensor:
        """``tensor`` as every iteration sees it: a constant of the loop, or what the forward loop had."""
        context = output_context(tensor.op)
        if self.forward is not None and context is not None and context.loop is self.forward:
            return self._of_forward(tensor)
        if self.outer is not None:
            tensor = self.outer.inside(tensor)
            if tensor in self.seen_as:
                return self.seen_as[tensor]
        with control_dependencies(None):
            seen = dataflow.enter(tensor, self.name, True, self.parallel_iterations, use_input_shape=True)
        self._admit([seen])
        self.seen_as[tensor] = seen
        return seen

    def _of_forward(self, tensor: Tensor) -> Tensor:
        """What ``tensor`` was in the iteration of the forward loop that this one goes through."""
        assert self.forward is not None
        if dataflow.is_invariant(tensor.op) or tensor.op.type == "Identity":  # another name of what it reads
            return self.inside(tensor.op.inputs[0])
        if tensor.op.type == "Const":
            with self.at_body():
                return constants.constant(tensor.op.attrs["value"])
        return self.recalled(self.forward.history_of(tensor), tensor)

    def recalled(self, kept: Tensor, like: Tensor) -> Tensor:
        """What a history of the forward loop's ``like`` holds for the iteration that is gone through."""
        assert self.forward is not None
        if self.outer is not None:
            kept = self.outer.inside(kept)
        with control_dependencies(None):
            seen = dataflow.recall(kept, like, self.name)
        self._admit([seen])
        self.recalls.append(seen)
        for pred, branch in self.forward.guard_of(like):
            with self.at_body():
                seen = dataflow.of_branch(seen, self.inside(pred), bool(branch))
        return seen

    def at_body(self) -> Any:
        """Build in this loop, whatever branch of its body the program is in."""
        return _At(self.graph, self)

    def guard_of(self, tensor: Tensor) -> list[tuple[Tensor, bool | None]]:
        """The conditions, beside the loop's own, under which an iteration computes ``tensor``."""
        guard = within_iteration(self.guards.of_tensor(tensor))
        return [(pred, branch) for pred, branch in guard if branch is not None]

    def history_of(self, value: Tensor) -> Tensor:
        """The values of ``value`` in all iterations, outside of the loop."""
        with self.graph._lock:  # two threads may differentiate one loop
            if value not in self.histories:
                self.histories[value] = dataflow.history(value)
            return self.histories[value]

    def counted(self) -> Tensor:
        """How many iterations there were, outside of the loop."""
        with self.graph._lock:
            return self._counted()

    def _counted(self) -> Tensor:
        if self.count is None:
            with self.around():  # and so without the control inputs of the blocks around
                first = constants.constant(0, name="f_count")
                variable = self.carry(first, "f_count")
                with self.at_body():
                    following = arithmetic.add(variable.value, 1)
                self.end([variable], [following], ["f_count"])
            self.count = self.exit_of(variable)
        return self.count

    def around(self) -> Any:
        """Build where the loop itself stands."""
        return _At(self.graph, self.outer)

    def _admit(self, enters: Sequence[Tensor]) -> None:
        """Let what brings values in be of this loop; it waits for what the blocks around wait for."""
        graph = self.graph
        for tensor in enters:
            op = tensor.op
            op.context = self
            graph.prevent_feeding(tensor)
            graph.prevent_fetching(op)
            waits = graph._waits_for(op.inputs) if graph._scopes.waiting else []
            outside = [x for x in waits if self._is_around(output_context(x))]
            if outside:
                op._add_control_inputs(outside)
            for block in graph._scopes.waiting:
                block.built_inside.add(op)

    def _is_around(self, context: ControlFlowContext | None) -> bool:
        outer = self.outer
        while outer is not None and outer is not context:
            outer = outer.outer
        return outer is context

    def must_wait(self, inputs: Any, waits: list[Operation]) -> bool:
        recalled = all(op.type == "LoopRecall" for op in waits)  # what a gradient waits for may be recalled
        return recalled and all(dataflow.is_invariant(t.op) or t.op.type == "LoopRecall" for t in inputs)

    # -- building ------------------------------------------------------------------------------

    def begin(
        self, firsts: Sequence[Tensor], invariants: Sequence[Any] | None = None, names: Sequence[str] = ()
    ) -> list[LoopVariable]:
        """Carry values, from what they are before the first iteration on; ``invariants`` are their shapes."""
        labels = [*names, *[None] * (len(firsts) - len(names))]
        firsts = [t if self.outer is None else self.outer.inside(t) for t in firsts]
        with control_dependencies(None):
            enters = [
                dataflow.enter(
                    t,
                    self.name,
                    parallel_iterations=self.parallel_iterations,
                    use_input_shape=invariants is None,
                    name=name,
                )
                for t, name in zip(firsts, labels, strict=True)
            ]
        around = None if self.outer is None else self.outer.loop
        if around is not None:
            for tensor in enters:
                if dataflow.is_invariant(tensor.op.inputs[0].op):
                    tensor.op._add_control_inputs([around.pivot])
        for tensor, shape in zip(enters, invariants or (), strict=bool(invariants)):
            tensor.set_shape(shape)
        self._admit(enters)
        with self.entered():
            merges = [dataflow.merge([t, t], name=name)[0] for t, name in zip(enters, labels, strict=True)]
        variables = [LoopVariable(enter, merge) for enter, merge in zip(enters, merges, strict=True)]
        self.variables += variables
        return variables

    def decide(self, condition: Any) -> None:
        """Let the loop go on while ``condition``, a tensor inside of it, holds."""
        with self.entered():
            condition = dataflow.loop_cond(condition, name="LoopCond")
            self._switch(self.variables, condition)
        self.condition = condition

    def _switch(self, variables: Sequence[LoopVariable], condition: Tensor) -> None:
        switched = [dataflow.switch_beside(v.merge, condition) for v in variables]
        for variable, (_, value) in zip(variables, switched, strict=True):
            variable.switch = value.op
            variable.value = arrays.as_it_is(value)

    def end(self, variables: Sequence[LoopVariable], following: Sequence[Tensor], names: Sequence[str] = ()) -> None:
        """Let ``variables`` be ``following``, tensors of the body, in the next iteration; ``names`` are the exits'."""
        labels = [*names, *[None] * (len(variables) - len(names))]
        with self.entered():
            for variable, tensor in zip(variables, following, strict=True):
                variable.following = dataflow.next_iteration(tensor)
            for variable in variables:
                variable.merge.op._update_input(1, variable.following)
            for variable, name in zip(variables, labels, strict=True):
                variable.exit = dataflow.exit(variable.switch.outputs[0], name=name)

    def carry(self, first: Tensor, name: str) -> LoopVariable:
        """One more value, in a loop whose condition is built."""
        assert self.condition is not None
        with self.graph.control_dependencies(None):
            (variable,) = self.begin([first], names=[name])
            with self.entered():
                self._switch([variable], self.condition)
        return variable


class _At:
    """Build in a context, or in none, without the control inputs of the blocks around."""

    def __init__(self, graph: Graph, context: ControlFlowContext | None) -> None:
        self.graph = graph
        self.context = context
        self.cleared = control_dependencies(None)

    def __enter__(self) -> None:
        self.cleared.__enter__()
        self.graph._scopes.context = self.context

    def __exit__(self, *error: Any) -> None:
        self.cleared.__exit__(None, None, None)  # takes the context back too


register_proto_function(
    GraphKeys.WHILE_CONTEXT, lambda: context_protos.WhileContextDef(), WhileContext.to_proto, WhileContext.from_proto
)
