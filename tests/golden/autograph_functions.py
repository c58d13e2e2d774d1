"""Functions with Python's statements over tensors, converted in ``autograph_cases.py``; ``tf`` is set from there."""

tf = None


def branch(x):
    if x > 0:
        y = x * 2.0
    else:
        y = -x
    return y


def branch_that_returns(x):
    if x > 0:
        return x * 2.0
    return -x


def branches(x):
    if x > 2:
        x = x + 1.0
    elif x > 1:
        x = x * x
    return x


def effects(v):
    if v > 1:
        tf.no_op()


def choice(x):
    return x * 2.0 if x > 0 else -x


def logic(a, b):
    return a and b


def either(a, b, c):
    return a or b or not c


def neither(a):
    return not a


def loop(n):
    i = 0
    while i < n:
        i = i + 3
    return i


def loop_of_two(x):
    s = x
    while tf.reduce_sum(s) < 20.0:
        s = s * 2.0
        if s > 7.0:
            s = s + 1.0
    return s


def numbers(n):
    total = 0
    for i in tf.range(n):
        total += i
    return total


def numbers_from(n):
    total = 1
    for i in range(2, n):
        total *= i
    return total


def backwards(n, d):
    total = 0
    for i in tf.range(n, -n, d):
        total += i
    return total


def rows(x):
    total = 0.0
    for row in x:
        total = total + tf.reduce_sum(row)
    return total


def nested(x):
    total = 0.0
    for row in x:
        for number in row:
            if number > 0:
                total += number
    return total


def broken(x):
    total = 0.0
    for number in x:
        if total > 5.0:
            break
        total += number
    return total


def skipping(x):
    total = 0.0
    for number in x:
        if number < 0:
            continue
        total += number
    return total


def broken_while(n):
    i, s = 0, 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        if s > 20:
            break
        s += i
    return s


def plain(x, n):
    for i in range(n):
        if i % 2:
            continue
        x = x + i
    while n > 0:
        n -= 1
        if n == 1:
            break
    return x * n


def calls(x):
    def square(y):
        if y > 3:
            return y * y
        return y

    return square(x) + branch(x) + (lambda z: z if z > 0 else -z)(x)


class Counter(object):
    def __init__(self, n):
        self.n = n
        self.factor = 2.0

    def count(self, x):
        if x > 0:
            self.n = self.n + x
        return self.n * self.factor


def attribute(x):
    c = Counter(x)
    while c.n < 10.0:
        c.n = c.n + 3.0
    return c.n


def method(x):
    return Counter(x).count(x)


def element(x):
    d = {"a": x}
    if x > 0:
        d["a"] = x * 3.0
    return d["a"]


def conversions(x):
    return float(int(abs(x))), len(x)


def equality(x):
    if x == 3.0:
        x = x + 1.0
    return x


def checked(x):
    assert x > 0, "negative"
    return x


def unequal_branches(x):
    if x > 0:
        y = 1
    else:
        y = 2.0
    return y


def missing_branch(x):
    if x > 0:
        y = x
    return y


def missing_return(x):
    if x > 0:
        return x


def undefined_loop(x):
    while x > 0:
        y = x
        x = x - 1.0
    return y


def changing_loop(x):
    i = 0
    while i < x:
        i = i + 0.5
    return i


def growing_loop(x):
    while tf.reduce_sum(x) < 10.0:
        x = tf.concat([x, x], 0)
    return x


def returning_loop(x):
    while x > 0:
        if x > 3:
            return x
        x = x - 1
    return x


def shadowed(x):
    y = x
    f = lambda: y + 1.0
    if x > 0:
        t = x * 2.0
        y = t * t
    else:
        t = x
        y = t
    return y + f()


def tuple_branch(x):
    if x > 0:
        y = (x, x + 1.0)
    else:
        y = (x * 2.0, x)
    return y[0] + y[1]


def with_try(x):
    try:
        if x > 0:
            x = x + 1.0
    finally:
        x = x * 2.0
    return x


def over_dataset(d):
    total = tf.constant(0, tf.int64)
    for x in d:
        total += x
    return total


def over_dataset_with_break(d):
    total = tf.constant(0, tf.int64)
    for x in d:
        if total > 5:
            break
        total += x
    return total


def mapped(x):
    if x > 3:
        y = x * 2
    else:
        y = x
    while y < 5:
        y += 2
    return y


def branch_of_numbers(s, x):
    if x % 2 > 0:
        s = s + x
    return s


def model():
    class Model(tf.keras.Model):
        def call(self, x):
            if tf.reduce_sum(x) > 0:
                return x * 2.0
            return -x

    return Model()


def between(x):
    return x > 2 and x < 7
