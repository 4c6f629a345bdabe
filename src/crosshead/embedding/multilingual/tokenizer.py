"""A text -> the token ids of the multilingual model (SentencePiece, unigrams).

1. Characters are normalized (NFKC), and each run of blanks becomes one mark, which begins a word.
2. A word becomes its most probable sequence of tokens (Viterbi): the best way to a position follows from the best ways
   to the positions before it.
3. A character that no token holds is unknown.

Most words of a text come again, so their ids are cached.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

CACHED_WORDS: Final = 1 << 16
LONGEST_CACHED: Final = 32
"""A longer word, as in languages without spaces, will hardly come again."""
UNKNOWN: Final = 0
UNKNOWN_PENALTY: Final = 10.0
"""The score of an unknown character, below that of the rarest token."""

_MARK: Final = "▁"


class UnigramTokenizer:
    """Splits words into their most probable tokens."""

    def __init__(self, data: bytes) -> None:
        """Read the output of `write_vocabulary`."""
        self.tokens: list[str]
        self.tokens, scores = json.loads(data)
        self.unknown = self.tokens[UNKNOWN]
        self._known = {
            token: (score, number) for number, (token, score) in enumerate(zip(self.tokens, scores, strict=True))
        }
        self._unknown_score = min(scores) - UNKNOWN_PENALTY
        self._longest = max(map(len, self.tokens))
        self._known_word: Callable[[str], Sequence[int]] = lru_cache(CACHED_WORDS)(self._encode_word)

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        ids: list[int] = []
        for word in normalize("NFKC", text).translate(_CHARACTERS).split():
            marked = _MARK + word
            ids += self._known_word(marked) if len(word) <= LONGEST_CACHED else self._encode_word(marked)
        return ids

    def _encode_word(self, word: str) -> Sequence[int]:
        size, longest, known = len(word), self._longest, self._known
        best = [0.0] + [-1e30] * size
        ways = [(0, UNKNOWN)] * (size + 1)
        for start in range(size):
            so_far = best[start]
            if so_far + self._unknown_score > best[start + 1]:
                best[start + 1], ways[start + 1] = so_far + self._unknown_score, (start, UNKNOWN)
            for end in range(start + 1, min(start + longest, size) + 1):
                token = known.get(word[start:end])
                if token and so_far + token[0] > best[end]:
                    best[end], ways[end] = so_far + token[0], (start, token[1])
        ids = []
        while size:
            size, token_id = ways[size]
            ids.append(token_id)
        return tuple(reversed(ids))


class _UnigramCharacters(dict[int, str]):
    """Maps control characters to nothing and all blanks to spaces; remembers each."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_blank = character.isspace() or category(character) == "Zs"
        self[code] = found = " " if is_blank else "" if category(character) == "Cc" else character
        return found


_CHARACTERS: Final = _UnigramCharacters()


def write_vocabulary(model: bytes) -> bytes:
    """Return the tokens of a SentencePiece model and their scores as JSON, which is read quickly."""
    tokens, scores = [], []
    for number, piece in _fields(model):
        if number == 1 and isinstance(piece, bytes):
            entry = dict(_fields(piece))
            token, score = entry[1], entry.get(2, b"\0\0\0\0")
            if not (isinstance(token, bytes) and isinstance(score, bytes)):
                raise ValueError("not a SentencePiece model")
            tokens.append(token.decode())
            scores.append(round(struct.unpack("<f", score)[0], 6))
    return json.dumps([tokens, scores], ensure_ascii=False, separators=(",", ":")).encode()


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a protobuf message, with their numbers."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield number, value
            continue
        if kind == 2:
            size, at = _varint(message, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise ValueError("not a SentencePiece model")
        yield number, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at
