"""Modules that ``protoc`` wrote before version 3.19, and messages as text.

Later libraries read nothing but the serialized file of such a module, and write the entries of a map in any order.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache

from retrograd.revival.putting import undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Described:
    """What such a module writes of a message, field, enumeration or file; it reads as the pool's own descriptor."""

    def __init__(self, find: Any, given: dict[str, Any]) -> None:
        """``find`` gives the pool's descriptor of a full name; ``given`` are the arguments in the module."""
        self._find = find
        self.full_name = given.get("full_name")
        for kind in ("fields", "oneofs", "enum_types", "nested_types", "extensions", "values"):
            setattr(self, f"{kind}_by_name", {x.name: x for x in given.get(kind, ())})
        self.message_types_by_name: dict[str, Any] = {}
        self.services_by_name: dict[str, Any] = {}
        self.fields: list[Any] = []
        self.name = given.get("name")

    @property
    def described(self) -> Any:
        """The pool's own descriptor."""
        return self._find(self.full_name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.described, name)


def revive_descriptor(descriptor: Any) -> None:
    """The classes of descriptors are called with what they describe."""
    finders = {
        "Descriptor": _found("FindMessageTypeByName"),
        "FieldDescriptor": _found("FindFieldByName"),
        "EnumDescriptor": _found("FindEnumTypeByName"),
        "EnumValueDescriptor": None,
        "OneofDescriptor": _found("FindOneofByName"),
        "ServiceDescriptor": _found("FindServiceByName"),
        "MethodDescriptor": _found("FindMethodByName"),
    }
    for name, find in finders.items():
        kind = getattr(descriptor, name)
        if kind.__new__ is not object.__new__:  # descriptors are those of a compiled library
            _replace(kind, lambda cls, find=find, **given: Described(find, given))
    first = descriptor.FileDescriptor.__new__

    def new_file(cls: Any, name: str, package: str, *args: Any, serialized_pb: Any = None, **more: Any) -> Any:
        if serialized_pb and b"tensorflow/core/" in serialized_pb:
            serialized_pb = on_tensorboards_messages(serialized_pb)
        made = first(cls, name, package, *args, serialized_pb=serialized_pb, **more)
        return Described(lambda _: made, {"name": name}) if serialized_pb else made

    if first is not object.__new__:
        _replace(descriptor.FileDescriptor, new_file)


_TENSORFLOWS = re.compile(r"tensorflow/core/(?:framework|protobuf|util)/(\w+\.proto)")


def on_tensorboards_messages(serialized: bytes) -> bytes:
    """A file that names TensorFlow's messages, with those of the ``tensorboard`` package, which are ours."""
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    file = FileDescriptorProto.FromString(serialized)
    file.dependency[:] = [_TENSORFLOWS.sub(r"tensorboard/compat/proto/\1", name) for name in file.dependency]
    fields = [*file.extension, *(field for message in file.message_type for field in _fields(message))]
    for field in fields:
        name = field.type_name.replace(".tensorflow.", "tensorboard.", 1)
        finder = "FindEnumTypeByName" if field.type == field.TYPE_ENUM else "FindMessageTypeByName"
        with suppress(KeyError):  # what is no message of tensorboard's is one of this file's, or of another's
            if name != field.type_name:
                field.type_name = f".{_found(finder)(name).full_name}"
    return file.SerializeToString()


def _fields(message: Any) -> list[Any]:
    inner = [field for nested in message.nested_type for field in _fields(nested)]
    return [*message.field, *message.extension, *inner]


def _found(finder: str) -> Any:
    """The function that finds a descriptor by its full name."""

    def find(full_name: str) -> Any:
        from google.protobuf.descriptor_pool import Default  # which imports the module that is revived

        return getattr(Default(), finder)(full_name)

    return find


def _replace(kind: Any, new: Any, name: str = "__new__") -> None:
    first = kind.__dict__[name]
    setattr(kind, name, new)
    undo.append(lambda: setattr(kind, name, first))


def revive_reflection(reflection: Any) -> None:
    """``GeneratedProtocolMessageType`` of what a module describes is the class of the pool's descriptor."""
    from google.protobuf.message_factory import GetMessageClass

    made = reflection.GeneratedProtocolMessageType

    def message_type(name: str, bases: Any, members: dict[str, Any]) -> Any:
        of = members.get("DESCRIPTOR")
        return GetMessageClass(of.described) if isinstance(of, Described) else made(name, bases, members)

    reflection.GeneratedProtocolMessageType = message_type
    undo.append(lambda: setattr(reflection, "GeneratedProtocolMessageType", made))


def revive_messages(compiled: Any) -> None:
    """``str(message)`` of a compiled library has the entries of a map in the order of their keys."""
    _replace(compiled.Message, text_of, "__str__")
    _replace(compiled.Message, text_of, "__repr__")


def text_of(message: Any) -> str:
    """A message as text, as the libraries of TensorFlow 1.15's time wrote it."""
    from io import StringIO

    out = StringIO()
    _printer()(out, as_utf8=False).PrintMessage(message)
    return out.getvalue()


@cache
def _printer() -> Any:
    from google.protobuf import text_format

    class Printer(text_format._Printer):  # type: ignore[name-defined, misc]
        """Writes a map in the order of its keys, and of each entry the value too where it is the default."""

        def PrintMessage(self, message: Any) -> None:
            described = message.DESCRIPTOR
            if not (described.has_options and described.GetOptions().map_entry):
                super().PrintMessage(message)
                return
            for field in described.fields:
                self.PrintField(field, getattr(message, field.name))

    return Printer
