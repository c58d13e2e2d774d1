"""Records a SavedModel of a graph without objects, and what load_v2 and wrap_function make of graphs.

Run under TensorFlow 1.15.5; writes saved_graphs.json.gz.
"""

import base64
import gzip
import json
import os
import tempfile

import tensorflow as tf

tf.enable_eager_execution()
recorded = {"files": {}}
folder = os.path.join(tempfile.mkdtemp(), "model")
words = os.path.join(tempfile.mkdtemp(), "words.txt")
with open(words, "w") as file:
    file.write("a\nb\n")

with tf.Graph().as_default(), tf.Session() as session:
    x = tf.placeholder(tf.float32, [None], name="x")
    s = tf.placeholder(tf.string, [None], name="s")
    v = tf.get_variable("v", initializer=3.0, use_resource=True)
    r = tf.get_variable("r", initializer=7.0, use_resource=False)
    n = tf.get_variable("n", initializer=1.0, use_resource=True, trainable=False)
    local = tf.get_variable("local", initializer=2.0, use_resource=True, collections=["local_variables"])
    y = tf.identity(x * v + r * local, name="y")
    steps = tf.while_loop(lambda k: k < tf.reduce_sum(x), lambda k: k * v, [n])
    ids = tf.contrib.lookup.index_table_from_file(words).lookup(s)
    first = tf.group(tf.tables_initializer(), tf.local_variables_initializer())
    session.run([tf.global_variables_initializer(), first])
    signature = tf.saved_model.predict_signature_def
    builder = tf.saved_model.Builder(folder)
    builder.add_meta_graph_and_variables(
        session,
        ["serve"],
        {
            "serving_default": signature({"x": x}, {"y": y}),
            "both": signature({"x": x, "s": s}, {"y": y, "ids": ids, "steps": steps}),
        },
        assets_collection=tf.get_collection("asset_filepaths"),
        main_op=first,
    )
    builder.save()
for path, _, names in os.walk(folder):
    for name in names:
        with open(os.path.join(path, name), "rb") as file:
            content = base64.b64encode(file.read()).decode()
            recorded["files"][os.path.relpath(os.path.join(path, name), folder)] = content


def error_of(call):
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]
    raise AssertionError("no error")


model = tf.saved_model.load_v2(folder)
serve, both = model.signatures["serving_default"], model.signatures["both"]
arguments = {"x": tf.constant([4.0, 2.0]), "s": tf.constant(["b", "zz"])}
recorded["variables"] = [[u.name, float(u.numpy()), u.trainable] for u in model.variables]
recorded["y"] = serve(tf.constant([2.0]))["y"].numpy().tolist()
recorded["both"] = {key: value.numpy().tolist() for key, value in both(**arguments).items()}
with tf.GradientTape() as tape:
    result = serve(x=tf.constant([2.0]))["y"]
recorded["watched"] = [u.name for u in tape.watched_variables()]
recorded["gradient"] = tape.gradient(result, model.variables[0]).numpy().tolist()
recorded["errors"] = [
    error_of(lambda: both(x=arguments["x"], y=1.0)),
    error_of(lambda: serve(x=1.0, z=3)),
    error_of(lambda: tf.saved_model.load_v2(folder, ["nope"])),
]


def piece(x):
    return tf.Variable(5.0, name="v") * x + tf.get_variable("w", shape=[], initializer=tf.ones_initializer())


wrapped = tf.wrap_function(piece, [tf.TensorSpec(None, tf.float32)])
parts = wrapped.prune(wrapped.inputs[0], (wrapped.graph.get_tensor_by_name("mul:0"), {"a": wrapped.outputs[0]}))
recorded["wrapped"] = {
    "value": float(wrapped(tf.constant(3.0))),
    "variables": [u.name for u in wrapped.graph.variables],
    "inputs": len(parts.inputs),
    "outputs": [y.name for y in wrapped.outputs],
    "errors": [
        error_of(lambda: wrapped.prune(["nope:0"], [wrapped.outputs[0]])),
        error_of(lambda: wrapped.prune([], wrapped.outputs[0])),
        error_of(lambda: wrapped.prune([3], wrapped.outputs[0])),
    ],
}
here = os.path.dirname(os.path.abspath(__file__))
with gzip.GzipFile(os.path.join(here, "saved_graphs.json.gz"), "wb", mtime=0) as file:
    file.write(json.dumps(recorded, indent=1, sort_keys=True).encode())
