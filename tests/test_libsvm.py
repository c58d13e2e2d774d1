"""Lines of labels and sparse features, against TensorFlow 1.15.5: ``golden/libsvm.json.gz``."""

import pytest
from golden import libsvm_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("libsvm")


@pytest.mark.parametrize("name", libsvm_cases.CASES)
def test_as_recorded(name):
    with tf.Graph().as_default():
        check(libsvm_cases, name, GOLDEN[name], nodes=False)
