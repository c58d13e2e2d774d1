"""Read by every Python that a program under ``retrograd run`` starts: gives it the program's ``import tensorflow``.

The folder stands first on their ``PYTHONPATH``. A Python of another environment, which may have a TensorFlow
of its own and be of any version, is left as it is, and the environment's own ``sitecustomize`` is read behind this one.
"""

import os
import sys


def _install():  # type: () -> None
    """Install the hook; retrograd is beside this file, if not on the path."""
    try:
        from retrograd import runner
    except ImportError:
        sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        from retrograd import runner

    runner.in_child()


def _read_other():  # type: () -> None
    """Import the ``sitecustomize`` that this one hides, if there is one."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != folder]
    this = sys.modules.pop("sitecustomize")
    try:
        __import__("sitecustomize")
    except ImportError as error:
        if getattr(error, "name", "") != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", this)


if os.environ.get("RETROGRAD_CHILDREN") == sys.prefix:
    _install()
_read_other()
