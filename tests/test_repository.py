"""The repository agrees with itself: notebooks, dependencies, commands and documents."""

import ast
import inspect
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

import pla_lib
from pla_lib import checks, plots, widgets
from tests import ROOT
from tests.conftest import SLOW

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NOTEBOOKS = sorted((ROOT / "lectures").glob("*.ipynb"))


def unclean_cells(notebook: nbformat.NotebookNode) -> list[str]:
    """The cells that carry what a run left behind, or metadata without a meaning."""
    faults = [f"notebook metadata {name}" for name in notebook.metadata if name != "kernelspec"]
    for number, cell in enumerate(notebook.cells):
        if cell.get("outputs") or cell.get("execution_count") is not None:
            faults.append(f"cell {number} ({cell.id}): outputs or an execution count; clear them before you commit")
        faults += [
            f"cell {number} ({cell.id}): metadata {name}"
            for name in cell.metadata
            if name not in ("mystnb", "tags", "jupyter")
        ]
    return faults


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_committed_clean(path):
    assert unclean_cells(nbformat.read(path, 4)) == []


def test_unclean_notebook_is_found():
    cell = nbformat.v4.new_code_cell("1 + 1", id="one", execution_count=3, metadata={"collapsed": True})
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell(id="zero"), cell], metadata={"widgets": {}}
    )
    assert unclean_cells(notebook) == [
        "notebook metadata widgets",
        "cell 1 (one): outputs or an execution count; clear them before you commit",
        "cell 1 (one): metadata collapsed",
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_figures_have_alternative_text_in_the_notebook(path):
    for cell in nbformat.read(path, 4).cells:
        settings = cell.metadata.get("mystnb", {})
        if "figure" in settings:
            assert len(settings["image"]["alt"]) > 40, cell.id
            assert settings["figure"]["caption"], cell.id
            assert settings["figure"]["name"], cell.id


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_claims_are_folded_in_jupyterlab_behind_a_line_that_says_so(path):
    for cell in nbformat.read(path, 4).cells:
        if "claims" in cell.metadata.get("tags", []):
            assert cell.metadata.get("jupyter") == {"source_hidden": True}, cell.id
            assert cell.source.startswith("# Claims of this section, checked by code\n"), cell.id


def test_environment_agrees_with_the_project():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    python, pip, project = environment["dependencies"]
    tested = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]["test"]["strategy"]["matrix"][
        "include"
    ]
    assert python.removeprefix("python=") in [row["python"] for row in tested]
    assert {row["python"] for row in tested} >= {PROJECT["requires-python"].removeprefix(">=")}
    assert pip == "pip"
    constraints, install = project["pip"]
    assert (ROOT / constraints.removeprefix("--constraint ")).exists()
    extras = re.fullmatch(r"--editable \.\[([\w,]+)\]", install)[1].split(",")
    needed = PROJECT["dependencies"] + [line for extra in extras for line in PROJECT["optional-dependencies"][extra]]
    names = {re.match(r"[\w-]+", line)[0].lower() for line in needed}
    assert {"ipywidgets", "jupyterlab", "jupyterlab-myst"} <= names


def test_every_dependency_has_a_tested_version():
    constraints = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!]+", line) for line in constraints)
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in constraints}
    extras = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    named = {re.match(r"[\w-]+", line)[0].lower().replace("_", "-") for line in PROJECT["dependencies"] + extras}
    assert named - {"pla-lib"} <= pinned


def makefile_verbs() -> set[str]:
    return set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "book/how-to-use.md", "book/homework.md"])
def test_commands_in_documents_exist(document):
    code = re.findall(r"```bash\n.*?```|`[^`\n]+`", (ROOT / document).read_text(), flags=re.DOTALL)
    used = set(re.findall(r"\bmake ([a-z-]+)", "\n".join(code)))
    assert used
    assert used <= makefile_verbs()


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "book/how-to-use.md"])
def test_programs_called_in_documents_are_there(document):
    blocks = re.findall(r"```bash\n(.*?)```", (ROOT / document).read_text(), flags=re.DOTALL)
    commands = [line.split("#")[0].split() for block in blocks for line in block.splitlines()]
    for program in {command[0] for command in commands if command}:
        found = program in ("cd", "git", "make") or Path(sys.executable).with_name(Path(program).name).exists()
        assert found, f"{document} calls {program}, which the environment does not have"


