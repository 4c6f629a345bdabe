"""Memory that large works leave behind, given back to the system.

The C library of Linux keeps what is freed, because it may be needed again. Beside the many threads of Lance that makes
a long run grow with every commit.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from functools import cache
from typing import Final

LARGE_BUFFER_BYTES: Final = 1 << 20
_M_MMAP_THRESHOLD: Final = -3
_MALLOC_SETTINGS: Final = ("MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")
"""Who sets these knows better."""


@cache
def return_large_buffers() -> None:
    """Have large buffers returned to the system when they are freed.

    The size from which that is done rises up to 32 MiB by itself, and the buffers then leave holes in the heaps.
    """
    if sys.platform == "linux" and not any(name in os.environ for name in _MALLOC_SETTINGS):
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE_BUFFER_BYTES)


def free_memory() -> None:
    """Return all that is free now, between what is used, too."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
