"""The HTTP door: an API over one index, and the page that uses it; and the door for assistants.

settings   host, port, token and limits
guard      refuses foreign hosts and origins, and requests without the token, before anything else
logs       one line per request, with its id; unexpected errors become problems
limits     how many requests at once, how large and how slow a body may be
errors     errors -> problem details (RFC 9457), one to one with `crosshead.errors`
work       threads and processes for work that would block the event loop
reading    what a worker process does with a document: extract, outline, chunk, check
jobs/      writing in the background: the queue, its files on disk, uploads
paths      which paths a client may name
schema     the library's values as schemas of the OpenAPI document
examples   example answers for the OpenAPI document
routes/    one file per kind of resource
page/      plain ES modules and CSS, served as they are
"""

from typing import Final

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8377
MEBIBYTE: Final = 1024 * 1024
