from __future__ import annotations

from crosshead.store.lance.cache import RowCache


class TestRowCache:
    def test_a_value_is_read_once(self) -> None:
        asked: list[list[str]] = []

        def read(keys: list[str]) -> dict[str, str]:
            asked.append(keys)
            return {key: key * 2 for key in keys if key != "unknown"}

        cache: RowCache[str, str] = RowCache(100, len)
        assert cache.read(["a", "b", "a"], read) == {"a": "aa", "b": "bb"}
        assert cache.read(["b", "c", "unknown"], read) == {"b": "bb", "c": "cc"}
        assert cache.read(["c", "unknown"], read) == {"c": "cc"}
        assert asked == [["a", "b"], ["c", "unknown"], ["unknown"]]

    def test_it_holds_no_more_bytes_than_allowed(self) -> None:
        reads = 0

        def read(keys: list[int]) -> dict[int, bytes]:
            nonlocal reads
            reads += 1
            return {key: bytes(key) for key in keys}

        cache: RowCache[int, bytes] = RowCache(10, len)
        for key, expected in ((6, 1), (6, 1), (5, 2), (5, 2), (6, 3), (11, 4), (11, 5), (6, 6)):
            assert len(cache.read([key], read)[key]) == key
            assert reads == expected, key
