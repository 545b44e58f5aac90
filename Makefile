# Everything from a fresh clone: `make play` to play, `make test` to check.
# Needs Python 3.11+, a C++20 compiler and make; the rest is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt
JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu)
CORE_SOURCES := CMakeLists.txt pyproject.toml $(shell find core -name '*.h' -o -name '*.cpp')
# The venv's CMake and Ninja where there is a venv, else the machine's.
CMAKE = $(firstword $(wildcard $(BIN)/cmake) cmake)
NINJA = $(firstword $(wildcard $(abspath $(BIN)/ninja)) $(shell command -v ninja))
CONFIGURE = $(CMAKE) $(if $(NINJA),-G Ninja -DCMAKE_MAKE_PROGRAM=$(NINJA)) -S .

.PHONY: play test test-core test-python lint format stubs core bench sanitize wheel clean page browser

play: $(VENV)/.installed
	@$(BIN)/tengen play || [ $$? = 130 ] # Ctrl-C is how it ends

# The core's longest test leaves a processor to the linters.
test: $(VENV)/.developing
	$(MAKE) --no-print-directory -j2 lint test-core
	$(MAKE) --no-print-directory test-python

test-python: $(VENV)/.developing browser
	$(BIN)/pytest -n $(JOBS) -rR

# Where the extension was built: so that the core is not compiled twice.
EXTENSION = build/$(shell $(BIN)/python -c 'import sys; print("cp%d%d" % sys.version_info[:2])')-*

test-core: $(VENV)/.developing
	$(CMAKE) -S . -B $(EXTENSION) -DTENGEN_TESTS=ON
	$(CMAKE) --build $(EXTENSION) --parallel $(JOBS)
	cd $(EXTENSION) && ctest --output-on-failure -j $(JOBS)

lint: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.developing
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

stubs: $(VENV)/.developing
	$(BIN)/python -m nanobind.stubgen -q -m tengen._core -o src/tengen/_core.pyi

# The page's scripts, which are committed compiled: so only its developers need node.
page: page/node_modules
	cd page && npm run build

page/node_modules: page/package-lock.json
	cd page && npm ci --no-audit --no-fund --silent
	@touch $@

# What the tests of the page run in, with a font that has Chinese for their pictures. Without it they are skipped, and say
# so; with CI set, what is skipped fails.
browser:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory page/node_modules; \
	else echo "no npm: the page is not compiled again"; fi
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
		|| { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
			&& apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y chromium fonts-wqy-microhei >/dev/null; } \
		|| echo "no Chromium: the page is not tried in a browser"

bench: $(VENV)/.installed
	$(BIN)/tengen bench

# The extension in place, by CMake alone and for the Python at hand, which must
# have nanobind: then `PYTHONPATH=src python3 -m tengen ...` works uninstalled.
core:
	$(CONFIGURE) -B build/core -DTENGEN_TESTS=OFF -DPython_EXECUTABLE="$$($(PYTHON) -c 'import sys; print(sys.executable)')" \
		-DCMAKE_LIBRARY_OUTPUT_DIRECTORY="$(CURDIR)/src/tengen"
	$(CMAKE) --build build/core --parallel $(JOBS)

sanitize: build/sanitize-address,undefined build/sanitize-thread

build/sanitize-%: FORCE
	$(CONFIGURE) -B $@ -DTENGEN_PYTHON=OFF -DTENGEN_SANITIZE=$* -DCMAKE_BUILD_TYPE=RelWithDebInfo
	$(CMAKE) --build $@ --parallel $(JOBS)
	cd $@ && TENGEN_TEST_SCALE=0.05 ctest --output-on-failure

wheel: $(VENV)/.installed
	$(BIN)/python -m pip wheel --no-build-isolation --no-deps -C cmake.define.TENGEN_PORTABLE=ON -w dist .

clean:
	rm -rf build dist $(VENV) src/tengen/*.so

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Tengen needs Python 3.11 or newer; try make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python $(CORE_SOURCES) constraints.txt
	@echo "Building and installing into $(VENV); the first time takes a minute or two."
	$(PIP) pip scikit-build-core nanobind cmake ninja
	PATH="$(abspath $(BIN)):$$PATH" $(PIP) --no-build-isolation --editable '.[nets,vision,web]'
	@touch $@

# What is imported is compiled then: most of torch never is.
$(VENV)/.developing: $(VENV)/.installed
	$(PIP) --no-compile --group dev
	@touch $@

FORCE:
