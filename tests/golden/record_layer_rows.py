"""Record what the rows of layers, cells, losses and metrics give in TensorFlow 1.15.5.

``python record_layer_rows.py [NAME]...``: with names, rows of which the name is a part are recorded anew.
"""

from record_function_rows import begin, record, tf

if __name__ == "__main__":
    begin()
    tf.logging.set_verbosity(tf.logging.ERROR)
    from layer_rows import ROWS
    from layer_table import measured

    # once in a process TensorFlow asks a session for the devices, which adds ops to the graph
    with tf.Graph().as_default():
        tf.layers.conv2d_transpose(tf.zeros([1, 2, 2, 1]), 1, 1, data_format="channels_first")
    record("layer_rows", ROWS, measured)
