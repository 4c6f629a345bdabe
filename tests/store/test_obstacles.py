"""What is in the way of a migration is named, all of it and with what to do, before anything is changed."""

from __future__ import annotations

import re
import uuid
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.store.catalog import describe
from tests.store.legacy import ROWS, read_legacy, write_legacy
from tests.store.statements import ask, dying_at, execute
from tests.support.stored_documents import WordEmbedder

from crosshead.errors import StoreError, Unreachable
from crosshead.index import Index
from crosshead.store.postgres.database import revisions
from crosshead.store.postgres.legacy import migrate
from crosshead.store.postgres.migrations.additions import read_additions

NOTES = "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
TAKEN_NAMES = {
    "a column": ("ALTER TABLE works ADD date TEXT", "column works.date is in the way"),
    "a column of 0006": ("ALTER TABLE chunks ADD title_keys TEXT", "column chunks.title_keys is in the way"),
    "a column of 0007": ("ALTER TABLE chunks ADD tokens INT", "column chunks.tokens is in the way"),
    "a table": ("CREATE TABLE windows (id INT)", "windows is in the way of a table or index"),
    "a table for a while": ("CREATE TABLE migration_progress (id INT)", "migration_progress is in the way"),
    "a table of notes": ("CREATE TABLE left_alone (name TEXT)", "left_alone is in the way of a table or index"),
    "a type": ("CREATE TYPE index_settings AS ENUM ('a')", "index_settings is in the way of a table or index"),
    "a sequence": ("CREATE SEQUENCE crosshead_chunks_id", "crosshead_chunks_id is in the way of a table or index"),
    "an index": ("CREATE INDEX chunks_parent ON chunks (parent_id)", "chunks_parent is in the way of a table or index"),
    "an index made later": ("CREATE INDEX chunks_nearest ON chunks (level)", "chunks_nearest is in the way"),
    "a constraint": (
        "ALTER TABLE chunks ADD CONSTRAINT chunks_of_work CHECK (vector_status <> '')",
        "constraint chunks_of_work of table chunks is in the way",
    ),
}
DEPENDENTS = {
    "a view": (
        "CREATE VIEW words AS SELECT id, content_tsvector FROM chunks",
        "view words depends on chunks.content_tsvector",
    ),
    "a materialized view": (
        "CREATE MATERIALIZED VIEW words AS SELECT content_tsvector FROM chunks",
        "materialized view words depends on chunks.content_tsvector",
    ),
    "a check of the words": (
        "ALTER TABLE chunks ADD CHECK (content_tsvector <> '')",
        "constraint chunks_content_tsvector_check on table chunks depends on chunks.content_tsvector",
    ),
    "a generated column": (
        "ALTER TABLE chunks ADD length INT GENERATED ALWAYS AS (length(content_tsvector)) STORED",
        "column length of table chunks depends on chunks.content_tsvector",
    ),
}
UNFIT = {
    "no unique id": (
        "ALTER TABLE works DROP CONSTRAINT works_pkey",
        "column works.id has no unique index, or may be NULL: run ALTER TABLE works ADD PRIMARY KEY (id)",
    ),
    "no title": ("ALTER TABLE works RENAME title TO name", "run ALTER TABLE works ADD title TEXT"),
    "long ids": ("ALTER TABLE works ALTER id TYPE BIGINT", "run ALTER TABLE works ALTER id TYPE integer"),
    "long lines": ("ALTER TABLE chunks ALTER end_line TYPE BIGINT", "run ALTER TABLE chunks ALTER end_line TYPE int"),
    "half vectors": (
        "ALTER TABLE chunks ALTER embedding TYPE HALFVEC(768)",
        "column chunks.embedding is halfvec(768): run ALTER TABLE chunks ALTER embedding TYPE vector",
    ),
    "short titles": (
        "ALTER TABLE works ALTER title TYPE VARCHAR(100)",
        "column works.title is character varying(100): run ALTER TABLE works ALTER title TYPE text",
    ),
    "short contents": ("ALTER TABLE chunks ALTER content TYPE VARCHAR(200)", "chunks ALTER content TYPE text"),
    "short levels": (
        "ALTER TABLE chunks ALTER level TYPE VARCHAR(7) USING left(level, 2)",
        "run ALTER TABLE chunks ALTER level TYPE text",
    ),
    "padded levels": ("ALTER TABLE chunks ALTER level TYPE CHAR(8)", "run ALTER TABLE chunks ALTER level TYPE text"),
    "a type of its own": (
        "CREATE TYPE status AS ENUM ('no_vec', 'to_vec', 'vec', 'vec_err');"
        " ALTER TABLE chunks ALTER vector_status TYPE status USING vector_status::status",
        "column chunks.vector_status is status: run ALTER TABLE chunks ALTER vector_status TYPE text",
    ),
    "a domain": (
        "CREATE DOMAIN positive AS INT CHECK (VALUE > 0);"
        " ALTER TABLE chunks ALTER start_line TYPE positive USING start_line::positive",
        "run ALTER TABLE chunks ALTER start_line TYPE integer",
    ),
    "breadcrumbs in a list": (
        "ALTER TABLE chunks ADD heading_breadcrumbs JSON",
        "column chunks.heading_breadcrumbs is json: run ALTER TABLE chunks ALTER heading_breadcrumbs TYPE text",
    ),
    "words in a text": (
        "DROP TRIGGER tsvector_update ON chunks; ALTER TABLE chunks ALTER content_tsvector TYPE TEXT",
        "column chunks.content_tsvector is text: run ALTER TABLE chunks DROP COLUMN content_tsvector",
    ),
    "a table that a crash empties": (
        "ALTER TABLE chunks DROP CONSTRAINT chunks_parent_id_fkey; ALTER TABLE chunks SET UNLOGGED",
        "table chunks is unlogged: run ALTER TABLE chunks SET LOGGED",
    ),
    "a table that others inherit": (
        "CREATE TABLE more () INHERITS (chunks)",
        "table more inherits from chunks: run ALTER TABLE more NO INHERIT chunks",
    ),
    "rules": (
        "CREATE RULE keep AS ON UPDATE TO chunks DO INSTEAD NOTHING",
        "run DROP RULE keep ON chunks",
    ),
    "a publication without keys": (
        "ALTER TABLE works DROP CONSTRAINT works_pkey; ALTER TABLE works ADD UNIQUE (id);"
        " ALTER TABLE works ALTER id SET NOT NULL; CREATE PUBLICATION all_of_it FOR TABLE works",
        "table works is published without a key: run ALTER TABLE works REPLICA IDENTITY FULL",
    ),
}
CONSTRAINTS = {
    "vectors that must be there": (
        "UPDATE chunks SET embedding = array_fill(0.5, ARRAY[768])::vector, vector_status = 'vec';"
        " ALTER TABLE chunks ALTER embedding SET NOT NULL",
        "column chunks.embedding must not be NULL: run ALTER TABLE chunks ALTER embedding DROP NOT NULL",
    ),
    "words that must be there": (
        "ALTER TABLE chunks ALTER content_tsvector SET NOT NULL",
        "run ALTER TABLE chunks ALTER content_tsvector DROP NOT NULL",
    ),
    "a column that new rows lack": (
        "ALTER TABLE works ADD author TEXT; UPDATE works SET author = 'A'; ALTER TABLE works ALTER author SET NOT NULL",
        "column works.author must not be NULL and has no default: run ALTER TABLE works ALTER author DROP NOT NULL",
    ),
    "a check of the state": (
        "ALTER TABLE chunks ADD CONSTRAINT states CHECK (vector_status IN ('no_vec', 'vec', 'vec_err', 'to_vec2'))"
        " NOT VALID",
        "constraint states of table chunks, CHECK (((vector_status)::text = ANY ",
    ),
    "a check of the level": (
        "ALTER TABLE chunks ADD CONSTRAINT levels CHECK (level ~ '^H[1-5](-chunk)?$')",
        "run ALTER TABLE chunks DROP CONSTRAINT levels",
    ),
    "a check of the text": (
        "ALTER TABLE chunks ADD CHECK (content <> 'none')",
        "run ALTER TABLE chunks DROP CONSTRAINT chunks_content_check",
    ),
    "unique titles": (
        "ALTER TABLE works ADD UNIQUE (title)",
        "constraint works_title_key of table works, UNIQUE (title), may refuse what Crosshead writes: run ALTER TABLE"
        " works DROP CONSTRAINT works_title_key",
    ),
    "a unique index": ('CREATE UNIQUE INDEX "Own" ON chunks (md5(content))', 'run DROP INDEX "Own"'),
    "an exclusion": (
        "ALTER TABLE chunks ADD CONSTRAINT apart EXCLUDE USING hash (content WITH =)",
        "run ALTER TABLE chunks DROP CONSTRAINT apart",
    ),
    "a key of levels": (
        "CREATE TABLE levels (name VARCHAR PRIMARY KEY); INSERT INTO levels SELECT DISTINCT level FROM chunks;"
        " ALTER TABLE chunks ADD FOREIGN KEY (level) REFERENCES levels",
        "run ALTER TABLE chunks DROP CONSTRAINT chunks_level_fkey",
    ),
    "a generated column": (
        "ALTER TABLE chunks DROP start_line; ALTER TABLE chunks ADD start_line INT GENERATED ALWAYS AS (id) STORED",
        "column chunks.start_line is generated: run ALTER TABLE chunks ALTER start_line DROP EXPRESSION",
    ),
}
OBSTACLES = TAKEN_NAMES | DEPENDENTS | UNFIT | CONSTRAINTS


