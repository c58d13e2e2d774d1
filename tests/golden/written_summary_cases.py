"""``tf.contrib.summary`` in graphs, in the form of ``layer_cases``; run by ``record_cases.py``."""

_PRELUDE = """
S = tf.contrib.summary
step = tf.train.get_or_create_global_step()
w = S.create_file_writer('summaries', name='w')
"""

_PROGRAMS = """
with w.as_default(), S.always_record_summaries(): a = S.scalar('loss', 3.0, family='fam'), S.histogram('h', tf.constant([1., 2.])), S.image('im', tf.ones([2, 3, 3, 1])), S.audio('au', tf.zeros([2, 30, 1]), 8000, 3), S.generic('ge', tf.constant([1, 2]))
with w.as_default(), S.always_record_summaries(): S.scalar('loss', tf.constant(2), step=7); S.scalar('loss', 2., step=tf.constant(8, tf.int64)); S.image('im', tf.zeros([1, 2, 2, 3], tf.uint8), tf.constant([0, 0, 255], tf.uint8), 1, step=3); S.generic('a b', [1.], tf.SummaryMetadata(display_name='n'), 'f', step); S.graph(tf.constant('')); S.import_event(tf.constant(''))
with w.as_default(), S.record_summaries_every_n_global_steps(5): a = S.scalar('loss', tf.constant(1)); b = S.scalar('loss', 2.); tf.logical_or(a, b)
with tf.name_scope('outer'), w.as_default(), S.record_summaries_every_n_global_steps(2, tf.constant(4, tf.int64)): S.scalar('loss', tf.constant(1), step=3)
with w.as_default(), S.never_record_summaries(): S.scalar('loss', tf.constant(1))
S.scalar('loss', tf.constant(1)); S.should_record_summaries(); S.flush(); S.graph(tf.constant(''))
with w.as_default(): S.scalar('loss', tf.constant(1)); S.flush(name='n')
S.all_summary_ops(); S.summary_writer_initializer_op(); w.init(); w.flush(); w.close(); S.flush(w)
v = S.create_file_writer('summaries', 3, 4, '.s'); S.create_file_writer(None).init()
S.initialize()
with w.as_default(): S.initialize()
with w.as_default(), S.always_record_summaries(): ys = [S.summary_writer_initializer_op()[0], S.scalar('l', 2), S.histogram('h', [float('nan')])]
with w.as_default(), S.always_record_summaries(): ys = [S.scalar('l', 2)]
with w.as_default(), S.always_record_summaries(): ys = [w.init(), S.image('i', tf.zeros([3]))]
with w.as_default(): ys = [w.init(), S.import_event('xyz')]
with w.as_default(): ys = [w.init(), S.graph(tf.constant('xyz'))]
with w.as_default(), S.record_summaries_every_n_global_steps(2): ys = [w.init(), S.scalar('l', 2.), tf.assign_add(step, 1), S.scalar('l', 2.), w.flush(), w.close()]
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n")}
