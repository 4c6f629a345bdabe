"""A query as typed -> what is compared with the index.

conditions     the text to rank by, and what hits must hold or must not hold
words          the words of the query, in each language of the index, without `stopwords`
titles         is the query the title of a section?
entities       the names and identifiers in it
vector_trust   how far its vectors, and those of chunks, can be trusted
prepare        all of it, and the vectors of the query
"""
