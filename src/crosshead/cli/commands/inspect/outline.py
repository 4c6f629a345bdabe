"""crosshead outline: the heading tree of documents."""

from __future__ import annotations

from crosshead.cli.flags import AsJson, Jobs, Paths, with_reading
from crosshead.cli.inputs import ReadSettings, find_inputs
from crosshead.cli.process.exit_codes import Problems, finish, successes
from crosshead.cli.terminal.output import write_json
from crosshead.cli.terminal.parallel import process
from crosshead.markdown import outline_document


@with_reading
def outline(paths: Paths, reading: ReadSettings, as_json: AsJson = False, jobs: Jobs = None) -> None:
    """Print the heading tree of documents, with the lines and tokens (cl100k_base) of each section."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    outlines = successes(process(outline_document, inputs, jobs, streams=as_json), problems)
    if as_json:
        for each in outlines:
            write_json(each.to_json())
    else:
        from crosshead.cli.views.inspect.outlines import show_outlines

        show_outlines(list(outlines))
    finish(problems, inputs=len(inputs))
