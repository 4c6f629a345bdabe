"""The cache of pages holds a limited number of bytes."""

from crosshead.server.bounded_cache import BoundedCache


def test_what_was_not_used_for_the_longest_time_makes_room() -> None:
    cache = BoundedCache(10)
    cache.put("a", b"12345")
    cache.put("b", b"12345")
    assert cache.get("a") == b"12345"
    cache.put("c", b"123")
    assert [cache.get(key) for key in "abc"] == [b"12345", None, b"123"]


def test_an_answer_that_is_put_again_counts_once_and_one_too_large_is_not_kept() -> None:
    cache = BoundedCache(10)
    for _ in range(3):
        cache.put("a", b"123456")
    assert cache.get("a") == b"123456"
    cache.put("b", b"x" * 11)
    assert [cache.get(key) for key in "ab"] == [None, None]
    cache.put("c", b"1234567890")
    assert cache.get("c") == b"1234567890"
