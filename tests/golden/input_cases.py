"""Input pipelines, as built and run under TensorFlow 1.15.5 and here."""

import os
import re

import numpy as np


# -- graphs


def parsing(tf):
    x = tf.placeholder(tf.string, [None])
    F=tf.FixedLenFeature
    f = {'b': F([2], tf.int64), 'a': F([], tf.float32, 1.5), 'v': tf.VarLenFeature(tf.string), 's': F([],tf.string,''), 'd2': F([2],tf.int64,[1,2]),
     'seq': tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True), 'sp': tf.SparseFeature('ix','val',tf.float32,100),
     'seqd': tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True, default_value=7), 'd1b': F([2],tf.float32,3.0)if 0 else F([1],tf.float32,3.0)}
    r = tf.parse_example(x, f)
    y = tf.placeholder(tf.string, [])
    r = tf.parse_single_example(y, {k:v for k,v in f.items() if k!='seqd'})
    r = tf.parse_single_sequence_example(y, {'c': F([],tf.int64), 'cd':F([],tf.int64,3), 'cv': tf.VarLenFeature(tf.float32)}, {'t': tf.FixedLenSequenceFeature([],tf.int64), 'tm': tf.FixedLenSequenceFeature([3],tf.float32,allow_missing=True), 'tv': tf.VarLenFeature(tf.string)})
    r = tf.io.parse_sequence_example(x, {'c': F([],tf.int64), 'cd':F([],tf.int64,3), 'cv': tf.VarLenFeature(tf.float32)}, {'t': tf.FixedLenSequenceFeature([],tf.int64,allow_missing=True), 'tv': tf.VarLenFeature(tf.string)})
    r = tf.parse_example(x, f, name='hello')
    tf.decode_raw(y, tf.uint8); tf.decode_raw(x, tf.int32, name='dd'); tf.decode_csv(x, [[1.0],['a'],[]], select_cols=None, record_defaults=[[1.0],['a'],tf.constant([],tf.int32)]) if 0 else tf.decode_csv(x, [[1.0],['a'],tf.constant([],tf.int32)])
    tf.read_file(y); tf.write_file(y,y); tf.matching_files(y); tf.train.match_filenames_once('*'); tf.parse_tensor(y, tf.float32); tf.serialize_tensor(tf.constant(1.)); tf.decode_json_example(x); tf.io.decode_compressed(x,'ZLIB')


def parsing_with_names(tf):
    F = tf.FixedLenFeature
    f={'a':F([2],tf.int64),'v':tf.VarLenFeature(tf.float32),'sp':tf.SparseFeature(['i1','i2'],'val',tf.float32,[10,20])}
    y=tf.placeholder(tf.string,[])
    tf.parse_single_example(y,f,example_names='x')
    tf.parse_single_example(y,f,example_names=y,name='foo')
    tf.parse_single_example('lit',f)
    tf.parse_example(['lit'],f,example_names=['a'])
    tf.parse_single_sequence_example('lit',{'a':F([2],tf.int64)},{'t':tf.FixedLenSequenceFeature([],tf.int64)},example_name='q')
    tf.io.parse_sequence_example(['lit'],{'a':F([2],tf.int64)},{'t':tf.FixedLenSequenceFeature([],tf.int64)},example_names=['q'],name='xx')


