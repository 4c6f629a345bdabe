"""Query -> hits."""
