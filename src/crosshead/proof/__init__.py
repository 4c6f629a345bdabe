"""An answer and the documents that it cites -> a proof. Offline, without a model; the documents come from the caller.

cited_numbers   the numbers in brackets, `[1]`, and where they are
sentences       an answer's text -> its sentences with the numbers that they cite
spans           what became of the cited spans
evidence        what they say; `folding` takes away what a quotation may change
facts/          what a sentence states: quotations, dates, identifiers, numbers, names
comparing       the facts of a sentence with its evidence; `overlap` compares the rest of its words
verify          all of it -> a proof
certificate     text and passages -> an answer whose citations say exactly what they cite
"""

from crosshead.proof.certificate import certify
from crosshead.proof.cited_numbers import cited_numbers
from crosshead.proof.sentences import split_sentences
from crosshead.proof.verify import verify

__all__ = ["certify", "cited_numbers", "split_sentences", "verify"]
