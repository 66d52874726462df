# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
KILLS ?= 40
DATABASE ?= both
DIR ?= demo-floor
PORT ?= 8420
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test test-long lint bench crash screenshots clean help

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install --constraint constraints.txt --upgrade pip setuptools
	$(PIP) install --constraint constraints.txt --editable '.[all]' --group dev
	@touch $@

.venv/ready-bench: .venv/ready
	$(PIP) install --constraint constraints.txt --group bench
	@touch $@

run: .venv/ready ## start a demonstration floor and say where to look: DIR=demo-floor, PORT=8420
	$(BIN)/houseway up --dir $(DIR) --port $(PORT) --bots

lint: .venv/ready ## style, types, and which room may know which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Much of this suite waits for servers, browsers and clocks: a third worker uses the two cores meanwhile.
test: WORKERS ?= 3
test: lint ## everything that must hold before a change lands
	@mkdir -p build
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long" --clause-results=build/clauses.json
	$(BIN)/houseway clauses --gaps

test-long: WORKERS ?= 2
test-long: .venv/ready ## the full counts, long random runs, 300 crashes and all planted changes
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long

screenshots: .venv/ready ## pictures of every page into docs/pictures
	$(BIN)/python tools/screenshots.py

crash: .venv/ready ## kill and hurt a serving floor again and again: KILLS=300, SEED=7, DATABASE=sqlite|postgres|both
	$(BIN)/python tools/crash.py --kills $(KILLS) --database $(DATABASE) $(if $(SEED),--seed $(SEED))

bench: .venv/ready-bench ## speed, as ratios to other libraries in one run
	$(BIN)/python tools/bench.py
	$(BIN)/python tools/bench_proof.py
	$(BIN)/python tools/bench_floor.py
	$(BIN)/python tools/bench_table.py
	$(BIN)/python tools/bench_web.py
	$(BIN)/python tools/bench_pages.py
	$(BIN)/python tools/bench_simulate.py

clean: ## remove what the commands above made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
