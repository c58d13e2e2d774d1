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
