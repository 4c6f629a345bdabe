"""Databases of the older layout go up and down without losing a character."""

from __future__ import annotations

import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.store.catalog import describe
from tests.store.legacy import (
    Row,
    chain,
    expect_moved,
    legacy_rows,
    movable_rows,
    random_rows,
    read_all,
    read_legacy,
    read_moved,
    reset,
    write_legacy,
)
from tests.store.statements import ask, dying_at, execute, wipe
from tests.support.stored_documents import SETTINGS, WordEmbedder, make_rows

from crosshead.errors import IndexNotFound, Locked, MigrationRequired, OptionsError, StoreError, Unreachable
from crosshead.index import Index
from crosshead.store import postgres
from crosshead.store.postgres import indexes
from crosshead.store.postgres.database import revisions
from crosshead.store.postgres.database.connection import connect, take_lock
from crosshead.store.postgres.legacy import migrate
from crosshead.store.postgres.store import PostgresStore
from crosshead.types import EmbeddingResult

ROOT = Path(__file__).parents[2]
MANY = 260
BATCH = 100
NEXT = "ALTER TABLE chunks ALTER id SET DEFAULT nextval('own')"


def watch_updates(url: str) -> None:
    """Let the server keep the id of every row that an update changes and commits."""
    execute(
        url,
        "CREATE TABLE touched (id INT)",
        "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "INSERT INTO touched VALUES (NEW.id); RETURN NEW; END $$",
        "CREATE TRIGGER touching AFTER UPDATE ON chunks FOR EACH ROW EXECUTE FUNCTION touch()",
    )


def test_revisions_are_those_of_the_package() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(revisions.__file__).parents[1] / "migrations"))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == revisions.REVISIONS


class TestMoving:
    def test_breadcrumb_moved(self, database: str) -> None:
        write_legacy(database, chain("Guide > Install\nRun pip.\n\nDone."))
        migrate.upgrade(database, "0002")
        row = read_moved(database)[2]
        assert (row.content, row.breadcrumb) == ("Run pip.\n\nDone.", "Guide > Install")
        assert migrate.left_alone(database) == ()

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            ("# Heading\ntext", "its first line is not the breadcrumb"),
            ("```py\ncode\n```", "its first line is not the breadcrumb"),
            ("An ordinary sentence.\nAnother.", "its first line is not the breadcrumb"),
            ("Guide > Other\ntext", "its first line is not the breadcrumb"),
            ("Guide > Install \ntext", "its first line is not the breadcrumb"),
            ("Guide > Install\r\ntext", "its first line is not the breadcrumb"),
            ("Guide > Install", "the content is a single line"),
            ("", "the content is empty"),
            (None, "the content is empty"),
        ],
    )
    def test_anything_else_is_left_alone_and_reported(self, database: str, content: str | None, reason: str) -> None:
        write_legacy(database, chain(content))
        migrate.upgrade(database, "0002")
        row = read_moved(database)[2]
        assert (row.content, row.breadcrumb) == (content, None)
        assert migrate.left_alone(database) == ((3, reason),)

    def test_without_a_heading_above_nothing_is_a_breadcrumb(self, database: str) -> None:
        write_legacy(database, [Row(1, None, 1, "H1-chunk", "\ntext", None, 1, 2, "to_vec")])
        migrate.upgrade(database, "0002")
        assert migrate.left_alone(database) == ((1, "there is no heading above it"),)

    def test_parents_in_a_circle(self, database: str) -> None:
        write_legacy(database, chain("Guide > Install\ntext"))
        execute(database, "UPDATE chunks SET parent_id = 2 WHERE id = 1")
        migrate.upgrade(database)
        assert migrate.left_alone(database) == ((3, "its parents form a circle"),)

    def test_vec_rows_reset_and_other_rows_keep_their_status(self, database: str) -> None:
        statuses = ["vec", "no_vec", "to_vec", "vec_err", None]
        rows = [chain("Guide > Install\ntext", status=each)[2]._replace(id=10 + at) for at, each in enumerate(statuses)]
        write_legacy(database, [*chain("plain\ntext", status="vec"), *rows])
        migrate.upgrade(database, "0002")
        found = read_moved(database)[2:]
        assert [row.vector_status for row in found] == ["to_vec", "to_vec", "no_vec", "to_vec", "vec_err", None]
        assert not any(row.embedded for row in found)

    def test_text_search_follows(self, database: str) -> None:
        write_legacy(database, chain("Guide > Install\nRun pip."))
        assert (
            ask(database, "SELECT content_tsvector::text FROM chunks WHERE id = 3")
            == "'guid':1 'instal':2 'pip':4 'run':3"
        )
        migrate.upgrade(database, "0002")
        assert ask(database, "SELECT content_tsvector::text FROM chunks WHERE id = 3") == "'pip':2 'run':1"
        migrate.downgrade(database, "0001")
        assert (
            ask(database, "SELECT content_tsvector::text FROM chunks WHERE id = 3")
            == "'guid':1 'instal':2 'pip':4 'run':3"
        )

    def test_batches_progress_and_totals(self, database: str, caplog: pytest.LogCaptureFixture) -> None:
        write_legacy(database, movable_rows(2_500))
        with caplog.at_level(logging.INFO, "crosshead.migrations"):
            done = migrate.upgrade(database, "0002")
        assert [record.getMessage() for record in caplog.records if record.name == "crosshead.migrations"] == [
            "breadcrumbs so far: 1000 rows, 998 moved, 998 to embed again, 0 left alone",
            "breadcrumbs so far: 2000 rows, 1998 moved, 1998 to embed again, 0 left alone",
            "breadcrumbs so far: 2500 rows, 2498 moved, 2498 to embed again, 0 left alone",
            "breadcrumbs in all: 2500 rows, 2498 moved, 2498 to embed again, 0 left alone",
        ]
        assert done.breadcrumbs == migrate.Effect(2_500, 2_498, 2_498, 0)
        # Rows of one batch were written by one transaction.
        assert ask(database, "SELECT count(DISTINCT xmin::text) FROM chunks WHERE heading_breadcrumbs <> ''") == 3


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "BATCH_ROWS", 5)


