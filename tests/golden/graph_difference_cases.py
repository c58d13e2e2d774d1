"""Pairs of serialized graphs, for TensorFlow 1.15.5 and for retrograd."""


def node(tf, **fields):
    graph = tf.GraphDef()
    one = graph.node.add(name="n", op=fields.get("op", "Foo"), device=fields.get("device", ""))
    one.input.extend(fields.get("input", []))
    for name, value in fields.get("attr", {}).items():
        one.attr[name].CopyFrom(value)
    return graph.SerializeToString()


def attrs(tf):
    value, entries, shape = tf.AttrValue, tf.AttrValue.ListValue, tf.TensorShape([2, None]).as_proto()
    yield from (value(i=1), value(f=0.5), value(b=True), value(s=b"NHWC"), value(type=1), value(type=102))
    yield from (value(shape=shape), value(shape=tf.TensorShape(None).as_proto()))
    for given in (
        dict(i=[1, 2]),
        dict(s=[b"a"]),
        dict(type=[1, 3]),
        dict(shape=[shape]),
        dict(f=[0.5]),
        dict(b=[True]),
    ):
        yield value(list=entries(**given))
    yield from (value(list=entries()), value(func=tf.NameAttrList(name="f")))
    for tensor in ([1.0, 2.0, 3.0], [[1, 2], [3, 4]], b"ab", [True], list(range(20)), [0.1, 1e-8, 3e20]):
        yield value(tensor=tf.make_tensor_proto(tensor))


def pairs(tf):
    """(name, actual, expected)."""
    plain = node(tf)
    yield "equal", plain, plain
    yield "op", node(tf, op="Bar"), plain
    yield "device", node(tf, device="/cpu:0"), plain
    yield "fewer", node(tf, input=["a", "b"]), node(tf, input=["a"])
    yield "another", node(tf, input=["a", "b"]), node(tf, input=["a", "c"])
    yield "order", node(tf, input=["a", "^b", "^c"]), node(tf, input=["a", "^c", "^b"])
    yield "control", node(tf, input=["a", "^b"]), node(tf, input=["a", "^c"])
    yield "output", node(tf, input=["a:0", "b"]), node(tf, input=["a", "b:0"])
    one, hidden = {"x": tf.AttrValue(i=1)}, {"_x": tf.AttrValue(i=2)}
    yield "attr", node(tf, attr=one), plain
    yield "no attr", plain, node(tf, attr=one)
    yield "hidden", node(tf, attr=hidden), plain
    yield "node", node(tf, input=["a", "^b"], device="/cpu:0", attr=one), b""
    yield "no node", b"", node(tf, attr=one)
    yield "broken", b"zz", plain
    yield "broken too", plain, b"zz"
    for i, attr in enumerate(attrs(tf)):
        yield "value %d" % i, node(tf, attr={"x": attr}), node(tf, attr={"x": tf.AttrValue(i=9)})
