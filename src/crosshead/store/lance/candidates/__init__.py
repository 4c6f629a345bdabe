"""A query -> the chunks that may answer it: by words and by vectors, through a filter; titles by their beginning."""
