"""Languages: detection, words and stems for lexical search, what is frequent in each."""
