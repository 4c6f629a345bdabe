# Every target works from nothing: it makes its environment first, and a rerun finds it ready.

PYTHON ?= python3
SCRIPTS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := .venv/$(SCRIPTS)
PY := $(BIN)/python
PYTEST := $(PY) -m pytest -n auto
UV := $(shell command -v uv 2>/dev/null)

# new_env FOLDER; install FOLDER, CONSTRAINTS, WHAT (the constraints also hold for build requirements)
ifdef UV
new_env = uv venv --quiet --allow-existing --seed --python $(PYTHON) $(1)
install = UV_CONSTRAINT=$(2) UV_BUILD_CONSTRAINT=$(2) uv pip install --quiet --python $(1)/$(SCRIPTS)/python $(3)
else
new_env = $(PYTHON) -m venv $(1)
install = PIP_CONSTRAINT=$(2) $(1)/$(SCRIPTS)/python -m pip install -qq --disable-pip-version-check $(3)
endif
# fetch_source FOLDER, CONSTRAINTS, WHERE, PACKAGE: a package's source archive (uv has no such command)
fetch_source = PIP_CONSTRAINT=$(2) $(1)/$(SCRIPTS)/python -m pip download -qq --disable-pip-version-check --no-deps \
	--no-binary $(4) --dest $(3) $(4)

# fetch_wheels FOLDER, CONSTRAINTS, WHERE, PACKAGES: packages and all that they need
fetch_wheels = PIP_CONSTRAINT=$(2) $(1)/$(SCRIPTS)/python -m pip download -qq --disable-pip-version-check --dest $(3) $(4)

# tiktoken, the tests' oracle for counts, downloads its vocabularies unless it finds them in a folder. This package
# carries them; it is installed apart and without its dependencies, which nothing here needs.
VOCABULARIES := .venv/vocabularies
VOCABULARIES_PACKAGE := llama-index-core
export TIKTOKEN_CACHE_DIR := $(CURDIR)/$(VOCABULARIES)/llama_index/core/_static/tiktoken_cache

# The examples of the CommonMark specification are not in what is installed, but in the source archive.
SPECIFICATION := .venv/specification
SPECIFICATION_PACKAGE := markdown-it-py

# What the tests of the built packages install from, so that they need no network.
WHEELS := .venv/wheels

# What the tests of the page need: a browser, installed where that is allowed, and axe-core, which finds what people who
# use a keyboard or a screen reader cannot use. Tests that lack one say so.
BROWSER := command -v chromium || command -v chromium-browser || command -v google-chrome
AXE := axe-core@4.14.0

# What would make a browser ask another host for a part of a page.
FOREIGN := '<(script|link|img|iframe|source)[^>]* (src|href)="?(https?:)?//|(url\(|@import )["'"'"']?(https?:)?//'

# The tests start hundreds of programs; without files of bytecode, each of them would compile the package again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test test-long coverage check bench bench-embed bench-retrieval bench-search test-mdx docs docs-output wheel-compiled clean

help:
	@echo "make demo | test | test-long | coverage | check | bench | bench-embed | bench-retrieval | bench-search | test-mdx | docs | docs-output | wheel-compiled | clean"

# A question whose answer has other words.
BY_MEANING := "why was the service slow"

demo: export CROSSHEAD_CACHE := .venv/models
demo: .venv/.server
	$(BIN)/crosshead outline examples/docs
	$(BIN)/crosshead check examples/docs
	$(BIN)/crosshead index examples/docs --index .venv/demo --root . --embedder static
	$(BIN)/crosshead search "how do I rotate keys" --index .venv/demo -k 3
	$(BIN)/crosshead search $(BY_MEANING) --index .venv/demo -k 1
	@echo
	@echo "MiniLM knows what sentences mean, and answers this better:"
	@if $(BIN)/crosshead model install minilm; \
		then $(BIN)/crosshead index --embedder minilm --index .venv/demo; \
		else echo "it could not be downloaded; all else works without it"; fi
	$(BIN)/crosshead search $(BY_MEANING) --index .venv/demo -k 1
	@echo
	@echo "To see it in a browser: CROSSHEAD_CACHE=$(CROSSHEAD_CACHE) $(BIN)/crosshead serve --index .venv/demo"

test: .venv/.test .venv/.browser .venv/.recognition
	$(PYTEST)

