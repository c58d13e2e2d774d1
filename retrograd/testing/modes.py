"""Decorators that say in which mode and on which device a test runs: in graphs and eagerly, on the CPU."""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import gc
import itertools
import unittest
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.eager.context import eager_mode, enable_eager_execution, graph_mode
from retrograd.graph import stack
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import device as device_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops.philox import DEFAULT_GRAPH_SEED
from retrograd.ops.random import set_random_seed
from retrograd.testing.graph_difference import EqualGraphDefWrapper

Test = Callable[..., Any]


def _unchanged(func: Any = None) -> Any:
    """A decorator that leaves its function or class as it is, used with or without parentheses."""
    return func if func is not None else _unchanged


def InstallStackTraceHandler() -> None:
    """Say on stderr where every thread is when a signal ends the process."""
    faulthandler.enable()


def _skipped(reason: str) -> Callable[..., Any]:
    def decorator(func: Any = None) -> Any:
        return unittest.skip(reason)(func) if func is not None else decorator

    return decorator


run_deprecated_v1 = deprecated_graph_mode_only = _unchanged
run_v2_only = _skipped("Test is only compatible with v2")
run_gpu_only = _skipped("Test requires GPU")
run_cuda_only = _skipped("Test requires CUDA GPU")
also_run_as_tf_function = build_as_function_and_v1_graph = py_func_if_in_function = _unchanged
enable_control_flow_v2 = with_control_flow_v2 = enable_output_all_intermediates = _unchanged
enable_c_shapes = with_c_shapes = use_deterministic_cudnn = _unchanged


def run_v1_only(reason: str, func: Any = None) -> Any:
    """A test of TensorFlow 1's behaviour, which is the only one here."""
    return _unchanged(func)


def disable_xla(description: str) -> Any:
    """A test that is not run under TensorFlow's own XLA bridge."""
    return _unchanged


no_xla_auto_jit = xla_allow_fallback = enable_tf_xla_constant_folding = disable_control_flow_v2 = disable_xla


