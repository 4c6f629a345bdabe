"""The printed table of contents: its entries, the levels that it gives them, and the tree of headings with these."""
