"""Handlers of elements: what a tag does to the page."""
