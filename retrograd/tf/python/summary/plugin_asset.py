"""The names of ``tensorflow.python.summary.plugin_asset``."""

from retrograd.faces import missing
from retrograd.io.plugin_assets import PluginAsset, get_all_plugin_assets, get_plugin_asset

__getattr__ = missing(__name__)
