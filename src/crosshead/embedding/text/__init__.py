"""Texts before a model reads them."""
