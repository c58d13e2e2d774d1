import tensorflow as tf
gs=tf.placeholder(tf.int32,[],name='gs'); x=tf.placeholder(tf.float32,[None],name='x'); y2=tf.placeholder(tf.float32,None,name='y2')
a=tf.train.piecewise_constant(gs,[10,20],[1.,.5,.1])
b=tf.train.polynomial_decay(.1,gs,100,cycle=True)
c=tf.train.cosine_decay_restarts(.1,gs,100)
d=tf.nn.zero_fraction(x)
e=tf.is_non_decreasing(x), tf.is_strictly_increasing(x)
f=[tf.assert_equal(x,x),tf.assert_rank(y2,2),tf.assert_rank_at_least(y2,1),tf.assert_rank_in(y2,[1,2]),tf.assert_less(gs,3),tf.assert_positive(x),tf.assert_scalar(gs)]
v=tf.Variable(x*2,validate_shape=False,name='v'); r=tf.Variable([1.,2.],use_resource=True,name='r')
g=v.initialized_value(), r.initialized_value()
w=tf.Variable(r.initialized_value()*2+1,name='w'); w2=tf.Variable(w*3,name='w2')
h=tf.train.ExponentialMovingAverage(.9,zero_debias=True); h1=h.apply([w]); 
