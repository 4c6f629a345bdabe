"""Hits -> passages: whole sections instead of fragments; passages -> the prompt for a language model."""
