"""What is in a paragraph: runs, links, fields, formulas and boxes to tick -> Markdown."""
