# The server and the page. The index is in /index, which a volume keeps; documents come in over HTTP, or in /docs:
#   docker build -t crosshead .
#   docker run -p 8377:8377 -e CROSSHEAD_TOKEN=secret -v crosshead:/index -v "$PWD/docs:/docs:ro" crosshead
FROM python:3.11-slim

WORKDIR /build
COPY pyproject.toml hatch_build.py constraints.txt README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir --constraint constraints.txt '.[server,postgres,mcp,rst]' \
    && useradd --uid 10001 --create-home crosshead \
    && mkdir /index /docs \
    && chown 10001 /index /docs

USER 10001
WORKDIR /docs
VOLUME /index
EXPOSE 8377
ENTRYPOINT ["crosshead"]
CMD ["serve", "--host", "0.0.0.0", "--index", "/index"]
