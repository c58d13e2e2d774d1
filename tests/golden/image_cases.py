"""Small programs over ``tf.image``, in the form of ``layer_cases``; run by ``record_cases.py`` and ``test_image.py``."""

_PRELUDE = """
tf.set_random_seed(1)
I = tf.image
rng = np.random.RandomState(3)
def f(*s): return tf.placeholder_with_default(rng.uniform(0, 1, [n or 4 for n in s]).astype('f'), s)
def u(*s): return tf.placeholder_with_default(rng.randint(0, 255, [n or 4 for n in s]).astype('uint8'), s)
def k(v): return tf.placeholder_with_default(v, [])
b = tf.constant([[0, 0, .5, .5], [0, 0, .5, .4], [.6, .6, 1, 1], [1, 1, .6, .6], [.1, .1, .2, .2]])
s = tf.constant([.9, .8, .7, .95, .1])
"""

_PROGRAMS = """
ys = [I.flip_left_right(f(4, 5, 3)), I.flip_up_down(f(None, None, 3)), I.flip_up_down(f(2, 4, 5, 3))]
ys = [I.random_flip_left_right(f(4, 5, 3)), I.random_flip_up_down(f(2, 4, 5, 3), seed=3), I.random_flip_left_right(f(None, None, None))]
ys = [I.rot90(f(4, 5, 3), j) for j in range(4)] + [I.rot90(f(2, 4, 5, 3), k(3)), I.transpose_image(f(4, 5, 3)), I.transpose(f(2, 4, 5, 3), name='q')]
ys = [I.central_crop(f(4, 5, 3), .5), I.central_crop(f(2, None, 5, 3), .5), I.central_crop(f(4, 5, 3), 1.)]
ys = [I.pad_to_bounding_box(f(4, 5, 3), 1, 1, 8, 9), I.pad_to_bounding_box(f(None, 4, 5, 3), 1, 0, 8, 9), I.pad_to_bounding_box(f(None, None, 3), 1, 1, 8, 9)]
ys = [I.crop_to_bounding_box(f(4, 5, 3), 1, 1, 2, 2), I.crop_to_bounding_box(f(None, None, None, 3), k(1), 1, 2, 2), I.crop_to_bounding_box(f(6, 6, 3), 1, k(2), k(3), 2)]
ys = [I.resize_image_with_crop_or_pad(f(4, 9, 3), 6, 6), I.resize_image_with_crop_or_pad(f(None, None, 3), 6, 3), I.resize_with_crop_or_pad(f(2, 4, None, 3), k(6), k(6))]
ys = [I.resize_image_with_pad(f(4, 9, 3), 6, 6), I.resize_image_with_pad(f(None, 4, None, 3), k(6), 6)]
ys = [I.resize_images(f(4, 9, 3), [6, 6]), I.resize_images(f(4, 9, 3), [4, 9]), I.resize_images(u(2, 4, 9, 3), (6, 5), method=I.ResizeMethod.NEAREST_NEIGHBOR, align_corners=True)]
ys = [I.resize_images(u(2, 4, 9, 3), [6, 6], preserve_aspect_ratio=True, method=2), I.resize_images(u(2, 4, 9, 3), [6, 6], method=3), I.resize_images(f(None, None, 3), [6, k(7)], align_corners=True)]
x = f(2, 5, 7, 3); ys = [x] + [tf.gradients(I.resize_bilinear(x, z, align_corners=a) ** 2, x) for z in ([3, 4], [9, 8]) for a in (False, True)]
x = f(2, 5, 7, 3); ys = [x] + [tf.gradients(g(x, [9, 4], half_pixel_centers=True) ** 2, x) for g in (I.resize_bilinear, I.resize_nearest_neighbor, I.resize_bicubic)]
x = f(2, 5, 7, 3); ys = [x] + [tf.gradients(g(x, [3, 11], align_corners=True) ** 2, x) for g in (I.resize_nearest_neighbor, I.resize_bicubic)]
ys = [tf.compat.v2.image.resize(f(2, 5, 7, 3), [3, 9], m, antialias=a) for m in ('bilinear', 'nearest', 'bicubic', 'area', 'lanczos3', 'lanczos5', 'gaussian', 'mitchellcubic') for a in (False, True)]
ys = [tf.compat.v2.image.resize(f(4, 9, 3), [4, 9]), tf.compat.v2.image.resize_with_pad(f(4, 9, 3), 6, 6, 'lanczos3', True)]
x = f(2, 5, 7, 3); y = tf.raw_ops.ScaleAndTranslate(images=x, size=[4, 6], scale=[.8, 1.3], translation=[.3, -1.], kernel_type="box", antialias=False); ys = [y] + tf.gradients(y ** 2, x)
ys = [tf.shape(I.random_jpeg_quality(f(None, 5, 3), 80, 100, seed=1)), tf.shape(I.adjust_jpeg_quality(u(4, 5, 3), k(40)))]
tf.compat.v2.image.resize(f(4, 5, 3), [6, 6], 0)
I.random_jpeg_quality(f(4, 5, 3), -1, 5)
I.random_jpeg_quality(f(4, 5, 3), 5, 5)
ys = [I.resize_area(f(2, 5, 7, 3), z, align_corners=a) for z in ([3, 4], [9, 8]) for a in (False, True)]
x = f(2, 5, 7, 3); c = tf.constant([[.1, .2, .7, .9], [-.2, .3, .5, 1.3], [.8, .9, .1, .2]]); y = I.crop_and_resize(x, c, [0, 1, 1], [3, 4], extrapolation_value=.3); ys = [y] + tf.gradients(y ** 2, [x, c])
x = f(2, 5, 7, 3); c = tf.constant([[.1, .2, .7, .9], [-.2, .3, .5, 1.3]]); y = I.crop_and_resize(x, c, [1, 1], [1, 4], method='nearest'); ys = [y] + tf.gradients(y ** 2, [x, c]) + [I.crop_and_resize(u(2, 5, 7, 3), c, [0, 1], [2, 2])]
ys = [I.extract_glimpse(f(2, 5, 7, 3), [2, 3], [[.1, .2], [0, -.1]]), I.extract_image_patches(f(2, 5, 7, 3), [1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 1, 1], 'SAME'), I.extract_patches(f(2, 5, 7, 3), [1, 2, 3, 1], [1, 1, 2, 1], [1, 2, 1, 1], 'VALID')]
ys = [tf.extract_volume_patches(f(2, 3, 4, 5, 2), [1, 2, 2, 3, 1], [1, 1, 2, 1, 1], 'SAME')]
ys = [I.random_brightness(f(4, 5, 3), .2, seed=1), I.adjust_brightness(u(4, 5, 3), .2), I.adjust_brightness(tf.cast(f(4, 5, 3), tf.float64), k(.2))]
ys = [I.random_contrast(f(4, 5, 3), .2, .4, seed=2), I.adjust_contrast(u(2, 4, 5, 3), .2), I.adjust_contrast(f(4, 5, 1), 2.)]
ys = [I.adjust_gamma(f(4, 5, 3), .2, 2), I.adjust_gamma(u(4, 5, 3), k(.5))]
ys = [I.random_hue(f(4, 5, 3), .2, seed=2), I.adjust_hue(u(4, 5, 3), .2), I.adjust_hue(f(2, 4, 5, 3), -.7)]
ys = [I.random_saturation(f(4, 5, 3), .2, .8, seed=3), I.adjust_saturation(u(4, 5, 3), .4), I.adjust_saturation(f(4, 5, 3), 3.)]
x = f(4, 5, 3); ys = [I.rgb_to_hsv(x), I.hsv_to_rgb(x), I.rgb_to_yiq(x), I.yiq_to_rgb(x), I.rgb_to_yuv(x), I.yuv_to_rgb(x)]
g = I.rgb_to_grayscale(f(4, 5, 3)); ys = [g, I.grayscale_to_rgb(g), I.rgb_to_grayscale(u(2, 4, 5, 3), name='g'), I.grayscale_to_rgb(f(None, None, 1))]
x = u(4, 5, 3); y = I.convert_image_dtype(x, tf.float32); z = I.convert_image_dtype(x, tf.int32, saturate=True); ys = [y, z, I.convert_image_dtype(y * 1.1, tf.uint8, saturate=True), I.convert_image_dtype(x, tf.int16), I.convert_image_dtype(z, tf.uint8), I.convert_image_dtype(y, tf.float64), I.convert_image_dtype(y, tf.uint8)]
ys = [I.per_image_standardization(f(4, 5, 3)), I.per_image_standardization(u(2, 4, 5, 3)), I.per_image_standardization(f(None, None, 3))]
ys = [I.total_variation(f(4, 5, 3)), I.total_variation(f(2, 4, 5, 3)), I.sobel_edges(f(2, 4, 5, 3)), I.image_gradients(f(2, 4, 5, 3))]
ys = [I.psnr(f(2, 4, 5, 3), f(2, 4, 5, 3), 1.), I.psnr(u(2, 4, 5, 3), u(2, 4, 5, 3), 255), I.ssim(f(2, 12, 13, 2), f(2, 12, 13, 2), 1.)]
ys = [I.ssim_multiscale(f(1, 25, 24, 1), f(1, 25, 24, 1), 1., power_factors=(.5, .5))]
ys = [I.non_max_suppression(b, s, 4), I.non_max_suppression(b, s, k(4), .9, .2), I.non_max_suppression_padded(b, s, 4, score_threshold=.2, pad_to_max_output_size=True), I.non_max_suppression_with_scores(b, s, 4, soft_nms_sigma=.5)]
ys = [I.non_max_suppression_overlaps([[1, .9, 0], [.9, 1, .2], [0, .2, 1]], [.3, .6, .5], 3), I.combined_non_max_suppression(b[None, :, None], tf.stack([s, 1 - s], 1)[None], 2, 5), I.combined_non_max_suppression(b[None, :, None], tf.stack([s, 1 - s], 1)[None], 2, 5, pad_per_class=True, score_threshold=.2)]
ys = [I.draw_bounding_boxes(f(1, 6, 6, 3), [[[.1, .1, .7, .8], [.4, -.2, .9, .5]]]), I.draw_bounding_boxes(f(1, 6, 6, 4), [[[.1, .1, .7, .8], [.4, -.2, .9, .5]]], colors=[[1, 2, 3, 4.]]), I.draw_bounding_boxes(f(1, 6, 6, 1), [[[.1, .1, .7, .8]]])]
ys = [I.sample_distorted_bounding_box([40, 50, 3], [[[.1, .1, .7, .8], [.4, .2, .9, .5]]], seed=j, min_object_covered=.3, area_range=[.2, .8]) for j in range(1, 6)]
ys = [I.sample_distorted_bounding_box([40, 50, 3], tf.zeros([1, 0, 4]), seed=2, use_image_if_no_bounding_boxes=True), I.sample_distorted_bounding_box([3, 2, 3], [[[0, 0, 1, 1.]]], seed=2, max_attempts=3)]
I.resize_images(tf.placeholder(tf.float32), [6, 6])
I.resize_images(f(4, 5), [6, 6])
I.resize_images(f(4, 5, 3), [6])
I.resize_images(f(4, 5, 3), [6, 6], method=7)
I.flip_left_right(f(4, 5))
I.flip_left_right(f(1, 1, 4, 5, 3))
I.central_crop(f(4, 5, 3), 1.5)
I.crop_to_bounding_box(f(4, 5, 3), 1, 1, 4, 2)
I.pad_to_bounding_box(f(4, 5, 3), 1, 1, 4, 7)
I.resize_image_with_crop_or_pad(f(4, 5, 3), 0, 7)
I.random_hue(f(4, 5, 3), .7)
I.random_contrast(f(4, 5, 3), .7, .6)
I.random_brightness(f(4, 5, 3), -.7)
I.adjust_gamma(f(4, 5, 3), -1)
I.grayscale_to_rgb(f(4, 5, 3))
I.psnr(f(4, 5, 3), f(4, 4, 3), 1.)
I.non_max_suppression(b[:3], s, 4)
I.rgb_to_hsv(f(4, 5, 2))
ys = [I.non_max_suppression(b, s, 4, 2.)]
ys = [I.crop_and_resize(f(2, 5, 7, 3), b, [0, 1, 5, 0, 0], [2, 2])]
ys = [I.sample_distorted_bounding_box([40, 50, 3], tf.zeros([1, 0, 4]), seed=2)]
ys = [I.sample_distorted_bounding_box([40, 50, 3], [[[.1, .1, .7, 1.8]]], seed=2)]
ys = [I.crop_to_bounding_box(f(None, None, 3), 1, k(9), 2, 2)]
"""

CASES = {line: _PRELUDE + line for line in _PROGRAMS.strip().split("\n")}
