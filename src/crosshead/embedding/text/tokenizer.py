"""A text -> token ids, with byte pairs or word pieces; the vocabulary comes from a tokenizer.json.

Byte pairs (the vocabulary of Llama 2):
1. Spaces become marks, with one more at the beginning, and the text is cut where no token continues: before marks,
   between letters and symbols, at digits and line ends.
2. Each part becomes characters; a character that the vocabulary lacks becomes its bytes.
3. Neighbors are merged, in the order in which training merged them, until no pair is left to merge.

Word pieces (the vocabulary of BERT, uncased):
1. Characters lose their case and their accents; each punctuation or Chinese character is a word.
2. A word becomes the longest token that it begins with, then the longest that the rest begins with, and so on.
3. A word that tokens cannot spell is unknown as a whole.

Names of special tokens are plain text. Most words of a text come again, so their ids are cached.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from typing import Any, Final
from unicodedata import category, normalize

CACHED_WORDS: Final = 1 << 15
LONGEST_CACHED: Final = 64
"""A longer part will hardly come again."""

_MARK: Final = "▁"
_PIECES: Final = re.compile(
    rf"{_MARK}*[^\W\d_²]+"  # letters, with the spaces before them
    rf"|{_MARK}*(?:[^\w{_MARK}\n]|[_²])+"  # symbols, likewise
    rf"|{_MARK}+|\d|\n"
)
"""The parts that no token crosses. Only the digit `²` shares tokens with other characters, which are symbols."""

_LONGEST_WORD: Final = 100
"""The model was trained with longer words as unknown."""
_CHINESE: Final = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)


class BytePairTokenizer:
    """Merges characters into tokens."""

    def __init__(self, data: bytes) -> None:
        model = _read_model(data)
        self._vocabulary: dict[str, int] = model["vocab"]
        self.unknown: str = model.get("unk_token", "")
        self._ranks = {pair: rank for rank, pair in enumerate(model["merges"])}
        self._known_piece: Callable[[str], Sequence[int]] = lru_cache(CACHED_WORDS)(self._encode_piece)

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        ids: list[int] = []
        for piece in _PIECES.findall(_MARK + text.replace(" ", _MARK)):
            ids += self._known_piece(piece) if len(piece) <= LONGEST_CACHED else self._encode_piece(piece)
        return ids

    @cached_property
    def tokens(self) -> list[str]:
        """The vocabulary, ordered by id."""
        return sorted(self._vocabulary, key=self._vocabulary.__getitem__)

    def _encode_piece(self, piece: str) -> Sequence[int]:
        symbols: list[str] = []
        for character in piece:
            if character in self._vocabulary:
                symbols.append(character)
            else:
                symbols += [f"<0x{byte:02X}>" for byte in character.encode()]
        self._join(symbols)
        return tuple(self._vocabulary[symbol] for symbol in symbols if symbol)

    def _join(self, symbols: list[str]) -> None:
        """Merge pairs of the vocabulary; the first symbol becomes the pair, the second becomes empty."""
        count = len(symbols)
        before, after = list(range(-1, count - 1)), list(range(1, count + 1))
        ranks = self._ranks
        pairs = [
            (rank, at) for at in range(count - 1) if (rank := ranks.get(f"{symbols[at]} {symbols[at + 1]}")) is not None
        ]
        heapify(pairs)
        while pairs:
            rank, at = heappop(pairs)
            second = after[at]
            # A neighbor may have been merged with another one in the meantime.
            if second == count or ranks.get(f"{symbols[at]} {symbols[second]}") != rank:
                continue
            symbols[at] += symbols[second]
            symbols[second] = ""
            start, end = before[at], after[second]
            after[at] = end
            if end < count:
                before[end] = at
                if (rank := ranks.get(f"{symbols[at]} {symbols[end]}")) is not None:
                    heappush(pairs, (rank, at))
            if start >= 0 and (rank := ranks.get(f"{symbols[start]} {symbols[at]}")) is not None:
                heappush(pairs, (rank, start))


class WordPieceTokenizer:
    """Splits words into tokens."""

    def __init__(self, data: bytes) -> None:
        model = _read_model(data)
        self.vocabulary: dict[str, int] = model["vocab"]
        self.unknown: str = model["unk_token"]
        self._unknown = (self.vocabulary[self.unknown],)
        self._longest_token = max(map(len, self.vocabulary))
        self._characters = _WordpieceCharacters()
        self._known_word: Callable[[str], Sequence[int]] = lru_cache(CACHED_WORDS)(self._encode_word)

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        ids: list[int] = []
        for word in text.translate(self._characters).split():
            ids += self._known_word(word) if len(word) <= _LONGEST_WORD else self._unknown
        return ids

    @cached_property
    def tokens(self) -> list[str]:
        """The vocabulary, ordered by id."""
        return sorted(self.vocabulary, key=self.vocabulary.__getitem__)

    def _encode_word(self, word: str) -> Sequence[int]:
        ids: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            for end in range(min(start + self._longest_token, len(word)), start, -1):
                token = self.vocabulary.get(prefix + word[start:end])
                if token is not None:
                    break
            else:
                return self._unknown
            ids.append(token)
            start, prefix = end, "##"
        return tuple(ids)


class _WordpieceCharacters(dict[int, str]):
    """Maps characters to their simplified form; remembers each."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _simplify(chr(code))
        return found


def _simplify(character: str) -> str:
    """Return a character without case and accents, between spaces if it is a word."""
    if character.isspace() and (character in "\t\n\r" or category(character) != "Cc"):
        return " "
    if character == "\ufffd" or category(character) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    plain = "".join(each.lower() for each in normalize("NFD", character) if category(each) != "Mn")
    is_word = any(ord(character) in each for each in _CHINESE) or any(map(_is_punctuation, plain))
    return f" {plain} " if is_word else plain


def _is_punctuation(character: str) -> bool:
    """Is this punctuation? In ASCII also symbols such as `+` and `$`."""
    return category(character).startswith("P") or (character.isascii() and not character.isalnum())


def _read_model(data: bytes) -> dict[str, Any]:
    """Return the model in a tokenizer.json."""
    model = json.loads(data)["model"]
    if not isinstance(model, dict):
        raise TypeError("model")
    return model
