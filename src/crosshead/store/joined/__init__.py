"""Several indexes, read as one.

parts      the indexes; all are asked at once, and what one of them cannot answer is an error that names it
models     one vector for a query, with a slice for each model of the parts
names      which part has what; ids of documents that several parts have
store      the reading half of a store, over all parts

Scores are those of one index: the parts count words first, and each scores by the numbers of all.
"""

from crosshead.store.joined.models import Model
from crosshead.store.joined.parts import Part, PartFailure, PartsFailed
from crosshead.store.joined.store import JoinedStore

__all__ = ["JoinedStore", "Model", "Part", "PartFailure", "PartsFailed"]
