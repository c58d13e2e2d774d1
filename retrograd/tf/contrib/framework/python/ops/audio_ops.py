"""The names of ``tensorflow.contrib.framework.python.ops.audio_ops``."""

from retrograd.faces import missing
from retrograd.ops.audio import decode_wav, encode_wav
from retrograd.ops.speech import audio_spectrogram, mfcc

__getattr__ = missing(__name__)
