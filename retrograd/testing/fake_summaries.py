"""A writer of summaries that only remembers them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from retrograd.io.event_files import FileWriterCache
from retrograd.testing.modes import assert_meta_graph_protos_equal


class FakeSummaryWriter:
    """Has the methods of a ``FileWriter``, and writes nothing."""

    _replaced_summary_writer: Any = None

    @classmethod
    def install(cls) -> None:
        """Let ``FileWriterCache`` make writers of this kind.

        Raises:
          ValueError: it does already.
        """
        if cls._replaced_summary_writer is not None:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced_summary_writer, FileWriterCache._kind = FileWriterCache._kind, cls

    @classmethod
    def uninstall(cls) -> None:
        """Let it make what it made before.

        Raises:
          ValueError: ``install`` was not called.
        """
        if cls._replaced_summary_writer is None:
            raise ValueError("FakeSummaryWriter not installed.")
        FileWriterCache._kind, cls._replaced_summary_writer = cls._replaced_summary_writer, None

    def __init__(self, logdir: str, graph: Any = None) -> None:
        self._logdir, self._graph = logdir, graph
        self._summaries: dict[int, list[Any]] = defaultdict(list)
        self._added_graphs: list[Any] = []
        self._added_meta_graphs: list[Any] = []
        self._added_session_logs: list[Any] = []
        self._added_run_metadata: dict[str, Any] = {}

    @property
    def summaries(self) -> dict[int, list[Any]]:
        """The summaries of each step."""
        return self._summaries

    def add_summary(self, summ: Any, current_global_step: int) -> None:
        """Remember a summary, a proto or one serialized."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        self._summaries[current_global_step].append(Summary.FromString(summ) if isinstance(summ, bytes) else summ)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Remember a graph.

        Raises:
          ValueError: a step or a ``GraphDef`` is given.
        """
        if global_step is not None and global_step > 0:
            raise ValueError("Expected global_step to be None or 0.")
        if graph_def is not None:
            raise ValueError("Expected graph_def to be None.")
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Remember a ``MetaGraphDef``.

        Raises:
          ValueError: a step is given.
        """
        if global_step is not None and global_step > 0:
            raise ValueError("Expected global_step to be None or 0.")
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Remember a note about the session."""
        self._added_session_logs.append(session_log)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Remember the trace of a run.

        Raises:
          ValueError: a step is given.
        """
        if global_step is not None and global_step > 0:
            raise ValueError("Expected global_step to be None or 0.")
        self._added_run_metadata[tag] = run_metadata

    def flush(self) -> None:
        """Nothing."""

    def reopen(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""

    def assert_summaries(
        self, test_case: Any, expected_logdir: Any = None, expected_graph: Any = None, expected_summaries: Any = None,
        expected_added_graphs: Any = None, expected_added_meta_graphs: Any = None, expected_session_logs: Any = None,
    ) -> None:  # fmt: skip
        """Assert what was made and added; ``expected_summaries`` are the numbers of each tag of each step."""
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for step, numbers in (expected_summaries or {}).items():
            test_case.assertIn(step, self._summaries)
            values = [value for summary in self._summaries[step] for value in summary.value]
            test_case.assertEqual(numbers, {v.tag: v.simple_value for v in values if v.HasField("simple_value")})
        if expected_added_graphs is not None:
            test_case.assertEqual(expected_added_graphs, self._added_graphs)
        if expected_added_meta_graphs is not None:
            test_case.assertEqual(len(expected_added_meta_graphs), len(self._added_meta_graphs))
            for expected, added in zip(expected_added_meta_graphs, self._added_meta_graphs, strict=True):
                assert_meta_graph_protos_equal(test_case, expected, added)
        if expected_session_logs is not None:
            test_case.assertEqual(expected_session_logs, self._added_session_logs)
