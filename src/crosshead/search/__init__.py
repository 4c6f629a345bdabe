"""Request -> hits, or passages.

request -> query -> candidates (lexical, dense) -> fuse -> rerank -> answer (which section?) -> hits
hits -> expand (the chunks around them), or passages (whole sections within a budget)

request     the keywords of a caller, checked; `defaults` fills in those of the index
query/      what the query says: words, conditions, names, vectors
ranking/    candidates, and their order
answer      the section of a hit that answers; `snippets` show its best lines
confidence/ how likely a hit is to answer, in a calibrated index
folding     where the good hits end
related     a text -> the nearest sections of other documents
passages/   whole, cited sections from hits, and prompts from them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosshead.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from crosshead.search.confidence.calibrate import Calibrator, OnAsked
    from crosshead.search.defaults import with_defaults
    from crosshead.search.expand import Relation, chunks_around, find_chunk, find_parents, find_siblings
    from crosshead.search.folding import FoldedHits, describe_weaker, fold_weaker
    from crosshead.search.passages.cited import cited_span, find_cited, quote_citation, quote_span
    from crosshead.search.passages.lookup import quote_section
    from crosshead.search.passages.prompt import CitedSource, Passages, Prompt
    from crosshead.search.related import find_related
    from crosshead.search.request import TRIED_FIRST, make_request, read_metadata
    from crosshead.search.searcher import Searcher

__all__ = [
    "TRIED_FIRST",
    "Calibrator",
    "CitedSource",
    "FoldedHits",
    "OnAsked",
    "Passages",
    "Prompt",
    "Relation",
    "Searcher",
    "chunks_around",
    "cited_span",
    "describe_weaker",
    "find_chunk",
    "find_cited",
    "find_parents",
    "find_related",
    "find_siblings",
    "fold_weaker",
    "make_request",
    "quote_citation",
    "quote_section",
    "quote_span",
    "read_metadata",
    "with_defaults",
]

_HOMES = {
    "confidence.calibrate": "Calibrator OnAsked",
    "defaults": "with_defaults",
    "expand": "Relation chunks_around find_chunk find_parents find_siblings",
    "folding": "FoldedHits describe_weaker fold_weaker",
    "passages.cited": "cited_span find_cited quote_citation quote_span",
    "passages.lookup": "quote_section",
    "passages.prompt": "CitedSource Passages Prompt",
    "related": "find_related",
    "request": "TRIED_FIRST make_request read_metadata",
    "searcher": "Searcher",
}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
