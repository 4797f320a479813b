# `make check` before every commit; `make test` is the README's test command, `make quick` the part of
# it for work in between: what lies below the town, but for four files that take a third of its time.
UV ?= uv
# One worker for each core: these tests wait for nothing, and each worker collects all of them first.
CORES := $(shell nproc 2>/dev/null || echo 2)
SLOW = tests/reports/test_diff.py tests/graphs/studio/test_served.py tests/graphs/test_budget_served.py tests/parsers/test_properties.py

.PHONY: check test quick format lock weights docs

check:
	$(UV) run ruff check .
	$(UV) run ruff format --check .
	$(UV) run mypy
	$(UV) run lint-imports

test:
	$(UV) run pytest

quick:
	$(UV) run pytest -q -n $(CORES) tests/agents tests/parsers tests/prompts tests/graphs tests/reports tests/test_project.py $(SLOW:%=--ignore=%)

format:
	$(UV) run ruff format .
	$(UV) run ruff check --fix .

# Real small chat models for measurements and tests, into a cache outside of the project.
weights:
	$(UV) run python -m benchmarks.weights

# Resolve anew, and pin: requirements.lock (hashed) and uv's constraints in pyproject.toml.
lock:
	python3 .ci/constraints.py --clear
	$(UV) pip compile pyproject.toml --group dev --group docs --extra gemini --extra gguf --extra ray --universal --python-version 3.11 \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --upgrade -q -o requirements.lock
	python3 .ci/constraints.py

# The pages of docs/ as a site in build/docs; a link that leads nowhere is an error.
docs:
	$(UV) run -q --group docs properdocs build -q
