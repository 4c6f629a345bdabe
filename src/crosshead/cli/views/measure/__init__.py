"""Figures of speed and retrieval."""
