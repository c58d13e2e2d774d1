"""The names of ``tensorflow.python.platform.googletest``."""

from retrograd.faces import missing
from retrograd.testing.modes import get_temp_dir, main, test_src_dir_path
from retrograd.testing.modes import get_temp_dir as GetTempDir
from retrograd.testing.stubs import StubOutForTesting

_LAZY = {
    "Benchmark": "retrograd.testing.benchmark",
    "SkipTest": "unittest",
    "TestCase": "absl.testing.absltest",
    "TestLoader": "unittest",
    "expectedFailure": "unittest",
    "mock": "unittest",
    "skip": "unittest",
    "skipIf": "unittest",
    "skipUnless": "unittest",
}
__getattr__ = missing(__name__, _LAZY)
