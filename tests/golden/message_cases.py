"""Messages taken apart and put together: ``tf.io.decode_proto`` and ``tf.io.encode_proto``."""

_PRELUDE = """
from google.protobuf import descriptor_pb2
kinds = descriptor_pb2.FieldDescriptorProto
files = descriptor_pb2.FileDescriptorSet()
file = files.file.add(name='m.proto', package='p', syntax='proto2')
def message(name, *fields, syntax=None):
    proto = file.message_type.add(name=name)
    for number, (field, kind, label, default) in enumerate(fields, 1):
        entry = proto.field.add(name=field, number=number, label=getattr(kinds, 'LABEL_' + label))
        if '.' in kind:
            entry.type_name = kind
            entry.type = kinds.TYPE_ENUM if kind == '.p.E' else kinds.TYPE_MESSAGE
        else:
            entry.type = getattr(kinds, 'TYPE_' + kind.upper())
        if default is not None:
            entry.default_value = default
    return proto
ALL = 'double float int64 uint64 int32 fixed64 fixed32 bool string bytes uint32 sfixed32 sfixed64 sint32 sint64'.split()
color = file.enum_type.add(name='E')
for i, name in enumerate(['RED', 'GREEN', 'BLUE']):
    color.value.add(name=name, number=i)
message('N', ('a', 'int32', 'OPTIONAL', '7'), ('b', 'string', 'REPEATED', None))
message('R', *[(k, k, 'REPEATED', None) for k in ALL], ('e', '.p.E', 'REPEATED', None), ('n', '.p.N', 'REPEATED', None))
packed = message('K', *[(k, k, 'REPEATED', None) for k in ALL], ('e', '.p.E', 'REPEATED', None))
for field in packed.field:
    field.options.packed = field.type not in (kinds.TYPE_STRING, kinds.TYPE_BYTES)
DEFAULTS = ['1.5', '2.5', '-3', '4', '-5', '6', '7', 'true', 'a', 'bc', '9', '-10', '-11', '-12', '-13']
message('D', *[(k, k, 'OPTIONAL', d) for k, d in zip(ALL, DEFAULTS)], ('e', '.p.E', 'OPTIONAL', 'BLUE'), ('n', '.p.N', 'OPTIONAL', None))
message('Q', *[(k, k, 'OPTIONAL', None) for k in ALL], ('e', '.p.E', 'OPTIONAL', None), ('n', '.p.N', 'OPTIONAL', None))
message('X', ('a', 'int32', 'REQUIRED', None)).extension_range.add(start=100, end=200)
file.extension.add(name='x', number=100, label=kinds.LABEL_REPEATED, type=kinds.TYPE_INT32, extendee='.p.X')
import base64, os, tempfile
source = os.path.join(tempfile.gettempdir(), 'retrograd_messages.pb')
with open(source + str(os.getpid()), 'wb') as f:
    f.write(files.SerializeToString())
os.replace(f.name, source)
TYPES = [tf.float64, tf.float32, tf.int64, tf.uint64, tf.int32, tf.uint64, tf.uint32, tf.bool, tf.string, tf.string,
         tf.uint32, tf.int32, tf.int64, tf.int32, tf.int64]
VALUES = [0.1, -2.5, -(2 ** 40), 2 ** 63 + 5, -7, 2 ** 63 + 1, 2 ** 31 + 3, True, 'text', b'by!', 2 ** 32 - 1,
          -(2 ** 31), -(2 ** 62), -19, -(2 ** 61)]
def decode(data, kind, names, types, **kw):
    kw.setdefault('descriptor_source', source)
    if isinstance(data, (list, bytes)) and kw.get('message_format') != 'text':
        data = tf.io.decode_base64(np.vectorize(base64.urlsafe_b64encode, otypes=[object])(np.array(data, object)))
    sizes, values = tf.io.decode_proto(data, 'p.' + kind, names, types, **kw)
    return [sizes] + [tf.io.encode_base64(v) if v.dtype == tf.string else v for v in values]
def encode(sizes, values, kind, names, **kw):
    kw.setdefault('descriptor_source', source)
    return [tf.io.encode_base64(tf.io.encode_proto(sizes, values, names, 'p.' + kind, **kw))]
def made(array, dtype):
    signed = {tf.uint64: tf.int64, tf.uint32: tf.int32, tf.uint16: tf.int16}.get(dtype)
    return tf.bitcast(tf.constant(array.view(signed.as_numpy_dtype), signed), dtype) if signed else tf.constant(array, dtype)
def messages(kind, n=1):
    arrays = [np.array([[v] * n], t.as_numpy_dtype) for v, t in zip(VALUES, TYPES)]
    values = [made(a, t) for a, t in zip(arrays, TYPES)]
    return tf.io.encode_proto(np.full([1, len(ALL)], n, np.int32), values, ALL, 'p.' + kind, source)
def written(*args):
    return tf.io.encode_base64(messages(*args))
"""

