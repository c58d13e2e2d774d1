"""Decoders that are layers, with samplers: outputs, lengths and mistakes."""

_PRELUDE = """
from importlib import import_module
import numpy as np
m = lambda name: import_module(tf.__name__ + '.contrib.seq2seq.python.ops.' + name)
s, b, d, w, lo = m('sampler'), m('basic_decoder'), m('decoder'), m('beam_search_decoder'), m('loss')
ones = tf.ones_initializer()
x = tf.constant(np.linspace(-1, 1, 30).reshape(2, 5, 3), tf.float32)
table = tf.constant(np.linspace(-1, 1, 18).reshape(6, 3), tf.float32)
def cell(n=3): return tf.nn.rnn_cell.BasicRNNCell(n, activation=lambda x: x * .25)
def run(decoder, inputs, n=3, **more):
    tf.get_variable_scope().set_initializer(tf.constant_initializer(.5))
    out, state, lengths = decoder(inputs, initial_state=tf.ones([2, n]), **more)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [tf.constant(v) for v in sess.run(list(tf.nest.flatten(out)) + [lengths])]
"""

_LINES = """
ys = run(b.BasicDecoderV2(cell(), s.TrainingSampler()), x, sequence_length=[3, 5])
ys = run(b.BasicDecoderV2(cell(), s.TrainingSampler(time_major=True), output_time_major=True, impute_finished=True), tf.transpose(x, [1, 0, 2]), sequence_length=[3, 5])
ys = run(b.BasicDecoderV2(cell(), s.ScheduledOutputTrainingSampler(.5, seed=3), maximum_iterations=4), x, sequence_length=[3, 5])
ys = run(b.BasicDecoderV2(cell(6), s.ScheduledEmbeddingTrainingSampler(.5, seed=3, scheduling_seed=4)), x, n=6, sequence_length=[3, 5], embedding=table)
ys = run(b.BasicDecoderV2(cell(6), s.GreedyEmbeddingSampler(), maximum_iterations=3), table, n=6, start_tokens=[1, 2], end_token=0)
ys = run(b.BasicDecoderV2(cell(6), s.SampleEmbeddingSampler(lambda i: tf.gather(table, i), .5, 7), maximum_iterations=3), None, n=6, start_tokens=[1, 2], end_token=0)
ys = run(b.BasicDecoderV2(cell(), s.InferenceSampler(lambda y: y * 2, [3], tf.float32, lambda y: tf.reduce_sum(y, 1) > 3.), maximum_iterations=4), x[:, 0])
c = s.CustomSampler(lambda x: (tf.constant([False, False]), x), lambda time, outputs, state: tf.argmax(outputs, 1, output_type=tf.int32), lambda time, outputs, state, sample_ids: (tf.fill([2], time > 1), outputs, state)); ys = run(b.BasicDecoderV2(cell(), c), x[:, 0])
d_ = w.BeamSearchDecoderV2(cell(6), 2, maximum_iterations=3); tf.get_variable_scope().set_initializer(tf.constant_initializer(.5)); o = d_(table, start_tokens=[1, 2], end_token=0, initial_state=tf.contrib.seq2seq.tile_batch(tf.ones([2, 6]), 2)); ys = []; sess = tf.Session(); sess.run(tf.global_variables_initializer()); ys = [tf.constant(v) for v in sess.run([o[0].predicted_ids, o[2]])]
ys = [lo.SequenceLoss()(tf.constant([[1, 2], [0, 1]]), x[:, :2], tf.constant([[1., 1.], [1., 0.]])), lo.SequenceLoss(True, True, False, False)(tf.constant([[1, 2], [0, 1]]), x[:, :2], tf.constant([[1., 1.], [.5, 0.]]))]
s.TrainingSampler().batch_size
s.TrainingSampler().initialize(x)
s.GreedyEmbeddingSampler(3)
s.ScheduledEmbeddingTrainingSampler(.5, 3)
s.ScheduledEmbeddingTrainingSampler(.5).initialize(x, [3, 5])
s.GreedyEmbeddingSampler().initialize(table, start_tokens=1, end_token=0)
s.GreedyEmbeddingSampler().initialize(table, start_tokens=[1], end_token=[0])
b.BasicDecoderV2(cell(), None)
w.BeamSearchDecoderV2(cell(), 2, embedding_fn=3)
w.BeamSearchDecoderV2(cell(), 2, embedding_fn=lambda i: i).initialize(table, [1], 0, None)
d.dynamic_decode(3)
"""


CASES = {line: _PRELUDE + line for line in _LINES.strip().splitlines()}
