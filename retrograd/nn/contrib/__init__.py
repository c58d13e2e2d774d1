"""The layers of ``tf.contrib.layers`` as functions, and scopes that give their arguments."""
