"""The names of ``tensorflow.compat.v2.autograph.experimental``."""

from retrograd.faces import missing

_LAZY = {
    "Feature": "retrograd.tf.autograph.experimental",
    "do_not_convert": "retrograd.tf.autograph.experimental",
    "set_loop_options": "retrograd.tf.autograph.experimental",
}
__getattr__ = missing(__name__, _LAZY)
