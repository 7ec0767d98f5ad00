# Everything runs in .venv, which is made on first use and remade when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= 2
export NGRC_DATA ?= $(abspath ../shared/data)

.PHONY: demo test lint types docs format clean

demo: $(STAMP)
	$(RUN)/ngrc demo

test: $(STAMP)
	$(RUN)/pytest -n $(JOBS)

lint: $(STAMP)
	$(RUN)/ruff check
	$(RUN)/ruff format --check

types: $(STAMP)
	$(RUN)/mypy

docs: $(STAMP)
	$(RUN)/sphinx-build -q -W --keep-going -b html docs build/docs

format: $(STAMP)
	$(RUN)/ruff check --fix
	$(RUN)/ruff format

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check -e ".[all,dev]"
	touch $(STAMP)

clean:
	rm -rf $(VENV) .bench-venv build dist demo results .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name "*.nb[ic]" -delete
