"""What a sentence states that can be compared: dates, identifiers, numbers, quotations and names.

quotes        “word for word”, `code`, blockquotes
dates         12 May 2024 = 2024-05-12 = 12.05.2024; times of day
identifiers   max_tokens, --flag, CVE-2024-1234, v1.2.3, paths, addresses
numbers       1,577 = 1.577 = 1577; scales, units, signs; `units` are their words
names         words that are written as names
"""
