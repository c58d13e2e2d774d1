"""``tensorflow.python.platform.tf_logging`` is the logger's module itself: what a program puts there is called."""

import sys

from retrograd.graph import log

sys.modules[__name__] = log
