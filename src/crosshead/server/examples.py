"""Example answers for the OpenAPI document, computed by the library from a small document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from crosshead import pipeline
from crosshead.errors import OptionsError
from crosshead.options import chunk_options
from crosshead.runtime.json_output import json_bytes
from crosshead.server import reading
from crosshead.server.errors import problem
from crosshead.types import Hit, Passage

TEXT: Final = "# Keys\n\nRotate them once a year.\n"
QUESTION: Final = "how do I rotate keys"
SCORE: Final = 0.78


def make_examples() -> Mapping[str, Any]:
    """Return example answers by route."""
    document, options = pipeline.read(TEXT.encode(), source="guide.md"), chunk_options()
    (chunk,) = pipeline.chunk(document, options)
    section = {"section_id": chunk.section_id, "section_path": chunk.section_path, "citation": chunk.citation}
    span = {"start": chunk.start, "end": chunk.end, "pages": chunk.pages}
    ranks = {"dense_rank": 1, "lexical_rank": 1, "dense_score": SCORE, "lexical_score": SCORE, "rerank_score": None}
    snippet = "[[Rotate]] them once a year."
    hit = Hit(chunk=chunk, **section, **span, **ranks, entity_boost=0.0, final_score=SCORE, snippet=snippet)  # type: ignore[arg-type]
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
    query = {"query": QUESTION, "budget_tokens": 2000, "token_count": chunk.token_count}
    examples = {
        "/v1/extract": reading.describe(document),
        "/v1/chunk": reading.cut(document, options=options, texts=True),
        "/v1/check": reading.check(document, options=options),
        "/v1/search": {"query": QUESTION, "hits": [hit.to_json()]},
        "/v1/passages": {**query, "passages": [passage.to_json()]},
        "/v1/titles": {"titles": list(chunk.section_path)},
        "/v1/chunks/{id}": chunk.to_json(),
        "/v1/sections/{id}": passage.to_json(),
        "/v1/documents/{id}/outline": reading.outline(document),
    }
    return {path: json.loads(json_bytes(each)) for path, each in examples.items()}


def make_problem() -> Mapping[str, Any]:
    """Return an example of problem details."""
    try:
        chunk_options(max_tokens=0)
    except OptionsError as error:
        return {**problem(error), "request_id": "6f1c0f3f1d5a4f0c8b7f2f6f1f0e9a11"}
    raise AssertionError("max_tokens=0 must be refused")
