"""What ``tf.test`` offers: test cases that build and run graphs, and the tools around them."""
