"""Constants, identities and sums."""

from __future__ import annotations

import numpy as np
from case_table import Row, normal

from retrograd.ops import arrays, constants, sums

ROWS = [
    Row("Fill", lambda x: constants.fill([2, 3], x), (np.float64(1.5),)),
    Row("Identity", arrays.identity, (normal(2, 3),)),
    Row("Snapshot", arrays.snapshot, (normal(2, 3),)),
    Row("IdentityN", lambda x, y: arrays.identity_n([x, y]), (normal(2), normal(3, 1))),
    Row(
        "PlaceholderWithDefault", lambda x: constants.placeholder_with_default(x, [2, 3]), (normal(2, 3),), shapes=False
    ),
    Row("AddN", lambda x, y: sums.add_n([x, y, x]), (normal(2, 3), normal(2, 3, seed=1))),
]
