"""The protocol buffer of a SavedModel, which no package ships without TensorFlow, and where its parts lie."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from retrograd.graph.text import as_text
from retrograd.io.saved_model import constants


@cache
def saved_model_class() -> Any:
    """The class of ``SavedModel`` messages: a schema version, and graphs."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    from tensorboard.compat.proto import meta_graph_pb2

    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="retrograd/saved_model.proto", package="retrograd", syntax="proto3")
    file.dependency.append(meta_graph_pb2.DESCRIPTOR.name)
    proto = file.message_type.add(name="SavedModel")
    proto.field.add(name="saved_model_schema_version", number=1, label=kinds.LABEL_OPTIONAL, type=kinds.TYPE_INT64)
    proto.field.add(
        name="meta_graphs", number=2, label=kinds.LABEL_REPEATED, type=kinds.TYPE_MESSAGE,
        type_name=f".{meta_graph_pb2.MetaGraphDef.DESCRIPTOR.full_name}",
    )  # fmt: skip
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("retrograd.SavedModel"))


def __getattr__(name: str) -> Any:
    """The class is found under its name."""
    if name != "SavedModel":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return saved_model_class()


def get_variables_dir(export_dir: Any) -> str:
    """The folder of the variables."""
    return os.path.join(as_text(export_dir), constants.VARIABLES_DIRECTORY)


def get_variables_path(export_dir: Any) -> str:
    """The path of the checkpoint of the variables."""
    return os.path.join(get_variables_dir(export_dir), constants.VARIABLES_FILENAME)


def get_assets_dir(export_dir: Any) -> str:
    """The folder of the files that the graphs read."""
    return os.path.join(as_text(export_dir), constants.ASSETS_DIRECTORY)


def get_or_create_variables_dir(export_dir: Any) -> str:
    """The folder of the variables, made if there is none."""
    os.makedirs(get_variables_dir(export_dir), exist_ok=True)
    return get_variables_dir(export_dir)


def get_or_create_assets_dir(export_dir: Any) -> str:
    """The folder of the files that the graphs read, made if there is none."""
    os.makedirs(get_assets_dir(export_dir), exist_ok=True)
    return get_assets_dir(export_dir)