_LINES = r"""
ys = written('R'), written('Q'), written('K'), written('R', 2), written('K', 3)
ys = decode(messages('R', 2), 'R', ALL, TYPES)
ys = decode(messages('K', 2), 'R', ALL, TYPES)
ys = decode(messages('R', 2), 'K', ALL, TYPES)
ys = decode(messages('R', 2), 'Q', ALL, TYPES)
ys = decode(messages('R', 2), 'R', ALL, TYPES, sanitize=True)
ys = decode([b''], 'R', ALL, TYPES)
ys = decode([b''], 'D', ALL, TYPES)
ys = decode([b''], 'Q', ALL, TYPES)
ys = decode([b'', b'\x28\x01\x28\x02'], 'R', ['int32', 'bool'], [tf.int32, tf.bool])
ys = decode([[b'', b'\x28\x01'], [b'\x28\x05\x28\x06', b'\x80\x01\x02']], 'D', ['bool', 'int32'], [tf.bool, tf.int64])
ys = decode([b'', b'\x28\x01'], 'D', ['int32', 'n'], [tf.int32, tf.string])
ys = decode(b'\x8a\x01\x04\x08\x05\x12\x00', 'D', ['n'], [tf.string])
ys = decode([b'\x8a\x01\x02\x08\x05\x8a\x01\x03\x12\x01z'], 'D', ['n'], [tf.string])
ys = decode([b'\x8a\x01\x02\x08\x05\x8a\x01\x03\x12\x01z'], 'R', ['n'], [tf.string])
ys = decode([b'\x80\x01\x09\x80\x01\x01'], 'R', ['e'], [tf.int32])
ys = decode([b'\x80\x01\x09'], 'D', ['e'], [tf.int32])
ys = decode([b'\x80\x01\x09'], 'D', ['e'], [tf.int32], sanitize=True)
ys = decode([b'\x08\x05\xa0\x06\x03\xa0\x06\x04'], 'X', ['p.x', 'a'], [tf.int32, tf.int32])
ys = decode([b'\xa0\x06\x03\xa0\x06\x04'], 'X', ['p.x'], [tf.int32])
ys = decode([b'\xa0\x06\x03\xa0\x06\x04'], 'X', ['p.x'], [tf.int32], sanitize=True)
ys = decode(['int32: 1 int32: 2 string: "q" n { a: 3 }'], 'R', ['int32', 'n', 'string'], [tf.int32, tf.string, tf.string], message_format='text')
ys = decode(['e: GREEN float: 1e50'], 'D', ['e', 'float', 'bool'], [tf.int32, tf.float32, tf.bool], message_format='text')
ys = decode(['int32: x'], 'R', ['int32'], [tf.int32], message_format='text')
ys = decode(['nosuch: 1'], 'R', ['int32'], [tf.int32], message_format='text')
ys = decode([b'\x08\x05\x28\x07'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x29\x05\x00\x00\x00\x00\x00\x00\x00\x28\x07'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x28\xff\xff\xff\xff\x1f'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x40\x02'], 'R', ['bool'], [tf.bool])
ys = decode([b'\x4a\x02\xff\xfe'], 'R', ['string'], [tf.string])
ys = decode([b'garbage'], 'R', ['int32'], [tf.int32])
ys = decode([b'garbage'], 'R', ['int32'], [tf.int32], sanitize=True)
ys = decode([b'\x28'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x4a\x05ab'], 'R', ['string'], [tf.string])
ys = decode(np.zeros([0], object), 'R', ['int32'], [tf.int32])
ys = decode([b''], 'R', ['int32', 'int32'], [tf.int32, tf.int64])
ys = decode([b'\x28\x01'], 'R', ['int32', 'int32'], [tf.int32, tf.int32])
ys = decode([b''], 'R', ['nosuch'], [tf.int32])
ys = decode([b''], 'Nosuch', ['int32'], [tf.int32])
ys = decode([b''], 'R', ['int32'], [tf.int32, tf.int32])
ys = decode([b''], 'R', ['int32'], [tf.int32], message_format='xml')
ys = decode([b''], 'R', ['int32'], [tf.int32], descriptor_source='local://')
ys = decode([b''], 'R', ['int32'], [tf.int32], descriptor_source='bytes://zzz')
ys = decode([b''], 'R', ['int32'], [tf.int32], descriptor_source='/nosuch/file.pb')
ys = decode(3, 'R', ['int32'], [tf.int32])
s, v = tf.io.decode_proto([b'\x0a\x02\x0a\x00'], 'tensorflow.Example', ['features'], [tf.string]); ys = s, v[0]
s, v = tf.io.decode_proto([b'\x0a\x03\x61\x62\x63'], 'tensorflow.BytesList', ['value'], [tf.string]); ys = s, v[0]
s, v = tf.io.decode_proto([b'\x0a\x03\x61\x62\x63'], 'tensorflow.NodeDef', ['name', 'op', 'input'], [tf.string] * 3, descriptor_source=''); ys = [s] + v
ys = encode([[1, 2]], [[[3]], [['a', 'b']]], 'N', ['a', 'b'])
ys = encode([[0, 1], [1, 2]], [[[3], [4]], [['a', 'b'], ['c', 'd']]], 'N', ['a', 'b'])
ys = encode([[0, 0]], [np.zeros([1, 0], np.int32), np.zeros([1, 0], object)], 'N', ['a', 'b'])
ys = encode([[2]], [[[3, 4]]], 'N', ['a'])
ys = encode([[3]], [[[3, 4]]], 'R', ['int32'])
ys = encode([[-1]], [[[3, 4]]], 'R', ['int32'])
ys = encode([[2, 1]], [[['a', 'b']], [[3]]], 'N', ['b', 'a'])
ys = encode([[1, 1]], [[[0]], [[1]]], 'R', ['e', 'int32'])
ys = encode([[1]], [[['\x08\x01']]], 'R', ['n'])
ys = encode([[1]], [[['\x08\x01']]], 'D', ['n'])
ys = encode([[1]], [[[5]]], 'X', ['p.x'])
ys = encode([[1]], [[[5]]], 'R', ['nosuch'])
ys = encode([[1]], [[[5.0]]], 'R', ['int32'])
ys = encode([[1]], [[[5]], [[6]]], 'R', ['int32'])
ys = encode([[1]], [[[5], [6]]], 'R', ['int32'])
ys = encode([[1, 1]], [[[5]], [[6], [7]]], 'R', ['int32', 'e'])
ys = encode([1], [[5]], 'R', ['int32'])
ys = encode(1, [5], 'R', ['int32'])
ys = encode([[1, 1]], [[[5]]], 'R', ['int32'])
ys = encode([[[1]]], [[[5]]], 'R', ['int32'])
ys = encode([[1]], [[[5]]], 'Nosuch', ['int32'])
ys = decode([b'\x00'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x28\x01\x00'], 'R', ['int32'], [tf.int32])
ys = decode([b'\xff'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x2c'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x2b\x28\x01\x2c\x28\x03'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x2b\x28\x01'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x2a\x02\x01\xff'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x2a\x05\x01'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x0a\x03abc'], 'R', ['double'], [tf.float64])
ys = decode([b'\x2a\x02\x01\x02\x28\x03'], 'D', ['int32'], [tf.int32])
ys = decode([b'\x28' + b'\xff' * 10 + b'\x01'], 'R', ['int32'], [tf.int32])
ys = decode([b'\x28\xff\xff\xff\xff\x1f'], 'R', ['int32'], [tf.int64])
ys = decode([b'\x70\xff\xff\xff\xff\x1f'], 'R', ['sint32'], [tf.int64])
ys = decode([b'\x58\xff\xff\xff\xff\x1f'], 'R', ['uint32'], [tf.uint64])
ys = encode([[1]], [tf.constant([[2 ** 40 - 5]], tf.int64)], 'R', ['int32'])
ys = encode([[1]], [tf.constant([[-3]], tf.int64)], 'R', ['sint32'])
ys = encode([[1]], [tf.constant([[1e300]], tf.float64)], 'R', ['float'])
ys = encode([[1]], [[[-1]]], 'R', ['e'])
ys = encode([[0]], [[[3]]], 'K', ['int32'])
ys = encode([[1]], [5], 'R', ['int32'])
ys = encode(1, [[[5]]], 'R', ['int32'])
ys = encode([[1]], [[5]], 'R', ['int32'])
ys = encode([[1, 1]], [[[5]], [[6]]], 'R', ['int32', 'int32'])
a, b = tf.placeholder_with_default([[0.0]], None), tf.placeholder_with_default([[0], [0]], None); ys = encode([[1, 1]], [tf.cast(a, tf.float64), b], 'R', ['double', 'int32'])
x = tf.placeholder(tf.string, [None, 3]); s, v = tf.io.decode_proto(x, 'p.R', ['int32', 'e'], [tf.int32] * 2, source); print([t.shape for t in [s] + v]); ys = [tf.constant([str(t.shape) for t in [s] + v])]
x = tf.placeholder(tf.int32, [None, 3, None]); ys = [tf.constant(str(tf.io.encode_proto(x, [x, x], ['int32', 'e'], 'p.R', source).shape))]
x = tf.placeholder(tf.int32); ys = [tf.constant(str(tf.io.encode_proto(x, [x, x], ['int32', 'e'], 'p.R', source).shape))]
"""

_ALL = "double float int64 uint64 int32 fixed64 fixed32 bool string bytes uint32 sfixed32 sfixed64 sint32 sint64 e n"
_DTYPES = "float16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool string"

CASES = {line: _PRELUDE + line for line in _LINES.strip().splitlines()}
for _field in _ALL.split():
    for _dtype in _DTYPES.split():
        _data = {"e": r"b'\x80\x01\x02'", "n": r"b'\x8a\x01\x02\x08\x05'"}.get(_field, "b''")
        _read = f"ys = decode([{_data}], 'D', ['{_field}'], [tf.{_dtype}])"
        _written = f"ys = encode([[1]], [made(np.array([[0 if tf.{_dtype} != tf.string else b'']], tf.{_dtype}.as_numpy_dtype), tf.{_dtype})], 'R', ['{_field}'])"
        CASES.update({_read: _PRELUDE + _read, _written: _PRELUDE + _written})