def use_index(url: str) -> None:
    """Add, find and remove a document, and another one of the same title."""
    with Index(url, embedder=WordEmbedder()) as index:
        for source in ("new.md", "newer.md"):
            index.add_text("above\n\n# Guide\n\n###### Deep\n\nfresh words\n", source=source)
        assert index.search("fresh")
        assert len(index.sources()) == 4
        for source in index.sources():
            assert index.remove(source) == 1


class TestUpgrade:
    @pytest.mark.parametrize("kind", OBSTACLES)
    def test_is_refused_before_anything_changes(self, database: str, kind: str) -> None:
        make, obstacle = OBSTACLES[kind]
        write_legacy(database, ROWS)
        execute(database, make)
        before, rows = describe(database), read_legacy(database)
        (told,) = migrate.plan(database).obstacles
        assert obstacle in told
        with pytest.raises(StoreError, match="nothing was changed"):
            migrate.upgrade(database)
        assert (describe(database), read_legacy(database)) == (before, rows)
        if advice := re.search(r"run ((?:ALTER|DROP) .*?)(?:, and|$)", told):
            self.follow(database, advice[1])

    @staticmethod
    def follow(url: str, advice: str) -> None:
        """What is advised clears the way, up and down."""
        execute(url, advice)
        before = describe(url)
        migrate.upgrade(url)
        use_index(url)
        migrate.downgrade(url, "0001")
        assert "heading_breadcrumbs" in advice or describe(url) == before

    def test_names_all_obstacles_at_once(self, database: str) -> None:
        write_legacy(database, ROWS)
        chosen = ("a column", "a column of 0007", "a table", "a view", "unique titles")
        execute(database, *(OBSTACLES[kind][0] for kind in chosen))
        with pytest.raises(StoreError) as refused:
            migrate.upgrade(database)
        assert [kind for kind in chosen if OBSTACLES[kind][1] not in str(refused.value)] == []
        assert "\n" not in str(refused.value)

    @pytest.mark.parametrize(
        "make",
        [
            "CREATE VIEW texts AS SELECT id, content, vector_status FROM chunks",
            "CREATE TABLE notes (chunk INT REFERENCES chunks, work INT REFERENCES works)",
            "CREATE INDEX own ON chunks USING gin (content_tsvector)",
            "ALTER TABLE chunks ADD FOREIGN KEY (work_id) REFERENCES works",
            f"{NOTES}; CREATE TRIGGER notes BEFORE UPDATE ON chunks FOR EACH ROW EXECUTE FUNCTION note()",
            "ALTER TABLE chunks ADD CHECK (vector_status IN ('no_vec', 'to_vec', 'vec', 'vec_err'))",
            "ALTER TABLE chunks ADD CHECK (level ~ '^H[0-6](-chunk)?$' OR vector_status = 'no_vec')",
            "ALTER TABLE chunks ADD rating INT CHECK (rating > 0), ADD UNIQUE (rating), ADD UNIQUE (work_id, id)",
            "ALTER TABLE chunks ADD made TIMESTAMP NOT NULL DEFAULT now()",
            "ALTER TABLE chunks ADD CONSTRAINT whole FOREIGN KEY (work_id) REFERENCES works ON DELETE CASCADE",
            "ALTER TABLE chunks ALTER content SET NOT NULL, ALTER level SET NOT NULL, ALTER work_id SET NOT NULL",
            "ALTER TABLE works ALTER title SET NOT NULL",
            "ALTER TABLE chunks ADD size INT GENERATED ALWAYS AS (length(content)) STORED",
            "ALTER TABLE chunks ALTER level TYPE VARCHAR(8), ALTER vector_status TYPE VARCHAR(7)",
            "ALTER TABLE chunks ALTER content_tsvector SET DEFAULT ''",
            f"{NOTES}; CREATE TRIGGER notes AFTER UPDATE ON chunks FOR EACH ROW EXECUTE FUNCTION note();"
            " ALTER TABLE chunks DISABLE TRIGGER notes",
            "ALTER TABLE chunks DROP CONSTRAINT chunks_parent_id_fkey; ALTER TABLE chunks DROP CONSTRAINT chunks_pkey;"
            " ALTER TABLE chunks ADD key UUID PRIMARY KEY DEFAULT gen_random_uuid(), ADD UNIQUE (id)",
        ],
    )
    def test_keeps_what_is_not_in_the_way(self, database: str, make: str) -> None:
        write_legacy(database, ROWS)
        execute(database, make)
        before = describe(database)
        assert migrate.plan(database).obstacles == ()
        migrate.upgrade(database)
        use_index(database)
        migrate.downgrade(database, "0001")
        assert describe(database) == before

    def test_a_database_that_cannot_hold_every_character(self, server: str) -> None:
        name = "crosshead_test_latin"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name} ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        url = urlsplit(server)._replace(path=f"/{name}").geturl()
        write_legacy(url, [], titles=("Guide", "Other"))
        (told,) = migrate.plan(url).obstacles
        assert told.startswith("the database is encoded in LATIN1")

    def test_a_user_who_may_not_do_it_all(self, database: str) -> None:
        """The owner of the tables alone, to whom the function of their trigger does not belong."""
        write_legacy(database, ROWS)
        role = f"crosshead_test_{uuid.uuid4().hex}"
        name = conninfo_to_dict(database)["dbname"]
        own = [f"ALTER TABLE {table} OWNER TO {role}" for table in ("works", "chunks")]
        execute(database, f"CREATE ROLE {role} SUPERUSER", f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        url = f"{database}{'&' if '?' in database else '?'}options=-crole%3D{role}"
        try:
            execute(database, f"ALTER ROLE {role} NOSUPERUSER")
            told = migrate.plan(url).obstacles
            assert [each.partition(":")[0] for each in told] == [
                "table chunks belongs to another user",
                "table works belongs to another user",
                *["this user may not create what is needed"] * 2,
            ]
            execute(database, *own, "ALTER TABLE chunks FORCE ROW LEVEL SECURITY, ENABLE ROW LEVEL SECURITY")
            execute(database, *(each.partition("run ")[2] for each in told[2:]))
            (told_now,) = migrate.plan(url).obstacles
            execute(database, told_now.partition("run ")[2])
            migrate.upgrade(url)
            assert ask(database, "SELECT to_regproc('chunks_tsvector_update') IS NOT NULL") is True
            execute(database, "ALTER TABLE windows OWNER TO CURRENT_USER")
            with pytest.raises(StoreError, match="nothing was changed: table windows belongs to another user"):
                migrate.downgrade(url, "0001")
            execute(database, f"ALTER TABLE windows OWNER TO {role}")
            migrate.downgrade(url, "0001")
        finally:
            execute(database, f"DROP OWNED BY {role} CASCADE", f"DROP ROLE {role}")

    def test_a_function_that_other_tables_use_stays(self, database: str) -> None:
        write_legacy(database, ROWS)
        execute(
            database,
            "CREATE TABLE other (content TEXT, content_tsvector TSVECTOR)",
            "CREATE TRIGGER words BEFORE INSERT ON other FOR EACH ROW EXECUTE FUNCTION chunks_tsvector_update()",
        )
        before = describe(database)
        migrate.upgrade(database)
        migrate.downgrade(database, "0001")
        assert describe(database) == before

    def test_of_tables_that_are_ours_minds_the_names_of_later_revisions(self, database: str) -> None:
        migrate.upgrade(database, "0006")
        execute(database, "ALTER TABLE chunks ADD tokens INT")
        with pytest.raises(StoreError, match=r"nothing was changed: column chunks\.tokens is in the way"):
            migrate.upgrade(database)

    def test_that_was_interrupted_finds_its_own_tables(self, database: str) -> None:
        write_legacy(database, ROWS)
        with dying_at(database, 3), pytest.raises(Unreachable):
            migrate.upgrade(database)
        assert migrate.plan(database).obstacles == ()
        migrate.upgrade(database)

    def test_names_triggers_that_fire_and_goes_on(self, database: str) -> None:
        write_legacy(database, ROWS)
        execute(database, NOTES, 'CREATE TRIGGER "N" AFTER UPDATE ON chunks FOR EACH ROW EXECUTE FUNCTION note()')
        (note,) = migrate.plan(database).notes
        assert note.startswith('trigger "N" of table chunks fires for every row that changes')
        assert 'run ALTER TABLE chunks DISABLE TRIGGER "N"' in note
        migrate.upgrade(database)
        assert migrate.plan(database).notes == ()
        assert migrate.plan(database, "0001", down=True).notes == (note,)


class TestDowngrade:
    def test_is_refused_before_anything_changes(self, database: str) -> None:
        write_legacy(database, ROWS)
        migrate.upgrade(database)
        execute(
            database,
            "CREATE VIEW sources AS SELECT source FROM works",
            "CREATE VIEW crumbs AS SELECT heading_breadcrumbs FROM chunks",
            "CREATE VIEW made AS SELECT name FROM index_settings",
            "CREATE VIEW compared AS SELECT tokens FROM chunks",
            "CREATE VIEW alone AS SELECT reason FROM left_alone",
            "CREATE TABLE more (chunk INT, number INT, FOREIGN KEY (chunk, number) REFERENCES windows)",
        )
        told = [each.partition(",")[0] for each in migrate.plan(database, "0001", down=True).obstacles]
        assert told == [
            "view compared depends on chunks.tokens",
            "view sources depends on works.source",
            "constraint more_chunk_number_fkey on table more depends on windows",
            "view made depends on index_settings",
            "view crumbs depends on chunks.heading_breadcrumbs",
            "view alone depends on left_alone",
        ]
        before = describe(database)
        with pytest.raises(StoreError, match=r"view compared .*view alone"):
            migrate.downgrade(database, "0001")
        assert describe(database) == before
        execute(database, "DROP VIEW compared")
        migrate.downgrade(database, "0003")


def name_all(url: str) -> dict[str, set[str]]:
    """Return the names that tables use: of relations, and of columns and constraints by their tables."""
    found = describe(url)
    implied = {name for table, name, *_ in found["constraints"]}
    relations = {name for kind in ("tables", "indexes") for name, *_ in found[kind]}
    named = {"relations": relations - implied}
    for table in ("works", "chunks"):
        named[table] = {name for each, name, *_ in found["columns"] if each == table}
    return named | {"keys": {name for table, name, kind, _ in found["constraints"] if kind.startswith("FOREIGN")}}


def test_every_name_that_a_revision_takes_is_declared(database: str) -> None:
    """A name that is not is a name that a dry run cannot see."""
    migrate.upgrade(database, "0001")
    before = name_all(database)
    assert [each.revision for each in read_additions()] == list(revisions.REVISIONS[1:])
    declared: dict[str, set[str]] = {name: {*names} for name, names in before.items()}
    for adds in read_additions():
        declared["relations"] |= {*adds.tables, *adds.relations}
        declared["keys"] |= {*adds.constraints, "windows_chunk_fkey"}
        for table, columns in adds.columns.items():
            declared[table] |= {*columns}
        migrate.upgrade(database, adds.revision)
        after = name_all(database)
        assert {name: names - declared[name] for name, names in after.items()} == {name: set() for name in after}
