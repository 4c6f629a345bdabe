"""The garbage collector in a command, which mostly ends before there is anything to collect.

Importing makes hundreds of thousands of objects that stay. With the defaults of Python, walking them again and again,
and once more at the end, takes a good part of the time of a search.
"""

from __future__ import annotations

import atexit
import gc
from typing import Final

THRESHOLDS: Final = (50_000, 5, 5)
"""Objects made before the youngest are walked, and how many such walks come before those of older ones."""


def collect_rarely() -> None:
    """Collect less often, and nothing at the end of the process."""
    gc.set_threshold(*THRESHOLDS)
    atexit.register(gc.freeze)
