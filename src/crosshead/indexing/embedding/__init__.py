"""Chunks -> pieces -> vectors: when a document is written, or later for those that are pending."""
