"""The names of ``tensorflow.contrib.tfprof``."""

from retrograd.faces import missing
from retrograd.sessions.profile_contexts import ProfileContext
from retrograd.tf.contrib.tfprof import model_analyzer

__getattr__ = missing(__name__)
