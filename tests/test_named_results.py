"""Ops of several outputs give them by name: the types and fields that TensorFlow 1.15.5 gives."""

import pytest

from retrograd import tf

_IDS = [[1]]
_SAMPLED = ("sampled_candidates", "true_expected_count", "sampled_expected_count")
_POOLED = ("output", "row_pooling_sequence", "col_pooling_sequence")
_QUANTIZED = ("output", "output_min", "output_max")


def _bytes():
    return tf.bitcast(tf.constant([1], tf.uint8), tf.quint8)


CASES = {
    "QuantizeV2": (lambda: tf.quantization.quantize([1.0, 2.0], 0.0, 1.0, tf.quint8), _QUANTIZED),
    "QuantizedConcat": (
        lambda: tf.quantization.quantized_concat(0, [_bytes(), _bytes()], [0.0, 0.0], [1.0, 1.0]),
        _QUANTIZED,
    ),
    "LogMatrixDeterminant": (lambda: tf.linalg.slogdet([[2.0]]), ("sign", "log_abs_determinant")),
    "FractionalMaxPool": (lambda: tf.nn.fractional_max_pool(tf.zeros([1, 4, 4, 1]), [1, 1.5, 1.5, 1]), _POOLED),
    "FractionalAvgPool": (lambda: tf.nn.fractional_avg_pool(tf.zeros([1, 4, 4, 1]), [1, 1.5, 1.5, 1]), _POOLED),
    "LogUniformCandidateSampler": (lambda: tf.random.log_uniform_candidate_sampler(_IDS, 1, 1, True, 10), _SAMPLED),
    "ComputeAccidentalHits": (lambda: tf.nn.compute_accidental_hits(_IDS, [1], 1), ("indices", "ids", "weights")),
    "DecodeWav": (lambda: tf.audio.decode_wav(""), ("audio", "sample_rate")),
    "ReaderReadV2": (lambda: tf.WholeFileReader().read(tf.FIFOQueue(1, [tf.string])), ("key", "value")),
    "ReaderReadUpToV2": (
        lambda: tf.TFRecordReader().read_up_to(tf.FIFOQueue(1, [tf.string]), 2),
        ("keys", "values"),
    ),
    "UniqueWithCounts": (lambda: tf.unique_with_counts([1, 1]), ("y", "idx", "count")),
    "TopKV2": (lambda: tf.nn.top_k([1.0, 2.0]), ("values", "indices")),
}


@pytest.mark.parametrize("name", CASES)
def test_outputs_have_names(name):
    call, fields = CASES[name]
    with tf.Graph().as_default():
        result = call()
    assert (type(result).__name__, type(result)._fields) == (name, fields)


def test_a_session_gives_the_names_back():
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.linalg.slogdet([[-2.0]])).sign == -1
