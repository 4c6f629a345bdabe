"""Bytes -> text."""
