# The words of the house. `make help` lists them; CI and people use the same ones.

PYTHON ?= python3
NPM ?= npm
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=
DIST_DIR ?= build

# What was installed or built is known by its content, so a second `make setup` takes seconds and a moved or copied
# folder sets itself up anew (an environment remembers its path).
key = $(shell cat $(1) 2>/dev/null | cksum | tr -d ' ')
HERE_KEY := $(shell echo "$(CURDIR) $$($(PYTHON) -V 2>&1)" | cksum | tr -d ' ')
PYTHON_STAMP := .make/python-$(HERE_KEY)-$(call key,requirements/dev.lock pyproject.toml)
# To run it takes no more than the server's own packages, or with LOCK=providers those for all model providers too; where
# those of developers are installed they serve as well.
LOCK ?= base
SERVER_STAMP := .make/server-$(HERE_KEY)-$(call key,requirements/$(LOCK).lock requirements/build.lock pyproject.toml)
RUN_STAMP = $(if $(wildcard $(PYTHON_STAMP)),$(PYTHON_STAMP),$(SERVER_STAMP))

WEB := $(wildcard frontend/package.json)
# Each file's checksum and name, so the order in which they are found does not matter.
WEB_INPUT = find frontend \( -name node_modules -o -path frontend/dist -o -path frontend/e2e -o -path frontend/tests \
  -o -name test-results -o -path 'frontend/src/protocol/*.d.ts' \) -prune -o -type f -exec cksum {} +
NPM_STAMP := .make/npm-$(HERE_KEY)-$(call key,frontend/package.json frontend/package-lock.json)
# The types of the contract: the compiler and the linter need them, a build of the editor does not.
TYPES_STAMP := .make/types-$(HERE_KEY)-$(call key,docs/openapi.json docs/live.schema.json frontend/scripts/types.mjs frontend/package-lock.json)
WEB_STAMP := .make/web-$(HERE_KEY)-$(shell { $(WEB_INPUT); cksum backend/draftsmith/__init__.py; } 2>/dev/null | LC_ALL=C sort | cksum | tr -d ' ')

# A stamp is worth nothing without the thing it vouches for.
$(shell [ -x $(BIN)/draftsmith ] || rm -f .make/python-* .make/server-*; \
  [ -d frontend/node_modules ] || rm -f .make/npm-*; [ -f frontend/dist/index.html ] || rm -f .make/web-*; \
  [ -f frontend/src/protocol/schema.d.ts ] && [ -f frontend/src/protocol/live-schema.d.ts ] || rm -f .make/types-*)

# Where it is set, every process compiles the package and the tests anew: a server takes half as long again to start.
unexport PYTHONDONTWRITEBYTECODE

# Of what one word needs, the Python environment and the editor, each is made while the other is.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j2
endif

.DEFAULT_GOAL := help
.PHONY: help setup run demo demo-llm doctor test test-python test-web test-e2e test-stalled lint format schema soak soak-slice soak-commits mutants relay hostile agents compare bench build release version try-upgrade try-own-model try-real-model lock clean

help: ## list the words
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: $(PYTHON_STAMP) $(if $(WEB),$(WEB_STAMP) $(TYPES_STAMP)) ## install what is pinned, build the editor (seconds when nothing changed)

