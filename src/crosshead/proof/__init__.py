"""An answer and the documents that it cites -> a proof. Offline, without a model; the documents come from the caller.

cited_numbers   the numbers in brackets, `[1]`, and where they are
sentences       an answer's text -> its sentences with the numbers that they cite
certificate     text and passages -> an answer whose citations say exactly what they cite
"""

from crosshead.proof.certificate import certify
from crosshead.proof.cited_numbers import cited_numbers
from crosshead.proof.sentences import split_sentences

__all__ = ["certify", "cited_numbers", "split_sentences"]
