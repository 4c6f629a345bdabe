"""Pictures of pages -> lines of text with their positions.

1. `engine` finds lines and reads them, with the models of rapidocr
2. `upright` turns the picture so that most lines read from left to right
3. `ink` measures what the models do not say: gaps between words, sizes, baselines, ruled lines
4. `pages` puts these together, `drawing` gives them the shapes of a PDF page, so that one layout serves both

`program` asks a program or function of the user instead; `images` reads image files.
"""
