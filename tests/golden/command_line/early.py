import sys

import tensorflow as tf

tf.flags.DEFINE_integer("steps", 10, "how many")
print(tf.flags.FLAGS.steps)  # parses sys.argv


def work(argv):
    print(argv[0] == sys.argv[0], tf.flags.FLAGS.steps)


tf.app.run(work)
