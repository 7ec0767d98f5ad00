# Everything runs in .venv, which is made on first use and remade when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH := .bench-venv
BENCH_STAMP := $(BENCH)/.installed
ACCURACY := .accuracy-venv
ACCURACY_STAMP := $(ACCURACY)/.installed
NEURAL := .neural-venv
NEURAL_STAMP := $(NEURAL)/.installed
SCALE := .scale-venv
SCALE_STAMP := $(SCALE)/.installed
PEERS := .peers-venv
PEERS_STAMP := $(PEERS)/.installed
JOBS ?= 2
SECONDS ?= 60
# Real-data tests run where the original files are, and skip elsewhere.
ifneq ($(wildcard ../shared/data),)
export NGRC_DATA ?= $(abspath ../shared/data)
endif
# Tests start some hundred processes: bytecode is kept, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check test-elsewhere browser database test-neural test-scale test-peers lint bandit audit fuzz types docs results-page wheel format bench bench-quick accuracy accuracy-quick mutants mutants-quick soak clean

demo: $(STAMP)
	$(RUN)/ngrc demo

# Neighbouring tests stay with one process until another has nothing left: what they share is made and compiled once.
# One thread of BLAS and OpenMP in each: where processes fill the cores, more threads wait for each other and double the work.
test: $(STAMP) browser database
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(RUN)/pytest -n $(JOBS) --dist worksteal

# The inner loop, within a minute: CONTRIBUTING.md says what it covers.
check: $(STAMP)
	.ci/check

# The suite under the settings of other machines: `make test-elsewhere ONLY=user` for one run of three (.ci/elsewhere).
test-elsewhere: $(STAMP) browser database
	JOBS=$(JOBS) .ci/elsewhere $(ONLY)

# Tests of pages want Debian's chromium: installed where that is allowed (root and apt-get), else they skip and say why.
browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && { \
	  apt-get install -qq -y chromium >/dev/null 2>&1 || \
	  { apt-get update -qq && apt-get install -qq -y chromium >/dev/null; }; }; } || \
	  echo "tests of pages in a browser will skip: there is no chromium, and it cannot be installed here"

# Tests of durable state want Debian's postgresql, in clusters of their own: none for the machine is made with it. After
# `browser`, as only one apt-get runs at a time.
database: browser
	@ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  .ci/postgresql >/dev/null; } || \
	  echo "tests on PostgreSQL will skip: there is no pg_ctl, and postgresql cannot be installed here"

# What skips without PyTorch, which takes some minutes to download: an environment of its own, made on first use.
test-neural: $(NEURAL_STAMP)
	$(NEURAL)/bin/python -c "import torch"
	$(NEURAL)/bin/python -m pytest -n $(JOBS) tests/forecasters src/ngrc/forecasters tests/study/real/test_models.py

# What skips without Spark (which needs Java) and Ray: an environment of its own as well.
test-scale: $(SCALE_STAMP)
	$(SCALE)/bin/python -c "import pyspark, ray"
	$(SCALE)/bin/python -m pytest tests/panel src/ngrc/panel

# The adapters beside the packages they are for, and every check of sktime and scikit-learn, counted.
test-peers: $(PEERS_STAMP)
	$(PEERS)/bin/python -c "import darts, river, statsforecast"
	$(PEERS)/bin/python -m pytest tests/adapters src/ngrc/adapters
	$(PEERS)/bin/python -m ngrc.adapters.checks

lint: $(STAMP)
	$(RUN)/ruff check
	$(RUN)/ruff format --check

# Weaknesses in our own code.
bandit: $(STAMP)
	$(RUN)/bandit -q -c pyproject.toml -r src

# The same, and those known of the packages below it (pip-audit, which needs a network and says so).
audit: bandit
	PYTHON=$(PYTHON) .ci/audit $(VENV)

