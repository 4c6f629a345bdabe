"""Several indexes, searched as one.

locations   patterns -> the locations of the parts
current     the parts that answer, as they are now; work is done again without those that do not
models      their embedders as one, and their pieces
index       `JoinedIndex`, the facade
"""

from crosshead.index.joined.index import JoinedIndex

__all__ = ["JoinedIndex"]
