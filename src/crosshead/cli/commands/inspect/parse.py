"""crosshead parse: the blocks of a document."""

from __future__ import annotations

from functools import partial
from typing import Any

from crosshead.cli.flags import AsJson, FilePath, Mdx, with_reading
from crosshead.cli.inputs import ReadSettings, find_file
from crosshead.cli.process.exit_codes import Problems, finish, successes
from crosshead.cli.terminal.output import write_json
from crosshead.cli.terminal.parallel import process
from crosshead.pipeline import with_syntax
from crosshead.types import Block


@with_reading
def parse(file: FilePath, reading: ReadSettings, as_json: AsJson = False, mdx: Mdx = None) -> None:
    """Print the blocks of a document with their line numbers."""
    given = find_file(file, reading)
    problems = Problems()
    for document in successes(process(partial(with_syntax, mdx="auto" if mdx is None else mdx), [given]), problems):
        if as_json:
            write_json(*map(block_fields, document.blocks))
        else:
            from crosshead.cli.views.inspect.blocks import show_blocks

            show_blocks(document)
    finish(problems, inputs=1)


def block_fields(block: Block) -> dict[str, Any]:
    """Return a block and the blocks inside it as a dictionary."""
    return {**block._asdict(), "atoms": [block_fields(atom) for atom in block.atoms]}
