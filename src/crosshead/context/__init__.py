"""Hits -> passages: whole sections instead of fragments."""
