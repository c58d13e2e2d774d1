"""Graphs from files, held to TensorFlow's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format

from retrograd import tf
from retrograd.graph import definition
from retrograd.graph.errors import NotFoundError
from retrograd.run import failures

HERE = Path(__file__).parent / "golden"
sys.path.insert(0, str(HERE))

from import_cases import CASES, imported  # noqa: E402

RECORD = json.loads((HERE / "imports.json").read_text())
GRAPHS = HERE / "graphs"
FEEDS = {"x:0": [0.5, -0.25, 1.0]}


@pytest.mark.parametrize(("label", "nodes", "arguments"), CASES, ids=[case[0] for case in CASES])
def test_imports_are_tensorflows(label: str, nodes: str, arguments: Any) -> None:
    """The same ops, or the same error: its class, and its text as far as the op type's signature."""
    found, wanted = imported(tf, text_format, nodes, arguments), RECORD["cases"][label]
    if wanted and isinstance(wanted[0], str):
        assert found[0] == wanted[0]
        shorter = found[1].partition(">")[0].partition("\n")[0]
        assert wanted[1].startswith(shorter.partition(" for 'import")[0])
        assert len(shorter) > 15
    else:
        assert found == wanted


def load(name: str, scope: str | None = None) -> Any:
    return tf.train.import_meta_graph(str(GRAPHS / f"{name}.meta"), import_scope=scope)


