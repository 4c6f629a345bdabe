"""A model must not make an index worse that it cannot read; with the static table, which knows English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from tests.support.stored_documents import WordEmbedder, make_rows

from crosshead import Hit, Index
from crosshead.search.query.vector_trust import ChunkTrust, trust, trust_question

DOCUMENTS = {
    "en/keys.md": "# Keys\n\nRotate the keys of the Vault every ninety days, and note it in the log book.\n",
    "en/backup.md": "# Backups\n\nBackups are written every night and kept for a year on another disk.\n",
    "zh/密钥.md": "# 密钥\n\n每九十天轮换一次保险库的密钥，并在日志中记录。轮换由 VaultRotator 完成。\n",
    "zh/备份.md": "# 备份\n\n备份每晚写入一次，并在另一个磁盘上保留一年。\n",
    "el/κλειδιά.md": "# Κλειδιά\n\nΑλλάξτε τα κλειδιά του θησαυροφυλακίου κάθε ενενήντα ημέρες.\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("languages")
    for name, text in DOCUMENTS.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Index(folder / "index", embedder="static") as index:
        index.add(folder)
        yield index


def sources(hits: list[Hit]) -> list[str]:
    return [hit.chunk.source for hit in hits]


@pytest.mark.parametrize("query", ["如何轮换密钥", "每晚的备份保留多久？", "πόσο συχνά αλλάζω τα κλειδιά"])
def test_words_alone_decide_about_a_question_that_the_model_cannot_read(index: Index, query: str) -> None:
    assert index.search(query) == index.search(query, mode="lexical")
    assert index.passages(query) == index.passages(query, mode="lexical")


def test_options_that_are_given_count_for_such_a_question_as_well(index: Index) -> None:
    hits = index.search("如何轮换密钥")
    score = max(hit.final_score for hit in hits)
    assert all(hit.is_weak for hit in index.search("如何轮换密钥", weak_score=min(score + 0.01, 1.0)))
    assert index.search("如何轮换密钥", min_score=1.0) == []


def test_vectors_are_compared_where_they_are_asked_for(index: Index) -> None:
    assert all(hit.dense_rank for hit in index.search("如何轮换密钥", mode="dense"))


def test_vectors_count_for_a_question_that_the_model_reads(index: Index) -> None:
    hits = index.search("exchanging passwords regularly")
    assert sources(hits)[0] == "en/keys.md"
    assert hits[0].lexical_rank is None


def test_a_chunk_that_the_model_cannot_read_has_the_score_of_its_words(index: Index) -> None:
    query = "rotation by VaultRotator"
    hits, by_words = index.search(query), index.search(query, mode="lexical")
    assert sources(hits)[0] == "zh/密钥.md"
    assert hits[0].final_score == pytest.approx(by_words[0].final_score)


def test_a_chunk_that_the_model_cannot_read_is_not_found_by_its_vector_alone(index: Index) -> None:
    hits = index.search("exchanging passwords regularly", limit=5)
    unread = [hit for hit in hits if not hit.chunk.source.startswith("en/")]
    assert all(hit.final_score == 0 for hit in unread)


def test_an_embedder_that_does_not_know_what_it_reads_is_trusted() -> None:
    assert trust(WordEmbedder(), "如何轮换密钥") == 1.0
    assert trust(None, "如何轮换密钥") == 1.0


def test_trust_grows_with_what_is_read(index: Index) -> None:
    shares = [
        trust(index.embedder, text)
        for text in ("鍵を回転させる", "MySQL で VACUUM する", "Rotate the клюцч!", "Rotate")
    ]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert 0 < shares[1] < 1


def test_a_question_in_another_language_of_the_same_script_is_answered_by_words(index: Index) -> None:
    query = "hvor lenge beholdes sikkerhetskopiene skrevet hver natt"
    assert trust_question(index.embedder, query) == 0.0
    assert index.search(query) == index.search(query, mode="lexical")
    assert trust_question(index.embedder, "how long are the copies kept that are written at night") == 1.0
    assert trust_question(index.embedder, "如何轮换密钥") == 0.0
    assert trust_question(WordEmbedder(), query) == 1.0


def test_the_trust_in_a_chunk_is_computed_once() -> None:
    class Reader(WordEmbedder):
        asked: ClassVar[list[str]] = []

        def read_share(self, text: str) -> float:
            self.asked.append(text)
            return 0.6

    trust_of = ChunkTrust(Reader())
    first, second = (make_rows(text).chunks[0].chunk for text in ("# A\n\none", "# B\n\ntwo"))
    assert trust_of(first) == trust_of(first) == trust_of(second) == pytest.approx(0.4)
    assert Reader.asked == [first.content, second.content]
