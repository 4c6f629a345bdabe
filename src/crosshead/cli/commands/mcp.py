"""crosshead mcp: tools for AI assistants."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from crosshead.cli.commands.serve import AllowedHosts, Host, Port, Token
from crosshead.cli.flags import PART_TIMEOUT_HELP, REQUIRE_ALL_HELP
from crosshead.cli.terminal.output import print_done
from crosshead.errors import MissingExtra
from crosshead.mcp import DEFAULT_BUDGET, DEFAULT_PORT
from crosshead.options import PART_SECONDS
from crosshead.server import DEFAULT_HOST

Root = Annotated[
    Path,
    typer.Option("--root", metavar="DIR", help="Folder that assistants may index and read, with its subfolders."),
]
IndexLocations = Annotated[
    list[str] | None,
    typer.Option(
        "--index",
        metavar="DIR|URL",
        show_default=False,
        help="One index for the whole root, in a folder or database; by default each project has its own. Several, "
        "or a pattern, are searched as one, and only read.",
    ),
]
PartTimeout = Annotated[float, typer.Option("--part-timeout", metavar="SECONDS", help=PART_TIMEOUT_HELP)]
RequireAll = Annotated[bool, typer.Option("--require-all", metavar="", help=REQUIRE_ALL_HELP)]
Tokens = Annotated[
    int,
    typer.Option(
        "--budget", metavar="N", min=1000, help="Maximum tokens of an answer, which names what it leaves out."
    ),
]
Http = Annotated[
    bool, typer.Option("--http", metavar="", help="Listen for HTTP instead of using standard input and output.")
]


def mcp(
    root: Root = Path("."),
    index: IndexLocations = None,
    part_timeout: PartTimeout = PART_SECONDS,
    require_all: RequireAll = False,
    budget: Tokens = DEFAULT_BUDGET,
    http: Http = False,
    host: Host = DEFAULT_HOST,
    port: Port = DEFAULT_PORT,
    token: Token = "",
    allowed_host: AllowedHosts = None,
) -> None:
    """Let AI assistants index and search the documents of your projects (Model Context Protocol).

    Assistants start this command and talk to it over standard input and output. Each project has its index in its
    folder `.crosshead`, as made by `crosshead index`; with --index, the root is the only project. --host, --port,
    --token and --allowed-host apply to --http only.
    """
    try:
        from crosshead.mcp import run
    except ImportError as error:
        raise MissingExtra("mcp", "MCP") from error
    from crosshead.mcp.projects import Projects
    from crosshead.mcp.server import create_server

    locations = [os.path.expanduser(each) for each in index or ()]
    with Projects(root.expanduser(), locations, part_seconds=part_timeout, require_all=require_all) as projects:
        server = create_server(projects, budget)
        if not http:
            if sys.stdin.isatty():
                typer.echo(
                    "waiting for an assistant on standard input; use --http to listen instead (Ctrl-C to stop)",
                    err=True,
                )
            run.serve_stdio(server)
            return
        from crosshead.server.run import listen, serve
        from crosshead.server.settings import ServerSettings

        settings = ServerSettings(host=host, port=port, token=token, allowed_hosts=tuple(allowed_host or ()))
        with listen(settings) as listening, suppress(KeyboardInterrupt):  # Ctrl-C is how it stops
            serve(run.create_app(server, settings), settings, listening, on_start=_print_url)


def _print_url(url: str) -> None:
    from crosshead.mcp.run import PATH

    print_done(f"Crosshead is at {url.rstrip('/')}{PATH}  (Ctrl-C to stop)", err=True)
