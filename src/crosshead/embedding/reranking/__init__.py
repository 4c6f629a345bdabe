"""Models that judge a query and a text together."""
