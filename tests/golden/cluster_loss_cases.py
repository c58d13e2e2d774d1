"""The loss of clusterings and its gradient; run under TensorFlow 1.15.5 with scikit-learn, it records itself."""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def results(tf):
    """Loss, and sum of the gradient weighted by place, by the number of kinds and the score."""
    found = {}
    rng = np.random.RandomState(0)
    for n, kinds in ((20, 4), (14, 6)):
        labels = rng.randint(0, kinds, n)
        x = (rng.randn(n, 5) + 2 * rng.randn(kinds, 5)[labels]).astype("f")
        for score, refined in (("nmi", True), ("ami", False), ("ari", True), ("vmeasure", False), ("const", True)):
            with tf.Graph().as_default(), tf.Session() as sess:
                embeddings = tf.constant(x)
                y = tf.contrib.losses.metric_learning.cluster_loss(
                    tf.constant(labels), embeddings, 2.0, enable_pam_finetuning=refined, margin_type=score
                )
                loss, gradient = sess.run([y, tf.gradients(y, embeddings)[0]])
            place = np.arange(gradient.size).reshape(gradient.shape)
            found[f"{kinds} {score}"] = [float(loss), float((gradient * place).sum())]
    return found


if __name__ == "__main__":
    import tensorflow

    (HERE / "cluster_loss.json").write_text(json.dumps(results(tensorflow), indent=1) + "\n")