@pytest.mark.parametrize("scope", [None, "in/here"])
@pytest.mark.parametrize("name", sorted(RECORD["graphs"]))
def test_graphs_of_tensorflow_run_and_train(name: str, scope: str | None) -> None:
    """What TensorFlow saved gives its numbers here, before and after a step: its stacks hold what the step reads."""
    record, prefix = RECORD["graphs"][name], f"{scope}/" if scope else ""
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = load(name, scope)
        saver.restore(sess, str(GRAPHS / name))
        feeds = {prefix + key: value for key, value in FEEDS.items()}
        fetches = [prefix + name for name in record["fetches"]]
        values = sess.run(fetches, feeds)
        sess.run(prefix + record["train"], feeds)
        values += sess.run(fetches, feeds)
    for value, wanted in zip(values, record["values"], strict=True):
        np.testing.assert_allclose(value, wanted, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", sorted(RECORD["graphs"]))
def test_nodes_stand_in_tensorflows_order(name: str) -> None:
    meta = tf.MetaGraphDef.FromString((GRAPHS / f"{name}.meta").read_bytes())
    nodes = [node for node in meta.graph_def.node if not node.name.startswith("save/")]
    del meta.graph_def.node[:]
    meta.graph_def.node.extend(nodes)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(meta.graph_def, name="")
        assert [op.name for op in graph.get_operations()] == [
            n for n in RECORD["graphs"][name]["order"] if not n.startswith("save/")
        ]


def numeric(sess: Any, y: Any, x: Any, at: Any) -> np.ndarray:
    at = np.asarray(at, np.float32)
    shifted = [at + 1e-2 * e for e in np.eye(len(at), dtype=np.float32)]
    back = [at - 1e-2 * e for e in np.eye(len(at), dtype=np.float32)]
    return np.array(
        [(sess.run(y, {x: a}).sum() - sess.run(y, {x: b}).sum()) / 2e-2 for a, b in zip(shifted, back, strict=True)]
    )


@pytest.mark.parametrize("name", ["loop", "branches"])
@pytest.mark.parametrize("bare", [True, False])
def test_imported_loops_and_branches_are_differentiated(name: str, bare: bool) -> None:
    """With the contexts of a MetaGraphDef, and with nothing but the nodes."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        saver = load(name)
        saver.restore(sess, str(GRAPHS / name))
        y = RECORD["graphs"][name]["fetches"][0]
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), [y.partition(":")[0]])
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        if bare:
            tf.import_graph_def(frozen, name="")
        else:
            load(name).restore(sess, str(GRAPHS / name))
        x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name(y)
        (dx,) = tf.gradients(y, x)
        at = FEEDS["x:0"]
        np.testing.assert_allclose(sess.run(dx, {x: at}), numeric(sess, y, x, at), rtol=2e-2, atol=2e-2)


def test_a_loop_twice_is_two_loops() -> None:
    """Both frames have one name in the nodes."""
    with tf.Graph().as_default() as source:
        x = tf.placeholder(tf.float32, [], name="x")
        tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])
        (y,) = [op for op in source.get_operations() if op.type == "Exit" and op.outputs[0].dtype == tf.float32]
    with tf.Graph().as_default(), tf.Session() as sess:
        first, second = (
            tf.import_graph_def(source.as_graph_def(), {"x:0": tf.constant(v)}, [y.name + ":0"])[0] for v in (2.0, 3.0)
        )
        assert sess.run([first, second]) == [16.0, 81.0]


def test_import_within_a_branch_and_a_loop() -> None:
    with tf.Graph().as_default() as source:
        _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2.0), [0, 1.0])
    nodes = source.as_graph_def()

    def inner() -> Any:
        return tf.reshape(tf.import_graph_def(nodes, return_elements=[y.name])[0], [])

    with tf.Graph().as_default(), tf.Session() as sess:
        p = tf.placeholder(tf.bool, [])
        chosen = tf.cond(p, inner, lambda: tf.constant(1.0))
        assert [sess.run(chosen, {p: v}) for v in (True, False)] == [8.0, 1.0]
        _, total = tf.while_loop(lambda i, t: i < 2, lambda i, t: (i + 1, t + inner()), [0, 0.0])
        assert sess.run(total) == 16.0


def test_a_failed_import_leaves_nothing() -> None:
    with tf.Graph().as_default() as graph:
        a = tf.placeholder(tf.float32, [2], name="a")
        before = graph.as_graph_def()
        nodes = tf.GraphDef()
        text_format.Merge(
            "node{name:'B' op:'Sqrt' input:'A' attr{key:'T' value{type:DT_FLOAT}}}"
            "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}}}"
            "node{name:'C' op:'Add' input:'B' input:'A' attr{key:'T' value{type:DT_INT32}}}",
            nodes,
        )
        with pytest.raises(ValueError, match=r"Input 0 of node import/C was passed float from import/B:0"):
            tf.import_graph_def(nodes, {"A:0": a})
        assert graph.as_graph_def() == before
        assert not a.readers
        nodes.node[0].op = "Sqrtt"
        with pytest.raises(NotFoundError, match="Op type not registered 'Sqrtt'") as caught:
            tf.import_graph_def(nodes)
        assert "'Sqrt'" in caught.value.__notes__[0]


def test_one_element_for_all_takes_no_memory() -> None:
    nodes = tf.GraphDef()
    text_format.Merge(
        "node{name:'A' op:'Const' attr{key:'dtype' value{type:DT_FLOAT}} attr{key:'value' value{tensor{dtype:DT_FLOAT "
        "tensor_shape{dim{size:1000000} dim{size:1000000}} float_val:7}}}}",
        nodes,
    )
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(nodes, name="")
        assert graph.get_tensor_by_name("A:0").shape == [10**6, 10**6]
        assert graph.as_graph_def().node[0].attr["value"] == nodes.node[0].attr["value"]


def test_a_python_function_of_a_file_is_not_found() -> None:
    """Not even under the token of one that this process has."""
    nodes = tf.GraphDef()
    text_format.Merge(
        "node{name:'f' op:'PyFunc' attr{key:'token' value{s:'os.system'}} attr{key:'Tin' value{list{}}} "
        "attr{key:'Tout' value{list{type:DT_INT64}}}}",
        nodes,
    )
    with tf.Graph().as_default(), tf.Session() as sess:
        known = tf.py_func(lambda: np.int64(1), [], tf.int64)
        for token in ("os.system", known.op.get_attr("token").decode()):
            nodes.node[0].attr["token"].s = token.encode()
            (f,) = tf.import_graph_def(nodes, return_elements=["f:0"])
            with pytest.raises(tf.errors.InvalidArgumentError, match=rf"callback {token} is not found"):
                sess.run(f)
        assert sess.run(known) == 1


def test_a_function_of_eager_tensors_of_a_file_is_not_found() -> None:
    called = []
    with tf.Graph().as_default() as graph:
        x = tf.ones([], name="x")
        tf.py_function(lambda x: called.append(x) or x, [x], tf.float32, name="f")
    with tf.Graph().as_default(), tf.Session() as sess:
        x, f = tf.import_graph_def(graph.as_graph_def(), return_elements=["x:0", "f:0"])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"callback pyfunc_eager_.* is not found"):
            sess.run(f)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"callback pyfunc_eager_.* is not found"):
            tf.gradients(f, x)
    assert not called


def test_ops_of_files_are_known_wherever_they_stand() -> None:
    """An op type that no module has defined yet is looked for in every module that defines TensorFlow's ops."""
    root = Path(definition.__file__).parent.parent
    outside = {
        f"retrograd.{path.relative_to(root).with_suffix('').as_posix().replace('/', '.')}"
        for part in ("grad", "state", "nn", "eager", "io", "data", "flow")
        for path in (root / part).rglob("*.py")
        if re.search(r"^    define\(|= define\(", path.read_text(), re.MULTILINE)
    }
    of_no_file = {"retrograd.grad.vjp", "retrograd.eager.lifted"}  # ops that TensorFlow does not have
    assert outside - of_no_file == set(definition._CALLS_OF_FUNCTIONS)


def test_loops_that_cannot_be_are_refused() -> None:
    """One that no value enters, and a hundred inside each other; nothing of them stays in the graph."""
    kind = "attr{key:'T' value{type:DT_FLOAT}}"
    start = f"node{{name:'c' op:'Placeholder' attr{{key:'dtype' value{{type:DT_FLOAT}}}}}} node{{name:'m' {kind} "
    nowhere = f"{start} op:'Merge' input:'c' input:'n' attr{{key:'N' value{{i:2}}}}}} "
    nowhere += f"node{{name:'n' op:'NextIteration' input:'m' {kind}}}"
    deep = f"{start} op:'Enter' input:'c' attr{{key:'frame_name' value{{s:'f'}}}}}} "
    for i in range(99):
        before = f"n{i - 1}" if i else "m"
        deep += f"node{{name:'n{i}' op:'Enter' input:'{before}' attr{{key:'frame_name' value{{s:'f{i}'}}}} {kind}}} "
    for nodes, message in ((nowhere, "no value enters a loop there"), (deep, "is more than 64 loops deep")):
        with tf.Graph().as_default() as graph:
            with pytest.raises(ValueError, match=message):
                tf.import_graph_def(text_format.Parse(nodes, tf.GraphDef()))
            assert not graph.get_operations()


def function_of_a_file(name: str, op: str) -> str:
    arguments = "input_arg{name:'x' type:DT_FLOAT} output_arg{name:'y' type:DT_FLOAT}"
    return f"function{{signature{{name:'{name}' {arguments}}} node_def{{name:'n' {op}}} ret{{key:'y' value:'n:y:0'}}}} "


LOOP = (
    "attr{key:'T' value{list{type:DT_FLOAT}}} "
    "attr{key:'cond' value{func{name:'F'}}} attr{key:'body' value{func{name:'F'}}}"
)


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        (function_of_a_file("F", f"op:'While' input:'x' {LOOP}"), "Function F calls itself"),
        (function_of_a_file("F", "op:'G' input:'x'") + function_of_a_file("G", "op:'F' input:'x'"), "calls itself"),
        (
            function_of_a_file("F0", "op:'Neg' input:'x' attr{key:'T' value{type:DT_FLOAT}}")
            + "".join(function_of_a_file(f"F{i + 1}", f"op:'F{i}' input:'x'") for i in range(99)),
            "Function F99 calls functions in functions, 100 deep",
        ),
    ],
    ids=["loop", "two", "deep"],
)
def test_functions_that_never_end_are_refused(functions: str, message: str) -> None:
    nodes = text_format.Parse(f"library{{{functions}}}", tf.GraphDef())
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        tf.import_graph_def(nodes)


