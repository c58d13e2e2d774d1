"""The names of ``tensorflow.compat.v2.keras.applications``."""

from retrograd.faces import missing
from retrograd.keras.applications.vgg import (
    VGG16,
)
from retrograd.keras.applications.vgg import (
    VGG16 as DenseNet121,
)
from retrograd.keras.applications.vgg import (
    VGG16 as DenseNet169,
)
from retrograd.keras.applications.vgg import (
    VGG16 as DenseNet201,
)
from retrograd.keras.applications.vgg import (
    VGG16 as InceptionResNetV2,
)
from retrograd.keras.applications.vgg import (
    VGG16 as InceptionV3,
)
from retrograd.keras.applications.vgg import (
    VGG16 as MobileNet,
)
from retrograd.keras.applications.vgg import (
    VGG16 as MobileNetV2,
)
from retrograd.keras.applications.vgg import (
    VGG16 as NASNetLarge,
)
from retrograd.keras.applications.vgg import (
    VGG16 as NASNetMobile,
)
from retrograd.keras.applications.vgg import (
    VGG16 as ResNet50,
)
from retrograd.keras.applications.vgg import (
    VGG16 as ResNet50V2,
)
from retrograd.keras.applications.vgg import (
    VGG16 as ResNet101,
)
from retrograd.keras.applications.vgg import (
    VGG16 as ResNet101V2,
)
from retrograd.keras.applications.vgg import (
    VGG16 as ResNet152,
)
from retrograd.keras.applications.vgg import (
    VGG16 as ResNet152V2,
)
from retrograd.keras.applications.vgg import (
    VGG16 as VGG19,
)
from retrograd.keras.applications.vgg import (
    VGG16 as Xception,
)

__getattr__ = missing(__name__)
