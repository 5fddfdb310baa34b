"""The stand-in for anywidget in the browser against anywidget itself, with every widget of the library."""

import json
import subprocess
import sys

import anywidget
import jupytext
import pytest

from tests import ROOT
from tests.widgets import GALLERY

# Runs in a Python that has neither the real anywidget nor what it brings along, nor matplotlib.
IN_THE_BROWSER = """
import importlib.util, json, sys

for name in ("ipywidgets", "IPython", "matplotlib", "PIL"):
    sys.modules[name] = None  # to import it is an error
spec = importlib.util.spec_from_file_location("anywidget", "book/assets/live/anywidget.py")
sys.modules["anywidget"] = anywidget = importlib.util.module_from_spec(spec)
spec.loader.exec_module(anywidget)

sent, ids = [], set()
anywidget.AnyWidget.send = staticmethod(lambda *message: sent.append(json.loads(json.dumps(message))))


def messages():
    told, sent[:] = [message[1:] for message in sent if message[0] == widget.model_id], []
    return told


answers = {}
for page, source in json.loads(sys.stdin.read()).items():
    names = {}
    exec(source, names)
    widget = names["widget"]
    ids.add(widget.model_id)
    place = next(name for name in ("step", "index", "current") if name in widget.keys)
    heard = []
    answer = answers[page] = {"sentence": widget.sentence(), "state": widget.state(), "making": messages()}
    setattr(widget, place, 2)
    answer["python"] = place, messages()
    setattr(widget, place, 2)
    answer["python again"] = messages()
    widget.observe(lambda change: heard.append(change["new"]), place)
    widget.set_state({place: 1, "no such value": 1})
    answer["reader"] = getattr(widget, place), heard, messages(), hasattr(widget, "no such value")
    widget.set_state({place: "far"})
    answer["nonsense"] = getattr(widget, place), messages()
    setattr(widget, place, 0)
    answer["python after the reader"] = messages()
    view = anywidget.AnyWidget._repr_mimebundle_(widget)[0]["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == widget.model_id

widget = names["margin_explorer"](*names["blobs"](20, seed=2))
widget.set_state({"theta": [0.0, 3.0, 4.0]})
changed = messages()
widget.set_state({"theta": [0.5, 0.6, 0.8]})
taken = messages(), widget.theta
widget.set_state({"theta": [1.0, 0.0, 0.0]})
refused = messages()
widget.observe(lambda change: setattr(widget, "revealed", True), "step")
widget.set_state({"step": 1})
print(json.dumps([answers, len(ids), changed, taken, refused, messages()]))
"""


@pytest.fixture(scope="module")
def sources():
    pages = {path.stem: jupytext.read(path).cells for path in sorted(GALLERY.glob("*.md")) if path.stem != "together"}
    found = {page: next(cell.source for cell in cells if cell.cell_type == "code") for page, cells in pages.items()}
    return found | {"margin_explorer": found.pop("margin_explorer")}  # the last, for a closer look


@pytest.fixture(scope="module")
def in_the_browser(sources):
    found = subprocess.run(
        [sys.executable, "-c", IN_THE_BROWSER],
        cwd=ROOT,
        input=json.dumps(sources),
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def test_every_widget_says_and_holds_the_same(sources, in_the_browser):
    answers, ids, *_ = in_the_browser
    assert ids == len(answers) == len(sources) >= 14
    for page, source in sources.items():
        names = {}
        exec(source, names)
        widget = names["widget"]
        own = set(widget.keys) - set(anywidget.AnyWidget.class_trait_names()) - {"_anywidget_id"}
        state = {name: getattr(widget, name) for name in own}
        assert {"_esm", "_css"} < state.keys()
        assert answers[page]["sentence"] == widget.sentence()
        assert answers[page]["state"] == json.loads(json.dumps(state))
        assert answers[page]["making"] == []


def test_page_hears_what_python_changes(in_the_browser):
    for answer in in_the_browser[0].values():
        place, told = answer["python"]
        assert told == [[place, 2]]
        assert answer["python again"] == []
        assert answer["python after the reader"] == [[place, 0]]


def test_python_hears_what_the_reader_changes(in_the_browser):
    for answer in in_the_browser[0].values():
        value, observed, told, unknown = answer["reader"]
        assert value == 1
        assert observed[0] == 1
        assert told == []  # the page knows
        assert not unknown


def test_page_gets_back_what_python_refuses_or_changes(in_the_browser):
    answers, _, changed, (echo, theta), refused, told = in_the_browser
    for answer in answers.values():
        assert answer["nonsense"] == [1, [[answer["python"][0], 1]]]
    assert changed == [["theta", [0.0, 0.6, 0.8]]]  # its length is one
    assert echo == []
    assert theta == [0.5, 0.6, 0.8]
    assert refused == [["theta", theta]]  # no line
    assert told == [["revealed", True]]  # what Python does in answer to the reader
