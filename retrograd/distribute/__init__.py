"""``tf.distribute`` in one process: strategies of one replica on one device, and resolvers of clusters."""
