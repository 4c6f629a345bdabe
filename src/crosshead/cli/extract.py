"""crosshead extract: the Markdown of a document."""

from __future__ import annotations

from crosshead.cli.flags import FilePath, with_reading
from crosshead.cli.inputs import Reading, find_file, read_input
from crosshead.cli.outcomes import Problems, finish
from crosshead.cli.plain import write_bytes
from crosshead.processes import collected_notes


@with_reading
def extract(file: FilePath, reading: Reading) -> None:
    """Print a document as Markdown, in UTF-8 and with plain newlines."""
    given = find_file(file, reading)
    with collected_notes(given.source) as notes:
        text = read_input(given).text
    write_bytes(text.encode("utf-8", "replace"))
    finish(Problems(notes=notes), inputs=1)
