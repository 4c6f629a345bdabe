"""crosshead index: documents into an index."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from crosshead.cli.default_index import index_to_write
from crosshead.cli.flags import IndexFlags, Jobs, NewIndexFolder, Wait, with_index_flags
from crosshead.cli.output import print_error, write_json
from crosshead.cli.program import CHECK_FAILED, Faults
from crosshead.cli.progress import Pace
from crosshead.errors import IndexNotFound, IngestError, StoreError
from crosshead.indexing import check_engine, files_to_index, has_reader, is_image, no_documents, no_such_path
from crosshead.pipeline import get_format

if TYPE_CHECKING:
    from crosshead.index import AddResult, Index, Progress

SECONDS_BETWEEN_LINES: Final = 10.0
"""Of progress, where it goes into a log."""

IndexPaths = Annotated[list[str], typer.Argument(metavar="PATH", help="Documents and folders.")]
EMBEDDER: Final[Any] = typer.Option(
    "--embedder",
    metavar="NAME",
    envvar="CROSSHEAD_EMBEDDER",
    help="Embedder to use, see `crosshead model list`; `auto` picks the best one installed.",
)
EmbedderName = Annotated[str, EMBEDDER]
Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="NAME",
        help="Language for stemming; `auto` detects it for each document, `simple` disables stemming.",
    ),
]
PieceTokens = Annotated[
    int | None,
    typer.Option(
        "--piece-tokens",
        metavar="N",
        help="Tokens per embedded piece of a chunk; by default 128, 0 embeds each chunk as a whole.",
    ),
]
TokenSigns = Annotated[
    bool | None,
    typer.Option(
        "--token-signs/--no-token-signs",
        metavar="",
        help="Store token vectors for reranking, or not; by default if the embedder makes them.",
    ),
]
TextToEmbed = Annotated[
    str | None,
    typer.Option(
        "--embed-text",
        metavar="NAME",
        help="Text to embed: `breadcrumb+content` (the default) or `content`.",
    ),
]
Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Folder that sources are relative to; by default the one that holds the index, or the working folder.",
    ),
]
Prune = Annotated[
    bool,
    typer.Option("--prune/--no-prune", metavar="", help="Remove documents whose files are gone, or keep them."),
]
Yes = Annotated[
    bool,
    typer.Option(
        "--yes", "-y", metavar="", help="Remove documents without asking, even all below a path or most of the index."
    ),
]
Embed = Annotated[
    bool,
    typer.Option("--embed/--no-embed", metavar="", help="Embed now, or later with `crosshead embed --pending`."),
]
Verify = Annotated[
    bool,
    typer.Option("--verify", metavar="", help="Read every file, even if its size and times are those of the last run."),
]
Watch = Annotated[bool, typer.Option("--watch", metavar="", help="Keep running and index changes until Ctrl-C.")]
EngineFlag = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Where to read, cut and embed documents: `local` (the default), or on a `ray` cluster; changes under "
        "`--watch` always locally.",
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        metavar="ADDRESS",
        help="Ray cluster to use, `auto` for one running here; by default RAY_ADDRESS, or a temporary one on this "
        "machine.",
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", metavar="", help="List skipped files.")]
AsObject = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object.")]


@with_index_flags
def index(
    paths: IndexPaths,
    flags: IndexFlags,
    location: NewIndexFolder = None,
    embedder: EmbedderName = "auto",
    language: Language = "auto",
    embed_text: TextToEmbed = None,
    piece_tokens: PieceTokens = None,
    token_signs: TokenSigns = None,
    root: Root = None,
    prune: Prune = True,
    yes: Yes = False,
    embed: Embed = True,
    verify: Verify = False,
    watch: Watch = False,
    as_json: AsObject = False,
    jobs: Jobs = None,
    wait: Wait = 0,
    engine: EngineFlag = "local",
    ray_address: RayAddress = None,
    verbose: Verbose = False,
) -> None:
    """Index documents for searching. A later run updates only what has changed."""
    from crosshead.index import Index

    location = location or index_to_write(paths)
    if flags.format:
        get_format(flags.format)  # raises an error that says what is known
    check_engine(engine)
    if not _exists(location):
        _check_paths(paths, flags.include, may_be_empty=watch)
    opened = Index(
        location,
        root=root,
        embedder=embedder,
        language=language,
        embed_text=embed_text,  # type: ignore[arg-type]  # checked there
        piece_tokens=piece_tokens,
        token_signs=token_signs,
        extract=flags.extract,
        wait_seconds=wait,
        documents=paths,
        **flags.chunking,
    )

    def add(*, allow_removal: bool) -> AddResult:
        with _told_what_is_kept(opened), indexing_progress() as on_progress:
            result = opened.add(
                *paths,
                format=flags.format,
                include=flags.include,
                prune=prune,
                allow_removal=allow_removal,
                embed=embed,
                on_progress=on_progress,
                jobs=jobs,
                engine=engine,  # type: ignore[arg-type]  # checked there
                ray_address=ray_address,
                verify=verify,
            )
        _report(result, as_json=as_json)
        _tell_skipped(result.skipped, verbose=verbose)
        return result

    with opened:
        result = add(allow_removal=yes)
        if result.kept and not as_json and _confirms_removal(len(result.kept)):
            result = add(allow_removal=True)
        if not (result.anything or result.unchanged or watch):
            raise IngestError(no_documents(", ".join(paths)))
        if watch:
            results = opened.watch(
                *paths,
                format=flags.format,
                include=flags.include,
                prune=prune,
                allow_removal=yes,
                embed=embed,
                jobs=jobs,
            )
            typer.echo(f"watching {', '.join(paths)}; Ctrl-C ends", err=True)
            with suppress(KeyboardInterrupt):  # this is how it ends
                for each in results:
                    _report(each, as_json=as_json, time=f"{datetime.now():%H:%M:%S} ")
    if result.faults and not watch:
        raise Faults(*result.faults.values(), code=CHECK_FAILED)
    if (result.failed or result.kept) and not watch:
        raise typer.Exit(CHECK_FAILED)


def _confirms_removal(count: int) -> bool:
    is_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    return is_terminal and typer.confirm(f"Remove {count:,} documents whose files are gone?", err=True)


def _exists(location: str) -> bool:
    from crosshead.index import Index

    try:
        Index(location, create=False).close()
    except IndexNotFound:
        return False
    return True


def _check_paths(paths: list[str], include: tuple[str, ...], *, may_be_empty: bool) -> None:
    """A mistyped path, or a folder without documents, shall not leave an empty index behind."""
    for path in paths:
        if not Path(path).exists():
            raise IngestError(no_such_path(path))
        found = files_to_index(path, include=include)
        if Path(path).is_dir() and not may_be_empty and not any(file.is_wanted for file in found):
            raise IngestError(no_documents(path))


def _tell_skipped(skipped: Sequence[str], *, verbose: bool) -> None:
    if not skipped:
        return
    unread = [source for source in skipped if not has_reader(source)]
    images = [source for source in skipped if is_image(source)]
    others = len(skipped) - len(unread) - len(images)
    told = [f"{_files(len(unread))} passed over for want of a reader"] if unread else []
    told += [f"{_files(len(images))} with an image passed over: --include image"] if images else []
    told += [f"{_files(others)} of code and data passed over: --include code, --include data"] if others else []
    told += [] if verbose else ["--verbose names them"]
    print_error("; ".join(told), label="note")
    for source in skipped if verbose else ():
        print_error(f"{source}: {'no reader' if source in unread else 'not included'}", label="note")


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


@contextmanager
def indexing_progress() -> Iterator[Callable[[Progress], None]]:
    """Show a bar while documents are indexed; a line now and then where there is no terminal."""
    if not sys.stderr.isatty():
        yield _line_now_and_then()
        return
    from crosshead.cli.views.indexing import shown_progress

    with shown_progress() as show:
        yield show


def _line_now_and_then() -> Callable[[Progress], None]:
    pace, next_line = Pace(), time.monotonic() + SECONDS_BETWEEN_LINES

    def tell(progress: Progress) -> None:
        nonlocal next_line
        said = pace.tell_indexing(progress)
        if time.monotonic() >= next_line:
            typer.echo(f"indexing: {said}", err=True)
            next_line = time.monotonic() + SECONDS_BETWEEN_LINES

    return tell


@contextmanager
def _told_what_is_kept(index: Index) -> Iterator[None]:
    """Say after Ctrl-C what became of the work."""
    try:
        yield
    except KeyboardInterrupt:
        with suppress(StoreError):
            kept = index.status()
            waiting = f"; {kept.pending:,} of their {kept.chunks:,} chunks have no vector yet" if kept.pending else ""
            typer.echo(
                f"interrupted: {kept.documents:,} documents are kept and found by their words{waiting}; "
                "the same command goes on from here",
                err=True,
            )
        raise


def _report(result: AddResult, *, as_json: bool, time: str = "") -> None:
    if as_json:
        write_json({name: value for name, value in asdict(result).items() if name != "faults"})
        sys.stdout.flush()
    else:
        typer.echo(time + result.summary)
        for note in result.notes:
            print_error(note, label="warning")
    for source, reason in result.failed.items():
        print_error(f"{source}: {reason}")