def test_functions_of_a_file() -> None:
    """One that calls itself is an error; attributes are text, as where an op is built."""
    nodes = tf.GraphDef()
    text_format.Merge(
        "library{function{signature{name:'F' input_arg{name:'x' type:DT_FLOAT} output_arg{name:'y' type:DT_FLOAT}} "
        "node_def{name:'G' op:'F' input:'x'} ret{key:'y' value:'G:y:0'}}} "
        "node{name:'A' op:'Placeholder' attr{key:'dtype' value{type:DT_FLOAT}}} node{name:'B' op:'F' input:'A'}",
        nodes,
    )
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Function F calls itself"):
        tf.import_graph_def(nodes)
    body = nodes.library.function[0]
    body.node_def[0].input[0], body.node_def[0].op = "^G", "NoOp"
    with tf.Graph().as_default(), pytest.raises(ValueError, match="inputs that nothing computes"):
        tf.import_graph_def(nodes)
    text_format.Merge(
        "op:'MaxPool' input:'x' attr{key:'T' value{type:DT_FLOAT}} attr{key:'ksize' value{list{i:[1,2,2,1]}}} "
        "attr{key:'strides' value{list{i:[1,1,1,1]}}} attr{key:'padding' value{s:'SAME'}}",
        body.node_def.add(name="P"),
    )
    del body.node_def[0]
    body.ret["y"] = "P:output:0"
    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(tf.import_graph_def(nodes, {"A:0": tf.ones([1, 3, 3, 1])}, ["B:0"])[0]).shape == (1, 3, 3, 1)


