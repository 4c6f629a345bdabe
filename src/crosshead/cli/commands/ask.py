"""crosshead ask: an answer of a language model, with the sources that its sentences cite."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Final

import typer

from crosshead.cli.citations.addresses import files_of
from crosshead.cli.citations.hyperlinks import Hyperlink, are_links_wanted
from crosshead.cli.citations.last_search import remember
from crosshead.cli.commands.search import NO_DOCUMENTS, SearchCommand
from crosshead.cli.flags import AsJson, Indexes, Llm, with_answer_request, with_indexes
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_note, print_warning, write_json
from crosshead.cli.views.citations import CitationLines
from crosshead.cli.views.missing import warn_of_missing
from crosshead.errors import OptionsError

Question = Annotated[
    list[str], typer.Argument(metavar="QUESTION", help="A question; also words, as `search` takes them.")
]
COMMAND_CLASS: Final = SearchCommand


@with_indexes
@with_answer_request
def ask(
    question: Question,
    request: dict[str, Any],
    indexes: Indexes,
    llm: Llm = "",
    hyperlink: Hyperlink = "auto",
    as_json: AsJson = False,
) -> None:
    """Ask a language model, which answers from passages of the index and cites them.

    Nothing is sent but the question and the passages, and only to the server of this model. If no passage answers, no
    model is asked.
    """
    from crosshead.answering import MODEL_NAMES
    from crosshead.cli.views.answers import print_part, show_sources
    from crosshead.cli.views.proofs import show_doubts

    if not llm:
        raise OptionsError(f"name a language model: --llm or CROSSHEAD_LLM, as in {MODEL_NAMES}")
    words = " ".join(question)
    with indexes.open() as index:
        stream = index.stream_answer(words, llm=llm, show_all="--all", **request)
        for text in stream:
            if not as_json:
                print_part(text)
        answer = stream.answer
        remember(index.location, stream.passages, words, [each.n for each in answer.citations])
        proof = index.verify(answer) if answer.text else None
        note = answer.note if index.sources() else NO_DOCUMENTS
        citations = CitationLines(files_of(index), has_links=are_links_wanted(hyperlink))
    warn_of_missing(stream.missing)
    if as_json:
        missing = {"missing": [asdict(each) for each in stream.missing]} if indexes.are_several else {}
        write_json({**answer.to_json(), **({"proof": proof.to_json()} if proof else {}), **missing})
    elif proof:
        show_sources(answer, stream.passages, citations)
        show_doubts(proof)
    if not answer.complete:
        print_warning(f"the answer is not complete: {note}")
    elif note:
        print_note(note)
    if note:
        raise typer.Exit(CHECK_FAILED)
