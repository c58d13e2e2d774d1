"""Small programs over candidate samplers, sampled losses and CTC, as those of ``convolution_cases.py``."""

import numpy as np

CASES = {}
TRUE = np.array([[0, 3], [7, 1]], np.int64)
WEIGHTS = np.random.RandomState(0).rand(20, 4).astype(np.float32)
BIASES = np.random.RandomState(1).rand(20).astype(np.float32)
INPUTS = np.random.RandomState(2).rand(3, 4).astype(np.float32)
LABELS = np.array([[1], [0], [6]])


def sampled(name, *arguments, **options):
    return lambda tf: list(getattr(tf.nn, name)(TRUE, 2, 5, *arguments, seed=5, **options))


for unique in (True, False):
    CASES["uniform_candidate_sampler/%s" % unique] = sampled("uniform_candidate_sampler", unique, 20)
    CASES["log_uniform_candidate_sampler/%s" % unique] = sampled("log_uniform_candidate_sampler", unique, 20)
    CASES["learned_unigram_candidate_sampler/%s" % unique] = sampled("learned_unigram_candidate_sampler", unique, 10)
    CASES["fixed_unigram_candidate_sampler/%s" % unique] = sampled(
        "fixed_unigram_candidate_sampler", unique, 10, unigrams=list(range(1, 11))
    )
CASES["fixed_unigram_candidate_sampler/options"] = sampled(
    "fixed_unigram_candidate_sampler", False, 10, unigrams=list(range(1, 9)), distortion=0.5, num_reserved_ids=2
)
CASES["all_candidate_sampler"] = sampled("all_candidate_sampler", True)
CASES["compute_accidental_hits"] = lambda tf: list(
    tf.nn.compute_accidental_hits(TRUE, np.array([3, 5, 0, 3], np.int64), 2)
)


def loss(function, parts=1, **options):
    """A sampled loss, and its gradient as dense numbers."""

    def case(tf):
        tables = [tf.constant(w) for w in np.split(WEIGHTS, parts)]
        biases, inputs = tf.constant(BIASES), tf.constant(INPUTS)
        labels = tf.constant(LABELS if options.get("num_true", 1) == 1 else np.concatenate([LABELS, LABELS + 1], 1))
        y = getattr(tf.nn, function)(tables if parts > 1 else tables[0], biases, labels, inputs, 6, 20, **options)
        slopes = tf.gradients(y, [*tables, biases, inputs])
        return [y, *[tf.convert_to_tensor(g) for g in slopes]]

    return case


for name in ("nce_loss", "sampled_softmax_loss"):
    CASES[name] = loss(name)
    CASES["%s/two" % name] = loss(name, num_true=2, name="two")
    CASES["%s/parts" % name] = loss(name, parts=2, partition_strategy="div", remove_accidental_hits=True)

# -- connectionist temporal classification -----------------------------------------------------

LOGITS = np.random.RandomState(3).randn(6, 3, 4).astype(np.float32)


def sparse(tf, rows):
    places = [(b, i) for b, row in enumerate(rows) for i in range(len(row))]
    values = np.array([v for row in rows for v in row], np.int32)
    return tf.SparseTensor(np.array(places, np.int64), values, np.array([len(rows), max(map(len, rows))], np.int64))


def timed(rows, lengths=(6, 4, 5), **options):
    def case(tf):
        x = tf.constant(LOGITS)
        y = tf.nn.ctc_loss(sparse(tf, rows), x, np.array(lengths, np.int32), **options)
        return [y] + tf.gradients(y, x, grad_ys=tf.cos(y))

    return case


CASES["ctc_loss"] = timed([[0, 1, 1], [2], [1, 2]])
CASES["ctc_loss/collapsed"] = timed([[0, 1, 1], [2], [1, 2]], preprocess_collapse_repeated=True)
CASES["ctc_loss/not merged"] = timed([[0, 1, 1], [2], [1, 2]], ctc_merge_repeated=False)
CASES["ctc_loss/ignored"] = timed([[0, 1, 1], [2] * 5, [1, 2]], ignore_longer_outputs_than_inputs=True)
CASES["ctc_loss/no path"] = timed([[0, 1, 1], [2] * 4, [1, 2]])
CASES["ctc_loss/no class"] = timed([[0, 3], [2], [1, 4]])
for merge in (True, False):

    def decoded(tf, merge=merge):
        (labels,), total = tf.nn.ctc_greedy_decoder(tf.constant(LOGITS), [6, 4, 5], merge)
        return [labels.indices, labels.values, labels.dense_shape, total]

    CASES["ctc_greedy_decoder/%s" % merge] = decoded
ERRORS = {}
for name, rows, lengths in [
    ("negative", [[0, -1], [2], [1]], (6, 4, 5)), ("length", [[0], [2], [1]], (7, 4, 5)),
    ("short", [[0], [2, 1, 2], [1]], (6, 2, 5)), ("sequences", [[0], [2], [1], [1]], (6, 2, 5)),
    ("empty", [[0], [], [1]], (6, 2, 5)), ("no class", [[0, 3, 1], [2], [1]], (6, 2, 5)), ("lengths", [[0], [2], [1]], (6, 4)),
]:
    ERRORS["ctc_loss/" + name] = timed(rows, lengths)
