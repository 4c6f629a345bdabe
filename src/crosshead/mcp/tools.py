"""The tools; their docstrings are the descriptions that an assistant reads."""

from __future__ import annotations

import os
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, Final

from anyio import CapacityLimiter, from_thread, to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.types import CallToolResult, ContentBlock, ImageContent, TextContent

from crosshead import ids
from crosshead.errors import CrossheadError
from crosshead.index import AddResult, Index, Progress
from crosshead.indexing import lies_in, source_of, span_of
from crosshead.markdown import DocumentOutline, Node, outline_document
from crosshead.mcp.answers import (
    DEEPEST,
    Indexed,
    Outlined,
    RelatedAnswer,
    SearchAnswer,
    ShownPage,
    WholeSection,
    below,
    indexed_answer,
    outline_answer,
    page_answer,
    related_answer,
    search_answer,
    section_answer,
)
from crosshead.mcp.arguments import (
    ChunkingStrategy,
    DocumentPath,
    GivenMetadata,
    Hidden,
    PageNumber,
    ProjectPath,
    Query,
    RelatedLimit,
    SectionId,
)
from crosshead.mcp.budget import Budget, ToolAnswer
from crosshead.mcp.projects import AnyIndex, Projects
from crosshead.options import ExtractOptions
from crosshead.pipeline import reopen
from crosshead.runtime.workers import Limits, run
from crosshead.search import fold_weaker, read_metadata
from crosshead.server.errors import Refusal, not_found
from crosshead.types import Passage, parse_given

SECONDS_BETWEEN: Final = 0.2
"""Between two notifications of progress."""
PAGE_SECONDS: Final = 60.0
"""How long drawing a page may take."""


class Tools:
    """The tools of one server. Work runs in threads, indexing in one at a time."""

    def __init__(self, projects: Projects, budget_tokens: int) -> None:
        self._projects = projects
        self._budget_tokens = budget_tokens
        self._indexing = CapacityLimiter(1)

    async def rag_index(
        self,
        path: DocumentPath,
        context: Context,
        project_path: ProjectPath = ".",
        chunking_strategy: ChunkingStrategy = "auto",
        hidden: Hidden = False,
        metadata: GivenMetadata = None,
    ) -> Annotated[CallToolResult, Indexed]:
        """Make a document, or all documents of a folder, searchable.

        Use it before the first rag_search in a project, and after files have changed: only changed files are indexed
        again, and documents whose files are missing are removed. Thousands of documents may take minutes; progress is
        reported, and after a cancellation the next call continues where it stopped. Returns how many documents were
        added, updated, unchanged and removed, and which failed and why.
        """
        chunking = {} if chunking_strategy == "auto" else {"strategy": chunking_strategy}
        report = _reporter(context)

        def work() -> Indexed:
            given = parse_given(metadata) if isinstance(metadata, list) else metadata
            found = self._projects.path(path, project_path)

            def add(index: Index) -> AddResult:
                return index.add(found, hidden=hidden, metadata=given or None, on_progress=report)

            return indexed_answer(self._projects.write(project_path, add, **chunking), self._budget())

        return await _answer(work, self._indexing)

    async def rag_search(
        self, query: Query, project_path: ProjectPath = ".", **request: Any
    ) -> Annotated[CallToolResult, SearchAnswer]:
        """Find the sections of a project's documents that answer a question, by meaning and by words.

        Use it first for any question that the documents may answer. Returns text with citation, breadcrumb, section_id
        and score, best first. Weak matches are left out, because they probably do not answer it; set all to see them.
        Set expand_context if the text around a hit matters, and section_filter to stay below a heading; open a hit with
        rag_section to read all of it.
        """

        def search(index: AnyIndex) -> SearchAnswer:
            keywords = {**request, "metadata": read_metadata(request.get("metadata", []))}
            found = index.search(query, **{**keywords, "all": True})
            folded = fold_weaker(found, all=keywords["all"])
            is_nothing = not folded.hits and not folded.weaker
            note = index.why_nothing(query, **keywords) if is_nothing else ""
            return search_answer(folded, self._budget(), note, found.missing)

        return await _answer(lambda: self._projects.read(project_path, search))

    async def rag_section(
        self, section_id: SectionId, project_path: ProjectPath = "."
    ) -> Annotated[CallToolResult, WholeSection]:
        """Read a whole section with its subsections, exactly as in the document.

        Use it when a hit is not enough: to read on, or to go up by parent_section_id. Returns the text with its
        citation, and the links out of it and into it; if it is too long, its beginning and the section_ids of its
        subsections.
        """
        return await _answer(lambda: self._section(section_id, project_path))

    async def rag_related(
        self, section_id: SectionId, project_path: ProjectPath = ".", limit: RelatedLimit = 10
    ) -> Annotated[CallToolResult, RelatedAnswer]:
        """Find the sections of other documents that are nearest to a section, and mark copies.

        Use it to find where else a subject is treated, what contradicts a section, or copies of it that must change
        with it. Returns citation, breadcrumb, section_id and the beginning of each, nearest first.
        """

        def find(index: AnyIndex) -> RelatedAnswer:
            found = index.related(section_id, limit) if index.section(section_id) else None
            if found is None:
                raise not_found(f"section {section_id[:100]!r}")
            return related_answer(found, self._budget())

        return await _answer(lambda: self._projects.read(project_path, find))

    async def rag_page(
        self, section_id: SectionId, page: PageNumber = 0, project_path: ProjectPath = "."
    ) -> Annotated[CallToolResult, ShownPage]:
        """Look at a page of a document, with a section marked on it.

        Use it when the layout matters: a figure, a form, a table that reads oddly as text. Returns the picture of the
        page, how many pages there are, and which of them the section is on. PDF
        documents have pages; those of office programs where LibreOffice is installed.
        """

        def look(index: AnyIndex) -> ShownPage:
            section = index.section(section_id)
            file = index.pages(section.document_id, below_root=True) if section else None
            if section is None or file is None:
                raise not_found(f"section {section_id[:100]!r}")
            work = partial(page_answer, file.printed(), section, span_of(section, file.document), page)
            return run(work, Limits(PAGE_SECONDS, ExtractOptions().max_memory))

        return await _answer(lambda: self._projects.read(project_path, look))

    async def rag_outline(
        self, path: DocumentPath = ".", project_path: ProjectPath = "."
    ) -> Annotated[CallToolResult, Outlined]:
        """Show the indexed documents, and their headings as a tree.

        Use it for an overview, to find titles for section_filter, or to choose a section by its heading instead of by
        a query. Returns each heading with its lines, its tokens and its section_id for rag_section.
        """

        def outline() -> Outlined:
            folder = self._projects.folder(project_path)
            found = self._projects.path(path, project_path, exists=False)

            def read(index: AnyIndex) -> Outlined:
                named = [source_of(found, index.root), os.path.relpath(found, folder).replace(os.sep, "/")]
                sources = [each for each in index.sources() if found == folder or lies_in(each, named)]
                if not sources:
                    raise not_found(f"an indexed document at {path}")
                outlines = (outline for each in sources for outline in _outlines(index, ids.document_id(each)))
                return outline_answer(outlines, len(sources), self._budget_tokens)

            return self._projects.read(project_path, read)

        return await _answer(outline)

    async def section_resource(self, section_id: str, project_path: str = ".") -> str:
        """Return a whole section of an indexed document, with its citation."""
        try:
            return (await to_thread.run_sync(self._section, section_id, project_path)).text()
        except (CrossheadError, Refusal) as error:
            raise ResourceError(str(error)) from error

    def _section(self, section_id: str, project_path: str) -> WholeSection:
        def read(index: AnyIndex) -> WholeSection:
            section = index.section(section_id)
            if section is None:
                raise not_found(f"section {section_id[:100]!r}")
            return section_answer(section, _subsections(index, section), index.links(section_id), self._budget())

        return self._projects.read(project_path, read)

    def _budget(self) -> Budget:
        return Budget(self._budget_tokens)


