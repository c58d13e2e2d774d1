"""The names of ``tensorflow.compat.v2.keras.applications``."""

from retrograd.faces import missing
from retrograd.keras.applications.densenet import DenseNet121, DenseNet169, DenseNet201
from retrograd.keras.applications.inception import InceptionV3, Xception
from retrograd.keras.applications.inception_resnet import InceptionResNetV2
from retrograd.keras.applications.mobilenet import MobileNet, MobileNetV2
from retrograd.keras.applications.nasnet import NASNetLarge, NASNetMobile
from retrograd.keras.applications.resnet import (
    ResNet50,
    ResNet50V2,
    ResNet101,
    ResNet101V2,
    ResNet152,
    ResNet152V2,
)
from retrograd.keras.applications.vgg import VGG16, VGG19

__getattr__ = missing(__name__)
