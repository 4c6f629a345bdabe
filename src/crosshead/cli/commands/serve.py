"""crosshead serve: an index over HTTP, with a search page."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from crosshead.cli.flags import Indexes, Llm, with_indexes
from crosshead.cli.terminal.output import print_done, print_note
from crosshead.errors import MissingExtra
from crosshead.server import DEFAULT_HOST, DEFAULT_PORT, MEBIBYTE

if TYPE_CHECKING:
    from crosshead.index import Index, JoinedIndex

Host = Annotated[
    str,
    typer.Option("--host", metavar="HOST", help="Address to listen on; any but this machine's own requires a token."),
]
Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port to listen on; 0 picks a free one.")
]
Token = Annotated[
    str,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar="CROSSHEAD_TOKEN",
        show_envvar=False,
        show_default=False,
        help="Token that every request must carry; CROSSHEAD_TOKEN keeps it out of the process list.",
    ),
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-host", metavar="NAME", help="Host name to accept, as a proxy passes it on. Can be repeated."
    ),
]
Origins = Annotated[
    list[str] | None,
    typer.Option(
        "--cors-origin", metavar="ORIGIN", help="Allow requests from web pages of this origin. Can be repeated."
    ),
]
OpenBrowser = Annotated[bool, typer.Option("--open", metavar="", help="Open the page in the browser.")]
MaxUpload = Annotated[int, typer.Option("--max-upload", metavar="N", min=1, help="Largest upload in MiB.")]


@with_indexes
def serve(
    indexes: Indexes,
    host: Host = DEFAULT_HOST,
    port: Port = DEFAULT_PORT,
    token: Token = "",
    allowed_host: AllowedHosts = None,
    cors_origin: Origins = None,
    max_upload: MaxUpload = 64,
    llm: Llm = "",
    open_browser: OpenBrowser = False,
) -> None:
    """Serve an index over HTTP: a page to search it and see how documents are cut, and an API.

    Creates the index if it does not exist; several are searched as one, and only read. Stop with Ctrl-C.
    """
    try:
        from crosshead.server import run
        from crosshead.server.app import create_app
    except ImportError as error:
        raise MissingExtra("server", "Serving") from error
    from crosshead.server.settings import ServerSettings

    settings = ServerSettings(
        host=host,
        port=port,
        token=token,
        allowed_hosts=tuple(allowed_host or ()),
        cors_origins=tuple(cors_origin or ()),
        max_body_bytes=max_upload * MEBIBYTE,
        llm=llm,
    )
    with run.listen(settings) as listening, _opened(indexes) as index, suppress(KeyboardInterrupt):  # Ctrl-C stops it
        on_start = _open_page if open_browser else _print_url
        run.serve(create_app(index, settings), settings, listening, on_start=on_start)


def _opened(indexes: Indexes) -> Index | JoinedIndex:
    from crosshead.index import Index

    return indexes.open() if indexes.are_several else Index(indexes.locations[0])


def _print_url(url: str) -> None:
    print_done(f"Crosshead is at {url}  (Ctrl-C to stop)", err=True)


def _open_page(url: str) -> None:
    """Print the address and open it; a browser may take as long as it likes."""
    import webbrowser

    def browse() -> None:
        if not webbrowser.open(url):
            print_note(f"no browser to open here: open {url} yourself")

    _print_url(url)
    threading.Thread(target=browse, daemon=True).start()