def queues(tf):
    q=tf.FIFOQueue(10,[tf.float32,tf.int32],shapes=[[2],[]])
    e=q.enqueue([[1.,2.],3]); em=q.enqueue_many([[[1.,2.]],[3]]); d=q.dequeue(); dm=q.dequeue_many(3); du=q.dequeue_up_to(tf.placeholder(tf.int32,[])); c=q.close(); cc=q.close(cancel_pending_enqueues=True); q.size(); q.is_closed()
    r=tf.RandomShuffleQueue(10,2,tf.float32,shapes=[()],seed=3,shared_name='sh',name='rsq'); r.enqueue(1.); r.dequeue()
    p=tf.PaddingFIFOQueue(10,[tf.float32],shapes=[[None]],names=['a']); p.enqueue({'a':[1.]}); p.dequeue_many(2)
    pq=tf.PriorityQueue(10,[tf.string],shapes=[()]); pq.enqueue((1,'a')); pq.dequeue()
    with tf.device('/cpu:0'): tf.FIFOQueue(10,tf.float32).dequeue()
    sp=tf.train.string_input_producer(['a','b'],num_epochs=2,seed=1)
    rd=tf.TextLineReader(skip_header_lines=1); k,v=rd.read(sp); ks,vs=rd.read_up_to(sp,5); rd.num_records_produced(); rd.num_work_units_completed(); rd.reset(); 
    tf.WholeFileReader().read(sp); tf.TFRecordReader(options=tf.python_io.TFRecordOptions(2)).read(sp); tf.FixedLengthRecordReader(record_bytes=5,header_bytes=1).read(sp); ir=tf.IdentityReader(); ir.read(sp); ir.serialize_state(); ir.restore_state('x')
    a,b=tf.train.batch([v,tf.constant([1,2])],4,num_threads=2,capacity=20)
    a2=tf.train.batch({'x':v},4,dynamic_pad=True,allow_smaller_final_batch=True)
    a3=tf.train.shuffle_batch([v],4,capacity=20,min_after_dequeue=5,seed=3)
    a4=tf.train.batch_join([[v],[v]],4); a5=tf.train.shuffle_batch_join([[v],[v]],4,20,5)
    s=tf.train.slice_input_producer([tf.constant([1,2,3]),tf.constant([[1.],[2.],[3.]])],shuffle=False)
    rp=tf.train.range_input_producer(10,shuffle=True,num_epochs=1).dequeue()
    tf.train.input_producer(tf.constant([[1,2]]))
    tf.train.limit_epochs(tf.constant(3),num_epochs=2)
    tf.train.maybe_batch([v],tf.constant(True),3); tf.train.maybe_shuffle_batch([v],3,20,5,tf.constant(True)); tf.train.maybe_batch_join([[v]],tf.constant(True),3)
    stg=tf.contrib.staging.StagingArea([tf.float32],shapes=[[2]],names=None,capacity=3); stg.put([tf.constant([1.,2.])]); stg.get(); stg.size(); stg.clear(); stg.peek(0)
    sps=tf.sparse_placeholder(tf.float32,[3,4]); tf.train.batch([sps],2)
    tf.train.batch([v],4,enqueue_many=False,shapes=[[]],name='nm')


def datasets(tf):
    D=tf.data.Dataset
    tf.set_random_seed(3)
    a=D.list_files('/data/*'); b=D.list_files(['/a','/b'],shuffle=False); c=D.list_files('/x',seed=4)
    d=D.from_tensor_slices({'x':[[1,2],[3,4]],'y':['a','b']}).padded_batch(2,{'x':[3],'y':[]})
    d2=D.range(3).padded_batch(2,[],padding_values=tf.constant(7,tf.int64),drop_remainder=True)
    e=D.range(3).window(2).flat_map(lambda x: x.batch(2))
    r=D.range(3).reduce(tf.constant(0,tf.int64), lambda s,x: s+x)
    g=D.from_generator(lambda: iter([1,2]), tf.int32, tf.TensorShape([]))
    i=D.range(3).interleave(lambda x: D.from_tensors(x), cycle_length=2)
    i2=D.range(3).interleave(lambda x: D.from_tensors(x), cycle_length=2, num_parallel_calls=2)
    i3=D.range(3).apply(tf.data.experimental.parallel_interleave(lambda x: D.from_tensors(x), cycle_length=2))
    t=tf.data.TextLineDataset(['a','b']); t2=tf.data.TFRecordDataset('a',compression_type='GZIP',buffer_size=100,num_parallel_reads=2); t3=tf.data.FixedLengthRecordDataset('a',4); t4=tf.data.TFRecordDataset(D.list_files('/x',shuffle=False))
    mb=D.range(3).apply(tf.data.experimental.map_and_batch(lambda x:x+1,2,num_parallel_calls=2,drop_remainder=True))
    sr=D.range(3).apply(tf.data.experimental.shuffle_and_repeat(5,2))
    ub=D.range(3).batch(2).apply(tf.data.experimental.unbatch())
    gw=D.range(3).apply(tf.data.experimental.group_by_window(lambda x:x%2, lambda k,d: d.batch(2), window_size=2))
    sc=D.range(3).apply(tf.data.experimental.scan(tf.constant(0,tf.int64), lambda s,x: (s+x,s)))
    en=D.range(3).enumerate(); en2=D.range(3).apply(tf.data.experimental.enumerate_dataset())
    v=tf.constant(5,tf.int64); cap=D.range(3).map(lambda x: x+v).filter(lambda x: tf.less(x,v)).cache().take(1).skip(2).concatenate(D.range(5)).shard(2,0)
    sm=tf.data.experimental.sample_from_datasets([D.range(3),D.range(4)],seed=1)
    ch=tf.data.experimental.choose_from_datasets([D.range(3),D.range(4)],D.range(2))
    se=tf.data.experimental.get_single_element(D.range(1))
    un=D.range(3).apply(tf.data.experimental.unique()); rd=tf.data.experimental.RandomDataset(); tw=D.range(3).apply(tf.data.experimental.take_while(lambda x:x<2)); ct=tf.data.experimental.Counter(); pf=D.range(3).apply(tf.data.experimental.prefetch_to_device('/cpu:0')) if 0 else 0
    bk=D.range(10).map(lambda x: tf.fill([x],x)).apply(tf.data.experimental.bucket_by_sequence_length(lambda x: tf.shape(x)[0],[3,5],[2,2,2]))
    mk=D.from_tensors({'a':1,'b':(2.,[3,4])}); z=D.zip((D.range(3),D.from_tensors(1)))
    sp=D.from_tensors(tf.SparseTensor([[0]],[1.],[2])).batch(2)
    it=sp.make_initializable_iterator(); it.get_next()
    cd=tf.data.experimental.cardinality(D.range(3))
    csv=tf.data.experimental.CsvDataset('a',[tf.float32,tf.int32],header=True)


