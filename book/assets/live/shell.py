"""Runs the cells of a page in the browser, inside the worker: what they print, show and draw goes to the page."""

import builtins
import importlib.abc
import io
import json
import linecache
import os
import signal
import sys
import time
import traceback
import warnings
from dataclasses import asdict
from pathlib import Path

import cell_names
import page  # worker.js makes it
from anywidget import AnyWidget
from pyodide.code import CodeRunner
from stacked_panels import LOOK, stack

from pla_lib import checks

names = {"__name__": "__main__", "__builtins__": __builtins__, "check": checks.check}
widgets = {}
cells = set()  # what tracebacks call the cells that were run
answers = {}  # the cell of an exercise -> the names that it left

# The checks stop an endless loop with a timer, which browsers do not have; worker.js watches the clock instead.
signal.ITIMER_REAL = 0
signal.setitimer = lambda which, seconds: page.alarm(seconds)

warnings.filterwarnings("ignore", module="threadpoolctl")  # of a function of Pyodide's that will go
warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")  # plt.show(): figures are shown anyway


def sleep(seconds: float, wait=time.sleep) -> None:
    """Wait in short spells: during one, Python hears of no alarm and no interrupt."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        wait(min(left, 0.05))


def no_input(prompt: object = "") -> str:
    raise RuntimeError("input() does not work in this page. Write the value into the code instead.")


time.sleep = sleep
builtins.input = no_input

# matplotlib reads its settings when it is first imported.
os.environ["MATPLOTLIBRC"] = "/lib/matplotlibrc"
settings = {"backend": "agg"} | LOOK
Path(os.environ["MATPLOTLIBRC"]).write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))


class FiguresOnDemand(importlib.abc.MetaPathFinder):
    """Fetches matplotlib when it is first imported, if worker.js has not seen that a cell would."""

    def find_spec(self, name, path=None, target=None):
        if name in ("matplotlib", "PIL"):
            sys.meta_path.remove(self)
            try:
                page.install_figures()
            except Exception as error:
                sys.meta_path.append(self)
                raise ImportError("matplotlib could not be downloaded: there is no connection to the site.") from error
            importlib.invalidate_caches()
            return importlib.util.find_spec(name)
        return None


sys.meta_path.append(FiguresOnDemand())


def run(source: str, name: str, is_answer: bool) -> bool:
    """Run a cell, and show its last value and its figures. Returns whether it ran to its end.

    The answer to an exercise changes no name of the page's, and does not see what an earlier answer left: a function
    that is now misspelt must not pass for the old one.
    """
    if not is_answer:
        return execute(source, name, names)
    earlier = answers.get(name, {})
    before = {key: value for key, value in names.items() if earlier.get(key, earlier) is not value}
    scope = dict(before)
    try:
        return execute(source, name, scope)
    finally:
        answers[name] = {key: value for key, value in scope.items() if key not in before}
        names.clear()
        names.update(before | answers[name])


def execute(source: str, name: str, scope: dict) -> bool:
    cells.add(name)
    linecache.cache[name] = len(source), None, [line + "\n" for line in source.splitlines()], name
    try:
        code = CodeRunner(source, filename=name, return_mode="last_expr", quiet_trailing_semicolon=True).compile()
        value = code.run(scope)
        if value is not None:
            show(value)
        show_figures()
    except BaseException as error:  # also SystemExit and KeyboardInterrupt: the cell ends, Python goes on
        show_error(error, name)
        return False
    finally:
        close_figures()
        sys.stdout.flush()
        sys.stderr.flush()
    return True


def send(kind: str, content) -> None:
    page.show(kind, json.dumps(content))


def show(value) -> None:
    if isinstance(value, AnyWidget):
        widgets[value.model_id] = value
        send("widget", {"id": value.model_id, "state": value.state(), "sentence": value.sentence()})
    elif (html := getattr(value, "_repr_html_", None)) and not isinstance(value, type):
        send("html", html())
    elif not is_drawn(value):
        send("text", repr(value))


def is_drawn(value) -> bool:
    """Is this something of matplotlib's, whose figure is shown anyway?"""
    return type(value).__module__.partition(".")[0] == "matplotlib" and "matplotlib.pyplot" in sys.modules


def show_error(error: BaseException, name: str) -> None:
    """The traceback from the cell's own line on: what comes before is this file's."""
    if isinstance(error, ModuleNotFoundError):
        package = {"sklearn": "scikit-learn"}.get(error.name, error.name)
        error.add_note(
            f"Python in this page has only NumPy, matplotlib and pla_lib. To use {package}, take this chapter as a "
            "notebook, with the button at the top of the page, and run it there."
        )
    told = traceback.TracebackException.from_exception(error)
    for each in chain(told):
        mine = [k for k, frame in enumerate(each.stack) if frame.filename in cells]
        each.stack = traceback.StackSummary.from_list(list(each.stack)[mine[0] :] if mine else [])
    lines = [frame.lineno for frame in told.stack if frame.filename == name]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == name else (lines or [None])[-1]
    send("error", {"name": type(error).__name__, "text": "".join(told.format()), "line": line})


def chain(told: traceback.TracebackException | None):
    """The error and those that led to it."""
    while told:
        yield told
        told = told.__cause__ or told.__context__


def show_figures() -> None:
    """Each open figure, as wide as the cell made it and once more for phones."""
    plt = sys.modules.get("matplotlib.pyplot")
    for number in plt.get_fignums() if plt else []:
        figure = plt.figure(number)
        wide = svg(figure)
        stack(figure)
        send("figure", {"wide": wide, "narrow": svg(figure)})


def svg(figure) -> str:
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", bbox_inches="tight", facecolor=figure.get_facecolor())
    return drawn.getvalue()


def close_figures() -> None:
    if plt := sys.modules.get("matplotlib.pyplot"):
        plt.close("all")


def change(model: str, name: str, value: str) -> None:
    """The reader changed a value of a widget."""
    widgets[model].set_state({name: json.loads(value)})


def needed(sources: str, k: int, answers: str) -> str:
    return json.dumps(cell_names.needed(json.loads(sources), k, json.loads(answers)))


def depends(sources: str, k: int, answers: str) -> str:
    return json.dumps(cell_names.depends(json.loads(sources), k, json.loads(answers)))


def tell_change(model: str, name: str, value) -> None:
    """Python changed a value of a widget."""
    page.change(model, name, json.dumps(value))


AnyWidget.send = staticmethod(tell_change)
checks.show = lambda verdict: send("verdict", asdict(verdict))
