"""PDFs whose source tells every heading, paragraph and cell, and how much of that an extractor keeps."""