def tables(tf):
    C=tf.contrib.lookup
    t=C.index_table_from_tensor(tf.constant(['a','b','c']),num_oov_buckets=2,default_value=-1); t.lookup(tf.constant(['a','z'])); t.size(); t.init if hasattr(t,'init') else 0
    t2=C.index_table_from_tensor(['a','b']); t2.lookup(tf.constant(['a']))
    t3=C.index_table_from_file('voc.txt',default_value=0); t3.lookup(tf.constant(['a']))
    t4=C.index_to_string_table_from_file('voc.txt',default_value='UNK'); t4.lookup(tf.constant([0,1],tf.int64))
    t5=C.index_to_string_table_from_tensor(['x','y'],default_value='U'); t5.lookup(tf.constant([1],tf.int64))
    h=C.HashTable(C.KeyValueTensorInitializer(['a'],[1.5]),-1.0); h.lookup(tf.constant('a')); h.size()
    h2=tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1,2],['x','y'],tf.int64,tf.string),'d'); h2.lookup(tf.constant([1],tf.int64))
    m=C.MutableHashTable(tf.string,tf.int64,-1); m.insert(tf.constant(['a']),tf.constant([1],tf.int64)); m.lookup(tf.constant(['a'])); m.export(); m.size(); m.remove(tf.constant(['a']))
    m2=C.MutableHashTable(tf.string,tf.float32,[0.,0.]); m2.insert(['a'],[[1.,2.]]); m2.lookup(tf.constant(['a']))
    md=C.MutableDenseHashTable(tf.int64,tf.int64,default_value=-1,empty_key=0,deleted_key=-5); md.insert(tf.constant([3],tf.int64),tf.constant([4],tf.int64)); md.lookup(tf.constant([3],tf.int64)); md.remove(tf.constant([3],tf.int64)); md.export()
    sv=tf.lookup.StaticVocabularyTable(tf.lookup.TextFileInitializer('voc.txt',tf.string,tf.lookup.TextFileIndex.WHOLE_LINE,tf.int64,tf.lookup.TextFileIndex.LINE_NUMBER),3); sv.lookup(tf.constant(['q'])); 
    ti=tf.tables_initializer()
    th=C.index_table_from_tensor([5,6],num_oov_buckets=1,dtype=tf.int64); th.lookup(tf.constant([5],tf.int64))


def images(tf):
    y = tf.placeholder(tf.string, [])
    for f, k in ((tf.image.decode_png, {}), (tf.image.decode_png, dict(channels=3)), (tf.image.decode_png, dict(dtype=tf.uint16)), (tf.image.decode_jpeg, {}), (tf.image.decode_jpeg, dict(channels=1, ratio=2)), (tf.image.decode_gif, {}), (tf.image.decode_bmp, {}), (tf.image.extract_jpeg_shape, {}), (tf.image.is_jpeg, {})):
        f(y, **k)
    tf.image.decode_and_crop_jpeg(y, [0, 0, 2, 2])
    tf.image.encode_png(tf.zeros([2, 2, 3], tf.uint8))
    tf.image.encode_jpeg(tf.zeros([2, 2, 3], tf.uint8))
    tf.audio.decode_wav(y)
    tf.audio.encode_wav(tf.zeros([3, 1]), 8000)
    tf.image.decode_image(y)
    tf.image.decode_image(y, channels=3, dtype=tf.float32)


def iterators(tf):
    D = tf.data.Dataset
    ds = D.from_tensor_slices({"a": [1, 2, 3], "b": [1.0, 2.0, 3.0]}).map(lambda d: (d["a"], d["b"]))
    ds.make_one_shot_iterator().get_next(name="mine")
    it = tf.data.Iterator.from_structure(ds.output_types, ds.output_shapes)
    it.make_initializer(ds)
    it.get_next()
    h = tf.placeholder(tf.string, [])
    tf.data.Iterator.from_string_handle(h, ds.output_types, ds.output_shapes).get_next()
    ds.make_initializable_iterator("shared").string_handle()


def resampling(tf):
    for extra in ({}, {"initial_dist": [0.2, 0.8]}):
        resampled(tf, [0.5, 0.5], **extra).make_one_shot_iterator().get_next()


