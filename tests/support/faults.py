"""A fault in every process of Crosshead."""

from __future__ import annotations

PATCH = """\
import crosshead.pipeline as pipeline

cut = pipeline.chunk_document

def fail(document, options):
    if "bad" in document.source:
        raise RecursionError("too deep")
    return cut(document, options)

pipeline.chunk_document = fail
"""
"""Python runs it when it starts, in every process."""
