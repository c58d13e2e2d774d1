import uuid
import tensorflow as tf
class Fixed: hex = '0' * 32
uuid.uuid4 = lambda: Fixed
with tf.device('/cpu:0'):
    a = tf.Variable([1., 2.], name='a')
with tf.device('/gpu:1'):
    r = tf.get_variable('r', [2], use_resource=True)
with tf.variable_scope('cut', partitioner=tf.fixed_size_partitioner(3)):
    p = tf.get_variable('w', [5, 4])
with tf.variable_scope('handles', partitioner=tf.fixed_size_partitioner(2), use_resource=True):
    q = tf.get_variable('w', [5, 4])
u = tf.Variable(tf.placeholder(tf.float32, None), validate_shape=False, name='u')
savers = [tf.train.Saver(), tf.train.Saver(sharded=True), tf.train.Saver(reshape=True, name='other', filename='x/y'),
          tf.train.Saver(write_version=1), tf.train.Saver(write_version=1, sharded=True),
          tf.train.Saver({'k': a, 'z': r, 'p': p, 'pp': q}), tf.train.Saver([p], max_to_keep=3)]
for saver in savers:
    print(str(saver.as_saver_def()).split())
