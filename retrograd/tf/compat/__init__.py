"""The names of ``tensorflow.compat``; ``v1`` is ``tensorflow`` itself."""

from retrograd import tf as v1