# Readers, archives, the stream and its database under mutated bytes, for as long as is asked, from a seed that is
# printed; what fails is kept in build/fuzz. `make fuzz SECONDS=300`, `make fuzz ONLY="state log"`, `SEED=1` again.
fuzz: $(STAMP)
	$(RUN)/python -m tests.fuzz $(ONLY) --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

types: $(STAMP)
	$(RUN)/mypy

docs: $(STAMP)
	$(RUN)/sphinx-build -q -W --keep-going -b html docs build/docs

# docs/results.md from what `ngrc reproduce` and `make accuracy` left: `make results-page RESULTS=elsewhere`.
RESULTS ?= results
results-page: $(STAMP)
	$(RUN)/python -m results_page --results $(RESULTS) $(if $(ACCURACY_ROWS),--accuracy $(ACCURACY_ROWS))

# What a release would publish, built and used from an empty environment; nothing of .venv, so both are made side by side.
wheel:
	.ci/wheel $(PYTHON)

format: $(STAMP)
	$(RUN)/ruff check --fix
	$(RUN)/ruff format

# Both sides of every comparison in one run; `make bench ONLY=rolling` repeats some rows.
bench: $(BENCH_STAMP)
	$(BENCH)/bin/python -m benchmarks $(if $(ONLY),--only "$(ONLY)")

bench-quick: $(BENCH_STAMP)
	$(BENCH)/bin/python -m benchmarks --quick $(if $(ONLY),--only "$(ONLY)")

# The automatic model beside other packages on every public series: page and CSV in results/accuracy. CACHED=1 takes the
# other packages' results from the last run on this machine; `make accuracy ONLY=ozone` runs some, `JOBS=1` one by one.
ACCURACY_RUN = $(ACCURACY)/bin/python -m accuracy --jobs $(JOBS) $(if $(CACHED),--cached) $(if $(ONLY),--only "$(ONLY)")
accuracy: $(ACCURACY_STAMP)
	$(ACCURACY_RUN)

accuracy-quick: $(ACCURACY_STAMP)
	$(ACCURACY_RUN) --quick

# Every planted error against the tests and `ngrc reproduce`; `make mutants ONLY="adaptive-sign theory"` tries some.
mutants: $(STAMP)
	$(RUN)/python -m mutants --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

mutants-quick: $(STAMP)
	$(RUN)/python -m mutants --quick --jobs $(JOBS)

# `ngrc stream` killed at random instants for so many seconds; `make soak STATE=postgresql` on a server of its own.
STATE ?= sqlite
soak: $(STAMP)
	$(RUN)/python -m soak --seconds $(SECONDS) --state $(STATE)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e ".[all,dev]"
	touch $(STAMP)

# The other environments see the packages of .venv, so that only what it lacks is installed.
PACKAGES := -c "import sysconfig; print(sysconfig.get_path('purelib'))"
define beside-venv
	$(PYTHON) -m venv $(1)
	$(RUN)/python $(PACKAGES) > "$$($(1)/bin/python $(PACKAGES))/base.pth"
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile $(2)
	touch $(1)/.installed
endef

$(BENCH_STAMP): $(STAMP) benchmarks/requirements.txt
	$(call beside-venv,$(BENCH),-r benchmarks/requirements.txt -e .)

$(ACCURACY_STAMP): $(STAMP) accuracy/requirements.txt
	$(call beside-venv,$(ACCURACY),-r accuracy/requirements.txt -e .)

$(NEURAL_STAMP): $(STAMP)
	$(call beside-venv,$(NEURAL),-e ".[neural]")

$(SCALE_STAMP): $(STAMP) tests/panel/requirements.txt
	$(call beside-venv,$(SCALE),-r tests/panel/requirements.txt -e .)

$(PEERS_STAMP): $(STAMP) tests/adapters/requirements.txt
	$(call beside-venv,$(PEERS),-r tests/adapters/requirements.txt -e .)

clean:
	rm -rf $(VENV) .bench-venv .neural-venv .accuracy-venv .peers-venv .scale-venv .audit-venv build dist demo results .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name "*.nb[ic]" -delete
