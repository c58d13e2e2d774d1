"""GraphDefs to be imported, most of them not well formed: label, nodes, arguments, producer."""

F = "attr{key:'T' value{type:DT_FLOAT}}"
A = "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}}}"


def const(tensor):
    return "node{name:'A' op:'Const' attr{key:'dtype' value{type:DT_FLOAT}} attr{key:'value' value{tensor{%s}}}}" % tensor


CASES = [
    ("no op", "node{name:'A'}", {}),
    ("bad name", "node{name:'A b' op:'NoOp'}", {}),
    ("private name", "node{name:'_A' op:'NoOp'}", {}),
    ("no name", "node{op:'NoOp'}", {}),
    ("twice", "node{name:'A' op:'NoOp'} node{name:'A' op:'NoOp'}", {}),
    ("control first", A + "node{name:'B' op:'Identity' input:'^A' input:'A' %s}" % F, {}),
    ("cycle of control", "node{name:'A' op:'NoOp' input:'^B'} node{name:'B' op:'NoOp' input:'^A'}", {}),
    ("cycle", "node{name:'A' op:'Identity' input:'B' %s} node{name:'B' op:'Identity' input:'A' %s}" % (F, F), {}),
    ("itself", "node{name:'A' op:'Identity' input:'A' %s}" % F, {}),
    ("back edge", "node{name:'N' op:'NextIteration' input:'I' %s} node{name:'I' op:'Identity' input:'N' %s}" % (F, F), {}),
    ("attr missing", "node{name:'A' op:'Placeholder'}", {}),
    ("attr unknown", "node{name:'A' op:'NoOp' attr{key:'foo' value{i:1}}}", {}),
    ("attr of another kind", "node{name:'A' op:'Placeholder' attr{key:'dtype' value{i:1}}}", {}),
    ("type not allowed", A + "node{name:'B' op:'Sqrt' input:'A' attr{key:'T' value{type:DT_STRING}}}", {}),
    ("type of input", A + "node{name:'B' op:'Sqrt' input:'A' attr{key:'T' value{type:DT_DOUBLE}}}", {}),
    ("too few inputs", A + "node{name:'B' op:'AddN' input:'A' %s attr{key:'N' value{i:2}}}" % F, {}),
    ("no such type", "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:77}}}", {}),
    ("word not allowed", A + "node{name:'B' op:'MaxPool' input:'A' %s attr{key:'ksize' value{list{i:[1,2,2,1]}}} "
     "attr{key:'strides' value{list{i:[1,2,2,1]}}} attr{key:'padding' value{s:'same'}}}" % F, {}),
    ("negative size", const("dtype:DT_FLOAT tensor_shape{dim{size:-3}} float_val:1"), {}),
    ("too many elements", const("dtype:DT_FLOAT tensor_shape{dim{size:9223372036854775807} dim{size:4}} float_val:1"), {}),
    ("shapes disagree", "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}} "
     "attr{key:'shape' value{shape{dim{size:2}}}} attr{key:'_output_shapes' value{list{shape{dim{size:3}}}}}}", {}),
    ("shapes agree", "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}} "
     "attr{key:'_output_shapes' value{list{shape{dim{size:3}}}}}}", {}),
    ("shape missing", "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}} "
     "attr{key:'_output_shapes' value{list{}}}}", {}),
    ("old placeholder", "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}} "
     "attr{key:'shape' value{shape{}}}}", {"producer": 20}),
    ("negative output", A + "node{name:'B' op:'Sqrt' input:'A:-1' %s}" % F, {}),
    ("no such output", A + "node{name:'B' op:'Sqrt' input:'A:1' %s}" % F, {}),
    ("no such input", "node{name:'B' op:'NoOp' input:'^A'}", {}),
    ("device", "node{name:'A' op:'NoOp' device:'/nonsense:0'}", {}),
    ("beside nothing", "node{name:'A' op:'NoOp' attr{key:'_class' value{list{s:'loc:@B'}}}}", {}),
    ("renamed with what is beside it", "node{name:'A' op:'NoOp'} node{name:'B' op:'NoOp' "
     "attr{key:'_class' value{list{s:'loc:@A'}}}}", {"twice": True, "name": ""}),
    ("scope", "node{name:'A' op:'NoOp'}", {"name": "b//"}),
    ("bad scope", "node{name:'A' op:'NoOp'}", {"name": "b c"}),
    ("no such return", "node{name:'A' op:'NoOp'}", {"return_elements": ["B"]}),
    ("no such return tensor", "node{name:'A' op:'NoOp'}", {"return_elements": ["B:0"]}),
    ("return of nothing", "node{name:'A' op:'NoOp'}", {"return_elements": ["A:0"]}),
    ("bad return", "node{name:'A' op:'NoOp'}", {"return_elements": ["A:B:0"]}),
    ("control twice", "node{name:'A' op:'NoOp'} node{name:'B' op:'NoOp' input:'^A' input:'^A'}", {}),
    ("new consumer", "versions{min_consumer:1000}", {}),
    ("bad consumer", "versions{bad_consumers:134}", {}),
    ("old producer", "", {"producer": -1}),
    (
        "shapes of old handles",
        "node{name:'Q' op:'FIFOQueue' attr{key:'component_types' value{list{type:DT_FLOAT}}}"
        " attr{key:'_output_shapes' value{list{shape{}}}}}"
        " node{name:'S' op:'QueueSize' input:'Q' attr{key:'_output_shapes' value{list{shape{dim{size:7}}}}}}",
        {},
    ),
    ("in front of what it reads", "node{name:'B' op:'Sqrt' input:'A' %s} %s" % (F, A), {}),
]  # fmt: skip


def imported(tf, text_format, nodes, arguments):
    """What comes of the case: the ops, or the error."""
    arguments = dict(arguments)
    graph_def = tf.GraphDef()
    text_format.Merge("versions{producer:%d}" % arguments.pop("producer", 134) + nodes, graph_def)
    twice = arguments.pop("twice", False)
    with tf.Graph().as_default() as graph:
        try:
            for _ in range(2 if twice else 1):
                tf.import_graph_def(graph_def, **arguments)
        except Exception as error:
            return [type(error).__name__, str(getattr(error, "message", error))]
        return [
            [
                op.name, op.type, [t.name for t in op.inputs], [c.name for c in op.control_inputs],
                [None if t.shape.ndims is None else t.shape.as_list() for t in op.outputs],
                [g.decode() for g in op.colocation_groups()], op.device,
            ]
            for op in graph.get_operations()
        ]  # fmt: skip