GRAPHS = [parsing, parsing_with_names, queues, datasets, tables, images, iterators, resampling]


def graph(tf, build):
    """The nodes that a function builds; numbers at the end of the names of functions are left out."""
    with tf.Graph().as_default() as g:
        build(tf)
        return [_node(op) for op in g.get_operations()]


def _node(op):
    proto = op.node_def
    functions = sorted((k, re.sub(r"(?<=_make_dataset_).*|_\d+$", "", v.func.name)) for k, v in proto.attr.items() if v.HasField("func"))
    outputs = [[t.dtype.name, None if t.shape.ndims is None else t.shape.as_list()] for t in op.outputs]
    inputs = [f"{x.op.name}:{x.value_index}" for x in op.inputs]
    waits = sorted(c.name for c in op.control_inputs)
    return [op.name, op.type, inputs, waits, outputs, functions, sorted(proto.attr), proto.device]


# -- datasets that are run


def runs(tf):
    """label -> a function that makes a dataset."""
    D = tf.data.Dataset
    cases = {}

    def run(label, build, n=12):
        cases[label] = build, n

    def gen():
        for i in range(3): yield i, [i]*i
    run('gen', lambda: D.from_generator(gen,(tf.int32,tf.float32),([],[None])))
    run('gen padded', lambda: D.from_generator(gen,(tf.int32,tf.float32),([],[None])).padded_batch(2,([],[None])))
    run('gen bad', lambda: D.from_generator(lambda: iter([1,'a',3]),tf.int32))
    run('gen shape', lambda: D.from_generator(lambda: iter([[1],[1,2]]),tf.int32,[1]))
    run('gen dict', lambda: D.from_generator(lambda: iter([{'a':1,'b':'x'}]),{'a':tf.int32,'b':tf.string}))
    run('gen args', lambda: D.from_generator(lambda n: range(n),tf.int64,[],args=(3,)).repeat(2))
    def bad():
        yield 1
        raise ValueError('boom')
    run('gen raise', lambda: D.from_generator(bad,tf.int32),3)
    run('slices', lambda: D.from_tensor_slices(({'a':[1,2],'b':[[1.],[2.]]},['x','y'])))
    run('batch drop', lambda: D.range(5).batch(2,drop_remainder=True))
    run('batch bad', lambda: D.range(4).map(lambda x: tf.fill([x],x)).batch(2),3)
    run('pad bad', lambda: D.range(4).map(lambda x: tf.fill([x],x)).padded_batch(4,[2]),2)
    run('filter', lambda: D.range(6).filter(lambda x: tf.equal(x%2,0)))
    run('window', lambda: D.range(7).window(3,2,1,True).flat_map(lambda d: d.batch(3)))
    run('window2', lambda: D.range(7).window(3,shift=1,stride=2).flat_map(lambda d: d.batch(3)))
    run('window3', lambda: D.from_tensor_slices({'a':[1,2,3],'b':['x','y','z']}).window(2).flat_map(lambda d: D.zip((d['a'].batch(2),d['b'].batch(2)))))
    run('ignore', lambda: D.from_tensor_slices([1.,2.,0.,4.]).map(lambda x: tf.debugging.check_numerics(1./x,'err')).apply(tf.data.experimental.ignore_errors()))
    run('err', lambda: D.from_tensor_slices([1.,0.,4.]).map(lambda x: tf.debugging.check_numerics(1./x,'err')),4)
    run('pyfunc', lambda: D.range(3).map(lambda x: tf.py_func(lambda y: y*2, [x], tf.int64)))
    run('pyfunc par', lambda: D.range(8).map(lambda x: tf.py_func(lambda y: y*2, [x], tf.int64),num_parallel_calls=3))
    run('take_while', lambda: D.range(8).apply(tf.data.experimental.take_while(lambda x: x<3)))
    run('scan', lambda: D.range(5).apply(tf.data.experimental.scan(np.int64(0), lambda s,x: (s+x,s))))
    run('group', lambda: D.range(8).apply(tf.data.experimental.group_by_window(lambda x: x%3, lambda k,d: d.batch(2), 2)))
    run('bucket', lambda: D.from_generator(lambda: ([1]*n for n in [1,2,5,3,8,1]),tf.int32,[None]).apply(tf.data.experimental.bucket_by_sequence_length(lambda x: tf.size(x),[3,6],[2,2,2])))
    run('unbatch', lambda: D.from_tensors([[1,2],[3,4]]).apply(tf.data.experimental.unbatch()))
    run('enumerate', lambda: D.from_tensor_slices(['a','b']).enumerate())
    run('unique', lambda: D.from_tensor_slices([1,2,1,3]).apply(tf.data.experimental.unique()))
    run('concat', lambda: D.range(2).concatenate(D.range(5,7)).skip(1).take(2).repeat(2).prefetch(2))
    run('cache', lambda: D.range(3).cache().repeat(2))
    run('shard', lambda: D.range(10).shard(3,1))
    run('interl', lambda: D.range(5).interleave(lambda x: D.from_tensors(x).repeat(x+1), cycle_length=3, block_length=2),20)
    run('parinterl', lambda: D.range(5).apply(tf.data.experimental.parallel_interleave(lambda x: D.from_tensors(x).repeat(x+1), cycle_length=3, block_length=2)),20)
    run('interl par', lambda: D.range(5).interleave(lambda x: D.from_tensors(x).repeat(x+1), cycle_length=3, block_length=2,num_parallel_calls=2),20)
    run('sparse', lambda: D.from_tensor_slices(tf.SparseTensor([[0,0],[1,1]],[1.,2.],[2,3])).batch(2))
    run('sparse2', lambda: D.range(3).map(lambda x: tf.SparseTensor([[0]],[x],[3])))
    run('oor', lambda: D.range(5).map(lambda x: tf.py_func(lambda y: (_ for _ in ()).throw(StopIteration()) if y==2 else y,[x],tf.int64)))
    run('reduce', lambda: D.from_tensors(D.range(5).reduce(np.int64(0), lambda s,x: s+x)))
    run('counter', lambda: tf.data.experimental.Counter(5,2).take(3))
    run('csvd', lambda: tf.data.experimental.CsvDataset('c.csv',[tf.int32,['d'],[1.5]],header=True))
    run('text', lambda: tf.data.TextLineDataset(['c.csv','c.csv']).skip(1))
    run('rec', lambda: tf.data.TFRecordDataset('x1.rec')); run('rec gz', lambda: tf.data.TFRecordDataset('x2.rec','GZIP'));run('rec bad', lambda: tf.data.TFRecordDataset('x3.rec'),3)
    run('fixed', lambda: tf.data.FixedLengthRecordDataset('x4.bin',3,header_bytes=1,footer_bytes=1))
    run('list none', lambda: D.list_files('nope*'),2)
    run('zero shuffle', lambda: D.range(5).shuffle(0),1); run('zero batch', lambda: D.range(5).batch(0),1); run('single', lambda: D.from_tensors(tf.data.experimental.get_single_element(D.range(2))),1)
    run('card', lambda: D.from_tensors([tf.data.experimental.cardinality(d) for d in (D.range(4),D.range(4).repeat(),D.range(4).filter(lambda x: True),D.range(5).batch(2),D.range(3).map(lambda x:x))]))
    run('map tuple', lambda: D.zip((D.range(2),D.range(2))).map(lambda a,b: {'s':a+b,'l':[a,b]}))
    run('map none', lambda: D.range(2).map(lambda x: None),1)
    run('choose', lambda: tf.data.experimental.choose_from_datasets([D.range(3),D.range(10,13)],D.range(2).repeat(5)))
    run('padval', lambda: D.from_tensor_slices([['a'],['b']]).padded_batch(2,[3],padding_values='z'))
    run('slicemis', lambda: D.from_tensor_slices(([1,2],[1])),1)
    run('order shuffle 221', lambda: D.range(10).shuffle(5,seed=3), 40)
    run('order shuffle noresh 222', lambda: D.range(10).shuffle(5,seed=3,reshuffle_each_iteration=False), 40)
    run('order shuffle repeat2 223', lambda: D.range(10).shuffle(5,seed=3).repeat(2), 40)
    run('order shuffle repeat2 noresh 224', lambda: D.range(10).shuffle(5,seed=3,reshuffle_each_iteration=False).repeat(2), 40)
    run('order shuffle map repeat2 225', lambda: D.range(10).shuffle(5,seed=3).map(lambda x:x).repeat(2), 40)
    run('order shuffle_and_repeat 226', lambda: D.range(10).apply(tf.data.experimental.shuffle_and_repeat(5,2,seed=3)), 40)
    run('order repeat shuffle 227', lambda: D.range(4).repeat(3).shuffle(5,seed=3), 40)
    run('order gseed2 229', lambda: D.range(10).shuffle(20,seed=1), 40)
    run('order two 230', lambda: D.range(10).shuffle(5,seed=3).shuffle(3,seed=4), 40)
    run('order batch 231', lambda: D.range(10).shuffle(5,seed=3).batch(3,drop_remainder=True).map(lambda x: tf.reduce_sum(x)).repeat(2), 40)
    run('order random 232', lambda: tf.data.experimental.RandomDataset(seed=3).take(4), 40)
    run('order interleave 233', lambda: D.range(4).interleave(lambda x: D.from_tensors(x).repeat(3), cycle_length=2, block_length=2), 40)
    run('order sample 234', lambda: tf.data.experimental.sample_from_datasets([D.range(5),D.range(10,15)],seed=3), 40)
    run('order sample 235', lambda: tf.data.experimental.sample_from_datasets([D.range(5),D.range(10,15)],[.2,.8],seed=3), 40)
    run('order sample by dataset', lambda: tf.data.experimental.sample_from_datasets([D.range(5),D.range(10,15)],D.from_tensors([.2,.8]).repeat(),seed=3), 40)
    run('order shuffle large repeat', lambda: D.range(10).shuffle(10**6,seed=3).repeat(10**6), 40)
    for label, extra in (("given", {"initial_dist": [0.2, 0.8]}), ("estimated", {})):
        run('resample ' + label, lambda extra=extra: resampled(tf, [0.5, 0.5], **extra), 20)
    run('resample none', lambda: resampled(tf, [0.2, 0.8], initial_dist=[0.2, 0.8]), 6)
    run('resample all', lambda: resampled(tf, [0.0, 1.0], initial_dist=[0.2, 0.8]), 6)
    run('scan of shapes', lambda: D.range(3).apply(tf.data.experimental.scan(([0],1), lambda s,v: ((tf.concat([s[0],s[0]],0),tf.expand_dims(s[1],0)),(s,v)))))
    C = tf.contrib.data
    run('older drop', lambda: D.range(7).apply(C.batch_and_drop_remainder(3)))
    run('older padded', lambda: D.range(7).map(lambda x: tf.fill([x],x)).apply(C.padded_batch_and_drop_remainder(3,[None])))
    run('older sloppy', lambda: D.range(3).apply(C.sloppy_interleave(lambda x: D.from_tensors(x).repeat(2),2)))
    run('older reduce', lambda: D.from_tensors(C.reduce_dataset(D.range(5), C.Reducer(lambda _: np.int64(0), lambda a,b: a+b, lambda a: a))))
    run('older shape', lambda: D.from_tensors((tf.ones([3,2]),tf.ones([5]))).apply(C.assert_element_shape((tf.TensorShape([3,2]),tf.TensorShape([None])))))
    run('older other shape', lambda: D.from_tensors(tf.ones([3,2])).apply(C.assert_element_shape(tf.TensorShape([4,2]))))
    run('by variant', lambda: tf.compat.v1.data.Dataset.zip((D.range(2), D.range(3).take(2))).map(lambda a,b: tf.data.experimental.get_single_element(tf.data.experimental.from_variant(tf.data.experimental.to_variant(D.from_tensors(a+b)),tf.TensorSpec([],tf.int64)))))
    return cases


