"""Databases as other programs left them: any heading rows and triggers, views, breadcrumbs that are moved already."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.store.catalog import describe
from tests.store.legacy import (
    EMBEDDING,
    KINDS,
    ROWS,
    Moved,
    Row,
    expect_moved,
    legacy_rows,
    read_legacy,
    read_moved,
    write_legacy,
)
from tests.store.statements import ask, dying_at, execute, wipe
from tests.support.stored_documents import WordEmbedder

from crosshead.errors import OptionsMismatch, Unreachable
from crosshead.index import Index
from crosshead.store.postgres.legacy import migrate
from crosshead.store.postgres.legacy.titles import breadcrumbs, read_title

ROOT = Path(__file__).parents[2]
few = settings(
    max_examples=12,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "BATCH_ROWS", 5)


def rows_of_kind(kind: str) -> list[Row]:
    """Heading rows as a program wrote them."""
    return [
        row._replace(content=KINDS[kind](int(row.level[1]), row.content)) if "-" not in row.level else row
        for row in ROWS
    ]


class TestTitles:
    @pytest.mark.parametrize(
        ("content", "plain"),
        [
            ("Introduction", "Introduction"),
            ("## Introduction", "Introduction"),
            ("## Introduction ##", "Introduction"),
            ("### `pip` and **all** [of it](x.md)\n\ntext", "pip and all of it"),
            ("\n\n# After blank lines\ntext", "After blank lines"),
            ("Title\r\n=====\r\ntext", "Title"),
            ("#hashtag", "#hashtag"),
            ("C#", "C#"),
            ("# #", ""),
            ("#", ""),
            ("", ""),
        ],
    )
    def test_a_title_is_what_a_reader_sees_of_the_first_line(self, content: str, plain: str) -> None:
        assert read_title(content).plain == plain

    def test_breadcrumbs_have_their_titles_in_one_form(self) -> None:
        titles = [read_title("# Guide"), read_title("## Use `pip`")]
        assert breadcrumbs(titles) == ["# Guide > ## Use `pip`", "Guide > Use `pip`", "Guide > Use pip"]

    def test_a_lone_line_of_markdown_is_a_heading(self) -> None:
        assert breadcrumbs([read_title("# Guide")]) == ["Guide"]


class TestHeadingRows:
    @pytest.mark.parametrize("kind", KINDS)
    def test_breadcrumbs_are_moved_and_titles_are_clean(self, database: str, kind: str) -> None:
        rows = rows_of_kind(kind)
        write_legacy(database, rows)
        done = migrate.upgrade(database).breadcrumbs
        assert done is not None
        assert (done.moved, done.left_alone, done.lookalikes) == (1, 3, 0)
        assert [row.content for row in read_moved(database)[:2]] == [row.content for row in rows[:2]]
        with Index(database, embedder=WordEmbedder()) as index:
            (hit,) = index.search("pips", mode="lexical")
            assert (hit.chunk.section_path, hit.chunk.content) == (("Guide", "Install"), "Running the pips.")
            assert hit.chunk.heading_prefix == "## Install"
            section = index.section(hit.chunk.section_id)
            assert section is not None
            assert section.heading_chain == ("Guide", "Install")
            assert section.content.startswith("## Install\n\nRunning the pips.")
        migrate.downgrade(database, "0001")
        assert [row.content for row in read_legacy(database)] == [row.content for row in rows]

    def test_titles_of_any_length(self, database: str) -> None:
        """Text that does not compress, in a row that holds its whole section."""
        title = "".join(chr(0x4E00 + at * 7919 % 20_000) for at in range(1_500))
        rows = [
            Row(1, None, 1, "H1", f"# {title}\n\n{title * 3}", None, 1, 1, "no_vec"),
            Row(2, 1, 1, "H1-chunk", f"{title}\ntext", None, 2, 2, "to_vec"),
        ]
        write_legacy(database, rows)
        migrate.upgrade(database)
        assert read_moved(database)[1].breadcrumb == title
        assert ask(database, "SELECT title_keys = ARRAY[left(titles[1], 600)] FROM chunks WHERE id = 2") is True
        with Index(database, embedder=WordEmbedder()) as index:
            assert index.search("text", section_filter=title)

    def test_none_recognized_although_there_seem_to_be_some(self, database: str) -> None:
        rows = [*ROWS[:2], ROWS[2]._replace(content="Guide / Install > Other\ntext")]
        write_legacy(database, rows)
        planned, done = migrate.plan(database), migrate.upgrade(database)
        assert planned == done
        assert done.breadcrumbs is not None
        assert done.breadcrumbs.is_doubtful
        assert migrate.left_alone(database) == ((3, "its first line is not the breadcrumb"),)


TRIGGER = "CREATE TRIGGER {name} BEFORE INSERT OR UPDATE{of} ON chunks FOR EACH ROW EXECUTE FUNCTION {function}"
FUNCTION = """
CREATE FUNCTION make_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.content_tsvector := setweight(to_tsvector('{language}', COALESCE(NEW.content, '')), 'C'); RETURN NEW; END $$
"""
OWN = "DROP TRIGGER tsvector_update ON chunks", "DROP FUNCTION chunks_tsvector_update()"
UPKEEP = {
    "another function": [
        FUNCTION.format(language="german"),
        TRIGGER.format(name='"Die Wörter"', of=" OF content", function="make_words()"),
    ],
    "the function of the server": [
        TRIGGER.format(
            name="words", of="", function="tsvector_update_trigger(content_tsvector, 'pg_catalog.simple', content)"
        )
    ],
    "always": [
        FUNCTION.format(language="simple"),
        TRIGGER.format(name="words", of=" OF content, content_tsvector", function="make_words()"),
        "ALTER TABLE chunks ENABLE ALWAYS TRIGGER words",
    ],
    "generated": [
        "ALTER TABLE chunks DROP content_tsvector",
        "ALTER TABLE chunks ADD content_tsvector TSVECTOR"
        " GENERATED ALWAYS AS (to_tsvector('french', COALESCE(content, ''))) STORED",
    ],
    "the program": [],
    "no column": ["ALTER TABLE chunks DROP content_tsvector"],
}


class TestTextSearch:
    """What keeps the vector up to date comes back as it was."""

    @pytest.mark.parametrize("upkeep", UPKEEP)
    def test_upkeep_is_restored(self, database: str, upkeep: str) -> None:
        write_legacy(database, ROWS)
        execute(database, *OWN, *UPKEEP[upkeep])
        if upkeep == "the program":
            execute(database, "UPDATE chunks SET content_tsvector = to_tsvector('russian', COALESCE(content, ''))")
        elif upkeep != "no column":
            execute(database, "UPDATE chunks SET content = content")
        before, vectors = describe(database), self.read_vectors(database)
        migrate.upgrade(database, "0002")
        if upkeep != "no column":
            assert "guide" not in str(ask(database, "SELECT content_tsvector FROM chunks WHERE id = 3")).lower()
        migrate.upgrade(database)
        assert not [trigger for trigger in describe(database)["triggers"] if trigger[0] == "chunks"]
        migrate.downgrade(database, "0001")
        assert describe(database) == before
        assert self.read_vectors(database) == vectors

    @staticmethod
    def read_vectors(url: str) -> object:
        return ask(url, "SELECT array_agg(to_jsonb(chunks) ->> 'content_tsvector' ORDER BY id) FROM chunks")

    def test_a_function_that_somebody_dropped_meanwhile(self, database: str) -> None:
        write_legacy(database, ROWS)
        execute(database, *OWN, *UPKEEP["always"])
        before = describe(database)
        migrate.upgrade(database)
        execute(database, "DROP FUNCTION make_words()")
        migrate.downgrade(database, "0001")
        assert describe(database) == before

    def test_texts_that_a_trigger_cannot_take(self, database: str) -> None:
        huge = "\n".join(f"word{number:07}" for number in range(150_000))
        write_legacy(database, ROWS)
        execute(database, *OWN, *UPKEEP["another function"], "ALTER TABLE chunks DISABLE TRIGGER USER")
        with psycopg.connect(database) as connection:
            connection.execute("UPDATE chunks SET content = %s WHERE id = 3", [f"Guide > Install\n{huge}"])
        execute(database, "ALTER TABLE chunks ENABLE TRIGGER USER")
        for revision, content in (("0002", huge), ("0006", huge)):
            migrate.upgrade(database, revision)
            assert ask(database, "SELECT content FROM chunks WHERE id = 3") == content
        migrate.downgrade(database, "0001")
        assert ask(database, "SELECT content FROM chunks WHERE id = 3") == f"Guide > Install\n{huge}"
        assert ask(database, "SELECT content_tsvector @@ 'word0000007'::tsquery FROM chunks WHERE id = 3") is True


def move_by_hand(url: str, rows: list[Row], until: int) -> list[Moved]:
    """Let another program move breadcrumbs up to an id, and embed these rows again; return what is to come of it."""
    moved = expect_moved(rows)
    is_moved = False
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE chunks ADD heading_breadcrumbs VARCHAR(500)")
        for row in moved:
            if row.id <= until and row.breadcrumb and len(row.breadcrumb) <= 500:
                is_moved = True
                connection.execute(
                    "UPDATE chunks SET content = %s, heading_breadcrumbs = %s WHERE id = %s",
                    [row.content, row.breadcrumb, row.id],
                )
    if not is_moved:  # an empty column is nothing that anybody has done
        return moved
    expected = []
    for before, after in zip(sorted(rows), moved, strict=True):
        changes = after.breadcrumb is not None and not (before.id <= until and len(after.breadcrumb) <= 500)
        is_kept = before.vector_status == "vec" and not changes
        expected.append(after._replace(embedded=True, vector_status="vec") if is_kept else after)
    return expected


class TestTargetLayout:
    """The column is there already, of all rows or of some."""

    @pytest.mark.parametrize("until", [0, 3, 100])
    def test_is_taken_in_from_there(self, database: str, until: int) -> None:
        write_legacy(database, ROWS)
        expected = move_by_hand(database, ROWS, until)
        before = describe(database)
        assert migrate.plan(database) == migrate.upgrade(database)
        assert read_moved(database) == expected
        assert ask(database, "SELECT record ->> 'section_path' FROM chunks WHERE id = 3") == '["Guide","Install"]'
        migrate.downgrade(database, "0002")
        after = describe(database)
        assert {name: [each for each in found if each[0] != "left_alone"] for name, found in after.items()} | {
            "constraints": before["constraints"],
            "indexes": before["indexes"],
        } == before
        assert read_moved(database) == expected

    def test_breadcrumbs_longer_than_the_column(self, database: str) -> None:
        rows = [ROWS[0]._replace(content="G" * 900), ROWS[4]._replace(content=f"{'G' * 900}\ntext")]
        write_legacy(database, rows)
        expected = move_by_hand(database, rows, 100)
        migrate.upgrade(database)
        assert read_moved(database) == expected
        migrate.downgrade(database, "0002")
        assert read_moved(database) == expected

    def test_lines_that_look_like_breadcrumbs_are_no_fault_there(self, database: str) -> None:
        rows = [*ROWS, ROWS[5]._replace(id=7, content="if a > b:\n    pass")]
        write_legacy(database, rows)
        move_by_hand(database, rows, 100)
        done = migrate.upgrade(database).breadcrumbs
        assert done is not None
        assert (done.moved, done.is_doubtful) == (0, False)

    @pytest.mark.parametrize("kind", ["vector(768)", "vector"])
    def test_vectors_of_another_dimension(self, database: str, kind: str) -> None:
        """The page tells a way out, and so does the error."""
        write_legacy(database, ROWS)
        move_by_hand(database, ROWS, 100)
        execute(
            database,
            f"ALTER TABLE chunks ALTER embedding TYPE {kind}",
            "UPDATE chunks SET vector_status = 'vec', embedding = array_fill(0.5, ARRAY[768])::vector WHERE id = 2",
            *["CREATE INDEX older_vectors ON chunks USING hnsw (embedding vector_cosine_ops)"][: "(" in kind],
        )
        migrate.upgrade(database)
        with pytest.raises(OptionsMismatch, match=r"have 768 numbers, not \d+: choose .*again: UPDATE") as refused:
            Index(database, embedder=WordEmbedder())
        advice = str(refused.value).partition("again: ")[2]
        assert f"\n{advice};\n" in (ROOT / "docs" / "migrating.md").read_text(encoding="utf-8")
        execute(database, advice)
        with Index(database, embedder=WordEmbedder()) as index:
            assert index.embed_pending().embedded == 4
            assert index.search("pips", mode="dense")
            assert not [finding for finding in index.doctor() if finding.is_fault]

    def test_vectors_in_a_column_without_a_dimension_may_be_of_the_model(self, database: str) -> None:
        embedder = WordEmbedder()
        write_legacy(database, ROWS)
        move_by_hand(database, ROWS, 100)
        vector = f"('[1' || repeat(',0', {embedder.dimension - 1}) || ']')::vector"
        execute(
            database,
            "ALTER TABLE chunks ALTER embedding TYPE vector",
            f"UPDATE chunks SET embedding = {vector} WHERE vector_status = 'vec'",
        )
        migrate.upgrade(database)
        with Index(database, embedder=embedder) as index:
            assert index.embed_pending().embedded == 1
            assert not [finding for finding in index.doctor() if finding.is_fault]

    def test_a_view_on_the_column(self, database: str) -> None:
        write_legacy(database, ROWS)
        move_by_hand(database, ROWS, 100)
        execute(database, "CREATE VIEW crumbs AS SELECT heading_breadcrumbs FROM chunks")
        (told,) = migrate.plan(database).obstacles
        assert told.startswith("view crumbs depends on chunks.heading_breadcrumbs")

    @few
    @given(rows=legacy_rows(), data=st.data())
    def test_killed_and_resumed(self, database: str, small_batches: None, rows: list[Row], data: st.DataObject) -> None:
        wipe(database)
        write_legacy(database, rows)
        ids = [0, *(row.id for row in rows)]
        expected = move_by_hand(database, rows, data.draw(st.sampled_from(ids)))
        for fatal in data.draw(st.lists(st.sampled_from(ids), max_size=3)):
            with dying_at(database, fatal):
                try:
                    migrate.upgrade(database, "0002")
                except Unreachable:
                    continue
        migrate.upgrade(database)
        assert read_moved(database) == expected


class TestOddRows:
    def test_are_reported_by_number_and_reason(self, database: str) -> None:
        write_legacy(database, ROWS)
        execute(
            database,
            "ALTER TABLE chunks DROP CONSTRAINT chunks_parent_id_fkey",
            "INSERT INTO chunks (id, parent_id, work_id, level, content) VALUES "
            "(11, 99, 1, 'H2-chunk', E'Orphan > Row\\norphaned words'), (12, 1, 77, 'H1-chunk', E'Guide\\nworkless'), "
            "(13, 1, NULL, 'H1-chunk', 'nobody'), (14, 1, 1, 'H1-table', E'Guide\\ntabular words'), "
            "(15, 1, 1, NULL, 'levelless words'), (16, 99, 77, 'odd', 'all at once'), "
            "(17, 1, 1, 'H2', E'## Alone\\n\\nwith text'), (18, 1, 1, 'H2', E'Underlined\\n------\\n')",
        )
        migrate.upgrade(database)
        assert dict(migrate.odd_rows(database)) == {
            11: "its parent 99 was never stored, and it is at the top of its document",
            12: "its work 77 is gone, and it is not in the index",
            13: "it names no work, and is not in the index",
            14: "its level H1-table is unknown, and it counts as text",
            15: "its level NULL is unknown, and it counts as text",
            16: "its work 77 is gone, and it is not in the index; its parent 99 was never stored, and it is at the"
            " top of its document; its level odd is unknown, and it counts as text",
            17: "its text below the title is in no content row, and is not in the index",
        }
        assert dict(migrate.left_alone(database))[11] == "its parent 99 was never stored"
        with Index(database, embedder=WordEmbedder()) as index:
            for word in ("orphaned", "tabular", "levelless"):
                (hit,) = index.search(word, mode="lexical")
                root = index.section(hit.chunk.section_id)
                assert root is not None
                assert word in root.content
            assert index.search("workless", mode="lexical") == []

    def test_rows_in_circles_are_listed_with_all_below_them(self, database: str) -> None:
        write_legacy(database, ROWS)
        execute(
            database,
            "INSERT INTO chunks (id, parent_id, work_id, level, content) VALUES (11, NULL, 1, 'H1', 'Round'), "
            "(12, 11, 1, 'H2', 'About'), (13, 12, 1, 'H2-chunk', E'Round > About\\ntext'), "
            "(14, 14, 2, 'H1-chunk', 'its own parent'), (15, 6, 2, 'H1-chunk', 'below another work')",
            "UPDATE chunks SET parent_id = 12 WHERE id = 11",
        )
        circle = "its parents form a circle, and it is not in the index"
        expected = {
            **dict.fromkeys((11, 12, 13, 14), circle),
            15: "its parent 6 is of another work, and it is at the top of its document",
        }
        assert dict(migrate.odd_rows(database)) == expected
        migrate.upgrade(database)
        assert dict(migrate.odd_rows(database)) == expected
        assert ask(database, "SELECT array_agg(id ORDER BY id) FROM chunks WHERE chunk_id IS NULL") == [11, 12, 13, 14]

    def test_heading_rows_that_had_vectors_are_counted(self, database: str) -> None:
        """Headings are found with their text: nothing is embedded for them."""
        rows = [row._replace(embedding=EMBEDDING, vector_status="vec") if "-" not in row.level else row for row in ROWS]
        write_legacy(database, rows)
        planned, done = migrate.plan(database), migrate.upgrade(database)
        assert planned == done
        assert done.breadcrumbs is not None
        assert (done.breadcrumbs.reset, done.breadcrumbs.headings) == (5, 2)
        with Index(database, embedder=WordEmbedder()) as index:
            assert index.embed_pending().embedded == 4
        assert ask(database, "SELECT count(*) FROM chunks WHERE vector_status = 'no_vec'") == 2
        planned, back = migrate.plan(database, "0001", down=True), migrate.downgrade(database, "0001")
        assert planned == back
        assert back.breadcrumbs is not None
        assert back.breadcrumbs.reset == 6
        assert {row.vector_status for row in read_legacy(database)} == {"to_vec"}

    def test_a_migrated_index_has_none(self, database: str) -> None:
        migrate.upgrade(database)
        with Index(database, embedder=WordEmbedder()) as index:
            index.add_text("above\n\n# Guide\n\ntext\n\n## Install\n\ntext\n", source="guide.md")
        assert migrate.odd_rows(database) == ()
