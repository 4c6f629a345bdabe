"""The bytes of a PDF -> words, rules and notes with positions (`shapes`).

1. `native`: pdfium; `repair`: files that it cannot open; `damage`: pages that it reads only in part.
2. `words`: characters -> words; `legibility`: whether they are what the page shows.
3. `rules`: drawn lines; `notes` and `forms`: text boxes and fields; `tags` and `outline`: what the file says of itself.
"""