# An example takes a second, so that there are few of them and a failing one is shown as it is.
few = settings(
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


class TestProperties:
    def test_batches_are_small_here(self, database: str, small_batches: None, caplog: pytest.LogCaptureFixture) -> None:
        write_legacy(database, movable_rows(12))
        with caplog.at_level(logging.INFO, "crosshead.migrations"):
            migrate.upgrade(database, "0002")
        assert sum("so far" in record.getMessage() for record in caplog.records) == 3

    @few
    @given(rows=legacy_rows(), data=st.data())
    def test_round_trip(self, database: str, small_batches: None, rows: list[Row], data: st.DataObject) -> None:
        wipe(database)
        write_legacy(database, rows)
        target = data.draw(st.sampled_from(revisions.REVISIONS[1:]))
        foreseen = migrate.plan(database, target)
        done = migrate.upgrade(database, target)
        assert foreseen == done
        assert read_moved(database) == expect_moved(rows)
        first = read_all(database), read_all(database, "works"), migrate.left_alone(database)
        migrate.downgrade(database, "0001")
        assert read_legacy(database) == reset(rows)
        assert (
            ask(
                database,
                "SELECT count(*) FROM chunks "
                "WHERE content_tsvector IS DISTINCT FROM to_tsvector('english', COALESCE(content, ''))",
            )
            == 0
        )
        migrate.upgrade(database, target)
        assert (read_all(database), read_all(database, "works"), migrate.left_alone(database)) == first

    @few
    @given(rows=legacy_rows(), data=st.data())
    def test_killed_and_resumed(self, database: str, small_batches: None, rows: list[Row], data: st.DataObject) -> None:
        """Whatever is interrupted by whatever, going on ends where it would have ended."""
        wipe(database)
        write_legacy(database, rows)
        for down in data.draw(st.lists(st.booleans(), max_size=4)):
            with dying_at(database, data.draw(st.sampled_from([0, *(row.id for row in rows)]))):
                try:
                    (migrate.downgrade if down else migrate.upgrade)(database, "0001" if down else "0002")
                except Unreachable:
                    pass
                except OptionsError:  # there already
                    pass
        migrate.upgrade(database, "0002")
        assert read_moved(database) == expect_moved(rows)
        migrate.downgrade(database, "0001")
        assert read_legacy(database) == reset(rows)


class TestManyRows:
    """Three batches, the last of them not full."""

    rows = random_rows(MANY, seed=6)

    @pytest.fixture(autouse=True)
    def _batches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(migrate, "BATCH_ROWS", BATCH)

    def test_round_trip(self, database: str) -> None:
        write_legacy(database, self.rows)
        migrate.upgrade(database)
        assert read_moved(database) == expect_moved(self.rows)
        first = read_all(database)
        migrate.downgrade(database, "0001")
        assert read_legacy(database) == reset(self.rows)
        migrate.upgrade(database)
        assert read_all(database) == first

    @pytest.mark.parametrize("batch", [0, 1, 2])
    def test_resume_after_failure(self, database: str, batch: int) -> None:
        write_legacy(database, self.rows)
        expected = expect_moved(self.rows)
        changed = [
            row.id for row, after in zip(sorted(self.rows), expected, strict=True) if row.content != after.content
        ]
        fatal = [each for each in changed if each >= self.rows[0].id + BATCH * batch][3]
        watch_updates(database)
        with dying_at(database, fatal), pytest.raises(Unreachable, match="run the same command again"):
            migrate.upgrade(database, "0002")
        assert ask(database, "SELECT tgenabled::text FROM pg_trigger WHERE tgname = 'tsvector_update'") == "O"
        done = {row.id for row in read_moved(database) if row.breadcrumb is not None}
        assert len({id for id in changed if id < self.rows[0].id + BATCH * batch} ^ done) == 0
        with connect(database) as connection:
            assert migrate.is_unfinished(connection)
            with pytest.raises(MigrationRequired, match="crosshead db upgrade"):
                revisions.check_revision(connection, database)
        planned = migrate.plan(database, "0002").breadcrumbs
        assert planned is not None
        assert planned.rows == MANY - BATCH * batch
        in_all = migrate.upgrade(database, "0002").breadcrumbs
        assert in_all is not None
        assert in_all.rows == MANY
        assert in_all.moved == sum(row.breadcrumb is not None for row in expected)
        assert read_moved(database) == expected
        assert ask(database, "SELECT max(count) FROM (SELECT count(*) FROM touched GROUP BY id) AS each") == 1

    @pytest.mark.parametrize("down", [False, True])
    def test_program_killed(self, database: str, down: bool) -> None:
        rows = movable_rows(MANY)
        write_legacy(database, rows)
        if down:
            migrate.upgrade(database, "0002")
        execute(
            database,
            "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "PERFORM pg_sleep(0.01); RETURN NEW; END $$",
            "CREATE TRIGGER dawdling BEFORE UPDATE ON chunks FOR EACH ROW EXECUTE FUNCTION dawdle()",
        )
        call = "migrate.downgrade(url, '0001')" if down else "migrate.upgrade(url, '0002')"
        program = (
            "import os\nfrom crosshead.store.postgres.legacy import migrate\n"
            f"migrate.BATCH_ROWS = {BATCH}\nurl = os.environ['URL']\n{call}"
        )
        with subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "URL": database}) as process:
            wait_for_batch(database)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        execute(database, "DROP TRIGGER dawdling ON chunks")
        wait_for_lock(database)
        if down:
            migrate.downgrade(database, "0001")
            assert read_legacy(database) == reset(rows)
        migrate.upgrade(database, "0002")
        assert read_moved(database) == expect_moved(rows)


