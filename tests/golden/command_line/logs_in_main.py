"""Logs after app.run and the program itself have set up logging."""
import logging
import sys

import tensorflow as tf


def main(_):
    tf.logging.info("not yet")
    logging.basicConfig(level=logging.INFO)
    if len(sys.argv) > 1:
        logging.getLogger().setLevel(logging.INFO)
        tf.logging.info("the root's level %d", tf.logging.get_verbosity())
    else:
        tf.logging.set_verbosity(tf.logging.INFO)
        tf.logging.info("loss = %g", 0.5)
    print(len(logging.getLogger("tensorflow").handlers), logging.getLogger("tensorflow").level)


if __name__ == "__main__":
    tf.app.run()
