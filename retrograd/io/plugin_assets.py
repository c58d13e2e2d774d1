"""Plugin assets: files that a program gives a plugin of TensorBoard, written beside the events of a graph."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Any, TypeVar

from retrograd.files import file_system
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph

_PLUGINS_DIR = "plugins"
_PREFIX = "__tensorboard_plugin_asset__"  # of the collection of one plugin; the bare prefix lists the names


class PluginAsset(ABC):
    """The files of the plugin ``plugin_name``; a graph has one object of each class."""

    plugin_name: str | None = None

    @abstractmethod
    def assets(self) -> dict[str, Any]:
        """The contents of files by their names."""


Asset = TypeVar("Asset", bound=PluginAsset)


def get_plugin_asset(plugin_asset_cls: type[Asset], graph: Graph | None = None) -> Asset:
    """The graph's object of a class, made at first use.

    Raises:
      ValueError: the class names no plugin, or another class has named it before.
    """
    graph = graph or default_graph()
    name = plugin_asset_cls.plugin_name
    if not name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    found = graph.get_collection(_PREFIX + name)
    if not found:
        found = [plugin_asset_cls()]
        graph.add_to_collection(_PREFIX + name, found[0])
        graph.add_to_collection(_PREFIX, name)
    if type(found[0]) is not plugin_asset_cls:
        there = type(found[0]).__name__
        raise ValueError(f"Plugin name collision between classes {plugin_asset_cls.__name__} and {there}")
    return found[0]  # type: ignore[no-any-return]


def get_all_plugin_assets(graph: Graph | None = None) -> list[PluginAsset]:
    """The objects of a graph."""
    graph = graph or default_graph()
    return [graph.get_collection(_PREFIX + name)[0] for name in graph.get_collection(_PREFIX)]


def write_plugin_assets(graph: Graph, logdir: str) -> None:
    """Write the files of a graph's plugins to ``logdir/plugins/PLUGIN``."""
    for asset in get_all_plugin_assets(graph):
        folder = os.path.join(logdir, _PLUGINS_DIR, str(asset.plugin_name))
        file_system.make_directories(folder)
        for name, content in asset.assets().items():
            file_system.write(os.path.join(folder, name), content if isinstance(content, bytes) else content.encode())
