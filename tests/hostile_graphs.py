"""Import graphs that were changed at random, and run what is left: python hostile_graphs.py SEED COUNT

What goes beyond an error of the documented kinds, 30 seconds or 6 GB of memory ends with a traceback.
"""

from __future__ import annotations

import random
import resource
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from retrograd import tf
from retrograd.graph.errors import OpError

GRAPHS = Path(__file__).parent / "golden" / "graphs"
NUMBERS = (0, 1, -1, -2, 3, 2**31 - 1, -(2**31), 2**40, 2**62, -(2**63), 2**63 - 1, 1 << 20)
TYPES = (0, 1, 2, 3, 7, 9, 10, 14, 19, 20, 21, 101, 999)
OPS = ("NoOp", "", "PyFunc", "Enter", "Merge", "Switch", "Exit", "NextIteration", "LoopCond", "Range", "Fill", "Tile")
NAMES = ("", "^", ":", "a b", "x:0:1", "x" * 10_000, "a/" * 500 + "b")
WORDS = (b"", b"SAME", b"\xff\xfe", b"x" * 1000, b"while/while_context", b"loc:@x")


def changed(graph: Any, draw: random.Random) -> Any:
    """The graph with one thing changed.

    Raises:
      DecodeError: its bytes are no graph any more.
    """
    nodes = graph.node
    node = draw.choice(nodes)
    what = draw.choice(("bytes", "input", "attr", "attr", "attr", "op", "name", "twice", "gone", "nesting"))
    if what == "bytes":
        content = bytearray(graph.SerializeToString())
        for _ in range(draw.choice((1, 2, 8))):
            content[draw.randrange(len(content))] = draw.randrange(256)
        return tf.GraphDef.FromString(bytes(content))
    if what == "input" and node.input:
        other = draw.choice(nodes).name
        names = (other, f"^{other}", f"{other}:{draw.choice(NUMBERS)}", *NAMES)
        node.input[draw.randrange(len(node.input))] = draw.choice(names)
    elif what == "attr" and node.attr:
        _change_attr(node, draw)
    elif what == "op":
        node.op = draw.choice((draw.choice(nodes).op, *OPS))
    elif what == "name":
        node.name = draw.choice((draw.choice(nodes).name, *NAMES))
    elif what == "twice":
        nodes.add().CopyFrom(node)
    elif what == "gone":
        del nodes[draw.randrange(len(nodes))]
    elif what == "nesting":
        inner = node.attr["f"].func
        for _ in range(40):
            inner = inner.attr["f"].func
    return graph


def _change_attr(node: Any, draw: random.Random) -> None:
    attr = node.attr[draw.choice(sorted(node.attr))]
    kind = attr.WhichOneof("value")
    if kind == "i":
        attr.i = draw.choice(NUMBERS)
    elif kind == "s":
        attr.s = draw.choice(WORDS)
    elif kind == "type":
        attr.type = draw.choice(TYPES)
    elif kind == "shape":
        attr.shape.dim.add(size=draw.choice(NUMBERS))
    elif kind == "tensor":
        tensor = attr.tensor
        tensor.dtype = draw.choice((tensor.dtype, tensor.dtype, *TYPES))
        tensor.tensor_content = draw.choice((tensor.tensor_content, draw.randbytes(draw.choice((1, 4, 100)))))
        if draw.random() < 0.7:
            tensor.tensor_shape.dim.add(size=draw.choice(NUMBERS))
        tensor.int_val.extend([draw.choice((0, 1, -1, 2**31 - 1))] * draw.choice((0, 1, 2)))
    elif kind == "list":
        attr.list.i.append(draw.choice(NUMBERS))
    else:
        attr.Clear()


def main(seed: int, count: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    tf.logging.set_verbosity(tf.logging.FATAL)
    draw = random.Random(seed)
    metas = [tf.MetaGraphDef.FromString(path.read_bytes()) for path in sorted(GRAPHS.glob("*.meta"))]
    seen: Counter[str] = Counter()
    for _ in range(count):
        signal.alarm(30)
        meta = tf.MetaGraphDef()
        meta.CopyFrom(draw.choice(metas))
        try:
            graph_def = meta.graph_def
            for _ in range(draw.choice((1, 1, 2, 3))):
                graph_def = changed(graph_def, draw)
            meta.graph_def.CopyFrom(graph_def)
            with tf.Graph().as_default() as graph, tf.Session() as sess:
                if draw.random() < 0.5:
                    tf.import_graph_def(graph_def, name="")
                else:
                    tf.train.import_meta_graph(meta)
                for op in draw.sample(graph.get_operations(), min(3, graph.version)):
                    if op.outputs and not op.type.startswith("Save"):
                        sess.run(op.outputs[0])
                graph.as_graph_def()
                seen["graph"] += 1
        except (OpError, ValueError, TypeError, KeyError, NotImplementedError, DecodeError, MemoryError) as error:
            seen[type(error).__name__] += 1
        signal.alarm(0)
    print(dict(seen))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
