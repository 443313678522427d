# `make setup` once, then `make demo`, `make test`, `make lint`.
# Works as root on a bare Debian and as an ordinary user anywhere with Python >= 3.11.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= python3
VENV ?= .venv
BACKDROPS ?= 200
WORKERS ?= 2

BIN := $(VENV)/bin
PY := $(BIN)/python
DEMO := runs/demo
PACKAGES := factory captcha_types templates exporters training

INSTALLED := $(VENV)/.install-stamp
READY := $(VENV)/.setup-stamp
TRAIN := $(VENV)/.train-stamp

.PHONY: help setup train-extra demo test test-long lint docs format wheel-check lock clean

help:  ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: $(READY)  ## Create .venv, install everything by the lock, bring art and browser, paint backdrops

$(PY):
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Python >= 3.11 is needed and '$(PYTHON)' is not there."; \
	  echo "On Debian and Ubuntu: sudo apt-get install python3 python3-venv"; exit 3; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python >= 3.11 is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	  echo "Name another: make setup PYTHON=python3.12"; exit 3; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make virtual environments."; \
	  echo "On Debian and Ubuntu: sudo apt-get install python3-venv"; exit 3; }
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml constraints.txt | $(PY)
	$(PY) -m pip install --quiet --upgrade pip
	$(PY) -m pip install --quiet -c constraints.txt -e '.[browser,photos,llm,dev]'
	@touch $@

$(READY): $(INSTALLED) $(wildcard factory/setup/locks/*/package-lock.json)
	$(BIN)/factory setup --backdrops $(BACKDROPS)
	@touch $@

train-extra: $(TRAIN)  ## Install torch, transformers and TRL as well

$(TRAIN): $(INSTALLED)
	$(PY) -m pip install --quiet -c constraints.txt -e '.[train]'
	@touch $@

demo: $(READY)  ## Make a run of every class and one of every scenario, verify them, make galleries
	rm -rf $(DEMO) $(DEMO)-pages
	$(BIN)/factory gen captcha --type all --n 1600 --out $(DEMO)
	$(BIN)/factory gen grounding --n 82 --out $(DEMO)-pages
	$(BIN)/factory verify $(DEMO)
	$(BIN)/factory verify $(DEMO)-pages
	@test -s $(DEMO)/preview.jpg
	$(BIN)/factory gallery export $(DEMO) $(DEMO)-gallery --n 8 --force
	$(BIN)/factory gallery export $(DEMO)-pages $(DEMO)-pages-gallery --n 2 --force
	@echo "Look at $(CURDIR)/$(DEMO)/preview.jpg"
	@echo "Open $(CURDIR)/$(DEMO)-gallery/index.html and $(CURDIR)/$(DEMO)-pages-gallery/index.html"

test: $(READY)  ## Run the quick tests
	$(PY) -m pytest -n $(WORKERS) --dist worksteal -m 'not long'

test-long: $(READY)  ## Run the tests that take minutes
	$(PY) -m pytest -n $(WORKERS) --dist worksteal -m long

lint: $(INSTALLED)  ## Check style, types, imports and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(PY)
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(PY) scripts/make_docs.py --check

docs: $(INSTALLED)  ## Write the generated pages of docs/
	$(PY) scripts/make_docs.py

format: $(INSTALLED)  ## Let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel-check: $(READY)  ## Build the wheel and use it from another folder in a clean environment
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	$(PY) -m build --wheel --outdir "$$work/dist" . >"$$work/log" 2>&1 || { cat "$$work/log"; exit 1; }; \
	$(PY) -m venv "$$work/venv"; \
	"$$work/venv/bin/python" -m pip install --quiet -c constraints.txt \
	  "$$(echo "$$work"/dist/*.whl)[browser,photos]"; \
	mkdir "$$work/elsewhere"; cd "$$work/elsewhere"; \
	"$$work/venv/bin/factory" list >/dev/null; \
	"$$work/venv/bin/factory" gen captcha --type rotate --n 4 --out run; \
	"$$work/venv/bin/factory" verify run; \
	echo "The wheel works."

# Resolve every extra afresh and write down what came out. Run by hand, then review the diff.
lock:  ## Renew constraints.txt from pyproject.toml
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	$(PYTHON) -m venv "$$work/venv"; \
	"$$work/venv/bin/python" -m pip install --quiet --upgrade pip; \
	"$$work/venv/bin/python" -m pip install --quiet 'torch==2.13.0' \
	  -e '.[browser,photos,llm,train,ray,s3,dev]'; \
	{ sed '/^[^#]/,$$d' constraints.txt; \
	  "$$work/venv/bin/python" -m pip freeze --exclude-editable | sed -E 's/\+cpu$$//'; } >"$$work/lock"; \
	cp "$$work/lock" constraints.txt

clean:  ## Remove caches and build products; keeps .venv and runs
	rm -rf build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +
