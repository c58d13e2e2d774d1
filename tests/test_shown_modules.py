"""Names that programs find by other ways than the public ones: modules that modules import, other roots."""

import importlib
import subprocess
import sys

import pytest

from retrograd import doctor, hook
from retrograd.reasons import shown_module


@pytest.fixture
def tf():
    hook.install()
    yield importlib.import_module("tensorflow")
    hook.uninstall()


def test_an_inner_module_shows_what_it_imports(tf):
    from tensorflow.contrib.slim.nets import resnet_v1, resnet_v2

    assert resnet_v1.layers_lib is importlib.import_module("tensorflow.contrib.layers.python.layers.layers")
    assert resnet_v2.resnet_utils.Block is tf.contrib.slim.nets.resnet_utils.Block
    assert tf.contrib.slim.learning.supervisor.Supervisor is tf.train.Supervisor
    with pytest.raises(AttributeError, match="nonsense"):
        _ = resnet_v1.nonsense


def test_modules_that_are_shown_are_as_recorded():
    assert shown_module("contrib.slim.nets.resnet_v1", "layers_lib") == "contrib.layers.python.layers.layers"
    assert shown_module("contrib.slim.learning", "tf_saver") == "python.training.saver"
    assert shown_module("contrib.slim.learning", "nonsense") is None
    assert shown_module("nonsense.at.all", "nonsense") is None


def test_ops_of_tensorflow_python_has_the_names_of_the_framework(tf):
    from tensorflow.python import ops
    from tensorflow.python.ops import math_ops

    assert ops.convert_to_tensor is tf.convert_to_tensor
    assert ops.math_ops is math_ops


def test_estimators_under_the_name_of_their_own_package(tf):
    from tensorflow_estimator import estimator
    from tensorflow_estimator.python.estimator.head import regression_head

    assert estimator.Estimator is tf.estimator.Estimator
    assert regression_head.RegressionHead is tf.estimator.RegressionHead


def test_the_second_version_shows_what_it_shares_with_the_first(tf):
    from tensorflow.compat.v2.keras.optimizers import Adam

    second = tf.compat.v2
    assert Adam is second.keras.optimizers.Adam is tf.keras.optimizers.Adam
    assert second.train.Example is tf.train.Example
    assert second.test.TestCase is tf.test.TestCase
    assert second.config.experimental.list_physical_devices is tf.config.experimental.list_physical_devices
    assert issubclass(second.distribute.MirroredStrategy, second.distribute.Strategy)


def test_the_doctor_knows_these_names(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import tensorflow as tf\nfrom tensorflow.python import ops\n"
        "from tensorflow_estimator.python.estimator.head import multi_head\n"
        "tf.contrib.slim.learning.tf_saver.Saver()\nops.convert_to_tensor(1)\ntf.compat.v2.test.TestCase\n"
    )
    assert doctor.Reading(program).findings == []


def test_importing_the_package_of_estimators_alone():
    code = (
        "import retrograd; retrograd.install(); import tensorflow_estimator as e; print(e.estimator.Estimator.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Estimator\n"
