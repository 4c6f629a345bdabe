"""crosshead serve: an index over HTTP, with a page."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Final

import typer

from crosshead.cli.default_index import DEFAULT_INDEX
from crosshead.cli.flags import IndexFolder
from crosshead.errors import MissingExtra

MEBIBYTE: Final = 1024 * 1024

Host = Annotated[
    str, typer.Option("--host", metavar="HOST", help="Where to listen; others than this machine need a token.")
]
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 takes a free one.")]
Token = Annotated[
    str,
    typer.Option(
        "--token",
        metavar="TOKEN",
        envvar="CROSSHEAD_TOKEN",
        show_envvar=False,
        show_default=False,
        help="What every request must bring. CROSSHEAD_TOKEN keeps it out of the list of processes.",
    ),
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option("--allowed-host", metavar="NAME", help="A name that a proxy passes on. May be repeated."),
]
Origins = Annotated[
    list[str] | None,
    typer.Option("--cors-origin", metavar="ORIGIN", help="Let pages of this origin ask, too. May be repeated."),
]
MaxUpload = Annotated[int, typer.Option("--max-upload", metavar="N", min=1, help="MiB that a document may have.")]


def serve(
    location: IndexFolder = DEFAULT_INDEX,
    host: Host = "127.0.0.1",
    port: Port = 8377,
    token: Token = "",
    allowed_host: AllowedHosts = None,
    cors_origin: Origins = None,
    max_upload: MaxUpload = 64,
) -> None:
    """Open a page that searches an index and shows how documents are cut, and the same for programs over HTTP.

    An index that does not exist is made. Ctrl-C ends.
    """
    try:
        from crosshead.server import run
        from crosshead.server.app import create_app
    except ImportError as error:
        raise MissingExtra("server", "Serving") from error
    from crosshead.index import Index
    from crosshead.server.settings import ServerSettings

    settings = ServerSettings(
        host=host,
        port=port,
        token=token,
        allowed_hosts=tuple(allowed_host or ()),
        cors_origins=tuple(cors_origin or ()),
        max_body_bytes=max_upload * MEBIBYTE,
    )
    with (
        run.listen(settings) as listening,
        Index(location) as index,
        suppress(KeyboardInterrupt),
    ):  # this is how it ends
        run.serve(create_app(index, settings), settings, listening, on_start=_say)


def _say(url: str) -> None:
    typer.echo(f"Crosshead is at {url}  (Ctrl-C ends)", err=True)