def run_in_graph_and_eager_modes(
    func: Any = None,
    config: Any = None,
    use_gpu: bool = True,
    reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """Run a test in a graph with a default session, and then eagerly beside a new one; ``reset_test``, set up anew."""

    def decorator(test: Test) -> Test:
        if isinstance(test, type):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods.")

        @functools.wraps(test)
        def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
            with graph_mode(), self.test_session(use_gpu=use_gpu, config=config):
                test(self, *args, **kwargs)
            if reset_test:
                self.tearDown()
                self._tempdir = None
            with Graph().as_default(), eager_mode():
                if reset_test:
                    self.setUp()
                set_random_seed(DEFAULT_GRAPH_SEED)
                test(self, *args, **kwargs)

        return decorated

    return decorator if func is None else decorator(func)


def for_all_test_methods(decorator: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[[type], type]:
    """Decorate every method of a class that is a test."""

    def decorate(cls: type) -> type:
        for name in unittest.TestLoader().getTestCaseNames(cls):  # type: ignore[arg-type]
            if name in vars(cls) and name not in ("test_session",):
                setattr(cls, name, decorator(*args, **kwargs)(vars(cls)[name]))
        return cls

    return decorate


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """``run_in_graph_and_eager_modes`` on every test of a class whose name does not ask to be left out."""
    left_out = ("test_session", "testSkipEager", "test_skip_eager")
    for name, test in list(vars(cls).items()):
        if name.startswith("test") and callable(test) and not name.startswith(left_out):
            setattr(cls, name, run_in_graph_and_eager_modes(test))
    return cls


def assert_no_new_pyobjects_executing_eagerly(test: Test) -> Test:
    """Run a test eagerly, and fail if running it again and again leaves more and more objects."""

    @functools.wraps(test)
    def decorated(self: Any, *args: Any, **kwargs: Any) -> None:
        with eager_mode():
            test(self, *args, **kwargs)
            gc.collect()
            before = len(gc.get_objects())
            for _ in range(5):
                test(self, *args, **kwargs)
            gc.collect()
            more = len(gc.get_objects()) - before
        if more > 20:  # what Python itself keeps, such as code that was specialised
            raise AssertionError(f"{more} objects more after 5 runs")

    return decorated


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[dict[str, Any]]:
    """Parameters of tests: every choice of one value from each argument's list, with a ``testcase_name``.

    >>> generate_combinations_with_testcase_name(size=[1, 2])[0]
    {'size': 1, 'testcase_name': '_test_size_1'}
    """
    names = sorted(kwargs)
    choices = [v if isinstance(v, list) else [v] for v in (kwargs[name] for name in names)]
    combinations = [dict(zip(names, values, strict=True)) for values in itertools.product(*choices)]
    for combination in combinations:
        parts = [("".join(filter(str.isalnum, str(part))) for part in pair) for pair in combination.items()]
        combination["testcase_name"] = "_test" + "".join(f"_{name}_{value}" for name, value in parts)
    return combinations


def skip_if(condition: Any) -> Callable[[Test], Test]:
    """Leave a test out if ``condition``, a bool or a function, holds."""

    def decorator(test: Test) -> Test:
        @functools.wraps(test)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            if condition() if callable(condition) else condition:
                return None
            return test(*args, **kwargs)

        return decorated

    return decorator


def assert_no_new_tensors(test: Test) -> Test:
    """Fail if tensors outlive the test's own graph."""

    @functools.wraps(test)
    def decorated(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = {id(x) for x in gc.get_objects() if isinstance(x, Tensor)}
        mode = eager_mode() if stack.default_graph().is_eager else contextlib.nullcontext()
        with Graph().as_default(), mode:
            result = test(self, *args, **kwargs)
        gc.collect()
        left = [x for x in gc.get_objects() if isinstance(x, Tensor) and id(x) not in before]
        if left:
            raise AssertionError(f"{len(left)} Tensors not deallocated after test: {left[:5]}")
        return result

    return decorated


def assert_no_garbage_created(test: Test) -> Test:
    """A test that makes no reference cycles; a graph is one, so nothing is held against it here."""
    return test


# -- devices -----------------------------------------------------------------------------------


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether kernels of an interpreted run can use a GPU: never."""
    return False


def gpu_device_name() -> str:
    """The name of the first GPU, or ``""``."""
    return ""


def is_built_with_cuda() -> bool:
    return False


is_built_with_gpu_support = is_built_with_rocm = is_xla_enabled = is_built_with_cuda
IsGoogleCudaEnabled = IsBuiltWithROCm = IsMklEnabled = GpuSupportsHalfMatMulAndConv = is_built_with_cuda


@contextlib.contextmanager
def device(use_gpu: bool) -> Iterator[None]:
    """Build the block's ops on the GPU if there is one and ``use_gpu``, else on the CPU."""
    with device_scope("/device:CPU:0"):
        yield


use_gpu = force_gpu = force_cpu = functools.partial(device, False)


# -- data formats and graphs -------------------------------------------------------------------

_TO_NCHW = {4: [0, 3, 1, 2], 5: [0, 4, 1, 2, 3]}
_TO_NHWC = {4: [0, 2, 3, 1], 5: [0, 2, 3, 4, 1]}


def _permuted(value: Any, orders: dict[int, list[int]]) -> Any:
    if isinstance(value, Tensor):
        from retrograd.ops.permuting import transpose

        assert value.rank is not None
        return transpose(value, orders[value.rank])
    items = list(value)
    result = [items[i] for i in orders[len(items)]]
    return np.array(result) if isinstance(value, np.ndarray) else result


def NHWCToNCHW(input_tensor: Any) -> Any:
    """A tensor or a shape with the channels moved from the last place to the second."""
    return _permuted(input_tensor, _TO_NCHW)


def NCHWToNHWC(input_tensor: Any) -> Any:
    """A tensor or a shape with the channels moved from the second place to the last."""
    return _permuted(input_tensor, _TO_NHWC)


def assert_ops_in_graph(expected_ops: dict[str, str], graph: Any) -> dict[str, Any]:
    """The nodes of these names and types.

    Raises:
      ValueError: a node has another type, or is missing.
    """
    found = {}
    for node in graph.as_graph_def().node:
        if node.name in expected_ops:
            if expected_ops[node.name] != node.op:
                raise ValueError(
                    f"Expected op for node {node.name} is different. {expected_ops[node.name]} vs {node.op}"
                )
            found[node.name] = node
    if set(found) != set(expected_ops):
        raise ValueError(f"Not all expected ops are present. Expected {expected_ops.keys()}, found {found.keys()}")
    return found


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """The node of a GraphDef called ``node_name``, or None."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def assert_equal_graph_def(
    actual: Any, expected: Any, checkpoint_v2: bool = False, hash_table_shared_name: bool = False
) -> None:
    """Two GraphDefs have equal nodes, in any order.

    Raises:
      AssertionError: they have not.
    """
    difference = EqualGraphDefWrapper(actual.SerializeToString(), expected.SerializeToString())
    if difference:
        raise AssertionError(difference.decode())


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Two MetaGraphDefs have equal nodes in any order, and equal collections and settings."""
    from retrograd.graph.collection_protos import get_collection_proto_type

    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key in a.collection_def:
        ours, theirs = a.collection_def[key], b.collection_def[key]
        make = get_collection_proto_type(key)
        if make is None:
            tester.assertEqual(ours, theirs)
        else:
            pairs = zip(ours.bytes_list.value, theirs.bytes_list.value, strict=True)
            for one, other in pairs:
                tester.assertProtoEquals(type(make()).FromString(one), type(make()).FromString(other))
    assert_equal_graph_def(a.graph_def, b.graph_def, checkpoint_v2=True)
    tester.assertProtoEquals(a.graph_def.versions, b.graph_def.versions)
    for field in ("collection_def", "graph_def"):
        a.ClearField(field)
        b.ClearField(field)
    tester.assertProtoEquals(a, b)


def set_producer_version(graph: Any, producer_version: int) -> None:
    """Let ``graph`` say that it was made by another version."""
    graph.graph_def_versions = type("Versions", (), {"producer": producer_version, "min_consumer": 0})


# -- the program -------------------------------------------------------------------------------


def main(argv: Any = None) -> None:
    """Run the tests of ``__main__``; of the command line they get what no flag took."""
    import sys

    from absl import flags
    from absl.testing import absltest

    absltest.main(argv=flags.FLAGS(sys.argv if argv is None else argv, known_only=True))


def eager_main(argv: Any = None) -> None:
    """Run the tests of ``__main__`` eagerly."""
    enable_eager_execution()
    main(argv)


def get_temp_dir() -> str:
    """A folder for the files of tests."""
    import tempfile

    global _temp_dir
    if _temp_dir is None:
        _temp_dir = tempfile.mkdtemp(prefix="retrograd_test_")
    return _temp_dir


_temp_dir: str | None = None


def test_src_dir_path(relative_path: str) -> str:
    """The path of a file of the sources that the environment's ``TEST_SRCDIR`` names."""
    import os

    return os.path.join(os.environ.get("TEST_SRCDIR", ""), "org_tensorflow/tensorflow", relative_path)


test_src_dir_path.__test__ = False  # type: ignore[attr-defined]
