"""``xml.etree.cElementTree``, which Python 3.9 removed: the same as ``ElementTree``."""

from xml.etree.ElementTree import *  # noqa: F403
