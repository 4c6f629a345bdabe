"""Crosshead inside other frameworks, each in its own idiom: import the one that you use."""