def resampled(tf, target, **extra):
    """Two classes, of which the first is every fifth number."""
    x = np.arange(200)
    data = tf.data.Dataset.from_tensor_slices(((x % 5 > 0).astype(np.int32), x))
    return data.apply(tf.data.experimental.rejection_resample(lambda c, x: c, target, seed=27, **extra))


def outcome(tf, build, n):
    """The elements of a dataset, and in their places the errors of runs."""
    found = []
    with tf.Graph().as_default():
        try:
            iterator = build().make_initializable_iterator()
            following = iterator.get_next()
            with tf.Session() as sess:
                sess.run(iterator.initializer)
                for _ in range(n):
                    try:
                        found.append(plain(sess.run(following)))
                    except tf.errors.OutOfRangeError as error:
                        found.append("end: " + first_line(error))
                        break
                    except tf.errors.OpError as error:
                        found.append([type(error).__name__, first_line(error)])
        except Exception as error:
            found.append([type(error).__name__, first_line(error)])
    return found


def first_line(error):
    return re.sub(r"^\{\{function_node [^}]*\}\} ", "", str(error).split("\n")[0])


def plain(x):
    if isinstance(x, dict):
        return {k: plain(v) for k, v in sorted(x.items())}
    if isinstance(x, (tuple, list)):
        return [plain(v) for v in x]
    x = x.tolist() if hasattr(x, "tolist") else x
    if isinstance(x, bytes):
        return x.decode("latin-1")
    return [plain(v) for v in x] if isinstance(x, list) else x


