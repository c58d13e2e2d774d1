"""Networks for ImageNet as Keras has them: the same layers under the same names, with weights from files."""
