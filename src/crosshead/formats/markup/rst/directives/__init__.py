"""Directives: `names` of those that are written alike, `parsing`, `objects` that some describe, and `writing`."""