def use_as_index(url: str, dimension: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose a model, embed what waits with two windows, and let the upkeep build its graphs."""
    monkeypatch.setattr(indexes, "ROWS_BEFORE_GRAPH", 1)
    store = PostgresStore(url, create={"language": "auto", "dimension": dimension, "embedder": "-"})
    vectors = np.ones((2, dimension), np.float32)
    store.embed_pending(10, lambda chunks: {chunk.id: EmbeddingResult(chunk.id, vectors) for chunk in chunks})
    store.maintain()
    store.close()


def wait_for_batch(url: str) -> None:
    for _ in range(600):
        if ask(url, "SELECT to_regclass('migration_progress') IS NOT NULL") and ask(
            url, "SELECT rows > 0 FROM migration_progress"
        ):
            return
        time.sleep(0.05)
    raise AssertionError("no batch was finished")


def wait_for_lock(url: str) -> None:
    """The server notices only at the end of a statement that nobody waits for it any more."""
    here = "(SELECT oid FROM pg_database WHERE datname = current_database())"
    for _ in range(600):
        if not ask(url, f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = {here}"):
            return
        time.sleep(0.05)
    raise AssertionError("the lock is still held")


class TestHugeTexts:
    """A vector of words holds a megabyte; the trigger of the older layout fails on more."""

    text = "\n".join(["# Log", "", "```", *(f"word{number:07}" for number in range(100_000)), "```"])

    def test_row_is_kept_and_found_by_its_beginning(self, database: str) -> None:
        migrate.upgrade(database, "0001")
        before = describe(database)
        migrate.upgrade(database)
        with Index(database, embedder=WordEmbedder(), tokenizer="characters") as index:
            index.add_text(self.text, source="log.md")
        for revision, content in (("0002", self.text), ("0001", f"Log\n{self.text}")):
            migrate.downgrade(database, revision)
            assert ask(database, "SELECT content FROM chunks WHERE level = 'H1-chunk'") == content
            assert find_words(database, "word0000007") == 1
            assert find_words(database, "word0099999") == 0
        assert describe(database) == before
        with pytest.raises(psycopg.errors.ProgramLimitExceeded):
            execute(database, "UPDATE chunks SET vector_status = 'to_vec'")
        migrate.upgrade(database)
        assert ask(database, "SELECT content FROM chunks WHERE level = 'H1-chunk'") == self.text


def find_words(url: str, query: str) -> object:
    return ask(url, f"SELECT count(*) FROM chunks WHERE content_tsvector @@ to_tsquery('english', '{query}')")


class TestOtherRevisions:
    def test_a_new_database_goes_through_all(self, database: str) -> None:
        assert migrate.plan(database) == migrate.upgrade(database)
        with connect(database) as connection:
            assert revisions.current_revision(connection, database) == revisions.HEAD
            revisions.check_revision(connection, database)

    def test_schema(self, database: str) -> None:
        """The columns that others rely on, and a description of every other one."""
        migrate.upgrade(database)
        with psycopg.connect(database) as connection:
            found = connection.execute(
                "SELECT table_name, column_name, udt_name, is_nullable FROM information_schema.columns "
                "WHERE table_schema = 'public' AND table_name <> 'crosshead_version'"
            ).fetchall()
        types = {column: (kind, nullable) for table, column, kind, nullable in found if table == "chunks"}
        assert (
            types.items()
            >= {
                "id": ("int4", "NO"),
                "parent_id": ("int4", "YES"),
                "work_id": ("int4", "YES"),
                "level": ("varchar", "YES"),
                "content": ("text", "YES"),
                "heading_breadcrumbs": ("text", "YES"),
                "embedding": ("vector", "YES"),
                "start_line": ("int4", "YES"),
                "end_line": ("int4", "YES"),
                "vector_status": ("varchar", "YES"),
                "content_tsvector": ("tsvector", "YES"),
                "chunk_id": ("text", "YES"),
            }.items()
        )
        for text in (postgres.__doc__ or "", (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")):
            for table, column, _, _ in found:
                assert re.search(rf"\b{table}\b", text)
                assert re.search(rf"\b{column}\b", text), f"{table}.{column} is not described"

    def test_every_revision_down_and_up_again(self, database: str) -> None:
        shapes = {}
        for revision in revisions.REVISIONS:
            migrate.upgrade(database, revision)
            shapes[revision] = describe(database)
        for revision in reversed(revisions.REVISIONS[:-1]):
            migrate.downgrade(database)
            assert describe(database) == shapes[revision]

    @pytest.mark.parametrize("dimension", [768, 5])
    def test_older_layout_is_restored_exactly(
        self, database: str, monkeypatch: pytest.MonkeyPatch, dimension: int
    ) -> None:
        write_legacy(database, chain("Guide > Install\ntext"))
        execute(
            database,
            "CREATE INDEX older_words ON chunks USING gin (content_tsvector)",
            "CREATE INDEX older_texts ON chunks (level) WHERE content_tsvector <> ''",
            "CREATE INDEX older_lines ON chunks (start_line)",
        )
        before = describe(database)
        migrate.upgrade(database)
        use_as_index(database, dimension, monkeypatch)
        graphs = {name for name, *_ in describe(database)["indexes"]} & {*indexes.GRAPHS.values()}
        assert len(graphs) == 2
        planned = migrate.plan(database, "0001", down=True)
        assert migrate.downgrade(database, "0001") == planned
        assert planned.breadcrumbs == migrate.Effect(1, 1, 1, 0)
        assert describe(database) == before
        assert read_legacy(database) == chain("Guide > Install\ntext")

    def test_older_layout_of_another_program_is_recognized(self, database: str) -> None:
        write_legacy(database, chain("Guide > Install\ntext"))
        with connect(database) as connection:
            assert revisions.current_revision(connection, database) == "0001"
        assert migrate.upgrade(database).before == "0001"

    def test_ids_given_by_the_database_go_on_after_the_highest(self, database: str) -> None:
        write_legacy(database, chain("text"))
        migrate.upgrade(database)
        assert ask(database, "INSERT INTO chunks (content) VALUES ('x') RETURNING id") == 4
        assert ask(database, "INSERT INTO works (title) VALUES ('x') RETURNING id") == 3

    @pytest.mark.parametrize(
        ("make", "next_number"),
        [
            ([], 4),
            (["ALTER TABLE chunks ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (START 40)"], 40),
            (["ALTER TABLE chunks ALTER id ADD GENERATED ALWAYS AS IDENTITY"], 4),
            (["CREATE SEQUENCE own START 40", NEXT], 40),
            (["CREATE SEQUENCE own", NEXT], 4),  # behind the rows, whose ids were given
            (["CREATE SEQUENCE own", NEXT, "ALTER SEQUENCE own OWNED BY chunks.id"], 4),  # what SERIAL means
            (['CREATE SEQUENCE "It\'s own" START 40', NEXT.replace("own", "\"It''s own\"")], 40),
            (["CREATE SEQUENCE own START -1 INCREMENT -1", NEXT], -1),
            (["CREATE SEQUENCE own START 40", NEXT.replace("nextval('own')", "nextval('own') * 2")], 4),
            (
                [
                    "CREATE FUNCTION free() RETURNS int LANGUAGE sql AS 'SELECT max(id) + 1 FROM chunks'",
                    "ALTER TABLE chunks ALTER id SET DEFAULT free()",
                ],
                4,
            ),
        ],
    )
    def test_new_rows_get_numbers_however_the_database_gave_them(
        self, database: str, make: list[str], next_number: int
    ) -> None:
        write_legacy(database, chain("Guide > Install\ntext"))
        execute(database, *make)
        before = describe(database)
        migrate.upgrade(database)
        store = PostgresStore(database, create=SETTINGS)
        store.replace_documents([make_rows("# New\n\ntext")])
        store.close()
        step = -1 if next_number < 0 else 1
        with psycopg.connect(database) as connection:
            found = connection.execute("SELECT id FROM chunks WHERE id NOT IN (1, 2, 3) ORDER BY seq").fetchall()
        assert sorted(id for (id,) in found) == sorted((next_number, next_number + step))
        migrate.downgrade(database, "0001")
        assert describe(database) == before

    def test_dimension_is_kept(self, database: str) -> None:
        write_legacy(database, [])
        execute(database, "ALTER TABLE chunks ALTER embedding TYPE vector(384)")
        migrate.upgrade(database)
        for table in ("chunks", "windows"):
            query = "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = 'embedding'"
            assert ask(database, f"{query} AND attrelid = '{table}'::regclass") == "vector(384)"

    def test_tables_of_another_program(self, database: str) -> None:
        execute(database, "CREATE TABLE chunks (id INT)")
        with pytest.raises(StoreError, match="of another program"):
            migrate.upgrade(database)

    def test_a_schema_of_its_own(self, database: str) -> None:
        execute(database, "CREATE TABLE chunks (id INT)", "CREATE SCHEMA own")
        joint = "&" if "?" in database else "?"
        url = f"{database}{joint}options=-csearch_path%3Down,public"
        migrate.upgrade(url)
        assert ask(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'own'") == 7

    def test_a_column_in_the_way(self, database: str) -> None:
        write_legacy(database, chain("Guide > Install\ntext"))
        execute(database, "ALTER TABLE works ADD source TEXT")
        assert migrate.plan(database).obstacles == (
            "column works.source is in the way of a column of Crosshead: rename it",
        )
        with pytest.raises(StoreError, match=r"nothing was changed: column works\.source is in the way.*rename it"):
            migrate.upgrade(database)
        assert read_legacy(database) == chain("Guide > Install\ntext")
        execute(database, "ALTER TABLE works RENAME source TO old_source")
        migrate.upgrade(database)

    def test_nothing_to_take_back(self, database: str) -> None:
        with pytest.raises(IndexNotFound):
            migrate.downgrade(database)

    @pytest.mark.parametrize(("to", "part"), [("99", "no revision '99'"), ("base", "no revision"), ("3", "db upgrade")])
    def test_impossible_targets(self, database: str, to: str, part: str) -> None:
        migrate.upgrade(database, "2")
        with pytest.raises(OptionsError, match=part):
            migrate.downgrade(database, to)

    def test_newer_than_the_program(self, database: str) -> None:
        migrate.upgrade(database)
        execute(database, f"UPDATE {revisions.VERSION_TABLE} SET version_num = '0099'")
        for call in (migrate.upgrade, migrate.downgrade, migrate.plan):
            with pytest.raises(MigrationRequired, match=r"newer version.*pip install -U"):
                call(database)

    def test_tables_in_use(self, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(revisions, "LOCK_TIMEOUT_SECONDS", 1)
        write_legacy(database, chain("Guide > Install\ntext"))
        with psycopg.connect(database) as connection:
            connection.execute("SELECT * FROM chunks")
            with pytest.raises(Locked, match="another program holds the tables"):
                migrate.upgrade(database)
        migrate.upgrade(database)

    def test_only_one_at_a_time(self, database: str) -> None:
        with connect(database) as connection:
            take_lock(connection, database)
            with pytest.raises(Locked):
                migrate.upgrade(database)
