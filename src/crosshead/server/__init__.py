"""The HTTP door: an API over one index, and the page that uses it; and the door for assistants.

settings   where the server listens, who may come in, and how much they may ask for
guard      foreign hosts and origins, and requests without the token, are refused before anything else
logs       one line for every request, with its id; faults become problems
limits     how many requests at once, how large and how slow a body may be
errors     what went wrong -> problem details (RFC 9457), one to one with `crosshead.errors`
work       threads and processes for what would block the event loop
readers    processes that read and cut documents, and are ended if they take too long
reading    what they do
jobs       writing, one job after the other in the background; job, job_files: what it is, and how it survives a stop
writing    what a job does
paths      what a client may name
uploads    files that come in
schema     the values of the library as schemas of the OpenAPI document
examples   what routes answer, for the OpenAPI document
routes/    one file per kind of resource
page/      plain ES modules and CSS, served as they are
mcp/       tools for assistants, over standard input and output or HTTP
"""
