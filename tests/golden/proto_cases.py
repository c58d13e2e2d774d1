"""Values and graphs whose protos test_protos.py compares; runs under TensorFlow 1.15.5 and under retrograd."""

import numpy as np
from google.protobuf.text_format import MessageToString

VALUES = {
    "int": 1, "float": 1.5, "bool": True, "text": "a", "floats": [1.0, 2.0], "bools": [[True, False]], "texts": ["a", b"bc"],
    "empty": [], "half": np.float16(2), "halves": np.array([1.5, 2], np.float16), "complex": np.complex64(1 + 2j),
    "complexes": np.array([1 + 2j, 3j]), "no rows": np.zeros((2, 0), np.int64), "bytes": np.array([1, 2], np.uint8),
    "int8": np.int8(3), "uint16": np.uint16(3), "uint16s": np.array([3, 4], np.uint16), "uint32": np.uint32(3),
    "uint64s": np.array([3, 4], np.uint64), "int64": np.int64(4), "double": np.float64(1), "int16s": np.array([[1], [2]], np.int16),
    "matrix": np.arange(6, dtype=np.float32).reshape(2, 3), "transposed": np.arange(6, dtype=np.float32).reshape(2, 3).T,
}  # fmt: skip
SHAPED = {"filled": (1, [3]), "partly filled": ([1, 2], [3]), "none left": (1.0, [0, 3]), "same": ([1, 2], [2])}


def graph(tf):
    """A graph with attributes of every kind; its GraphDef as text."""
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        tf.placeholder(tf.float32, name="anything")
        with tf.device("/device:CPU:0"):
            y = tf.squeeze(tf.split(x, 2, axis=1, name="halves")[1], [1])
        with tf.control_dependencies([y, x.op]):
            z = tf.argmax(tf.constant([[1.0, 2.0]]), 1, output_type=tf.int32, name="best")
        with tf.control_dependencies([z]):
            tf.identity(tf.one_hot([1], 3, axis=0), name="last")
        tf.cast(tf.concat([y, y], 0), tf.float64, name="wide")
    return g


ATTRS = [("x", "dtype"), ("x", "shape"), ("halves", "num_split"), ("halves", "T"), ("Squeeze", "squeeze_dims"),
         ("Const", "value"), ("best", "output_type"), ("wide", "Truncate"), ("concat", "N")]  # fmt: skip


def numbers(tf):
    """Attributes given as numbers of other kinds: node definitions, or what is wrong."""
    x, deep, size = tf.zeros([1, 4, 4, 4]), tf.zeros([2, 4, 6, 3]), tf.Dimension
    makers = {
        "size in a list": lambda: tf.nn.max_pool(deep, [1, 2, deep.shape[3], 1], [1, 1, 1, 1], "VALID"),
        "reals in a list": lambda: tf.nn.avg_pool(deep, [1, 2.7, np.float32(2), 1], [1, np.int64(1), 1.0, 1], "VALID"),
        "text in a list": lambda: tf.nn.max_pool(deep, [1, "2", 2, 1], [1, 1, 1, 1], "VALID"),
        "no size in a list": lambda: tf.nn.max_pool(deep, [1, size(None), 2, 1], [1, 1, 1, 1], "VALID"),
        "nothing in a list": lambda: tf.nn.conv2d(deep, tf.zeros([2, 2, 3, 4]), [1, None, 2, 1], "SAME"),
        "strides": lambda: tf.nn.conv2d(deep, tf.zeros([2, 2, 3, 4]), [1, size(2), 1, 1], "SAME"),
        "patches": lambda: tf.extract_image_patches(x, [1, 2, size(2), 1], [1] * 4, [1] * 4, "SAME"),
        "size": lambda: tf.space_to_depth(x, size(2)), "text": lambda: tf.depth_to_space(x, "2"),
        "real": lambda: tf.space_to_depth(x, 2.0), "tensor": lambda: tf.space_to_depth(x, tf.constant(2)),
        "axis": lambda: tf.one_hot([1, 2], 3, axis=size(0)), "axes": lambda: tf.squeeze(x, [size(0)]),
        "capacity": lambda: tf.FIFOQueue(size(3), [tf.float32]).queue_ref,
        "no number": lambda: tf.quantization.fake_quant_with_min_max_args(x, min="a"),
        "size for a real": lambda: tf.quantization.fake_quant_with_min_max_args(x, max=size(3)),
        "whole for a real": lambda: tf.quantization.fake_quant_with_min_max_args(x, max=np.int64(3), num_bits=4.0),
    }  # fmt: skip
    made = {}
    for key, make in makers.items():
        try:
            made[key] = MessageToString(make().op.node_def)
        except (TypeError, ValueError) as error:
            made[key] = "%s: %s" % (type(error).__name__, error)
    return made


def text(value):
    return MessageToString(value) if hasattr(value, "DESCRIPTOR") else str(value)


def printed(tf):
    """Messages as ``print`` writes them: maps, text beyond ASCII, numbers."""
    features = {
        "zinc": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, -2])),
        "Größe": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5, float("inf")])),
        "air": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a\xff\n\"'", "ß".encode()])),
    }
    config = tf.compat.v1.ConfigProto(device_count={"GPU": 0, "CPU": 4, "TPU": 1}, allow_soft_placement=True)
    return [
        str(config),
        repr(config),
        str(tf.train.Example(features=tf.train.Features(feature=features))),
        str(graph(tf).as_graph_def().node[-1]),
        "%s" % tf.compat.v1.summary.Summary(),
    ]


def facts(tf):
    """What is recorded."""
    g = graph(tf)
    return {
        "op": str(g.get_operation_by_name("halves")),
        "values": {name: MessageToString(tf.make_tensor_proto(value)) for name, value in VALUES.items()},
        "arrays": {name: repr(tf.make_ndarray(tf.make_tensor_proto(v)).tolist()) for name, v in VALUES.items() if name != "uint32"},
        "shaped": {name: MessageToString(tf.make_tensor_proto(value, shape=shape)) for name, (value, shape) in SHAPED.items()},
        "graph": MessageToString(g.as_graph_def()),
        "shapes": MessageToString(g.as_graph_def(add_shapes=True)),
        "later": MessageToString(g.as_graph_def(from_version=6)),
        "numbers": numbers(tf),
        "printed": printed(tf),
        "attrs": {"%s %s" % pair: text(g.get_operation_by_name(pair[0]).get_attr(pair[1])) for pair in ATTRS},
    }
