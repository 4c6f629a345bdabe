"""Example answers for the OpenAPI document, computed by the library from a small document."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from crosshead import pipeline
from crosshead.errors import OptionsError
from crosshead.options import ChunkOptions, chunk_options
from crosshead.proof import certify
from crosshead.runtime.json_output import json_bytes
from crosshead.server.errors import problem
from crosshead.types import Answer, Chunk, Document, Hit, Passage

TEXT: Final = "# Keys\n\nRotate them once a year.\n"
QUESTION: Final = "how do I rotate keys"
SCORE: Final = 0.78


class ExampleData(NamedTuple):
    """A small document and what a search returns from it."""

    document: Document
    options: ChunkOptions
    chunk: Chunk
    hit: Hit
    passage: Passage
    answer: Answer


Example = Callable[[ExampleData], object]
"""Makes the example answer of a route."""


def make_examples(by_route: Iterable[Mapping[str, Example]]) -> Mapping[str, Any]:
    """Return example answers by path, made by the functions that the routes declare."""
    sample = _example_data()
    return {path: json.loads(json_bytes(make(sample))) for examples in by_route for path, make in examples.items()}


def _example_data() -> ExampleData:
    document, options = pipeline.read(TEXT.encode(), source="guide.md"), chunk_options()
    (chunk,) = pipeline.chunk(document, options)
    section = {"section_id": chunk.section_id, "section_path": chunk.section_path, "citation": chunk.citation}
    span = {"start": chunk.start, "end": chunk.end, "pages": chunk.pages}
    ranks = {"dense_rank": 1, "lexical_rank": 1, "dense_score": SCORE, "lexical_score": SCORE, "rerank_score": None}
    shown: dict[str, Any] = {"snippet": "Rotate them once a year.", "highlights": ((0, 6),)}
    hit = Hit(chunk=chunk, **section, **span, **ranks, **shown, entity_boost=0.0, final_score=SCORE)  # type: ignore[arg-type]
    passage = Passage(
        chunk_ids=(chunk.id,),
        document_id=document.id,
        source=document.source,
        section_id=chunk.section_id,
        parent_section_id=document.root.id,
        heading_chain=chunk.section_path,
        content=chunk.content,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        token_count=chunk.token_count,
        score=SCORE,
        citation=chunk.citation,
        title=document.title,
        metadata=document.metadata,
        pages=chunk.pages,
    )
    text, model = "Rotate them once a year [1].", "ollama:llama3.2"
    answer = certify(text, [passage], {document.id: document}, question=QUESTION, model=model)
    return ExampleData(document, options, chunk, hit, passage, answer)


def make_problem() -> Mapping[str, Any]:
    """Return an example of problem details."""
    try:
        chunk_options(max_tokens=0)
    except OptionsError as error:
        return {**problem(error), "request_id": "6f1c0f3f1d5a4f0c8b7f2f6f1f0e9a11"}
    raise AssertionError("max_tokens=0 must be refused")
