"""crosshead parse: the blocks of a document."""

from __future__ import annotations

from functools import partial
from typing import Any

from crosshead.cli.flags import AsJson, FilePath, Mdx, with_reading
from crosshead.cli.inputs import Reading, find_file
from crosshead.cli.outcomes import Problems, finish, successes
from crosshead.cli.parallel import process
from crosshead.cli.plain import write_json
from crosshead.model import Block, Document
from crosshead.pipeline import with_syntax


@with_reading
def parse(file: FilePath, reading: Reading, as_json: AsJson = False, mdx: Mdx = None) -> None:
    """Print the blocks of a document with their lines."""
    given = find_file(file, reading)
    problems = Problems()
    for document in successes(process(partial(_as_syntax, mdx), [given]), problems):
        if as_json:
            write_json(*map(block_fields, document.blocks))
        else:
            from crosshead.cli.views.blocks import show_blocks

            show_blocks(document)
    finish(problems, inputs=1)


def _as_syntax(mdx: bool | None, document: Document) -> Document:
    return document if mdx is None else with_syntax(document, mdx=mdx)


def block_fields(block: Block) -> dict[str, Any]:
    """Return a block by names, the blocks inside it as well."""
    return {**block._asdict(), "atoms": [block_fields(atom) for atom in block.atoms]}
