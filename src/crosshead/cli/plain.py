"""Lines for people and lines for programs, without Rich, which would cost every `--json` run its import."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any, Final

# Control characters could move the cursor, directional marks could turn a line round, surrogates have no width.
_UNPRINTABLE: Final = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)), "\ufffd"),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), None),
    **dict.fromkeys((0x09, 0x0A, 0x0D, 0x2028, 0x2029), " "),
}


def one_line(text: str) -> str:
    """Return text of unknown origin as it may be printed on one line of a terminal."""
    return text.translate(_UNPRINTABLE)


def print_error(message: str, label: str = "error") -> None:
    """Print one line on standard error."""
    from rich.text import Text

    from crosshead.cli.views.layout import make_console

    line = Text.assemble((f"{label}: ", "bold yellow" if label == "warning" else "bold red"), one_line(message))
    make_console(stderr=True).print(line, soft_wrap=True)


def write_json(*values: object) -> None:
    """Write one line of JSON per value to standard output."""
    write_bytes(b"".join(map(json_line, values)))


def write_bytes(data: bytes) -> None:
    """Write to standard output as it is: JSON and Markdown are UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def json_line(value: object) -> bytes:
    """Return a value as one line of valid JSON."""
    try:
        return _dump(value, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate has no bytes in UTF-8, but an escape in JSON
        return _dump(value, ensure_ascii=True).encode() + b"\n"


def _dump(value: object, *, ensure_ascii: bool) -> str:
    try:
        return json.dumps(value, ensure_ascii=ensure_ascii, allow_nan=False, default=_as_dict)
    except ValueError:  # front matter may say .nan or .inf, which JSON cannot
        return json.dumps(_finite(value), ensure_ascii=ensure_ascii, default=_as_dict)


def _as_dict(value: object) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _finite(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
