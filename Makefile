# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
WORKERS ?= 2
KILLS ?= 40
DATABASE ?= both
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test test-long lint bench crash clean help

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(PIP) install --constraint constraints.txt --upgrade pip setuptools
	$(PIP) install --constraint constraints.txt --editable '.[proof]' --group dev
	@touch $@

.venv/ready-bench: .venv/ready
	$(PIP) install --constraint constraints.txt --group bench
	@touch $@

run: .venv/ready ## deal a round of every game and show what each wager gave back
	$(BIN)/houseway demo

lint: .venv/ready ## style, types, and which room may know which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: lint ## everything that must hold before a change lands
	@mkdir -p build
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long" --clause-results=build/clauses.json
	$(BIN)/houseway clauses --gaps

test-long: .venv/ready ## the full counts, long random runs, 300 kills and planted rule changes
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long

crash: .venv/ready ## kill a serving floor again and again: KILLS=300, SEED=7, DATABASE=sqlite|postgres|both
	$(BIN)/python tools/crash.py --kills $(KILLS) --database $(DATABASE) $(if $(SEED),--seed $(SEED))

bench: .venv/ready-bench ## speed, as ratios to other libraries in one run
	$(BIN)/python tools/bench.py
	$(BIN)/python tools/bench_proof.py
	$(BIN)/python tools/bench_floor.py
	$(BIN)/python tools/bench_table.py

clean: ## remove what the commands above made
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
