"""Specs, registries of statistics, nodes built from a ``NodeDef``, and the ops of TensorFlow's own tests."""

import copy
import pickle

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph.specs import BoundedTensorSpec, type_spec_from_value
from retrograd.tf.python.framework import ops
from retrograd.tf.python.util import nest


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize(
    "spec",
    [
        tf.TensorSpec([None, 3], tf.int32, "ids"),
        tf.TensorSpec(None),
        tf.SparseTensorSpec([4, None], tf.float64),
        tf.IndexedSlicesSpec([5, 10], tf.float32, tf.int32, tf.int64, [2]),
        BoundedTensorSpec([2], tf.float32, 0.0, [1.0, 2.0]),
    ],
)
def test_a_spec_equals_its_copies(spec):
    for twin in (pickle.loads(pickle.dumps(spec)), copy.copy(spec)):
        assert twin == spec
        assert hash(twin) == hash(spec)
    assert spec.is_compatible_with(spec)


def test_what_two_specs_have_in_common():
    a, b = tf.TensorSpec([2, 3], tf.int32, "a"), tf.TensorSpec([2, 5], tf.int32, "b")
    assert a.most_specific_compatible_type(b) == tf.TensorSpec([2, None], tf.int32)
    assert not a.is_compatible_with(b)
    assert tf.SparseTensorSpec([2, 3]).most_specific_compatible_type(tf.SparseTensorSpec([2])) == tf.SparseTensorSpec()
    with pytest.raises(ValueError, match="not compatible"):
        a.most_specific_compatible_type(tf.TensorSpec([2, 3]))


def test_a_spec_prints_as_in_tensorflow():
    assert repr(tf.TensorSpec([None, 3])) == "TensorSpec(shape=(?, 3), dtype=tf.float32, name=None)"
    assert repr(tf.SparseTensorSpec([2])) == "SparseTensorSpec(TensorShape([Dimension(2)]), tf.float32)"


def test_the_spec_of_a_value():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    assert tf.TensorSpec.from_tensor(x) == tf.TensorSpec([None, 2], tf.float32, "x")
    sparse = tf.SparseTensor([[0, 1]], [2.0], [3, 4])
    assert type_spec_from_value(sparse) == tf.SparseTensorSpec([3, 4])
    assert type_spec_from_value([x, x]) == tf.TensorSpec([2, None, 2])
    slices = tf.IndexedSlices(tf.zeros([3, 2]), tf.constant([0, 1, 2]))
    assert type_spec_from_value(slices) == tf.IndexedSlicesSpec([None, 2], indices_dtype=tf.int32, indices_shape=[3])
    assert type_spec_from_value(np.zeros([2, 1])) == tf.TensorSpec([2, 1], tf.float64)
    with pytest.raises(TypeError, match="Could not build a TypeSpec"):
        type_spec_from_value(object())


def test_specs_of_composite_tensors_are_structures():
    spec = tf.SparseTensorSpec([3, 4])
    flat = nest.flatten({"a": spec}, expand_composites=True)
    assert flat == [tf.TensorSpec([None, 2], tf.int64), tf.TensorSpec([None]), tf.TensorSpec([2], tf.int64)]
    sparse = tf.SparseTensor([[0, 1]], [2.0], [3, 4])
    packed = nest.pack_sequence_as({"a": spec}, nest.flatten(sparse, expand_composites=True), expand_composites=True)
    assert packed["a"].values is sparse.values


