# The server and the page. The index and what is uploaded lie in the volume /data; documents of yours can be mounted below:
#   docker build -t crosshead .
#   docker run -v crosshead:/data -v "$PWD/docs:/data/docs:ro" crosshead index docs
#   docker run -v crosshead:/data -p 8377:8377 -e CROSSHEAD_TOKEN=secret crosshead
FROM python:3.11-slim

WORKDIR /build
COPY pyproject.toml hatch_build.py constraints.txt README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir --constraint constraints.txt '.[server,postgres,mcp,formats]' \
    && useradd --uid 10001 --create-home crosshead \
    && install --directory --owner crosshead /data

USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8377
ENTRYPOINT ["crosshead"]
CMD ["serve", "--host", "0.0.0.0"]
