"""Rows -> an index that finds them again."""
