# make try, make play, make web and make test do everything from a fresh machine with Python 3.11 or later.

SEED ?= 1
PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	command -v $$python >/dev/null && $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN = .venv/bin
AS_ROOT = $(shell [ "$$(id -u)" = 0 ] || echo sudo -n)
HOUSES = $(wildcard packages/*)
# Python writes the bytecode of a package when it first imports it: writing that of all packages now doubles the time.
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile --constraint constraints.txt
# hatchling builds our packages: it is installed once, with .venv, not anew for each of them. What else has to be built may
# need another tool; then pip installs that, as usual.
INSTALL = $(PIP) --no-build-isolation --editable $(PACKAGES) 2>/dev/null || $(PIP) --editable $(PACKAGES)

PLATFORMS ?= linux-x86_64 linux-aarch64 darwin-arm64 darwin-x86_64 win32-amd64 emscripten-wasm32
HERE = $(shell $(BIN)/python -c 'import sys, platform; print(f"{sys.platform}-{platform.machine().lower()}")')
LIBRARIES = packages/plyscope-fast/src/plyscope_fast/machine/libraries

CAMPAIGNS = "proofs.py 20000 $(SEED)" \
	"fuzz.py --inputs 2000 --seed $(SEED)" \
	"fuzz_page.py --questions 20000 --posts 2000 --cancels 100 --seed $(SEED)" \
	"twins.py --positions 1000 --seed $(SEED)" "sides.py 500" \
	"small_games.py --games 100 --seed $(SEED)" \
	"gomocup.py --sessions 20000 --seed $(SEED)" \
	"sentences.py --games 2 --positions 50 --seed $(SEED)" \
	"exams.py --questions 2000 --seed $(SEED)" \
	"stops.py --stops 100 --seed $(SEED) --quick --heard 2" \
	"kills.py --kills 50 --seed $(SEED)" "kills.py --solve --kills 10 --seed $(SEED)" \
	"classroom.py --kills 1"

# The tests of the core that run without any package.
BARE := tests/rules tests/evaluation tests/solving/test_own_games.py tests/solving/test_book.py tests/lab/test_quiz.py \
	$(addprefix tests/searching/test_,algorithms.py published.py request.py sides.py terms.py) tests/test_identity.py

.PHONY: help try play web test check style wheel-check campaigns durations versions format types scripts wheel library signature bench man docs site refresh clean

help: ## Show this list.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

try: .venv/installed-play ## Set up .venv and see what plyscope does, in 20 seconds.
	@show() { printf '\n%s\n$$ plyscope %s\n' "$$1" "$$2"; $(BIN)/plyscope $$2; }; \
	show 'What is each move worth? The search counts its nodes, and what alpha-beta saves.' \
		'analyze .X./O../X.O --heuristic counted-lines' && \
	show 'Why does alpha-beta skip a branch? Each cut in the tree has its reason below it.' \
		'tree .X./O../X.O --heuristic counted-lines --depth 2' && \
	show 'How good are the heuristics of the source systems? Their moves against the exact values of the game.' \
		'report-card open-lines weighted-lines counted-lines diagonal-lines --depth 3' && \
	show 'Can the bot that searches two plies be beaten? Every line of play against it is tried.' \
		'certify two-ply' && \
	printf '\n%s\n' 'Next: make play starts a game, make web opens the page.'

play: .venv/installed-play ## Play a game.
	@$(BIN)/plyscope play

web: .venv/installed-web ## Open the page.
	@$(BIN)/plyscope web

test: .venv/installed-test .venv/warm ## Run the quick tests, four of five.
	@$(BIN)/python -m compileall -q -j 2 src packages # so that not every process of the tests compiles it
	$(BIN)/python -m pytest -n 2 --dist worksteal --quick

check: .venv/installed-test-all .venv/worlds .venv/installed-check .venv/installed-docs .venv/linker ## Check format, style, types and floors, then run all tests.
	@$(MAKE) --no-print-directory -j 2 --output-sync=line $(if $(PART),,wheel-check) types style docs # each keeps one core busy
	PYTEST_ADDOPTS= $(BIN)/python -m pytest -n 2 --bare --quick $(BARE)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(PART)

style: .venv/installed-check
	$(BIN)/ruff format --check src packages tests bench examples wheels
	$(BIN)/ruff check src packages tests bench examples wheels
	$(BIN)/lint-imports --no-cache

wheel-check: wheel
	$(BIN)/python tests/wheel.py dist/*.whl
	$(BIN)/python tests/wheel_browser.py dist/*.whl

campaigns: .venv/installed-test-all ## Run the tests at their large size, then the campaigns of bench/ (hours; SEED=n draws others).
	@failed=; $(BIN)/python -m pytest -n 2 --size large || failed=tests; \
	for each in $(CAMPAIGNS); do \
		echo "bench/$$each"; $(BIN)/python bench/$$each || failed="$$failed $${each%% *}"; \
	done; \
	[ -z "$$failed" ] || { echo "failed: $$failed"; exit 1; }

durations: .venv/installed-test-all .venv/warm ## Measure all tests, and write which of them are slow into tests/slow.txt.
	$(BIN)/python -m pytest -n 2 --measure
	export XDG_CACHE_HOME=$$(mktemp -d); $(BIN)/plyscope warm && \
		$(BIN)/python -m pytest -n 2 --dist worksteal --quick --measure; rm -rf $$XDG_CACHE_HOME

versions: .venv/installed ## Run a part of the tests under each other Python, 3.11 to 3.13, the oldest Numba and the newest.
	$(BIN)/python tests/versions.py $(ONLY)

format: .venv/installed-check ## Write the code in its one format.
	$(BIN)/ruff check --fix-only --quiet src packages tests bench examples wheels
	$(BIN)/ruff format src packages tests bench examples wheels
	@! [ -d node_modules ] || npm run --silent format

types: .venv/installed-check scripts ## Check the types, of Python and of the page's scripts.
	$(BIN)/mypy

scripts: ## Check format and types of the page's scripts, where npm is there.
	@if ! command -v npm >/dev/null; then echo "no npm here: the page's scripts are not checked"; \
	elif [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --silent --fetch-timeout=20000 --fetch-retries=1; then npm run --silent check; \
	else echo "npm cannot install what checks the page's scripts: they are not checked"; fi

signature: .venv/installed ## Say whether the searches visit the nodes they visited before.
	$(BIN)/python bench/signature.py

bench: .venv/installed-bench ## Measure this machine against other people's programs (an hour).
	$(BIN)/python bench/peers.py
	$(BIN)/python bench/worked_games.py
	$(BIN)/python bench/connect.py
	$(BIN)/python bench/lines.py

wheel: .venv/installed .venv/linker ## Build the wheels of plyscope and its houses into dist/, for pip, with machine code for PLATFORMS.
	@rm -rf dist
	$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist . $(HOUSES:%=./%)
	@if $(BIN)/python wheels/library.py build/libraries $(PLATFORMS); then \
		cd packages/plyscope-fast && for each in $(PLATFORMS); do \
			PLYSCOPE_PLATFORM=$$each ../../$(BIN)/python -m hatchling build -t wheel -d ../../dist >/dev/null || exit 1; \
		done; \
	else [ $$? = 3 ]; fi # no linker

library: .venv/installed .venv/linker ## Build the machine code of all searches and solvers into this clone, so that nothing is compiled.
	@$(BIN)/python wheels/library.py build/libraries $(HERE)
	@mkdir -p $(LIBRARIES) && cp build/libraries/$(HERE).* build/libraries/kernels.json $(LIBRARIES)

man: .venv/installed ## Write the manual page, man/plyscope.1.
	@mkdir -p man && $(BIN)/plyscope completion man >man/plyscope.1

docs: .venv/installed-docs ## Build the site into site/.
	$(BIN)/python docs/making/lessons.py
	$(BIN)/python docs/making/help.py
	$(BIN)/zensical build --clean --strict

site: docs .venv/linker ## Build the site into site/ with the page that runs in the browser, in site/lab.
	$(BIN)/plyscope web --static site/lab

refresh: .venv/installed-test-all ## Write what the commands print today into the documents.
	$(BIN)/python tests/documents.py

clean: ## Remove everything that was made.
	rm -rf .venv .venv-* build $(LIBRARIES) node_modules site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "plyscope needs Python 3.11 or later (Debian: apt install python3)"; exit 2; }
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || { rm -rf .venv; echo "installing python3-venv, which Debian keeps apart ..."; \
		{ $(AS_ROOT) apt-get update && $(AS_ROOT) apt-get install --yes python3-venv; } >/dev/null 2>&1 && $(PYTHON) -m venv .venv; } \
		|| { rm -rf .venv; echo "$(PYTHON) cannot make virtual environments: apt install python3-venv, then try again"; exit 2; }
	@$(PIP) hatchling || { rm -rf .venv; exit 2; }

SET_UP_BY = .venv/bin/python pyproject.toml $(HOUSES:%=%/pyproject.toml) constraints.txt

.venv/installed-play: PACKAGES = '.[fast,jit,terminal]' --editable packages/plyscope-fast
.venv/installed-web: PACKAGES = '.[fast,jit,terminal,web]' --editable packages/plyscope-fast --editable packages/plyscope-web
.venv/installed: PACKAGES = '.[all]' $(HOUSES:%=--editable %)
.venv/installed-%: PACKAGES = '.[$*]'

.venv/installed-play: $(SET_UP_BY)
	@echo "setting up .venv ..."
	@$(INSTALL)
	@touch $@

.venv/installed-web: $(SET_UP_BY)
	@echo "setting up .venv for the page ..."
	@$(INSTALL)
	@touch $@

.venv/installed: $(SET_UP_BY)
	@echo "setting up .venv ..."
	@$(INSTALL)
	@touch $@

.venv/warm: .venv/installed
	@echo "compiling the searches ..."
	@$(BIN)/plyscope warm
	@touch $@

.venv/linker: .venv/installed
	@echo "setting up .venv for wheel ..."
	@timeout 300 $(PIP) --no-build-isolation --editable '.[wheel]' || echo "the linker (ziglang) could not be installed; the wheels have no machine code"
	@touch $@

.venv/worlds: .venv/installed
	@echo "setting up .venv for test-worlds ..."
	@timeout 180 $(PIP) --editable '.[test-worlds]' || echo "other libraries' packages could not be installed; their tests are skipped"
	@touch $@

.venv/installed-%: .venv/installed
	@echo "setting up .venv for $* ..."
	@$(INSTALL)
	@touch $@
