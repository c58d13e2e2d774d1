# What names alone cannot say; read by write_faces.py.
S = "retrograd.graph."
RENAMED.update({
    ("", "get_default_graph"): S + "stack:default_graph",
    ("python.framework.ops", "get_default_graph"): S + "stack:default_graph",
})
P = "tensorboard.compat.proto."
LAZY.update({
    "": {
        **dict.fromkeys("AttrValue NameAttrList".split(), P + "attr_value_pb2"),
        **dict.fromkeys("ConfigProto GPUOptions GraphOptions OptimizerOptions RunMetadata RunOptions".split(), P + "config_pb2"),
        **dict.fromkeys("Event LogMessage SessionLog".split(), P + "event_pb2"),
        **dict.fromkeys("HistogramProto Summary SummaryMetadata".split(), P + "summary_pb2"),
        **dict.fromkeys("MetaGraphDef TensorInfo".split(), P + "meta_graph_pb2"),
        "GraphDef": P + "graph_pb2", "NodeDef": P + "node_def_pb2",
    },
})
EXTRA = {"": '__version__ = VERSION = "1.15.5"\nnewaxis = None'}
EMPTY = []
HAND.update({"contrib.learn", "logging"})
HIDDEN.update({("retrograd.graph.log", "*"), ("retrograd.io.mnist", "*"), ("retrograd.ops.training", "*"), ("retrograd.graph.shapes", "scalar")})
