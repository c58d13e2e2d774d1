import tensorflow as tf
x = tf.placeholder(tf.float32, [2], name="x")
a, b = x[0] < 1, x[1] < 1
first = tf.case([(a, lambda: tf.constant(1)), (b, lambda: tf.constant(2))], default=lambda: tf.constant(3))
some = tf.case([(a, lambda: tf.constant(1)), (b, lambda: tf.constant(2))])
named = tf.case({a: lambda: tf.constant(1), b: lambda: tf.constant(2)}, exclusive=True)
one = tf.case([(a, lambda: tf.constant(1)), (b, lambda: tf.constant(2))], default=lambda: tf.constant(3), exclusive=True)
alone = tf.case([(a, lambda: x)])
checked = tf.Assert(x[0] < 3, [x])
with tf.Session() as sess:
    for value in ([0.0, 0.0], [2.0, 0.0], [2.0, 2.0]):
        for result in (first, some, named, one, alone):
            try:
                print(sess.run(result, {x: value}))
            except tf.errors.InvalidArgumentError as e:
                print(e.message.split("\n")[0])