def test_python_in_readme_runs():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("Run(11 mistakes in 3 epochs, converged)")


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_files_named_in_documents_exist(document):
    text = (ROOT / document).read_text()
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_first_change_of_the_guide_can_be_made():
    guide = (ROOT / "CONTRIBUTING.md").read_text().partition("## Where things live")[0]
    old, new = re.search(r'In the script, replace `("[^`]+")` with `("[^`]+")`', guide).groups()
    script = (ROOT / re.search(r"\| script \| \[([^]]+)\]", guide)[1]).read_text()
    assert script.count(old) == 1
    assert new not in script


def test_make_alone_lists_the_verbs():
    listed = subprocess.run(["make", "--silent"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"make ([a-z-]+)", listed)) == makefile_verbs()
    assert makefile_verbs() >= {
        "book",
        "test",
        "quick",
        "test-all",
        "lab",
        "serve",
        "bench",
        "homework",
        "grade",
        "clean",
    }


def test_every_file_of_tests_is_collected(pytestconfig):
    left_out = pytestconfig.getini("norecursedirs")
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert ROOT / "tests" / "build" in folders
    assert [folder for folder in folders if any(folder.match(pattern) for pattern in left_out)] == []


def test_files_that_start_first_exist():
    assert [name for name in SLOW if not list(ROOT.glob(f"tests/{name}.py")) + list(ROOT.glob(f"{name}.ipynb"))] == []


def test_automation_calls_the_same_verbs():
    workflows = [yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    commands = [
        step["run"] for flow in workflows for job in flow["jobs"].values() for step in job["steps"] if "run" in step
    ]
    used = {verb for command in commands for verb in re.findall(r"\bmake ([a-z-]+)", command)}
    tests = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]["test"]
    used |= {row["verb"] for row in tests["strategy"]["matrix"]["include"]}
    assert {"book", "test", "test-all"} <= used <= makefile_verbs()
    assert tests["steps"][-1]["run"] == "make ${{ matrix.verb }} ${{ matrix.without }}"
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_public_names_are_importable_and_documented():
    for name in pla_lib.__all__:
        assert getattr(pla_lib, name).__doc__
    with pytest.raises(AttributeError, match=r"pla_lib has no 'perceptrn'; it has .*perceptron"):
        pla_lib.perceptrn  # noqa: B018


@pytest.mark.parametrize("package", [pla_lib, plots, checks, widgets], ids=lambda package: package.__name__)
def test_no_package_has_a_module_and_a_name_that_are_called_the_same(package):
    """Python would hand out the module in place of the function. So a function's own module has an underscore."""
    functions = {name for name in dir(package) if inspect.isfunction(getattr(package, name))}
    modules = {path.stem for path in Path(package.__file__).parent.glob("*.py")} - {"__init__"}
    assert functions.isdisjoint(modules)
    assert {module[1:] for module in modules if module.startswith("_")} <= functions


def test_figures_are_imported_from_plots():
    figures = {name for name in plots.__all__ if name.startswith("plot_")}
    drawn = [path for path in (ROOT / "pla_lib" / "plots").glob("*.py") if path.stem != "__init__"]
    assert figures == {name for path in drawn for name in re.findall(r"^def (plot_\w+)", path.read_text(), flags=re.M)}
    for name in figures:
        assert getattr(plots, name).__doc__
        assert name not in pla_lib.__all__
    words = "pla_lib has no 'plot_run'; figures are in pla_lib.plots: from pla_lib.plots import plot_run"
    with pytest.raises(AttributeError, match=words):
        pla_lib.plot_run  # noqa: B018


def test_stub_has_the_names_of_the_table():
    """Editors and type checkers read the stub, Python the table: they agree name by name, module by module."""
    tree = ast.parse((ROOT / "pla_lib" / "__init__.pyi").read_text())
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    offered = {node.module: [alias.name for alias in node.names] for node in imports}
    assert offered == {f"pla_lib.{module}": names for module, names in pla_lib._HOME.items()}
    assert ast.literal_eval(tree.body[-1].value) == pla_lib.__all__  # without it the names would not be offered on
    assert (ROOT / "pla_lib" / "py.typed").exists()


def test_package_takes_the_stub_along():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["pla_lib"]
    for file in ("__init__.pyi", "py.typed", "data/iris.npz"):
        assert any(Path(file).match(pattern) for pattern in data), file


def test_import_loads_no_drawing_library():
    code = (
        "import sys, pla_lib; pla_lib.perceptron; print({'matplotlib', 'ipywidgets', 'anywidget'} & set(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "set()"
