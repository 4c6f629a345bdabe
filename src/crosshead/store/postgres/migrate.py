"""Bring the tables to another revision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

VERSION_TABLE: Final = "crosshead_version"
HEAD: Final = "0003"
"""The revision that this program works with."""


def upgrade(url: str, to: str = HEAD) -> None:
    """Apply revisions up to one."""
    from alembic import command

    with _alembic(url) as config:
        command.upgrade(config, to)


def downgrade(url: str, to: str) -> None:
    """Take revisions back down to one."""
    from alembic import command

    with _alembic(url) as config:
        command.downgrade(config, to)


@contextmanager
def _alembic(url: str) -> Iterator[Any]:
    import psycopg
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine

    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.connect() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        yield config
