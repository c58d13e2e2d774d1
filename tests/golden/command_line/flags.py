import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("name", "anna", "who")
flags.DEFINE_integer("steps", 10, "how many")
flags.DEFINE_float("rate", 0.5, "how fast")
flags.DEFINE_boolean("train", True, "whether")
flags.DEFINE_bool("test", False, "whether")
flags.DEFINE_enum("mode", "a", ["a", "b"], "which")
flags.DEFINE_string(flag_name="old", default_value="yes", docstring="old names")
FLAGS = flags.FLAGS


def main(argv):
    print(argv[1:])
    print(FLAGS.name, FLAGS.steps, FLAGS.rate, FLAGS.train, FLAGS.test, FLAGS.mode, FLAGS.old)
    FLAGS.steps = 3
    print(FLAGS.steps, "name" in FLAGS, FLAGS.flag_values_dict()["rate"])
    return 7


if __name__ == "__main__":
    tf.app.run()
