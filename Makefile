# The verbs of this repository; `make` alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := pyproject.toml constraints.txt

# What must be there before anything can be installed. Old Pythons run this too, if only to be refused.
define CHECK
import sys
version = sys.version.split()[0]
if not (3, 11) <= sys.version_info[:2] <= (3, 14):
    sys.exit("Python 3.11, 3.12, 3.13 or 3.14 is needed, and $(PYTHON) is Python " + version + ". Try: make PYTHON=python3.12 book")
try:
    import ensurepip, venv
except ImportError:
    sys.exit("$(PYTHON) cannot make an environment: its venv module is missing. On Debian and Ubuntu: sudo apt-get install python3-venv")
endef
export CHECK

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help book test quick test-all lab serve bench homework grade clean

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

book: $(VENV)/book ## build the site into _build/html
	@# A page that was read with a warning would not be read again, and the next build would be green: hence the rm.
	@$(BIN)/jupyter-book build -W -n --keep-going . || { rm -rf _build/html _build/.doctrees; exit 1; }
	@echo "The book is built: open _build/html/index.html in a browser, or run 'make serve'."

# What `make test AREA=...` runs: a folder of tests/, with the docstrings of the library, or the notebooks.
AREAS := library plots checks widgets site build homework lectures
ifneq ($(filter-out $(AREAS),$(AREA)),)
$(error There are no tests called '$(AREA)'. AREA is one of: $(AREAS))
endif
AREA_library := tests/library pla_lib
AREA_lectures := lectures
NEED_SITE := $(if $(AREA),$(filter-out library plots checks lectures,$(AREA)),all of them)

test: $(if $(NEED_SITE),book $(VENV)/browser $(VENV)/sandbox) $(VENV)/test ## run every test, or those of one AREA: library plots checks widgets site build homework lectures
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.lint_scripts
	$(BIN)/pytest $(if $(AREA),$(foreach area,$(AREA),$(or $(AREA_$(area)),tests/$(area))),--cov=pla_lib --cov-fail-under=95)

quick: $(VENV)/test ## a minute of tests while you work: lint, library, checks, docstrings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.lint_scripts
	$(BIN)/pytest tests/library tests/checks pla_lib

test-all: test $(VENV)/firefox ## the tests, and after them the pins for every Python, every cell in the page, Firefox, 200 hand-ins and Lighthouse on the site
	$(BIN)/pytest -m registry --numprocesses=0
	$(BIN)/pytest -m long --dist=load tests/site
	$(BIN)/python -m bench.grading
	$(BIN)/python -m bench.site

lab: $(VENV)/lab ## open the lectures in JupyterLab
	$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) lectures

serve: book ## show the built site on this machine
	$(BIN)/python book/serve.py _build/html

bench: book $(VENV)/test $(VENV)/browser ## measure the library against its peers, and the site: Python in the page, steps of widgets, Lighthouse
	$(BIN)/python -m bench.library
	$(BIN)/python -m bench.live
	$(BIN)/python -m bench.site

# Another folder of problem sets, and where grades are kept; see book/homework.md.
HOMEWORK ?= homework/source
GRADES ?= grading
BUILD ?= _build

homework: $(VENV)/homework ## write the problem sets, as students get them, to _build/homework (HOMEWORK=folder for your own)
	@$(BIN)/python -m homework.grader.release "$(HOMEWORK)" "$(BUILD)"

grade: $(VENV)/sandbox ## grade hand-ins: SUBMISSIONS=folder, with a folder for every student; PS=ps1 for one set
	@test -n "$(SUBMISSIONS)" || { echo "Say where the hand-ins are: make grade SUBMISSIONS=folder [PS=ps1]"; exit 2; }
	@UNSAFE=$(UNSAFE) $(BIN)/python -m homework.grader.grades "$(HOMEWORK)" "$(SUBMISSIONS)" "$(GRADES)" $(PS)

clean: ## remove what was built; the environment and grades stay
	rm -rf _build

# The environment is made once, and made anew when the dependencies or their versions change.
$(VENV)/base: $(SETUP)
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python, or say where it is: make PYTHON=/path/to/python book"; exit 1; }
	@$(PYTHON) -c "$$CHECK"
	@echo "Setting up $(VENV) (once; a few minutes)"
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

# numba only makes things faster: `make test FAST=` sets up an environment without it.
FAST := fast
$(VENV)/test: EXTRAS = $(FAST:%=,%)

$(VENV)/book $(VENV)/homework $(VENV)/lab $(VENV)/test: $(VENV)/base
	@echo "Installing what 'make $(@F)' needs (once)"
	$(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt --editable '.[$(@F)$(EXTRAS)]'
	@touch $@

$(VENV)/browser: $(VENV)/test
	$(BIN)/python -m tests.browser
	@touch $@

$(VENV)/firefox: $(VENV)/test
	$(BIN)/python -m tests.firefox
	@touch $@

$(VENV)/sandbox: $(VENV)/homework
	@$(BIN)/python -m homework.grader.sandbox
	@touch $@
