# Everything runs in .venv, which is made on first use and remade when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The extension in src/ngrc, built again when a kernel has changed.
KERNELS := $(VENV)/.kernels
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

demo: $(KERNELS)
	$(RUN)/ngrc demo

# Neighbouring tests stay with one process until another has nothing left: what they share is made and compiled once.
# One thread of BLAS and OpenMP in each: where processes fill the cores, more threads wait for each other and double the work.
test: $(KERNELS) browser database
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(RUN)/pytest -n $(JOBS) --dist worksteal

# The inner loop, within a minute: CONTRIBUTING.md says what it covers.
check: $(KERNELS)
	.ci/check

# The suite under the settings of other machines: `make test-elsewhere ONLY=user` for one run of three (.ci/elsewhere).
test-elsewhere: $(KERNELS) browser database
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

lint: $(KERNELS)
	$(RUN)/ruff check
	$(RUN)/ruff format --check

# Weaknesses in our own code.
bandit: $(KERNELS)
	$(RUN)/bandit -q -c pyproject.toml -r src

# The same, and those known of the packages below it (pip-audit, which needs a network and says so).
audit: bandit
	PYTHON=$(PYTHON) .ci/audit $(VENV)

# Readers, archives, the stream and its database under mutated bytes, for as long as is asked, from a seed that is
# printed; what fails is kept in build/fuzz. `make fuzz SECONDS=300`, `make fuzz ONLY="state log"`, `SEED=1` again.
fuzz: $(KERNELS)
	$(RUN)/python -m tests.fuzz $(ONLY) --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

types: $(KERNELS)
	$(RUN)/mypy

docs: $(KERNELS)
	$(RUN)/sphinx-build -q -W --keep-going -b html docs build/docs

# docs/results.md from what `ngrc reproduce` and `make accuracy` left: `make results-page RESULTS=elsewhere`.
RESULTS ?= results
results-page: $(KERNELS)
	$(RUN)/python -m results_page --results $(RESULTS) $(if $(ACCURACY_ROWS),--accuracy $(ACCURACY_ROWS))

# What a release would publish, built and used from an empty environment; nothing of .venv, so both are made side by side.
wheel:
	.ci/wheel $(PYTHON)

format: $(KERNELS)
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
mutants: $(KERNELS)
	$(RUN)/python -m mutants --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

mutants-quick: $(KERNELS)
	$(RUN)/python -m mutants --quick --jobs $(JOBS)

# `ngrc stream` killed at random instants for so many seconds; `make soak STATE=postgresql` on a server of its own.
STATE ?= sqlite
soak: $(KERNELS)
	$(RUN)/python -m soak --seconds $(SECONDS) --state $(STATE)

# The compiler of the kernels: one that is installed, or Debian's g++ where that may be installed (root and apt-get), or
# the one in the package ziglang.
PIP := $(RUN)/python -m pip install --quiet --disable-pip-version-check --no-compile
$(STAMP): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	@[ -n "$$CXX" ] || command -v c++ || command -v g++ || command -v clang++ || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get && { apt-get install -qq -y g++ || \
	  { apt-get update -qq && apt-get install -qq -y g++; }; } >/dev/null 2>&1; } || $(PIP) ziglang
	$(PIP) "setuptools>=77" "nanobind>=3.0" "numpy>=2.0"
	$(PIP) --no-build-isolation -e ".[all,dev]"
	touch $(STAMP) $(KERNELS)

$(KERNELS): $(STAMP) $(wildcard src/kernels/*.cpp src/kernels/*.hpp src/kernels/*/*.hpp)
	$(RUN)/python setup.py --quiet build_ext --inplace
	touch $(KERNELS)

# The other environments see the packages of .venv and this tree, so that only what they lack is installed.
PACKAGES := -c "import sysconfig; print(sysconfig.get_path('purelib'))"
define venv-on-top
	$(PYTHON) -m venv $(1)
	{ $(RUN)/python $(PACKAGES); echo "$(CURDIR)/src"; } > "$$($(1)/bin/python $(PACKAGES))/base.pth"
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile $(2)
	touch $(1)/.installed
endef

$(BENCH_STAMP): $(KERNELS) benchmarks/requirements.txt
	$(call venv-on-top,$(BENCH),-r benchmarks/requirements.txt)

$(ACCURACY_STAMP): $(KERNELS) accuracy/requirements.txt
	$(call venv-on-top,$(ACCURACY),-r accuracy/requirements.txt)

$(NEURAL_STAMP): $(KERNELS)
	$(call venv-on-top,$(NEURAL),torch==2.13.0)

$(SCALE_STAMP): $(KERNELS) tests/panel/requirements.txt
	$(call venv-on-top,$(SCALE),-r tests/panel/requirements.txt)

$(PEERS_STAMP): $(KERNELS) tests/adapters/requirements.txt
	$(call venv-on-top,$(PEERS),-r tests/adapters/requirements.txt)

clean:
	rm -rf $(VENV) .bench-venv .neural-venv .accuracy-venv .peers-venv .scale-venv .audit-venv build dist demo results .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f src/ngrc/_kernels/*.so
