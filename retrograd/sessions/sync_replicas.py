"""``SyncReplicasOptimizer``: a step is the mean of the gradients of several workers; here all are one process.

Each worker adds its gradients to accumulators and waits for a token; a thread of the chief takes the mean once there
is enough of it, makes the step and hands out tokens for the next.  Source: Chen et al., 2016.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes, log, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, control, state
from retrograd.ops.accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from retrograd.ops.queue_classes import FIFOQueue
from retrograd.sessions.hooks import SessionRunHook
from retrograd.sessions.manager import _ready as ready
from retrograd.state.initialization import global_variables, report_uninitialized_variables
from retrograd.state.variables import VariableV1
from retrograd.train.optimizer import Optimizer
from retrograd.train.queue_runner import QueueRunner
from retrograd.train.wrapping import WrappingOptimizer


class SyncReplicasOptimizer(Optimizer):  # its only base, as libraries check
    """Applies the mean of ``replicas_to_aggregate`` gradients, by another optimizer.

    Args:
      total_num_replicas: how many workers there are; more than are waited for are backups.
      variable_averages: moving averages to be kept of ``variables_to_average``.
    """

    def __init__(
        self,
        opt: Optimizer,
        replicas_to_aggregate: int,
        total_num_replicas: int | None = None,
        variable_averages: Any = None,
        variables_to_average: Any = None,
        use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        super().__init__(use_locking, name)
        self._opt = opt
        log.info("SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s", replicas_to_aggregate, total)
        self._replicas_to_aggregate = replicas_to_aggregate
        self._total_num_replicas = total
        self._tokens_per_step = max(total, replicas_to_aggregate)
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._gradients_applied = False
        self._global_step: Any = None
        self._sync_token_queue: Any = None
        self._chief_queue_runner: Any = None
        self._accumulator_list: list[tuple[Any, str]] = []

    compute_gradients: Any = WrappingOptimizer.compute_gradients
    get_slot: Any = WrappingOptimizer.get_slot
    get_slot_names: Any = WrappingOptimizer.get_slot_names

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """An op that adds the gradients of one worker, and ends when it may go on.

        Raises:
          ValueError: there are no variables, or no global step.
        """
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        kind = global_step.dtype.base_dtype
        with scopes.colocate_with(control.no_op()):
            self._local_step = VariableV1(
                initial_value=0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], dtype=kind,
                name="sync_rep_local_step",
            )  # fmt: skip
        self.local_step_init_op = state.assign(self._local_step, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        with name_scope(None, self._name):
            adding, means = self._accumulated(grads_and_vars)
            with scopes.device(global_step.device), name_scope(""):
                step = self._opt.apply_gradients(means, global_step)
            with scopes.device(global_step.device), name_scope(""):
                tokens = FIFOQueue(-1, kind, shapes=(), name="sync_token_q", shared_name="sync_token_q")
                self._sync_token_queue = tokens
                idle = FIFOQueue(1, dtypes.int32, shapes=(), name="dummy_queue", shared_name="dummy_queue")
            with scopes.device(global_step.device), name_scope(""):
                with control_dependencies(adding):
                    token = tokens.dequeue()
                train_op = state.assign(self._local_step, token)
                with control_dependencies([step]):
                    sync = tokens.enqueue_many((constants.fill([self._tokens_per_step], global_step),))
                if self._variable_averages is not None:
                    with control_dependencies([sync]), name_scope(""):
                        sync = self._variable_averages.apply(self._variables_to_average)
                self._chief_queue_runner = QueueRunner(idle, [sync])
            starts: list[Any] = [self.local_step_init_op]
            for accumulator, device in self._accumulator_list:
                with scopes.device(device):
                    starts.append(accumulator.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = control.group(*starts)
            self._gradients_applied = True
            return train_op

    def _accumulated(self, grads_and_vars: Any) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """The ops that add each gradient, and the means with their variables."""
        adding, means = [], []
        wanted = self._replicas_to_aggregate
        for grad, var in grads_and_vars:
            with scopes.device(var.device):
                if grad is None:
                    means.append((None, var))
                    continue
                shared = f"{var.name}/grad_accum"
                accumulator: Any
                if isinstance(grad, Tensor):
                    accumulator = ConditionalAccumulator(grad.dtype, shape=var.shape, shared_name=shared)
                    adding.append(accumulator.apply_grad(grad, local_step=self._local_step))
                    means.append((accumulator.take_grad(wanted), var))
                elif isinstance(grad, IndexedSlices):
                    accumulator = SparseConditionalAccumulator(grad.dtype, shape=(), shared_name=shared)
                    adding.append(accumulator.apply_indexed_slices_grad(grad, local_step=self._local_step))
                    means.append((accumulator.take_indexed_slices_grad(wanted), var))
                else:
                    raise ValueError("Unknown grad type!")
                self._accumulator_list.append((accumulator, var.device))
        return adding, means

    def get_chief_queue_runner(self) -> QueueRunner:
        """The runner whose thread makes the steps.

        Raises:
          ValueError: there are no gradients yet.
        """
        if not self._gradients_applied:
            raise ValueError("Should be called after apply_gradients().")
        runner: QueueRunner = self._chief_queue_runner
        return runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Any:
        """An op that hands out the tokens of the first step.

        Raises:
          ValueError: there are no gradients yet, or too few tokens for the first step.
        """
        if not self._gradients_applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        if num_tokens == -1:
            num_tokens = self._replicas_to_aggregate
        elif num_tokens < needed:
            raise ValueError(f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} (needed)")
        if num_tokens <= 0:
            return control.no_op(name="no_init_tokens")
        with scopes.device(self._global_step.device), name_scope(""):
            return self._sync_token_queue.enqueue_many((constants.fill([num_tokens], self._global_step),))

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """A hook that initializes what workers share, and starts the chief's thread."""
        return _SyncReplicasHook(self, is_chief, num_tokens)

    def variables(self) -> Any:
        """Those of the optimizer."""
        return self._opt.variables()


class _SyncReplicasHook(SessionRunHook):
    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._sync_optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens

    def begin(self) -> None:
        optimizer = self._sync_optimizer
        if not optimizer._gradients_applied:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        self._runner = self._tokens = None
        self._start = optimizer.local_step_init_op
        if self._is_chief:
            self._start = optimizer.chief_init_op
            self._runner = optimizer.get_chief_queue_runner()
            self._tokens = optimizer.get_init_tokens_op(self._num_tokens)

    def after_create_session(self, session: Any, coord: Any) -> None:
        is_ready, text = ready(self._sync_optimizer.ready_for_local_init_op, session)
        if not is_ready:
            raise RuntimeError(
                "Init operations did not make model ready for SyncReplicasOptimizer local_init. "
                f"Init op: {self._start.name}, error: {text}"
            )
        session.run(self._start)
        if self._tokens is not None:
            session.run(self._tokens)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
