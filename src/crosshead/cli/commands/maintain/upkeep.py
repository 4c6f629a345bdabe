"""crosshead status, list, remove, embed, optimize and copy: inspect and maintain an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import Annotated

import typer

from crosshead import indexing  # its names are imported when they are used
from crosshead.cli.commands.index import EMBEDDER, AsObject, DryRun, Language, Root, TextToEmbed
from crosshead.cli.flags import AsJson, IndexFolder, Jobs, Wait, WholeOrParts
from crosshead.cli.indexes.changing import apply_settings, change_settings, open_to_change, show_change
from crosshead.cli.indexes.parts import each_location, open_to_read
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_done, print_error, shows_progress, write_json
from crosshead.errors import OptionsError
from crosshead.options import DEFAULT_LOCATION

Sources = Annotated[list[str], typer.Argument(metavar="SOURCE", help="Documents or folders, by source or path.")]

Pending = Annotated[bool, typer.Option("--pending", metavar="", help="Embed all chunks that have no vector yet.")]
Chosen = Annotated[str | None, EMBEDDER]
RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", metavar="", help="Also retry chunks that could not be embedded before.")
]
From = Annotated[str, typer.Argument(metavar="FROM", help="Index to copy.")]
To = Annotated[str, typer.Argument(metavar="TO", help="Location of the copy, where no index exists yet.")]


def status(location: WholeOrParts = DEFAULT_LOCATION, as_json: AsObject = False) -> None:
    """Show what an index holds and which settings it was made with."""
    with open_to_read(location) as index:
        found = index.status()
    if as_json:
        write_json(asdict(found))
    else:
        from crosshead.cli.views.indexing import show_status

        show_status(found)


def list_documents(location: WholeOrParts = DEFAULT_LOCATION, as_json: AsJson = False) -> None:
    """List the documents of an index with their size, and whether they are embedded."""
    from crosshead.cli.views.documents import show_documents

    with open_to_read(location) as index:
        if not as_json:
            show_documents(index.documents())
            return
        for document in index.documents():
            write_json({name: value for name, value in document._asdict().items() if name != "index"})


def remove(sources: Sources, location: WholeOrParts = DEFAULT_LOCATION, wait: Wait = 0) -> None:
    """Remove documents from an index, but not their files."""
    from crosshead.index import Index

    counts = dict.fromkeys(sources, 0)
    for each in each_location(location):
        with Index(each, create=False, wait_seconds=wait) as index:
            for source in counts:
                counts[source] += index.remove(source)
    for source, count in counts.items():
        if count:
            print_done(f"{source}: {count} removed")
    missing = [source for source, count in counts.items() if not count]
    for source in missing:
        print_error(f"{source}: not in the index")
    if missing:
        raise typer.Exit(CHECK_FAILED)


def embed(
    location: IndexFolder = DEFAULT_LOCATION,
    pending: Pending = False,
    retry_failed: RetryFailed = False,
    embedder: Chosen = None,
    language: Language = None,
    embed_text: TextToEmbed = None,
    root: Root = None,
    jobs: Jobs = None,
    wait: Wait = 0,
    dry_run: DryRun = False,
) -> None:
    """Embed chunks that were indexed without vectors, or all with another model.

    If interrupted, the next run continues. Several processes can embed into one PostgreSQL index at the same time. The
    first run after a migration also sets --embedder, --language, --embed-text and --root.
    """
    from crosshead.cli.views.layout import count

    if not (pending or embedder or language or embed_text):
        raise OptionsError(
            "nothing to do: crosshead embed --pending embeds all chunks that have no vector yet, --embedder NAME all "
            "with another model"
        )
    settings = indexing.IndexSettings(
        root=indexing.whole_path(root),
        embedder=embedder,
        language=language,
        embed_text=embed_text,  # type: ignore[arg-type]  # checked there
        chunking={},
    )
    if not pending:
        change_settings(location, settings, jobs=jobs, wait=wait, dry_run=dry_run, as_json=False)
        return
    with closing(open_to_change(location, settings, wait)) as opened:
        index, changed = apply_settings(opened, settings, jobs=jobs)
        if changed.settings:
            show_change(changed)
        with _counted("embedding") as on_progress:
            result = indexing.embed_pending(index, retry_failed=retry_failed, on_progress=on_progress, jobs=jobs)
    failed = f", {len(result.failed):,} failed" if result.failed else ""
    print_done(f"{count(result.embedded, 'chunk')} embedded{failed}")
    for chunk_id, reason in result.failed.items():
        print_error(f"{chunk_id}: {reason}")
    if result.failed:
        raise typer.Exit(CHECK_FAILED)


def copy(source: From, target: To, wait: Wait = 0) -> None:
    """Copy an index, with its vectors, to another location."""
    from crosshead.cli.views.layout import count
    from crosshead.index import Index

    with Index(source, create=False, wait_seconds=wait) as index, _counted("copying") as on_progress:
        documents = index.copy_to(target, on_progress=on_progress)
    print_done(f"{count(documents, 'document')} copied")


def optimize(location: WholeOrParts = DEFAULT_LOCATION, wait: Wait = 0) -> None:
    """Speed up searching after many changes, free space, and detect languages not known yet."""
    from crosshead.index import Index

    before = after = 0
    for each in each_location(location):
        with Index(each, create=False, wait_seconds=wait) as index:
            before += index.status().size_bytes
            index.optimize()
            after += index.status().size_bytes
    print_done(f"optimized: {before / 1e6:,.1f} MB before, {after / 1e6:,.1f} MB now")


@contextmanager
def _counted(doing: str) -> Iterator[Callable[[int, int], None]]:
    from crosshead.cli.views.indexing import logged_count, shown_count

    with (shown_count if shows_progress() else logged_count)(doing) as show:
        yield show
