"""The peers of `bench.storage.costs`: other stores that search words and vectors, offline and in one process.

Each keeps the chunks that Crosshead makes, with one vector a chunk, and returns the numbers of the best ten, whose
texts it fetches as well. Words are stemmed where the store can do that.

Their environment: bench/constraints-search.txt.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

LIMIT = 10
DEPTH = 100
"""What each side proposes where we fuse, as in a search of Crosshead's."""
FUSION_K = 60
EXACT_UP_TO = 20_000
"""Above this, vectors get the index that a store documents as its default, if it has one."""
BATCH = 5_000

_WORD = re.compile(r"\w+")


def fuse(*rankings: Sequence[int]) -> list[int]:
    """Join rankings by reciprocal ranks."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] += 1 / (FUSION_K + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))[:LIMIT]


class LanceDB:
    title = "LanceDB"
    module = "lancedb"
    about = "its own full-text index; vectors exact, above 20,000 chunks IVF_PQ; its own hybrid search, with RRF"
    modes: ClassVar = ("lexical", "dense", "hybrid")

    def __init__(self, folder: Path) -> None:
        import lancedb

        self._database = lancedb.connect(folder)

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        import pyarrow as pa

        column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
        rows = pa.table({"number": range(len(texts)), "text": list(texts), "vector": column})
        table = self._database.create_table("chunks", rows)
        table.create_fts_index("text")
        if len(texts) > EXACT_UP_TO:
            table.create_index(metric="cosine")
        table.optimize()

    def open(self) -> None:
        self._table = self._database.open_table("chunks")

    def search(self, mode: str, question: str, vector: Any) -> list[int]:
        if mode == "lexical":
            query = self._table.search(_plain(question), query_type="fts")
        elif mode == "dense":
            query = self._table.search(vector).distance_type("cosine")
        else:
            query = self._table.search(query_type="hybrid").vector(vector).text(_plain(question))
            query = query.distance_type("cosine")
        return [row["number"] for row in query.select(["number", "text"]).limit(LIMIT).to_list()]


class SQLite:
    title = "SQLite, FTS5 and sqlite-vec"
    module = "sqlite_vec"
    about = "bm25 of FTS5 with Porter's stems; vec0 with exact vectors; RRF in Python"
    modes: ClassVar = ("lexical", "dense", "hybrid")

    def __init__(self, folder: Path) -> None:
        import apsw
        import sqlite_vec

        folder.mkdir(exist_ok=True)
        self._connection = apsw.Connection(str(folder / "chunks.db"))
        self._connection.enable_load_extension(True)
        self._connection.load_extension(sqlite_vec.loadable_path())

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        run = self._connection.execute
        run("CREATE TABLE chunks (number INTEGER PRIMARY KEY, text TEXT)")
        run("CREATE VIRTUAL TABLE words USING fts5(text, content=chunks, content_rowid=number, tokenize='porter')")
        run(
            "CREATE VIRTUAL TABLE vectors USING "
            f"vec0(number INTEGER PRIMARY KEY, vector float[{vectors.shape[1]}] distance_metric=cosine)"
        )
        with self._connection:
            self._connection.executemany("INSERT INTO chunks VALUES (?, ?)", enumerate(texts))
            rows = ((number, vector.tobytes()) for number, vector in enumerate(vectors))
            self._connection.executemany("INSERT INTO vectors VALUES (?, ?)", rows)
            run("INSERT INTO words (words) VALUES ('rebuild')")
        run("INSERT INTO words (words) VALUES ('optimize')")
        run("VACUUM")

    def open(self) -> None:
        pass

    def search(self, mode: str, question: str, vector: Any) -> list[int]:
        if mode == "lexical":
            found = self._lexical(question)
        elif mode == "dense":
            found = self._dense(vector)
        else:
            found = fuse(self._lexical(question), self._dense(vector))
        found = found[:LIMIT]
        places = ", ".join("?" * len(found))
        self._connection.execute(f"SELECT text FROM chunks WHERE number IN ({places})", found).fetchall()
        return found

    def _lexical(self, question: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        statement = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self._connection.execute(statement, (words, DEPTH))]

    def _dense(self, vector: Any) -> list[int]:
        statement = "SELECT number FROM vectors WHERE vector MATCH ? AND k = ? ORDER BY distance"
        return [row[0] for row in self._connection.execute(statement, (vector.tobytes(), DEPTH))]


class Tantivy:
    title = "Tantivy and numpy"
    module = "tantivy"
    about = "Tantivy's bm25 with English stems; vectors in an array, exact; RRF in Python"
    modes: ClassVar = ("lexical", "dense", "hybrid")

    def __init__(self, folder: Path) -> None:
        import tantivy

        folder.mkdir(exist_ok=True)
        self._vectors_file = folder / "vectors.npy"
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("number", stored=True, indexed=True)
        builder.add_text_field("text", stored=True, tokenizer_name="en_stem")
        (folder / "words").mkdir(exist_ok=True)
        self._index = tantivy.Index(builder.build(), path=str(folder / "words"))

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        import tantivy

        np.save(self._vectors_file, vectors)
        writer = self._index.writer(num_threads=1)
        for number, text in enumerate(texts):
            writer.add_document(tantivy.Document(number=number, text=text))
        writer.commit()
        writer.wait_merging_threads()

    def open(self) -> None:
        self._index.reload()
        self._searcher = self._index.searcher()
        self._vectors = np.load(self._vectors_file)

    def search(self, mode: str, question: str, vector: Any) -> list[int]:
        import tantivy

        if mode == "lexical":
            found = self._lexical(question, LIMIT)
        elif mode == "dense":
            found = self._dense(vector, LIMIT)
        else:
            found = fuse(self._lexical(question, DEPTH), self._dense(vector, DEPTH))
        for number in found if mode != "lexical" else ():
            by_number = tantivy.Query.term_query(self._index.schema, "number", number)
            self._texts(self._searcher.search(by_number, 1).hits)
        return found

    def _lexical(self, question: str, limit: int) -> list[int]:
        query, _ = self._index.parse_query_lenient(_plain(question), ["text"])
        return [document["number"][0] for document in self._texts(self._searcher.search(query, limit).hits)]

    def _texts(self, hits: Any) -> list[Any]:
        return [self._searcher.doc(address) for _, address in hits]

    def _dense(self, vector: Any, limit: int) -> list[int]:
        cosines = self._vectors @ vector
        first = np.argpartition(-cosines, min(limit, len(cosines)) - 1)[:limit]
        return [int(number) for number in first[np.argsort(-cosines[first])]]


class Chroma:
    title = "Chroma"
    module = "chromadb"
    about = "vectors in its HNSW graph; it has no ranked search for words offline"
    modes: ClassVar = ("dense",)

    def __init__(self, folder: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        self._client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        shape: Any = {"hnsw": {"space": "cosine"}}
        collection = self._client.create_collection("chunks", configuration=shape, embedding_function=None)
        for first in range(0, len(texts), BATCH):
            last = min(first + BATCH, len(texts))
            numbers = list(map(str, range(first, last)))
            collection.add(numbers, embeddings=vectors[first:last], documents=list(texts[first:last]))

    def open(self) -> None:
        self._collection = self._client.get_collection("chunks", embedding_function=None)

    def search(self, mode: str, question: str, vector: Any) -> list[int]:
        found = self._collection.query(query_embeddings=[vector], n_results=LIMIT, include=["documents"])
        return [int(number) for number in found["ids"][0]]


class Qdrant:
    title = "Qdrant, local mode"
    module = "qdrant_client"
    about = "bm25 as sparse vectors of stems, and exact vectors; its own RRF; up to 20,000 chunks, as it advises"
    modes: ClassVar = ("lexical", "dense", "hybrid")
    most_chunks = 20_000

    def __init__(self, folder: Path) -> None:
        from qdrant_client import QdrantClient
        from Stemmer import Stemmer

        self._client = QdrantClient(path=str(folder))
        self._stems = Stemmer("english")

    def build(self, texts: Sequence[str], vectors: Any) -> None:
        from qdrant_client import models

        self._client.create_collection(
            "chunks",
            vectors_config={
                "dense": models.VectorParams(size=vectors.shape[1], distance=models.Distance.COSINE),
            },
            sparse_vectors_config={"words": models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )
        counted = [self._count(text) for text in texts]
        mean = sum(each.total() for each in counted) / len(counted)
        points = [
            models.PointStruct(
                id=number,
                vector={"dense": vector.tolist(), "words": _saturated(counts, mean)},
                payload={"text": text},
            )
            for number, (text, vector, counts) in enumerate(zip(texts, vectors, counted, strict=True))
        ]
        self._client.upsert("chunks", points)
        self._client.close()

    def open(self) -> None:
        pass

    def search(self, mode: str, question: str, vector: Any) -> list[int]:
        from qdrant_client import models

        sides: dict[str, Any] = {}
        if mode != "dense":
            words = sorted(self._count(question))
            sides["words"] = models.SparseVector(indices=words, values=[1.0] * len(words))
        if mode != "lexical":
            sides["dense"] = vector.tolist()
        if mode == "hybrid":
            proposed = [models.Prefetch(query=query, using=name, limit=DEPTH) for name, query in sides.items()]
            fusion = models.FusionQuery(fusion=models.Fusion.RRF)
            found = self._client.query_points("chunks", prefetch=proposed, query=fusion, limit=LIMIT)
        else:
            ((name, query),) = sides.items()
            found = self._client.query_points("chunks", query=query, using=name, limit=LIMIT)
        return [int(point.id) for point in found.points]

    def _count(self, text: str) -> Counter[int]:
        return Counter(zlib.crc32(word.encode()) for word in self._stems.stemWords(_WORD.findall(text.lower())))


def _saturated(counts: Counter[int], mean: float, k: float = 1.2, b: float = 0.75) -> Any:
    """BM25 without the rarity of words, which Qdrant adds."""
    from qdrant_client import models

    penalty = k * (1 - b + b * counts.total() / mean)
    values = [count * (k + 1) / (count + penalty) for count in counts.values()]
    return models.SparseVector(indices=list(counts), values=values)


def _plain(question: str) -> str:
    """Words alone, because signs have a meaning in the store's own language of queries."""
    return " ".join(_WORD.findall(question))


PEERS: dict[str, Any] = {each.__name__.lower(): each for each in (LanceDB, SQLite, Tantivy, Chroma, Qdrant)}