def failure(reason: object) -> CallToolResult:
    """Return the answer to a call that failed."""
    return CallToolResult(content=[_text(str(reason))], is_error=True)


async def _answer(work: Callable[[], ToolAnswer], limiter: CapacityLimiter | None = None) -> CallToolResult:
    """Run work in a thread and return its answer, or the one line of its error."""
    try:
        answer = await to_thread.run_sync(work, limiter=limiter)
    except (CrossheadError, Refusal) as error:
        return failure(error)
    content: list[ContentBlock] = [_text(answer.text())]
    if picture := answer.picture():
        content.append(ImageContent(type="image", data=b64encode(picture).decode(), mime_type="image/png"))
    return CallToolResult(content=content, structured_content=answer.model_dump(mode="json"))


def _reporter(context: Context) -> Callable[[Progress], None]:
    """Return a callback that reports progress from a thread, and stops the work if the call was cancelled."""
    last, next_time = 0, 0.0

    def report(progress: Progress) -> None:
        nonlocal last, next_time
        from_thread.check_cancelled()
        done = progress.documents_done + progress.texts_embedded
        if done > last and time.monotonic() >= next_time:
            last, next_time = done, time.monotonic() + SECONDS_BETWEEN
            total = progress.documents_total + progress.texts_total
            from_thread.run(context.report_progress, done, total, _in_words(progress))

    return report


def _in_words(progress: Progress) -> str:
    documents = f"{progress.documents_done:,} of {progress.documents_total:,} documents"
    texts = f"{progress.texts_embedded:,} of {progress.texts_total:,} texts embedded"
    return f"{documents}, {texts}" if progress.texts_total else documents


def _outlines(index: AnyIndex, document_id: str) -> Iterator[DocumentOutline]:
    """Yield the outline of a document, unless it was removed a moment ago."""
    document = index.document(document_id)
    if document:
        yield outline_document(reopen(document))


def _subsections(index: AnyIndex, section: Passage) -> Iterator[Node]:
    for outline in _outlines(index, section.document_id):
        found = (each for each in below(outline.root, DEEPEST) if each.id == section.section_id)
        yield from next((each.children for each in found), ())


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
