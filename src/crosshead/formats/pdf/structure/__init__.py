"""Lines and tables -> blocks: headings with levels, paragraphs, lists."""