# -- SavedModels -------------------------------------------------------------------------------


def test_saved_model_of_tensorflow() -> None:
    wanted = RECORD["saved model"]
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], str(GRAPHS / "saved_model"), import_scope="in")
        signature = meta.signature_def["serving_default"]
        y = sess.run("in/" + signature.outputs["y"].name, {"in/" + signature.inputs["x"].name: [[1, 1], [2, 0]]})
        assert y.tolist() == wanted["y"]
        asset = meta.collection_def["saved_model_assets"].any_list.value[0]
        assert asset.type_url.endswith("tensorboard.AssetFileDef")
    predict = tf.contrib.predictor.from_saved_model(str(GRAPHS / "saved_model"))
    assert predict({"x": [[1, 1], [2, 0]]})["y"].tolist() == wanted["y"]


def test_saved_model_there_and_back(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2])
        y = tf.layers.dense(x, 3)
        sess.run(tf.global_variables_initializer())
        want = sess.run(y, {x: np.ones((1, 2))})
        tf.saved_model.simple_save(sess, tmp_path / "m", {"x": x}, {"y": y})
        with pytest.raises(AssertionError, match="already exists, and isn't empty"):
            tf.saved_model.Builder(tmp_path / "m")
    assert tf.saved_model.maybe_saved_model_directory(tmp_path / "m")
    predict = tf.contrib.predictor.from_saved_model(str(tmp_path / "m"))
    np.testing.assert_array_equal(predict({"x": np.ones((1, 2))})["y"], want)
    with tf.Session(graph=tf.Graph()) as sess:
        with pytest.raises(RuntimeError, match=r"tags 'train' could not be found.*\n.*available_tags: \[\{'serve'\}\]"):
            tf.saved_model.load(sess, ["train"], str(tmp_path / "m"))
        (tmp_path / "m/saved_model.pb").write_bytes(b"\xff" * 9)
        with pytest.raises(OSError, match=r"Cannot parse file .*saved_model\.pb"):
            tf.saved_model.load(sess, ["serve"], str(tmp_path / "m"))


def test_an_asset_stays_in_its_folder(tmp_path: Path) -> None:
    shutil.copytree(GRAPHS / "saved_model", tmp_path / "m")
    path = tmp_path / "m/saved_model.pb"
    path.write_bytes(path.read_bytes().replace(b"words.txt", b"../../x/y"))
    with pytest.raises(ValueError, match="must be in the folder of assets"):
        tf.contrib.predictor.from_saved_model(str(tmp_path / "m"))


def test_frozen_variables() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
        w = tf.get_variable("w", initializer=[3.0, 4.0])
        y = tf.add(tf.gather(v, [1, 0]), w, name="y")
        tf.cond(tf.constant(True), lambda: tf.identity(v), lambda: w, name="z")
        sess.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["y", "z/Merge"])
        want = sess.run([y, "z/Merge:0"])
    assert not {n.op for n in frozen.node} & {"VariableV2", "VarHandleOp", "ReadVariableOp", "ResourceGather"}
    with tf.Graph().as_default(), tf.Session() as sess:
        got = sess.run(tf.import_graph_def(frozen, return_elements=["y:0", "z/Merge:0"]))
    np.testing.assert_array_equal(got, want)
    with pytest.raises(AssertionError, match="yy is not in graph"):
        tf.graph_util.extract_sub_graph(frozen, ["yy"])


def test_frozen_gradients_of_loops_keep_values_on_stacks() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x, w = tf.placeholder(tf.float32, [], name="x"), tf.Variable(2.0)
        y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y) * w), [0, x])[1]
        dx = tf.identity(tf.gradients(y, x)[0], name="dx")
        sess.run(w.initializer)
        wanted = sess.run(dx, {x: 0.5})
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["dx"])
    types = {node.op for node in frozen.node}
    assert "StackPushV2" in types
    assert not types & {"LoopHistory", "LoopRecall", "VariableV2"}
    with tf.Graph().as_default(), tf.Session() as sess:
        (dx,) = tf.import_graph_def(frozen, return_elements=["dx:0"], name="")
        assert sess.run(dx, {"x:0": 0.5}) == wanted


def test_checks_are_passed_by() -> None:
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [], name="x")
        tf.sqrt(tf.check_numerics(tf.identity(x), "of x"), name="y")
    nodes = tf.graph_util.remove_training_nodes(graph.as_graph_def()).node
    assert [(node.name, list(node.input)) for node in nodes] == [("x", []), ("y", ["x"])]


