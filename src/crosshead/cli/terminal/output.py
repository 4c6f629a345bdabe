"""Print lines and JSON without importing Rich, which `--json` runs do not need."""

from __future__ import annotations

import sys
from typing import Final

from crosshead.runtime.json_output import json_line

# Control characters could move the cursor, directional marks could turn a line round, surrogates have no width.
_UNPRINTABLE: Final = {
    **dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)), "\ufffd"),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), None),
    **dict.fromkeys((0x09, 0x0A, 0x0D, 0x2028, 0x2029), " "),
}


def one_line(text: str) -> str:
    """Return untrusted text so that it is safe to print on one line of a terminal."""
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
    """Write bytes to standard output: JSON and Markdown are UTF-8 in any terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
