"""Layers of ``tf.keras`` for series, images and solids."""

from __future__ import annotations

from typing import Any

from case_table import distinct
from layer_table import LayerRow as Row
from layer_table import used

from retrograd import tf

k, R = tf.keras.layers, tf.keras.regularizers
SERIES = (distinct(2, 6, 3, gap=0.07).astype("f"),)
IMAGES = (distinct(2, 5, 6, 3, gap=0.02).astype("f"),)
SOLIDS = (distinct(2, 4, 3, 4, 2, gap=0.02).astype("f"),)
REGULAR = {"kernel_regularizer": R.l2(0.1), "bias_regularizer": R.l1(0.1), "activity_regularizer": R.l2(0.2)}
SEPARATE = {"depthwise_regularizer": R.l2(0.1), "pointwise_regularizer": R.l1(0.1), "bias_regularizer": R.l1(0.1)}


def convolved_series(x: Any) -> Any:
    return [
        used(k.Conv1D(2, 3), x),
        used(k.Conv1D(2, 2, padding="causal", dilation_rate=2, activation="relu"), x),
        used(k.Conv1D(2, 3, 2, "same", use_bias=False, kernel_initializer="he_uniform"), x),
        used(k.Conv1D(2, 3, bias_initializer="ones", kernel_constraint="unit_norm", **REGULAR), x),
        used(k.SeparableConv1D(2, 3, depth_multiplier=2, activation="tanh"), x),
        used(k.SeparableConv1D(2, 2, padding="causal", use_bias=False), x),
        used(k.SeparableConv1D(2, 2, 2, "same", **SEPARATE), x),
        used(k.LocallyConnected1D(2, 3, 2, activation="relu", **REGULAR), x),
        used(k.LocallyConnected1D(2, 3, use_bias=False, implementation=2), x),
    ]


def convolved_images(x: Any) -> Any:
    return [
        used(k.Conv2D(2, 3), x),
        used(k.Conv2D(2, (3, 2), (2, 1), "same", activation="relu", use_bias=False), x),
        used(k.Conv2D(2, 2, dilation_rate=(2, 1), bias_initializer="ones", kernel_constraint="max_norm", **REGULAR), x),
        used(k.SeparableConv2D(2, 3, depth_multiplier=2, activation="tanh"), x),
        used(k.SeparableConv2D(2, 2, (2, 2), "same", use_bias=False, **SEPARATE), x),
        used(k.SeparableConv2D(2, 2, dilation_rate=2, depthwise_constraint="non_neg"), x),
        used(k.DepthwiseConv2D(3, depth_multiplier=2, activation="relu"), x),
        used(k.DepthwiseConv2D((2, 3), 2, "same", use_bias=False, depthwise_regularizer=R.l2(0.1)), x),
    ]


def turned(x: Any) -> Any:
    return [
        used(k.Conv2DTranspose(2, 3), x),
        used(k.Conv2DTranspose(2, 3, 2, "same", activation="relu", use_bias=False), x),
        used(k.Conv2DTranspose(2, (2, 3), (2, 3), output_padding=(1, 0), **REGULAR), x),
        used(k.Conv2DTranspose(2, 2, padding="same", dilation_rate=2), x),
        used(k.LocallyConnected2D(2, 3, (1, 2), activation="relu", **REGULAR), x),
        used(k.LocallyConnected2D(2, 2, use_bias=False, implementation=2), x),
    ]


def convolved_solids(x: Any) -> Any:
    return [
        used(k.Conv3D(2, 2), x),
        used(k.Conv3D(2, 3, (2, 1, 2), "same", activation="tanh", use_bias=False, **REGULAR), x),
        used(k.Conv3DTranspose(2, 2, 2), x),
        used(k.Conv3DTranspose(2, 2, (2, 1, 2), "same", activation="relu", **REGULAR), x),
        used(k.Conv3DTranspose(2, 2, 2, output_padding=1, use_bias=False), x),
    ]


def pooled_series(x: Any) -> Any:
    return [
        used(k.MaxPooling1D(), x),
        used(k.MaxPooling1D(3, 1, "same"), x),
        used(k.MaxPooling1D(2, data_format="channels_first"), x),
        used(k.AveragePooling1D(), x),
        used(k.AveragePooling1D(3, 2, "same", "channels_first"), x),
        used(k.GlobalAveragePooling1D(), x),
        used(k.GlobalAveragePooling1D("channels_first"), x),
        used(k.GlobalMaxPooling1D(), x),
        used(k.GlobalMaxPooling1D("channels_first"), x),
    ]


def pooled_images(x: Any) -> Any:
    return [
        used(k.MaxPooling2D(), x),
        used(k.MaxPooling2D((2, 3), 1, "same"), x),
        used(k.AveragePooling2D(), x),
        used(k.AveragePooling2D(3, 1, "same"), x),
        used(k.GlobalAveragePooling2D(), x),
        used(k.GlobalAveragePooling2D("channels_first"), x),
        used(k.GlobalMaxPooling2D(), x),
        used(k.GlobalMaxPooling2D("channels_first"), x),
    ]


def pooled_solids(x: Any) -> Any:
    return [
        used(k.MaxPooling3D(), x),
        used(k.MaxPooling3D((2, 1, 2), 1, "same"), x),
        used(k.AveragePooling3D(), x),
        used(k.AveragePooling3D((2, 1, 2), 1, "same"), x),
        used(k.GlobalAveragePooling3D(), x),
        used(k.GlobalAveragePooling3D("channels_first"), x),
        used(k.GlobalMaxPooling3D(), x),
        used(k.GlobalMaxPooling3D("channels_first"), x),
    ]


def edged_images(x: Any) -> Any:
    return [
        used(k.ZeroPadding2D(), x),
        used(k.ZeroPadding2D(((1, 0), (0, 2)), data_format="channels_first"), x),
        used(k.Cropping2D(1), x),
        used(k.Cropping2D(((1, 2), (0, 1)), "channels_first"), tf.transpose(x, [0, 3, 1, 2])),
        used(k.UpSampling2D(), x),
        used(k.UpSampling2D((2, 3), "channels_first"), x),
        used(k.UpSampling2D((2, 3), interpolation="bilinear"), x),
    ]


def edged_solids(x: Any) -> Any:
    return [
        used(k.ZeroPadding3D((1, 0, 2)), x),
        used(k.ZeroPadding3D(((1, 0), (0, 2), (0, 0)), "channels_first"), x),
        used(k.Cropping3D(1), x),
        used(k.Cropping3D(((1, 0), (0, 1), (2, 1))), x),
        used(k.UpSampling3D(), x),
        used(k.UpSampling3D((1, 2, 1), "channels_first"), x),
    ]


ROWS = [
    Row("keras.layers.Conv1D", convolved_series, SERIES),
    Row("keras.layers.Conv2D", convolved_images, IMAGES),
    Row("keras.layers.Conv2DTranspose", turned, IMAGES),
    Row("keras.layers.Conv3D", convolved_solids, SOLIDS),
    Row("keras.layers.MaxPooling1D", pooled_series, SERIES),
    Row("keras.layers.MaxPooling2D", pooled_images, IMAGES),
    Row("keras.layers.MaxPooling3D", pooled_solids, SOLIDS),
    Row("keras.layers.ZeroPadding2D", edged_images, IMAGES),
    Row("keras.layers.ZeroPadding3D", edged_solids, SOLIDS),
]