def make_files(tf, place):
    """What the cases read, in the current folder."""
    os.chdir(str(place))
    with open("voc.txt", "w") as file:
        file.write("a\nb\nc\n")
    with open("c.csv", "w") as file:
        file.write("h1,h2,h3\n1,a,2.5\n2,,\n3,\"x,y\",7\n")
    for name, kind in (("x1.rec", 0), ("x2.rec", 2)):
        with tf.python_io.TFRecordWriter(name, tf.python_io.TFRecordOptions(kind)) as writer:
            for i in range(3):
                writer.write(b"r%d" % i)
    with open("x1.rec", "rb") as file:
        data = bytearray(file.read())
    data[-6] ^= 1
    for name, content in (("x3.rec", bytes(data)), ("x4.bin", b"HabcdefghiF")):
        with open(name, "wb") as file:
            file.write(content)


# -- ops that are run


def values(tf):
    """label -> a function that makes what is fetched."""
    cases = {}

    def run(label, build):
        cases[f"{label} {len(cases)}"] = build

    run('raw', lambda: tf.decode_raw([b'\x01\x02\x03\x04',b'\x01\x01\x01\x01'], tf.int16))
    run('rawbe', lambda: tf.decode_raw(b'\x01\x02\x03\x04', tf.int16, little_endian=False))
    run('rawlen', lambda: tf.decode_raw([b'\x01\x02\x03\x04',b'\x01'], tf.int16))
    run('rawlen2', lambda: tf.decode_raw([b'\x01\x02\x03'], tf.int16))
    run('rawempty', lambda: tf.decode_raw(np.zeros([0],object), tf.int16))
    run('rawempty2', lambda: tf.decode_raw([b'',b''], tf.int16))
    run('rawbool', lambda: tf.decode_raw([b'\x00\x01'], tf.bool))
    run('padraw', lambda: tf.io.decode_raw([b'\x01\x02',b'\x03'], tf.uint8, fixed_length=4) if 0 else tf.compat.v2.io.decode_raw([b'\x01\x02',b'\x03'], tf.uint8, fixed_length=4))
    D=lambda rows,defs,**k: (lambda: tf.decode_csv(rows,defs,**k))
    run('csv1', D(['1,a,2.5','2,"b,""c""",3'],[[0],[''],[0.0]]))
    run('csv2', D(['1,a'],[[0],[''],[0.0]]))
    run('csv3', D(['x,a,1'],[[0],[''],[0.0]]))
    run('csv4', D([',,'],[[7],['q'],[1.5]]))
    run('csv6', D(['1;2'],[[0],[0]],field_delim=';'))
    run('csv7', D(['1,"2'],[[0],['0']]))
    run('csv8', D(['1,"2" '],[[0],['0']]))
    run('csv9', D(['1,a"2"'],[[0],['0']]))
    run('csv10', D(['1,a"2"'],[[0],['0']],use_quote_delim=False))
    run('csv11', D(['NA,b'],[[5],['0']],na_value='NA'))
    run('csv12', D(['1,2,3'],[[5],['0']],select_cols=[0,2]))
    run('csv13', D(['1, 2,3\r\n'],[[5],['0'],['1']]))
    run('csv14', D(['1,2,3\n'],[[5],['0'],[0]]))
    run('csv15', D([''],[[5]]))
    run('csv16', D(['a,b,c'],[['']]))
    run('csv17', D('1,2',[[5],[0]]))
    run('csv18', D([['1,2','3,4']],[[5],[0]]))
    run('csv19', D(['1.5'],[[5]]));run('csv20', D(['99999999999'],[[5]]));run('csv21', D(['abc'],[[5.0]]));run('csv22', D(['1e400'],[[5.0]]))
    run('csv23', D(['1,2'],[[5],[0]],field_delim=',,'))
    run('csv24', D(['1,2,3'],[[5],['0']],select_cols=[2,0]))
    run('csv25', D(['1,2,3'],[[5],['0']],select_cols=[0,7]))
    run('csv26', D(['"a\nb",2'],[[''],[0]]))
    run('csv27', D(['""'],[['z']]))
    run('csv28', D([' 5 '],[[1]]))
    run('csv29', D([' "5" '],[['']]))
    run('csv30', D(['1\t2'],[[1],[1]],field_delim='\t'))
    run('decomp', lambda: tf.io.decode_compressed([__import__('zlib').compress(b'abc')],'ZLIB')); run('decomp', lambda: tf.io.decode_compressed([__import__('gzip').compress(b'abc')],'GZIP')); run('decomp', lambda: tf.io.decode_compressed([b'abc'],'ZLIB')); run('decomp', lambda: tf.io.decode_compressed([b'abc'],''));run('decomp', lambda: tf.io.decode_compressed([b'abc'],'X'))
    run('ser', lambda: tf.serialize_tensor(tf.constant([1.,2.]))); run('par', lambda: tf.parse_tensor(tf.serialize_tensor(tf.constant([1.,2.])),tf.float32)); run('par', lambda: tf.parse_tensor(tf.serialize_tensor(tf.constant([1.,2.])),tf.int32)); run('par', lambda: tf.parse_tensor('garbage',tf.int32))
    F=tf.FixedLenFeature
    T=tf.train
    def ex(**k):
        e=T.Example()
        for n,v in k.items():
            f=e.features.feature[n]
            if v is None: continue
            if len(v)==0: f.int64_list.SetInParent()
            elif isinstance(v[0],bytes): f.bytes_list.value.extend(v)
            elif isinstance(v[0],float): f.float_list.value.extend(v)
            else: f.int64_list.value.extend(v)
        return e.SerializeToString()
    def sq(ctx,**k):
        e=T.SequenceExample()
        e.context.CopyFrom(T.Example.FromString(ctx).features)
        for n,l in k.items():
            fl=e.feature_lists.feature_list[n]
            for v in l:
                f=fl.feature.add()
                if v is None: continue
                if len(v)==0: f.int64_list.SetInParent()
                elif isinstance(v[0],bytes): f.bytes_list.value.extend(v)
                elif isinstance(v[0],float): f.float_list.value.extend(v)
                else: f.int64_list.value.extend(v)
        return e.SerializeToString()
    A=ex(a=[1,2],b=[1.5],c=[b'x',b'y',b'z'])
    wanted={'missing':{'q':F([],tf.int64)},'type':{'a':F([2],tf.float32)},'num':{'a':F([],tf.int64)},'vartype':{'c':tf.VarLenFeature(tf.int64)},
    'ok':{'a':F([2],tf.int64),'c':tf.VarLenFeature(tf.string),'b':F([],tf.float32),'z':tf.VarLenFeature(tf.float32),'d':F([2],tf.int64,[5,6])},
    'seq':{'a':tf.FixedLenSequenceFeature([2],tf.int64,allow_missing=True),'zz':tf.FixedLenSequenceFeature([],tf.int64,allow_missing=True)},'seqnum':{'c':tf.FixedLenSequenceFeature([2],tf.string,allow_missing=True)},
    'none':{'n':F([1],tf.int64,[3])}, 'none2':{'n':F([1],tf.int64)}, 'none3':{'n':F([],tf.float32)}}
    B=ex(a=[1,2],b=[1.5],c=[b'x',b'y',b'z'],n=None)
    C=ex(a=[1,2],b=[1.5],c=[b'x'],n=[])
    for k,f in wanted.items():
        run('batch '+k, lambda f=f, k=k: tf.parse_example([A,B] if 'none' in k else [A,C],f))
        run('batchnames '+k, lambda f=f, k=k: tf.parse_example([A],f,example_names=['ex0']))
        run('single '+k, lambda f=f, k=k: tf.parse_single_example(B,f))
        run('singleC '+k, lambda f=f, k=k: tf.parse_single_example(C,f))
    for bad in (b'garbage', A[:-3], b''):
        run('bad', lambda bad=bad: tf.parse_example([A,bad],{'a':F([2],tf.int64)}))
        run('bad1', lambda bad=bad: tf.parse_single_example(bad,{'a':F([2],tf.int64)}))
        run('bad2', lambda bad=bad: tf.parse_example([bad],{'a':F([2],tf.int64)},example_names=['nm']))
        run('badseq', lambda bad=bad: tf.parse_single_sequence_example(bad,{'a':F([2],tf.int64)},{'t':tf.FixedLenSequenceFeature([],tf.int64)}))
    S=sq(A,t=[[1],[2],[3]],f=[[1.,2.],[3.,4.]],v=[[b'a'],[],[b'b',b'c']])
    Q=tf.FixedLenSequenceFeature
    sc={'ok':({'a':F([2],tf.int64),'c':tf.VarLenFeature(tf.string)},{'t':Q([],tf.int64),'f':Q([2],tf.float32),'v':tf.VarLenFeature(tf.string),'m':Q([],tf.int64,allow_missing=True),'mv':tf.VarLenFeature(tf.int64)}),
    'missing':({},{'zz':Q([],tf.int64)}),'type':({},{'t':Q([],tf.float32)}),'num':({},{'f':Q([],tf.float32)}),'ctxmissing':({'q':F([],tf.int64)},{}),'ctxnum':({'a':F([3],tf.int64)},{}),'ctxtype':({'a':F([2],tf.float32)},{}),'vtype':({},{'v':tf.VarLenFeature(tf.int64)})}
    for k,(c,f) in sc.items():
        run('seq1 '+k, lambda c=c, f=f: tf.parse_single_sequence_example(S,c,f))
        run('seq1n '+k, lambda c=c, f=f: tf.parse_single_sequence_example(S,c,f,example_name='nm'))
        run('seqb '+k, lambda c=c, f=f: tf.io.parse_sequence_example([S,sq(A,t=[[1]],f=[[5.,6.]])],c,f))
    return cases


def value(tf, build):
    """What a run of one case gives, or its error."""
    with tf.Graph().as_default(), tf.Session() as sess:
        try:
            return plain(sess.run(build()))
        except Exception as error:
            return [type(error).__name__, first_line(error)]