def test_hostile_graphs_are_errors() -> None:
    """Graphs changed at random are errors or graphs; nothing else happens, and soon."""
    program = (HERE.parent / "hostile_graphs.py").as_posix()
    done = subprocess.run([sys.executable, program, "7", "60"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


# -- what is written ---------------------------------------------------------------------------


def _nested(x: Any, w: Any) -> Any:
    def body(i: Any, a: Any) -> Any:
        def inner(j: Any, b: Any) -> Any:
            return j + 1, tf.sin(b * w) + tf.cond(b > 0.3, lambda: x, lambda: b)

        return i + 1, tf.while_loop(lambda j, b: j < i, inner, [0, a])[1]

    return tf.while_loop(lambda i, a: i < 3, body, [0, x])[1]


def test_gradients_of_loops_are_written_with_stacks() -> None:
    """TensorFlow's own nodes, also of loops in loops and of two gradients of one; reading brings histories back."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x, w = tf.placeholder(tf.float32, [], name="x"), tf.constant(0.9)
        y = _nested(x, w)
        fetches = [t.name for t in (y, *tf.gradients(y, [x, w]), *tf.gradients(y * y, w))]
        want = sess.run(fetches, {x: 0.4})
        meta = tf.train.export_meta_graph()
        histories = {op.name for op in graph.get_operations() if op.type == "LoopHistory"}
    ours = {"LoopHistory", "LoopRecall"}
    assert histories
    assert not ours & {node.op for node in meta.graph_def.node}
    assert not ours & {op.name for op in meta.meta_info_def.stripped_op_list.op}
    for scope in ("", "in/"):
        with tf.Graph().as_default() as graph, tf.Session() as sess:
            tf.train.import_meta_graph(meta, import_scope=scope or None)
            found = {op.name for op in graph.get_operations() if op.type == "LoopHistory"}
            assert found == {scope + name for name in histories}
            np.testing.assert_array_equal(sess.run([scope + f for f in fetches], {scope + "x:0": 0.4}), want)
    for node in meta.graph_def.node:
        node.attr.pop("_as_history", None)
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(meta, import_scope="in")
        assert not ours & {op.type for op in graph.get_operations()}
        np.testing.assert_allclose(sess.run(["in/" + f for f in fetches], {"in/x:0": 0.4}), want, rtol=1e-6)


def test_attributes_that_no_default_tells_are_held_to_their_kind() -> None:
    with tf.Graph().as_default() as graph:
        tf.identity(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]), "y")
        tf.string_to_hash_bucket_fast(tf.constant("a"), 3)
    text = "AttrValue had value with type 'list(string)' when '{}' expected\n\t for attr '{}'"
    for op_type, key, kind in (("Enter", "frame_name", "string"), ("StringToHashBucketFast", "num_buckets", "int")):
        graph_def = graph.as_graph_def()
        next(node for node in graph_def.node if node.op == op_type).attr[key].list.s.append(b"x")
        with tf.Graph().as_default(), pytest.raises(ValueError, match=re.escape(text.format(kind, key))):
            tf.import_graph_def(graph_def, name="")


def test_an_error_of_a_variable_that_an_op_reads_is_told() -> None:
    with tf.Graph().as_default():
        op = tf.add(tf.ones([2]), tf.ones([2])).op
    kind, words = failures.words_of(op, ValueError("no"), [np.zeros(2)])
    assert (kind, words) == (tf.errors.InvalidArgumentError, "no (op: Add, input shapes: [2])")


def test_variables_that_do_not_become_constants_are_read_in_loops():
    """TensorFlow 1.15.5 makes their reads identities of handles, which it does not load."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        with tf.variable_scope("n", use_resource=True):
            a, b = (tf.get_variable(name, initializer=[2.0, 3.0]) for name in "ab")
            first = tf.identity(tf.constant([1.0, 1.0]) + b)
            _, y = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x * a), [0, first])
            tf.identity(y, "y")
        sess.run(tf.global_variables_initializer())
        for kept in "ab":
            lists = {"variable_names_blacklist": [f"n/{kept}"]}
            frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["n/y"], **lists)
            with tf.Graph().as_default() as other, tf.Session() as again:
                (found,) = tf.import_graph_def(frozen, return_elements=["n/y:0"], name="")
                handle = other.get_tensor_by_name(f"n/{kept}:0")
                assert handle.op.type == "VarHandleOp"
                again.run(tf.raw_ops.AssignVariableOp(resource=handle, value=[2.0, 3.0]))
                assert again.run(found).tolist() == [12.0, 36.0]
