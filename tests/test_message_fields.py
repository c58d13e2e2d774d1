"""Fields of messages against TensorFlow 1.15.5: ``golden/message.json.gz``."""

import pytest
from golden import message_cases
from google.protobuf import descriptor_pb2
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("message")


@pytest.mark.parametrize("name", message_cases.CASES)
def test_as_recorded(name):
    with tf.Graph().as_default():
        check(message_cases, name, GOLDEN[name], nodes=False)


def test_absent_enum_is_its_default():
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="e.proto", package="q", syntax="proto2")
    color = file.enum_type.add(name="E")
    for number, word in enumerate(("RED", "GREEN")):
        color.value.add(name=word, number=number)
    message = file.message_type.add(name="M")
    kind = descriptor_pb2.FieldDescriptorProto
    kinds = {"label": kind.LABEL_OPTIONAL, "type": kind.TYPE_ENUM, "type_name": ".q.E"}
    message.field.add(name="e", number=1, default_value="GREEN", **kinds)
    source = b"bytes://" + files.SerializeToString()
    with tf.Graph().as_default(), tf.Session() as sess:
        sizes, (values,) = tf.io.decode_proto([b"", b"\x08\x00"], "q.M", ["e"], [tf.int32], source)
        assert [x.tolist() for x in sess.run([sizes, values])] == [[[0], [1]], [[1], [0]]]


def test_no_fields_at_all():
    with tf.Graph().as_default(), tf.Session() as sess:
        sizes, values = tf.io.decode_proto([b"\x0a\x00"], "tensorflow.Example", [], [])
        assert sess.run(sizes).shape == (1, 0)
        assert values == []