test-long: .venv/.test .venv/.browser .venv/.recognition
	CROSSHEAD_LONG_TESTS=1 $(PYTEST)

# Apart, because measuring takes time in every test.
coverage: .venv/.test .venv/.browser .venv/.recognition
	$(PYTEST) --cov --cov-report=term

check: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec compose.yaml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows $(wildcard .github/workflows/*.yml)
	$(if $(filter Windows_NT,$(OS)),,$(BIN)/hadolint Dockerfile)

bench: .venv-bench/.bench
	.venv-bench/$(SCRIPTS)/python -m bench.chunking.speed

bench-embed: .venv-embed/.bench
	.venv-embed/$(SCRIPTS)/python -m bench.embedding.speed --peers

bench-retrieval: .venv-bench/.bench
	.venv-bench/$(SCRIPTS)/python -m bench.retrieval.compare --sets node,debian,r

bench-search: .venv-search/.bench
	.venv-search/$(SCRIPTS)/python -m bench.storage.costs

test-mdx: .venv/.test
	$(PY) -m tests.long.remark_mdx

docs-output: .venv/.test
	$(PY) -m tests.docs

# For this platform and version of Python; the modules that hatch_build.py names are compiled. Needs a C compiler.
wheel-compiled: .venv/.env
	CROSSHEAD_COMPILE=1 PIP_CONSTRAINT=constraints.txt $(PY) -m pip wheel -qq --disable-pip-version-check --no-deps \
		--wheel-dir dist .

docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@if grep -rnE --include='*.html' --include='*.css' $(FOREIGN) site; \
		then echo "the pages load something from elsewhere"; exit 1; fi

clean:
	rm -rf .venv .venv-bench .venv-embed .venv-search site build dist .coverage* htmlcov .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis \
		src/crosshead/embedding/table
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.env:
	$(call new_env,.venv)
	@touch $@

.venv/.base: .venv/.env pyproject.toml constraints.txt
	$(call install,.venv,constraints.txt,-e .)
	@touch $@

.venv/.test: .venv/.base
	$(call install,.venv,constraints.txt,-e '.[test]')
	$(call install,.venv,constraints.txt,--no-deps --upgrade --target $(VOCABULARIES) $(VOCABULARIES_PACKAGE))
	rm -rf $(SPECIFICATION)
	$(call fetch_source,.venv,constraints.txt,$(SPECIFICATION),$(SPECIFICATION_PACKAGE))
	rm -rf $(WHEELS)
	$(call fetch_wheels,.venv,constraints.txt,$(WHEELS),'.[index]' hatchling 'mypy[mypyc]')
	@touch $@

# What the tests of text recognition need, installed where that is allowed. Tests that lack it say so.
.venv/.recognition: .venv/.env
	@command -v tesseract >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
		then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tesseract-ocr >/dev/null; fi || true
	@if command -v tesseract >/dev/null; then touch $@; fi

.venv/.browser: .venv/.env
	@($(BROWSER)) >/dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
		then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; fi || true
	@($(BROWSER)) >/dev/null || echo "no browser: the tests of the page are skipped; install chromium to run them"
	@if command -v npm >/dev/null; \
		then npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix .venv/axe $(AXE); \
		else echo "no npm: the page is not checked with axe-core"; fi
	@if ($(BROWSER)) >/dev/null; then touch $@; fi

.venv/.dev .venv/.docs .venv/.server: .venv/.%: .venv/.base
	$(call install,.venv,constraints.txt,-e '.[$*]')
	@touch $@

.venv-embed/.bench: pyproject.toml bench/constraints-embed.txt
	$(call new_env,.venv-embed)
	$(call install,.venv-embed,bench/constraints-embed.txt,-e '.[index]' -r bench/constraints-embed.txt)
	@touch $@

.venv-search/.bench: pyproject.toml bench/constraints-search.txt
	$(call new_env,.venv-search)
	$(call install,.venv-search,bench/constraints-search.txt,-e '.[index]' -r bench/constraints-search.txt)
	@touch $@

.venv-bench/.bench: pyproject.toml bench/constraints.txt
	$(call new_env,.venv-bench)
	$(call install,.venv-bench,bench/constraints.txt,-e '.[index]' -r bench/constraints.txt)
	@touch $@
