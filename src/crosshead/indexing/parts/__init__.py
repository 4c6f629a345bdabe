"""An index in parts, each with a committer: files -> the part of each -> rows.

opened   the indexes of all parts
removal  which documents to remove, decided for all parts together
run      every part is brought up to date: one after the other, or as tasks on a Ray cluster (`cluster`)
"""

from crosshead.indexing.parts.opened import PartedIndex, open_parts
from crosshead.indexing.parts.run import add_to_parts

__all__ = ["PartedIndex", "add_to_parts", "open_parts"]
