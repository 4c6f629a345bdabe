"""crosshead parse: the blocks of a document."""

from __future__ import annotations

from typing import Any

from crosshead.cli.flags import AsJson, FilePath, Mdx, with_reading
from crosshead.cli.inputs import Reading, find_file, read_input
from crosshead.cli.outcomes import Problems, finish
from crosshead.cli.plain import write_json
from crosshead.model import Block
from crosshead.processes import collected_notes


@with_reading
def parse(file: FilePath, reading: Reading, as_json: AsJson = False, mdx: Mdx = None) -> None:
    """Print the blocks of a document with their lines."""
    given = find_file(file, reading)
    with collected_notes(given.source) as notes:
        document = read_input(given, mdx=mdx)
    if as_json:
        write_json(*map(block_fields, document.blocks))
    else:
        from crosshead.cli.views.blocks import show_blocks

        show_blocks(document)
    finish(Problems(notes=notes), inputs=1)


def block_fields(block: Block) -> dict[str, Any]:
    """Return a block by names, the blocks inside it as well."""
    return {**block._asdict(), "atoms": [block_fields(atom) for atom in block.atoms]}