def test_composite_tensors_are_compared_by_their_specs():
    a, b = tf.SparseTensor([[0]], [1.0], [2]), tf.SparseTensor([[0]], [1], [2])
    slices = tf.IndexedSlices(tf.zeros([2]), tf.constant([0, 1]))
    nest.assert_same_structure(a, a._type_spec, expand_composites=True)
    nest.assert_same_structure(slices, slices._type_spec, expand_composites=True)
    with pytest.raises(ValueError, match="Incompatible CompositeTensor TypeSpecs: type=SparseTensorSpec"):
        nest.assert_same_structure(a, b, expand_composites=True)
    with pytest.raises(TypeError, match="has type SparseTensor, while second structure"):
        nest.assert_same_structure(a, slices, expand_composites=True)
    with pytest.raises(ValueError, match=r"vs\. type=IndexedSlicesSpec"):
        nest.assert_same_structure(a, slices, check_types=False, expand_composites=True)
    with pytest.raises(RuntimeError, match="Sparse dtype: requested = int32, actual = float32"):
        tf.convert_to_tensor_or_sparse_tensor(a, tf.int32)


def test_statistics_of_a_node():
    @ops.RegisterStatistics("Relu", "widgets")
    def _widgets(graph, node):
        return ops.OpStats("widgets", 20)

    node = ops._NodeDef("Relu", "relu")
    total = ops.get_stats_for_node_def(None, node, "widgets")
    total += ops.get_stats_for_node_def(None, node, "widgets")
    assert total.value == 40
    assert ops.get_stats_for_node_def(None, node, "gadgets").value is None
    with pytest.raises(KeyError, match="widgets"):
        ops.RegisterStatistics("Relu", "widgets")(_widgets)


def test_a_node_from_its_definition(graph):
    x = tf.constant([1.0, 2.0])
    op = tf.Operation(ops._NodeDef("Neg", "minus", device="/gpu:0"), graph, [x], [tf.float32])
    assert (op.name, op.device, op.outputs[0].shape.as_list()) == ("minus", "/device:GPU:0", [2])
    assert tf.negative(x, name="minus").op.name == "minus_1"
    with tf.Session() as session:
        assert session.run(op.outputs[0]).tolist() == [-1.0, -2.0]
    with pytest.raises(ValueError, match="Duplicate node name"):
        tf.Operation(ops._NodeDef("Neg", "minus"), graph, [x])
    with pytest.raises(ValueError, match="not a valid node name"):
        tf.Operation(ops._NodeDef("Neg", "_minus"), graph, [x])
    import_test_ops()
    with pytest.raises(ValueError, match="passed int32 expected float32"):
        tf.Operation(ops._NodeDef("FloatInput", "f"), graph, [tf.constant(1)])


def import_test_ops():
    from retrograd.tf.python.framework import test_ops

    return test_ops


def test_ops_of_tensorflows_tests():
    test_ops = import_test_ops()
    a, b = test_ops.float_output_string_output(name="both")
    assert (a.dtype, b.dtype, a.shape.ndims) == (tf.float32, tf.string, None)
    assert test_ops.default_attrs().get_attr("int_list_val") == [1, 2, 3]
    handle = test_ops.stub_resource_handle_op()
    create, there = test_ops.resource_create_op(handle), test_ops.resource_initialized_op(handle)
    with tf.Session() as session:
        assert not session.run(there)
        session.run(create)
        assert session.run(there)


def test_init_scope_leaves_functions_that_are_being_built():
    with tf.Graph().as_default() as outer, tf.Graph().as_default() as inner:
        inner._building_function = True
        with tf.name_scope("scope"), tf.init_scope():
            assert tf.constant(1).graph is outer
            assert tf.constant(1).name == "scope/Const_1:0"
    assert not inner.get_operations()


def test_resources_are_reported_until_they_are_initialized():
    from retrograd.tf.python.ops import resources

    test_ops = import_test_ops()
    handle = test_ops.stub_resource_handle_op(name="table")
    resources.register_resource(
        handle, test_ops.resource_create_op(handle), test_ops.resource_initialized_op(handle), is_shared=False
    )
    assert not resources.shared_resources()
    report = resources.report_uninitialized_resources()
    with tf.Session() as session:
        assert session.run(report).tolist() == [b"table:0"]
        session.run(resources.initialize_resources(resources.local_resources()))
        assert not session.run(report).size
