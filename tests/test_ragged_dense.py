"""``RaggedTensorToTensor``; values, shapes and words as TensorFlow 1.15.5 gives them."""

import numpy as np
import pytest

from retrograd import tf

SIZE, IDS, SPLITS = "FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"


def dense(shape, values, default, parts, types):
    return tf.raw_ops.RaggedTensorToTensor(
        shape=np.array(shape, np.int64), values=np.array(values), default_value=np.array(default),
        row_partition_tensors=[np.array(p, np.int64) for p in parts], row_partition_types=types,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "values", "default", "parts", "types", "static", "wanted"),
    [
        ([-1, -1], [1, 2, 3], 0, [[0, 2, 2, 3]], [SPLITS], "(?, ?)", [[1, 2], [0, 0], [3, 0]]),
        ([2, 4], [1, 2, 3], 9, [[0, 2, 2, 3]], [SPLITS], "(2, 4)", [[1, 2, 9, 9], [9, 9, 9, 9]]),
        ([5, 1], [1, 2, 3], 9, [[0, 2, 2, 3]], [SPLITS], "(5, 1)", [[1], [9], [3], [9], [9]]),
        (-1, [1, 2, 3], 0, [3, [0, 0, 2]], [SIZE, IDS], "(?, ?)", [[1, 2], [0, 0], [3, 0]]),
        ([-1, -1, -1], [1, 2, 3, 4], 0, [2, [0, 1, 1], [0, 2, 2, 4]], [SIZE, IDS, SPLITS], "(?, ?, ?)",
         [[[1, 2], [0, 0]], [[0, 0], [3, 4]]]),
        ([-1, -1, 2], [[1, 2], [3, 4], [5, 6]], [7, 8], [[0, 1, 3]], [SPLITS], "(?, ?, 2)",
         [[[1, 2], [7, 8]], [[3, 4], [5, 6]]]),
        ([-1, -1], [1, 2, 3], 0, [3, [0, 2, 0]], [SIZE, IDS], "(?, ?)", [[3], [0], [2]]),
        ([-1, -1], np.zeros(0, int), 0, [[0, 0]], [SPLITS], "(?, ?)", [[]]),
    ],
)  # fmt: skip
def test_values_and_shapes(shape, values, default, parts, types, static, wanted):
    with tf.Graph().as_default(), tf.Session() as sess:
        result = dense(shape, values, default, parts, types)
        assert str(result.shape) == static
        assert sess.run(result).tolist() == wanted


@pytest.mark.parametrize(
    ("shape", "parts", "types", "words"),
    [
        ([-1, -1], [[0, 2]], ["FOO"], "Unknown string for partition info type: FOO for 'Ragged"),
        ([-1, -1], [3], [SIZE], "FIRST_DIM_SIZE must be followed by VALUE_ROWIDS for"),
        ([-1, -1], [[0, 2, 3]], [IDS], "VALUE_ROWIDS cannot be first for"),
        ([-1, -1, 3], [[0, 3]], [SPLITS], "Value and shape dimension are inconsistent. for"),
    ],
)
def test_what_is_refused_while_building(shape, parts, types, words):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=f"^{words}"):
        dense(shape, [1, 2, 3], 0, parts, types)


@pytest.mark.parametrize(
    ("default", "words"),
    [
        ([1, 2, 3], "default_value_shape and value_shape do not match on dimension 0"),
        ([[1, 2, 3]], "default_value_shape and value_shape do not match on dimension 1"),
        ([[[[1]]]], "default_value_shape must have no more dimensions than the value. default_value_shape: dim {"),
    ],
)
def test_a_default_has_the_shape_of_a_value_or_is_broadcast_to_it(default, words):
    parts = [[[0, 2, 3]], [SPLITS]]
    values = np.arange(12).reshape(3, 2, 2)
    with tf.Graph().as_default(), tf.Session() as sess:
        for fitting in ([[1], [2]], [[[1], [2]]]):
            made = sess.run(dense([-1] * 4, values, fitting, *parts))
            assert made[1].tolist() == [[[8, 9], [10, 11]], [[1, 1], [2, 2]]]
        with pytest.raises(ValueError, match=f"^{words}"):
            dense([-1] * 4, values, default, *parts)
        later = tf.placeholder_with_default(np.array(default, values.dtype), None)
        made = tf.raw_ops.RaggedTensorToTensor(
            shape=[-1] * 4, values=values, default_value=later, row_partition_tensors=[np.int64([0, 2, 3])],
            row_partition_types=[SPLITS],
        )  # fmt: skip
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{words}"):
            sess.run(made)