# An environment with the packages of some locks, and the project itself as it lies here.
define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "Draftsmith needs Python 3.11 or newer; $(PYTHON) is not. Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "Installing the Python environment into $(VENV)"
	@$(PYTHON) -m venv --clear $(VENV) \
	  || { echo "This Python cannot make environments; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes $(1)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index --editable .
	@mkdir -p .make && rm -f .make/python-* .make/server-* && touch $@
endef

$(PYTHON_STAMP):
	$(call environment,-r requirements/dev.lock)

$(SERVER_STAMP):
	$(call environment,-r requirements/$(LOCK).lock -r requirements/build.lock)

$(NPM_STAMP):
	@command -v node >/dev/null && command -v $(NPM) >/dev/null \
	  || { echo "Building the editor needs Node.js 22.13 or newer with npm: https://nodejs.org"; exit 1; }
	@node frontend/scripts/node.mjs
	@echo "Installing the editor's packages"
	@cd frontend && $(NPM) ci --silent --no-audit --no-fund
	@mkdir -p .make && rm -f .make/npm-* && touch $@

$(WEB_STAMP): $(NPM_STAMP)
	@echo "Building the editor"
	@cd frontend && exec $(NPM) run --silent build -- --logLevel warn
	@mkdir -p .make && rm -f .make/web-* && touch $@

$(TYPES_STAMP): $(NPM_STAMP)
	@cd frontend && exec $(NPM) run --silent types
	@mkdir -p .make && rm -f .make/types-* && touch $@

run: $(RUN_STAMP) $(if $(WEB),$(WEB_STAMP)) ## start with the sample workspace; honours PORT, HOST, DATA_DIR, WORKERS
	@exec $(BIN)/draftsmith serve --sample $${HOST:+--host "$$HOST"} $${PORT:+--port "$$PORT"} \
	  $${DATA_DIR:+--data-dir "$$DATA_DIR"} $${WORKERS:+--workers "$$WORKERS"}

demo: $(RUN_STAMP) $(if $(WEB),$(WEB_STAMP)) ## the same, afresh each time in a folder of its own: your workspaces are not touched
	@rm -rf .make/demo && exec $(BIN)/draftsmith serve --sample --data-dir .make/demo \
	  $${HOST:+--host "$$HOST"} $${PORT:+--port "$$PORT"} $${WORKERS:+--workers "$$WORKERS"}

demo-llm: setup ## the demo with a stand-in in place of a model: see the assistant stream its changes without a key
	@rm -rf .make/demo-llm && exec $(BIN)/python -m tests.standin $(BIN)/draftsmith serve --sample --data-dir .make/demo-llm \
	  $${HOST:+--host "$$HOST"} $${PORT:+--port "$$PORT"} $${WORKERS:+--workers "$$WORKERS"}

doctor: $(RUN_STAMP) ## say what this machine lacks and what to do about it
	@exec $(BIN)/draftsmith doctor $${DATA_DIR:+--data-dir "$$DATA_DIR"}

# The editor's and the Python tests at the same time; the summary of the Python tests closes the output.
test: setup ## every test but the measurements
	@exec env MAKE="$(MAKE)" .ci/test

# Each process has a store of its own; more than four of them only wait for the disk (how many: tests/conftest.py).
test-python: setup ## unit, laws, contracts, integration, faults; PYTEST_ARGS="-k undo -n 0"
	@exec $(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

test-web: setup ## the editor's own tests
	@if [ -f frontend/package.json ]; then cd frontend && exec $(NPM) run --silent --if-present test; fi

test-e2e: setup ## the editor in a real browser; CHROMIUM=/path names one, REQUIRE_BROWSER=1 insists on one
	@if [ ! -f frontend/package.json ]; then exit 0; fi; \
	if found=$$(.ci/chromium); then cd frontend && CHROMIUM="$$found" exec $(NPM) run --silent --if-present e2e; fi; \
	echo "Browser tests did not run: no Chromium found. On Debian: apt install chromium-headless-shell; on Ubuntu:"; \
	echo "snap install chromium; on macOS: brew install --cask chromium; or name one: make test-e2e CHROMIUM=/path/to/chromium"; \
	[ -z "$$REQUIRE_BROWSER" ] || { echo "REQUIRE_BROWSER is set, so this is a failure."; exit 1; }

lint: setup ## format, lint, types, borders; changes nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy --strict backend plugins/kubernetes/draftsmith_kubernetes plugins/versions/draftsmith_versions bench tests
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python tests/structure.py --check
	@$(BIN)/python -m tests.soak --check
	@if [ -f frontend/package.json ]; then cd frontend && $(NPM) run --silent --if-present lint; fi

format: setup ## put code into the house's form
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .
	@if [ -f frontend/package.json ]; then cd frontend && $(NPM) run --silent --if-present format; fi

schema: setup ## write the contract anew: OpenAPI, JSON Schema of operations, and what the editor has from them
	@$(BIN)/draftsmith schema openapi > docs/openapi.json
	@$(BIN)/draftsmith schema operations > docs/operations.schema.json
	@$(BIN)/draftsmith schema live > docs/live.schema.json
	@cd frontend && $(NPM) run --silent tables && $(NPM) run --silent types

# A seed of its own for each time, printed at the top; what fails is repeated with DRAFTSMITH_TEST_SEED=<seed>.
soak: setup ## the laws, the faults and the relay with a fresh seed, and more of the live fuzz; ROUNDS=30
	@DRAFTSMITH_TEST_SEED="$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')" LIVE_ROUNDS=$${ROUNDS:-30} \
	  NAIVE_CALLS=$${NAIVE_CALLS:-200000} CONTRACT_EXAMPLES=$${CONTRACT_EXAMPLES:-30} \
	  $(BIN)/python -m pytest tests/laws tests/contracts tests/integration/test_contract.py \
	  tests/integration/test_naive_model.py tests/integration/test_typing_day.py tests/faults $(PYTEST_ARGS)
	@$(MAKE) --no-print-directory relay SEED="$${SEED:-$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}"

soak-slice: setup ## a tenth of the soak, the one that was run longest ago, and its line in tests/soak.toml; SLICE=3
	@$(BIN)/python -m tests.soak $${SLICE:+--slice "$$SLICE"}

mutants: setup ## sixty small changes of the product, and which of them no test notices; SEED=1 ONLY=undo
	@$(BIN)/python -m tests.mutants --seed "$${SEED:-1}" $${ONLY:+--only "$$ONLY"}

soak-commits: setup ## a million commits with 20 kill -9 of everything; COMMITS=20000 KILLS=3 SEED=1 CLUSTER=1
	@$(BIN)/python -m bench.soak --commits $${COMMITS:-1000000} --kills $${KILLS:-20} --seed "$${SEED:-1}" \
	  $${MINUTES:+--minutes "$$MINUTES"} $${CLUSTER:+--cluster}

relay: setup ## 20,000 edits by scripted models and their reversal; EDITS=2000 SEED=1 DOCUMENTS=/folder
	@$(BIN)/python -m tests.relay --edits $${EDITS:-20000} --seed "$${SEED:-1}" \
	  $${DOCUMENTS:+--documents "$$DOCUMENTS"}

hostile: setup ## a hostile client beside a well-behaved one; MINUTES=10 SEED=1 CLIENTS=1, its files in build/hostile
	@$(BIN)/python -m tests.hostile --minutes $${MINUTES:-10} --seed "$${SEED:-1}" --clients $${CLIENTS:-1}

agents: setup ## a coding agent that is not ours, then ten agents and three people; SECONDS=300 SEED=1
	@$(BIN)/python -m tests.agents coding
	@$(BIN)/python -m tests.agents crowd --seconds $${SECONDS:-300} --seed "$${SEED:-1}"

compare: setup ## two models, edit modes or prompts on sixty requests; A=anthropic B=openai:gpt-6-sol BUDGET=10, else stand-ins
	@$(BIN)/python -m tests.replay compare $${A:+--a "$$A"} $${B:+--b "$$B"} $(if $(or $(A),$(B)),,--standins) \
	  $${BUDGET:+--budget "$$BUDGET"} $${WORKFLOW:+--workflow "$$WORKFLOW"} $${ONLY:+--only "$$ONLY"} $${OUT:+--out "$$OUT"}

test-stalled: setup ## every test while all its processes are stopped now and then; SEED=1
	@SEED="$${SEED:-1}" $(BIN)/python -m tests.stalls $(MAKE) --no-print-directory test

bench: setup ## the measurements of docs/performance.md
	@$(BIN)/python -m pytest bench -s $(PYTEST_ARGS)
	@cd frontend && $(NPM) exec -- vitest run --config bench/vitest.config.ts

build: setup ## the wheel, with prompts and the built editor inside, into build/
	@$(BIN)/python -m hatchling build --target wheel --directory $(DIST_DIR)

# CONTRIBUTING.md, "Cutting a release". Both change files and commit nothing.
release: setup ## give what is unreleased its heading and version, keep contract and data for the tests; VERSION=0.2.0
	@$(BIN)/python -m tests.release cut "$(VERSION)" $${DAY:+--day "$$DAY"}

version: setup ## state another version everywhere; VERSION=0.3.0.dev0
	@$(BIN)/python -m tests.release version "$(VERSION)"

# Not part of CI: it builds two releases and installs the packages of both.
try-upgrade: setup ## install this wheel over the last release with data, try both ways; transcript in build/try-upgrade.txt
	@$(BIN)/python -m tests.release.try_upgrade $${FROM:+--from "$$FROM"}

try-own-model: setup ## connect a server that behaves as Ollama in the page, edit, be refused; transcript in build/try-own-model.txt
	@cd frontend && TRANSCRIPT=build/try-own-model.txt CHROMIUM="$$(../.ci/chromium)" \
	  exec $(NPM) run --silent e2e -- e2e/own-server.test.ts

# Not part of CI: it installs a model of 240 MB and what runs it, by locks of their own.
try-real-model: setup ## ask a real small model for edits of the sample; transcript in build/try-real-model.txt
	@[ -x .make/own-model/bin/python ] || $(PYTHON) -m venv .make/own-model
	@.make/own-model/bin/pip install --quiet --disable-pip-version-check --require-hashes -r bench/own_model/requirements.lock
	@cp bench/own_model/package.json bench/own_model/package-lock.json bench/own_model/server.mjs .make/own-model/
	@cd .make/own-model && $(NPM) ci --silent --ignore-scripts --no-audit --no-fund
	@exec $(BIN)/python -m bench.own_model .make/own-model

# Extras stay in the locks: of `name[extra]`, which something needs, pip would otherwise look at the newest version first,
# and refuse it for want of a hash. Constraints may not name extras.
# This machine's own package sources stay out (no configuration file, no extra folders): the hashes are the registry's.
COMPILE = env PIP_CONFIG_FILE=/dev/null PIP_FIND_LINKS= PIP_EXTRA_INDEX_URL= CUSTOM_COMPILE_COMMAND="make lock" \
  .make/lock/bin/pip-compile --quiet --generate-hashes --no-strip-extras --no-emit-index-url --no-emit-find-links \
  --no-emit-trusted-host $(LOCK_ARGS)
WITHOUT_EXTRAS = sed 's/^\([a-z0-9-]*\)\[[a-z,]*\]==/\1==/'
OF_BASE = --extra embedded --extra layout --extra mcp
OF_PROVIDERS = $(OF_BASE) --extra openai --extra azure --extra google --extra aws --extra s3

lock: ## resolve the locks anew, with Python 3.11; LOCK_ARGS=--upgrade takes newer versions
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
	  || { echo "The locks are made with Python 3.11. Try: make lock PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv .make/lock && .make/lock/bin/pip install --quiet pip-tools==7.6.2
	$(COMPILE) $(OF_BASE) -o requirements/base.lock pyproject.toml requirements/older-python.in
	@$(WITHOUT_EXTRAS) requirements/base.lock > .make/lock/base.lock
	$(COMPILE) --only-build-deps --build-deps-for wheel -c .make/lock/base.lock -o requirements/build.lock pyproject.toml
	$(COMPILE) $(OF_PROVIDERS) -c .make/lock/base.lock -o requirements/providers.lock pyproject.toml requirements/older-python.in
	@$(WITHOUT_EXTRAS) requirements/providers.lock > .make/lock/providers.lock
	$(COMPILE) $(OF_PROVIDERS) --extra pdf --extra dev -c .make/lock/providers.lock -c requirements/build.lock -o requirements/dev.lock \
	  pyproject.toml requirements/older-python.in
	@sed 's/^\([a-z0-9-]*\)\[[a-z,]*\]==/\1==/' requirements/dev.lock > .make/lock/dev.lock
	$(COMPILE) -c .make/lock/dev.lock -o plugins/kubernetes/requirements.lock plugins/kubernetes/requirements.in
	$(COMPILE) -c .make/lock/dev.lock -o plugins/versions/requirements.lock plugins/versions/requirements.in

clean: ## remove everything that can be made again; data folders are never touched
	@rm -rf $(VENV) .make build frontend/dist frontend/node_modules frontend/test-results frontend/src/protocol/*.d.ts
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis test-results
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
