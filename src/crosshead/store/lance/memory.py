"""Return freed memory to the system.

The C library of Linux keeps freed memory for later. With the many threads of Lance, a long run would grow with every
commit.
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
"""A user who sets one of these decides; then nothing is changed here."""


@cache
def return_large_buffers() -> None:
    """Return large buffers to the system when they are freed.

    By default the C library raises the size from which it does that up to 32 MiB, and freed buffers fragment the heaps.
    """
    if sys.platform == "linux" and not any(name in os.environ for name in _MALLOC_SETTINGS):
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE_BUFFER_BYTES)


def free_memory() -> None:
    """Return all memory that is free now, also between blocks in use."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