def test_ragged_tensors_as_dense_ones_and_with_defaults():
    from retrograd.tf.python.ops.ragged import ragged_batch_gather_with_default_op as gathering
    from retrograd.tf.python.ops.ragged import ragged_conversion_ops

    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.ragged.constant([[1, 2, 3], [], [4]])
        made = ragged_conversion_ops.ragged_to_dense(rows, 9, shape=[None, 2])
        assert sess.run(made).tolist() == [[1, 2], [9, 9], [4, 9]]
        by_ids = tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=3)
        assert sess.run(ragged_conversion_ops.ragged_to_dense(by_ids)).tolist() == [[1, 2], [0, 0], [3, 0]]
        gather = gathering.batch_gather_with_default
        found = sess.run(gather(rows, tf.ragged.constant([[2, -1], [0], [0, 7]]), 0))
        assert found.to_list() == [[3, 0], [0], [4, 0]]
        words = gather([["a", "b"], ["c", "d"]], [[1, 2], [-1, 0]], "?")
        assert sess.run(words).tolist() == [[b"b", b"?"], [b"?", b"c"]]
        nested = tf.ragged.constant([[["a"], ["b", "c"]], []])
        assert sess.run(gather(nested, tf.ragged.constant([[1, 5], []], tf.int32), "?")).to_list() == [
            [[b"b", b"c"], [b"?"]], []
        ]  # fmt: skip
        with pytest.raises(ValueError, match=r'^"default_value" must be a scalar or vector'):
            gather([[1]], [[0]], [[1]])
        with pytest.raises(ValueError, match=r"^Indices must have a known rank"):
            gather([[1]], tf.placeholder(tf.int32), 0)


def test_map_fn_takes_and_gives_rows_of_different_lengths():
    from retrograd.tf.python.ops.ragged import ragged_map_ops
    from retrograd.tf.python.ops.ragged.ragged_tensor import RaggedTensorType

    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.ragged.constant([[1, 2, 3], [], [4]], dtype=tf.float32)
        sums = ragged_map_ops.map_fn(tf.reduce_sum, rows)
        kind = RaggedTensorType(tf.float32, 1)
        squares = ragged_map_ops.map_fn(lambda x: {"y": x["x"] ** 2}, {"x": rows}, {"y": kind}, infer_shape=False)["y"]
        assert sess.run(sums).tolist() == [6.0, 0.0, 4.0]
        assert sess.run(squares).to_list() == [[1.0, 4.0, 9.0], [], [16.0]]
        with pytest.raises(ValueError, match=r"^The declared ragged rank \(2\) mismatches the result \(1\)"):
            ragged_map_ops.map_fn(lambda x: x, rows, RaggedTensorType(tf.float32, 2))
        with pytest.raises(ValueError, match=r"^The declared dtype \(<dtype: 'int32'>\) mismatches"):
            ragged_map_ops.map_fn(lambda x: x, rows, RaggedTensorType(tf.int32, 1))


def test_what_a_run_refuses():
    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(tf.errors.InternalError, match=r"^Values and indices must be equal"):
            sess.run(dense([-1, -1], [1, 2, 3], 0, [[0, 2, 5]], [SPLITS]))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^Row ids must be in \[0, 3\)"):
            sess.run(dense([-1, -1], [1, 2, 3], 0, [3, [0, 2, 5]], [SIZE, IDS]))


def test_constants_from_files_and_summaries_by_node_names(tmp_path):
    path = tmp_path / "numbers"
    path.write_bytes(np.arange(4, dtype=np.float32).tobytes())
    raw = tf.raw_ops
    with tf.Graph().as_default(), tf.Session() as sess:
        read = raw.ImmutableConst(dtype=tf.float32, shape=[2, 2], memory_region_name=str(path))
        assert sess.run(read).tolist() == [[0.0, 1.0], [2.0, 3.0]]
        with pytest.raises(tf.errors.InternalError, match=r"^Readonly memory region has wrong length \(16\) when all"):
            sess.run(raw.ImmutableConst(dtype=tf.float32, shape=[2, 3], memory_region_name=str(path)))
        with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
            sess.run(raw.ImmutableConst(dtype=tf.float32, shape=[2], memory_region_name=str(path) + "x"))
        summary = raw.TensorSummary(tensor=np.float32([1, 2]), display_name="q", name="bar/foo")
        recorded = b'\n\x1d:\x07bar/fooB\x12\x08\x01\x12\x04\x12\x02\x08\x02"\x08\x00\x00\x80?\x00\x00\x00@'
        assert sess.run(summary) == recorded
        sampler = raw.ThreadUnsafeUnigramCandidateSampler(
            true_classes=np.int64([[1, 2]]), num_true=2, num_sampled=3, unique=False, range_max=6, seed=4, seed2=5
        )
        assert [sess.run(sampler).sampled_candidates.tolist() for _ in range(3)] == [[2, 3, 5], [5, 1, 0], [2, 4, 1]]
