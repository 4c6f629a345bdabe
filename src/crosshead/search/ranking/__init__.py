"""A prepared query -> hits, best first.

candidates   the chunks that words, vectors and titles propose
fuse         their scores -> one
rank         the chunks that meet all conditions, in the order of their scores
rerank       the first of them compared once more, by a reranker or token vectors
pieces       how well the pieces of a hit match
"""
