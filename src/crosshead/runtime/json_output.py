"""Values -> valid JSON, whatever a document holds."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def json_bytes(value: object) -> bytes:
    """Return a value as valid JSON in UTF-8, on one line."""
    try:
        return _dump(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate has no bytes in UTF-8, but an escape in JSON
        return _dump(value, ensure_ascii=True).encode()


def json_line(value: object) -> bytes:
    """Return a value as one line of valid JSON."""
    return json_bytes(value) + b"\n"


def _dump(value: object, *, ensure_ascii: bool) -> str:
    try:
        return json.dumps(value, ensure_ascii=ensure_ascii, allow_nan=False, default=_as_dict)
    except ValueError:  # front matter may hold .nan or .inf, which JSON cannot
        return json.dumps(_finite(value), ensure_ascii=ensure_ascii, default=_as_dict)


def _as_dict(value: object) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _finite(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
