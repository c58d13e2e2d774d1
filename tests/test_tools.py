"""The tools of ``tensorflow.python.tools`` that programs call; what they print is TensorFlow's."""

import pytest

from retrograd import tf
from retrograd.tf.contrib.rnn.python.ops import core_rnn_cell
from retrograd.tf.python.tools import freeze_graph, inspect_checkpoint


@pytest.fixture
def checkpoint(tmp_path):
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
        b = tf.get_variable("b", [2], initializer=tf.ones_initializer())
        tf.add(tf.matmul(x, w), b, name="y")
        sess.run(tf.global_variables_initializer())
        tf.train.write_graph(graph.as_graph_def(), tmp_path, "g.pbtxt")
        tf.train.write_graph(graph.as_graph_def(), tmp_path, "g.pb", as_text=False)
        return tf.train.Saver().save(sess, str(tmp_path / "m"))


@pytest.mark.parametrize("source", ["text", "binary", "meta graph"])
def test_a_graph_is_frozen_with_the_values_of_a_checkpoint(source, checkpoint, tmp_path):
    file = {"text": "g.pbtxt", "binary": "g.pb", "meta graph": ""}[source]
    with tf.Graph().as_default():
        frozen = freeze_graph.freeze_graph(
            file and str(tmp_path / file), "", source != "text", checkpoint, "y", "", "", str(tmp_path / "out.pb"),
            True, "", variable_names_blacklist="b" if source == "binary" else "",
            input_meta_graph="" if file else checkpoint + ".meta",
        )  # fmt: skip
    kept = "VariableV2" if source == "binary" else "Const"
    assert [(node.name, node.op) for node in frozen.node] == [
        ("x", "Placeholder"), ("w", "Const"), ("w/read", "Identity"), ("b", kept), ("b/read", "Identity"),
        ("MatMul", "MatMul"), ("y", "Add"),
    ]  # fmt: skip
    written = tf.GraphDef()
    written.ParseFromString((tmp_path / "out.pb").read_bytes())
    assert written == frozen
    if source != "binary":
        with tf.Graph().as_default(), tf.Session() as sess:
            (y,) = tf.import_graph_def(frozen, return_elements=["y:0"])
            assert sess.run(y, {"import/x:0": [[1.0, 1.0]]}).tolist() == [[5.0, 7.0]]


@pytest.mark.parametrize(
    ("graph", "path", "outputs", "error", "message"),
    [
        ("none", "none", "y", OSError, "Input graph file 'none' does not exist!"),
        ("", "none", "y", ValueError, "Input checkpoint 'none' doesn't exist!"),
        ("", None, "", ValueError, "You need to supply the name of a node to --output_node_names."),
    ],
)
def test_what_is_not_there_is_named(graph, path, outputs, error, message, request):

    with pytest.raises(error, match=message):
        freeze_graph.freeze_graph(
            graph, "", True, path or request.getfixturevalue("checkpoint"), outputs, "", "", "", True, ""
        )


def test_a_checkpoint_is_printed(checkpoint, capsys):
    show = inspect_checkpoint.print_tensors_in_checkpoint_file
    show(checkpoint, "", False)
    assert capsys.readouterr().out == "b (DT_FLOAT) [2]\nw (DT_FLOAT) [2,2]\n\n# Total number of params: 6\n"
    show(checkpoint, "", True)
    values = "tensor_name:  b\n[1. 1.]\ntensor_name:  w\n[[1. 2.]\n [3. 4.]]\n# Total number of params: 6\n"
    assert capsys.readouterr().out == values
    show(checkpoint, "b", False, count_exclude_pattern="w")
    assert capsys.readouterr().out == "tensor_name:  b\n[1. 1.]\n# Total number of params: 2\n"
    show(checkpoint, "nope", False)
    assert capsys.readouterr().out == "tensor_name:  nope\nKey nope not found in checkpoint\n"
    show("none", "", False)
    assert capsys.readouterr().out.endswith("Failed to find any matching files for none\n")


def test_a_linear_map_where_old_cells_import_it():
    with tf.Graph().as_default():
        core_rnn_cell._linear([tf.ones([2, 3]), tf.ones([2, 1])], 5, True)
        assert [(v.op.name, v.shape.as_list()) for v in tf.global_variables()] == [("kernel", [4, 5]), ("bias", [5])]


def test_libraries_copy_every_operator_of_tensors():
    names = """abs add and div eq floordiv ge getitem gt invert le lt matmul mod mul ne neg or pow radd rand rdiv
        rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor sub truediv xor"""
    assert {f"__{name}__" for name in names.split()} == tf.Tensor.OVERLOADABLE_OPERATORS


def test_a_decorator_remembers_what_it_decorates():
    from retrograd.tf.python.util import tf_decorator

    def target(x):
        """Doubles."""
        return 2 * x

    def louder(x):
        return target(x) + 1

    made = tf_decorator.make_decorator(target, louder, "deco")
    assert made is louder
    assert (made(3), made.__name__, made.__doc__) == (7, "target", "Doubles.")
    decorators, function = tf_decorator.unwrap(made)
    assert function is target
    assert [d.decorator_name for d in decorators] == ["deco"]
    assert decorators[0](3) == 6


def test_variables_in_parts_are_frozen_from_a_saved_model_alone(tmp_path):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        with tf.variable_scope("layer", partitioner=tf.fixed_size_partitioner(2)):
            tf.convert_to_tensor(tf.get_variable("kernel", [4, 3]))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"^Models containing partition variables cannot be"):
        freeze_graph.freeze_graph_with_def_protos(
            graph.as_graph_def(), None, path, "layer/kernel", "", "", "", False, ""
        )


@pytest.mark.parametrize("version", [1, 2])
def test_a_checkpoint_of_cells_before_tensorflow_1_2_gets_todays_names(tmp_path, version):
    from retrograd.tf.contrib.rnn.python.tools import checkpoint_convert

    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.Variable([1.0, 2.0], name="lstm/basic_lstm_cell/weights")
        tf.Variable(3, name="global_step")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, old)
    variables, converted = checkpoint_convert.convert_names(old, new, write_v1_checkpoint=version == 1)
    assert converted == {"lstm/basic_lstm_cell/weights": "lstm/basic_lstm_cell/kernel"}
    assert sorted(variables) == ["global_step", "lstm/basic_lstm_cell/kernel"]
    assert tf.train.load_variable(new, "lstm/basic_lstm_cell/kernel").tolist() == [1.0, 2.0]
    assert (tmp_path / "new").exists() == (version == 1)
