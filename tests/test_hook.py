"""``import tensorflow`` and its submodules, on a small package of faces and on the real one."""

import importlib
import importlib.util
import inspect
import pkgutil
import sys
import types

import pytest

import retrograd
from retrograd import hook

FACES = "small_faces.tf"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The hook, installed over faces of its own: contrib, contrib.layers, compat, nn, nn.rnn_cell, train."""
    files = {
        "__init__.py": "__version__ = '1.15.5'",
        "train.py": "",
        "compat/__init__.py": "from small_faces import tf as v1",
        "contrib/__init__.py": "present = 1",
        "contrib/layers.py": "def dense():\n    return 'dense'",
        "nn/__init__.py": "",
        "nn/rnn_cell.py": "",
    }
    for name, content in files.items():
        path = tmp_path / "small_faces" / "tf" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    before = hook.installed()
    retrograd.uninstall()
    forget()
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "small_faces" / "__init__.py").touch()
    monkeypatch.setattr(hook, "FACES", FACES)
    retrograd.install()
    yield importlib.import_module("tensorflow")
    retrograd.uninstall()
    forget()
    monkeypatch.undo()
    if before:
        retrograd.install()


def forget():
    for name in [n for n in sys.modules if n.partition(".")[0] in ("small_faces", *hook.ROOTS)]:
        del sys.modules[name]


pytestmark = pytest.mark.smoke


def test_tensorflow_is_the_face_itself(installed):
    assert installed is sys.modules[FACES]
    assert sys.modules["tensorflow"] is installed
    assert installed.__name__ == FACES


def test_every_form_of_import_gives_the_same_module(installed):
    import tensorflow as tf
    import tensorflow.compat.v1
    import tensorflow.compat.v1 as old
    import tensorflow.compat.v1.nn.rnn_cell as old_cells
    import tensorflow.contrib.layers
    import tensorflow.contrib.layers as layers
    import tensorflow_core.contrib.layers as core_layers
    from tensorflow.compat import v1
    from tensorflow.contrib import layers as from_package
    from tensorflow.contrib.layers import dense
    from tensorflow.nn import rnn_cell

    assert tf is tensorflow.compat.v1 is old is v1
    assert layers is tf.contrib.layers is from_package is core_layers
    assert dense is layers.dense
    assert rnn_cell is old_cells is sys.modules[f"{FACES}.nn.rnn_cell"]


def test_the_module_keeps_its_own_description(installed):
    layers = importlib.import_module("tensorflow.contrib.layers")
    assert layers.__spec__.name == layers.__name__ == f"{FACES}.contrib.layers"
    assert layers.__spec__.loader is layers.__loader__
    assert inspect.getsource(layers.dense).startswith("def dense")
    assert importlib.reload(layers) is layers


def test_tools_that_look_modules_up_find_the_faces(installed):
    assert importlib.util.find_spec("tensorflow.nn").submodule_search_locations
    names = [m.name for m in pkgutil.walk_packages(installed.__path__, "tensorflow.")]
    assert names == [
        "tensorflow.compat",
        "tensorflow.contrib",
        "tensorflow.contrib.layers",
        "tensorflow.nn",
        "tensorflow.nn.rnn_cell",
        "tensorflow.train",
    ]
    loader = hook._alias("tensorflow.contrib.layers").loader
    assert loader.get_source("tensorflow.contrib.layers").startswith("def dense")
    assert "dense" in loader.get_code("tensorflow.contrib.layers").co_names
    assert not loader.is_package("tensorflow.contrib.layers")


def test_looking_does_not_import(installed):
    assert importlib.util.find_spec("tensorflow.train") is not None
    assert f"{FACES}.train" not in sys.modules


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("tensorflow.contrib.layer", "did you mean 'tensorflow.contrib.layers'?"),
        ("tensorflow.layers", "did you mean 'tensorflow.contrib.layers'?"),
        ("tensorflow.contrib.rnn_cell", "did you mean 'tensorflow.nn.rnn_cell'?"),
        ("tensorflow.trian", "did you mean 'tensorflow.train'?"),
        ("tensorflow.compat.v1.trian", "did you mean 'tensorflow.train'?"),
        ("tensorflow.qqqqqq", "leave this import out"),
    ],
)
def test_what_is_not_built_is_said_with_the_nearest_name(installed, name, near):
    with pytest.raises(ModuleNotFoundError) as raised:
        importlib.import_module(name)
    is_there = name == "tensorflow.layers"  # which these faces lack
    why = "retrograd has not built this part of TensorFlow 1.15" if is_there else hook.NEITHER
    assert str(raised.value).splitlines() == [
        f"No module named {name!r}",
        f"  Why:   {why}",
        f"  Fix:   {near}",
    ]
    assert raised.value.name == name


@pytest.mark.parametrize(
    ("name", "why", "fix"),
    [
        ("tensorflow.lite", "converts models for phones", "leave this import out"),
        ("tensorflow.contrib.nccl.ops", "not in TensorFlow 1.15.5", "tf.add_n of the gradients"),
    ],
)
def test_what_is_left_out_is_said_with_its_reason(installed, name, why, fix):
    with pytest.raises(ModuleNotFoundError) as raised:
        importlib.import_module(name)
    assert str(raised.value).splitlines()[1:] == [f"  Why:   {why}", f"  Fix:   {fix}"]


def test_importing_a_missing_name_says_the_same(installed):
    with pytest.raises(ImportError, match=r"No module named 'tensorflow\.contrib\.slim'"):
        from tensorflow.contrib import slim  # noqa: F401


def test_installing_twice_changes_nothing(installed):
    path = list(sys.meta_path)
    retrograd.install()
    assert sys.meta_path == path
    retrograd.uninstall()
    retrograd.uninstall()
    assert "tensorflow" not in sys.modules
    assert not [f for f in sys.meta_path if type(f).__module__ == "retrograd.hook"]
    retrograd.install()
    assert importlib.import_module("tensorflow") is installed


def test_an_installed_tensorflow_is_not_looked_at(installed, tmp_path):
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("raise SystemError")
    del sys.modules["tensorflow"]
    assert importlib.import_module("tensorflow") is installed


def test_another_tensorflow_imported_before_is_an_error(monkeypatch):
    before = hook.installed()
    retrograd.uninstall()
    other = types.ModuleType("tensorflow")
    other.__file__ = "/somewhere/tensorflow/__init__.py"
    monkeypatch.setitem(sys.modules, "tensorflow", other)
    with pytest.raises(ImportError) as raised:
        retrograd.install()
    assert not hook.installed()
    assert str(raised.value).splitlines()[0] == (
        "another 'tensorflow' is imported already, from /somewhere/tensorflow/__init__.py"
    )
    assert str(raised.value).splitlines()[-1].strip() == "retrograd.install()"
    monkeypatch.undo()
    if before:
        retrograd.install()


def test_after_import_runs_once_and_leaves_no_trace(installed, tmp_path):
    (tmp_path / "watched_one.py").write_text("value = 1")
    seen = []
    hook.after_import("watched_one", lambda module: seen.append(module.value))
    import watched_one

    assert seen == [1]
    assert watched_one.__loader__ is watched_one.__spec__.loader
    assert type(watched_one.__loader__).__name__ == "SourceFileLoader"
    hook.after_import("watched_one", lambda module: seen.append(2))
    assert seen == [1, 2]
    del sys.modules["watched_one"]


def test_the_real_faces_stand_behind_tensorflow():
    before = hook.installed()
    retrograd.install()
    try:
        import tensorflow as tf
        import tensorflow.compat.v1 as v1
        from tensorflow.examples.tutorials.mnist import input_data

        from retrograd import tf as face
        from retrograd.io import mnist

        assert tf is v1 is face
        assert input_data.read_data_sets is mnist.read_data_sets
    finally:
        if not before:
            retrograd.uninstall()


def test_internal_modules_of_contrib_give_what_is_public_there():
    before = hook.installed()
    retrograd.install()
    try:
        import tensorflow as tf
        import tensorflow.contrib.seq2seq.python.ops.basic_decoder as decoders
        from tensorflow.contrib.distributions.python.ops.bijectors import masked_autoregressive
        from tensorflow.contrib.seq2seq.python.ops import attention_wrapper

        assert decoders.BasicDecoder is tf.contrib.seq2seq.BasicDecoder
        assert attention_wrapper.AttentionWrapper is tf.contrib.seq2seq.AttentionWrapper
        flow = tf.contrib.distributions.bijectors.MaskedAutoregressiveFlow
        assert masked_autoregressive.MaskedAutoregressiveFlow is flow
        from tensorflow.contrib.crf.python.ops import crf

        assert crf.crf_log_likelihood is tf.contrib.crf.crf_log_likelihood
        unbuilt = r"does not build tensorflow\.contrib\.crf\.python\.ops\.crf"
        with pytest.raises(AttributeError, match=unbuilt):
            crf.no_such_name()
        with pytest.raises(ImportError, match="cannot import name 'no_such_name'"):
            from tensorflow.contrib.crf.python.ops.crf import no_such_name  # noqa: F401
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("tensorflow.contrib.seq2seq.python.ops.no_such_module")
        from tensorflow.compiler.tf2xla.python import xla

        with pytest.raises(AttributeError, match=r"does not build tensorflow\.compiler\.tf2xla\.python\.xla"):
            xla.replica_id()
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module("tensorflow.compiler.tf2xla.python.jit")
    finally:
        if not before:
            retrograd.uninstall()
